"""The speakers of one turn are called: at the same time when they are several, each within its time.

A speaker that fails costs its turn alone: what it failed with becomes the reason why nothing was said.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pydantic import ValidationError

from agents import AgentSettings, Contribution, Expert, Perspective, Speaker, SpeakRequest
from library import StoreError
from models import ModelUnavailable, PromptError
from moderator import SLUG, Moderator
from roundtable.config.errors import JournalError
from roundtable.session.context.journalled_context import ContextFactory
from roundtable.session.context.speaker_call import SpeakerCall
from roundtable.session.turns.unrepeated_quotes import unrepeated

_GRACE = 5.0
"""Seconds that a speaker has to let go when its time is up, or when it is cancelled."""
_SHORTEST_LOOK = 0.05
"""Seconds between two looks at whether somebody's own time is up."""
_LONGEST_REASON = 300
FATAL = (ModelUnavailable, PromptError, StoreError, JournalError)
"""What a speaker's failure stops the session for; anything else costs that turn alone."""

_log = logging.getLogger(__name__)


class TurnRunner:
    """Calls the panel's experts and the moderator; another panel is made of other speakers."""

    def __init__(self, contexts: ContextFactory, settings: AgentSettings) -> None:
        self._contexts = contexts
        self._settings = settings
        self._panel: list[Perspective] | None = None
        self._speakers: dict[str, Speaker] = {}

    async def call(self, calls: Sequence[SpeakerCall]) -> list[Contribution | str]:
        """Let speakers speak at the same time; in their order, each one's contribution or why there is none.

        Cancelled, it cancels them all, and returns when they have let go.

        Raises:
            ModelUnavailable, PromptError, StoreError, JournalError: the session cannot go on.
        """
        speakers = self._seated()
        if len(calls) > 1:
            calls = [replace(c, request=c.request.model_copy(update={"together": True})) for c in calls]
        with self._in_order([call.speaker for call in calls]):
            heard = await asyncio.gather(*(self._heard(speakers[c.speaker], c.request) for c in calls))
        for said in heard:
            if isinstance(said, FATAL):
                raise said
        return unrepeated([s if isinstance(s, Contribution) else reason_of(s) for s in heard])

    async def _heard(self, speaker: Speaker, request: SpeakRequest) -> Contribution | BaseException:
        """Return what a speaker says, or what it failed with; after its time it is let go of."""
        work = asyncio.ensure_future(self._in_step(speaker, request))
        try:
            done = await self._in_time(work, speaker.slug)
        finally:
            if not work.done():
                work.cancel()
                await asyncio.wait({work}, timeout=_GRACE)
                work.add_done_callback(_look_at)
        if not done:
            return TurnTooLong(self._settings.timeout)
        if work.cancelled():
            return asyncio.CancelledError()
        error = work.exception()
        if error is not None:
            _log.info("%s failed", speaker.slug, exc_info=error)
        return error or work.result()

    async def _in_time(self, work: "asyncio.Future[Contribution]", slug: str) -> bool:
        """Wait for a speaker; False when its time is up. Waiting for others is nobody's own time."""
        barrier, clock = self._contexts.barrier, asyncio.get_running_loop().time
        begun = clock() - barrier.waited(slug)
        while not work.done():
            left = self._settings.timeout - (clock() - begun - barrier.waited(slug))
            if left <= 0:
                return False
            await asyncio.wait({work}, timeout=max(left, _SHORTEST_LOOK))
        return True

    async def _in_step(self, speaker: Speaker, request: SpeakRequest) -> Contribution:
        """Have somebody speak, and hold nobody up afterwards, however it ends."""
        try:
            return await speaker.speak(request)
        finally:
            self._contexts.barrier.leave(speaker.slug)

    @contextmanager
    def _in_order(self, speakers: Sequence[str]) -> Iterator[None]:
        self._contexts.barrier.enter(speakers)
        try:
            yield
        finally:
            for speaker in speakers:
                self._contexts.barrier.leave(speaker)

    def _manner(self, slug: str) -> AgentSettings:
        """Return how an expert works: an AutoGen agent answers from what the first search found."""
        if self._contexts.agent_of(slug) is None:
            return self._settings
        return self._settings.model_copy(update={"rounds": 1, "most_rounds": 1})

    def _seated(self) -> dict[str, Speaker]:
        state = self._contexts.record.state.without_dropped()
        if self._panel != state.panel or state.controls.narrowed or state.updates.replaced:
            experts = [Expert(p, state, self._contexts.of(p.slug), self._manner(p.slug)) for p in state.panel]
            by_words = not self._contexts.of(SLUG).chooses
            asks_from = state.worth_asking(self._contexts.library.statistics, by_words=by_words)
            moderator = Moderator(asks_from, state.agenda, self._contexts.of(SLUG))
            speakers: list[Speaker] = [*experts, moderator]
            self._speakers = {speaker.slug: speaker for speaker in speakers}
            self._panel = list(state.panel)
        return self._speakers


def _look_at(work: "asyncio.Future[Contribution]") -> None:
    """Take note of what became of a speaker that was let go of: asyncio complains of errors nobody saw."""
    if not work.cancelled():
        work.exception()


class TurnTooLong(TimeoutError):
    """A speaker took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} s")


def reason_of(error: BaseException) -> str:
    """Say in one line why somebody said nothing."""
    if isinstance(error, asyncio.CancelledError):
        return "was interrupted"
    # A validation error repeats what was written, over many lines.
    words = f"{error.error_count()} invalid values" if isinstance(error, ValidationError) else str(error)
    line = " ".join(words.split())
    ours = type(error).__module__.partition(".")[0] in _ROOMS
    named = line if ours and line else f"{type(error).__name__}: {line}".rstrip(": ")
    return named if len(named) <= _LONGEST_REASON else named[: _LONGEST_REASON - 1] + "…"


_ROOMS = frozenset({"agents", "library", "models", "mindmap", "reports", "roundtable"})
"""Errors of these packages say in a clear line what was wrong; others are told with their name."""
