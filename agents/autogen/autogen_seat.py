"""A seat at an AutoGen table for anyone who speaks.

AutoGen ends a team's run when an agent raises, and keeps nothing but the traceback's text. So a seat never
raises: what a speaker fails with becomes an empty message with the reason in its metadata, and the error
itself stays with the seat, for those faults that must stop the session.

What a speaker is asked, and what it says, travel as JSON in `TextMessage.metadata`: the text of a message is
only what a person reading along would see.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken
from pydantic import ValidationError

from agents.speaker import Contribution, Speaker, SpeakRequest

_REQUEST = "request:"
_CONTRIBUTION = "contribution"
_SILENCE = "silence"
_GRACE = 5.0
"""Seconds that a speaker has to let go when its time is up."""
_LONGEST_REASON = 300

_log = logging.getLogger(__name__)


def seat_name(slug: str) -> str:
    """Return a slug as AutoGen takes names: an identifier. Two slugs never give the same name."""
    return "seat_" + slug.replace("-", "_")


class AutogenSeat(BaseChatAgent):
    """Gives a speaker a seat: bounds its time, and turns what it fails with into a message."""

    def __init__(self, speaker: Speaker, seconds: float) -> None:
        """Seat a speaker.

        Args:
            speaker: Who sits there.
            seconds: After which a turn is given up.
        """
        super().__init__(seat_name(speaker.slug), speaker.description or speaker.slug)
        self.slug = speaker.slug
        self.error: BaseException | None = None
        """What the last turn failed with; None when it did not."""
        self._speaker = speaker
        self._seconds = seconds

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        """Text alone: our own structure travels in its metadata."""
        return (TextMessage,)

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Let the speaker answer the newest request that is meant for it."""
        self.error = None
        request = _request_for(self.slug, messages)
        if request is None:
            return Response(chat_message=self._silence("was called without a request"))
        work = asyncio.ensure_future(self._speaker.speak(request))
        cancellation_token.link_future(work)
        try:
            done, _ = await asyncio.wait({work}, timeout=self._seconds)
        except asyncio.CancelledError:
            work.cancel()
            raise
        if not done:
            work.cancel()
            await asyncio.wait({work}, timeout=_GRACE)
        return Response(chat_message=self._message(work, late=not done))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Forget the last error; speakers keep nothing here."""
        del cancellation_token
        self.error = None

    def _message(self, work: "asyncio.Future[Contribution]", *, late: bool) -> TextMessage:
        if late:
            self.error = TimeoutError(f"no turn within {self._seconds:g} s")
            return self._silence(f"took longer than {self._seconds:g} s")
        if work.cancelled():
            self.error = asyncio.CancelledError()
            return self._silence("was interrupted")
        self.error = work.exception()
        if self.error is not None:
            _log.info("%s failed", self.slug, exc_info=self.error)
            return self._silence(_reason(self.error))
        said = work.result()
        return TextMessage(
            content=said.text, source=self.name, metadata={_CONTRIBUTION: said.model_dump_json()}
        )

    def _silence(self, reason: str) -> TextMessage:
        return TextMessage(content="", source=self.name, metadata={_SILENCE: reason})


def request_message(requests: Mapping[str, SpeakRequest], briefing: str, source: str) -> TextMessage:
    """Return the message that calls speakers, by slug."""
    calls = {f"{_REQUEST}{slug}": request.model_dump_json() for slug, request in requests.items()}
    return TextMessage(content=briefing, source=source, metadata=calls)


def said_in(message: BaseChatMessage) -> Contribution | str:
    """Return what a seat's message holds: a contribution, or the reason why there is none."""
    said = message.metadata.get(_CONTRIBUTION)
    if said is None:
        return message.metadata.get(_SILENCE, "said nothing")
    return Contribution.model_validate_json(said)


def _request_for(slug: str, messages: Iterable[BaseChatMessage]) -> SpeakRequest | None:
    for message in reversed(list(messages)):
        written = message.metadata.get(f"{_REQUEST}{slug}")
        if written is not None:
            return SpeakRequest.model_validate_json(written)
    return None


def _reason(error: BaseException) -> str:
    """Say in one line why somebody said nothing."""
    # A validation error repeats what was written, over many lines.
    words = f"{error.error_count()} invalid values" if isinstance(error, ValidationError) else str(error)
    line = " ".join(words.split())
    ours = type(error).__module__.partition(".")[0] in {"agents", "library", "models", "mindmap", "reports"}
    named = line if ours and line else f"{type(error).__name__}: {line}".rstrip(": ")
    return named if len(named) <= _LONGEST_REASON else named[: _LONGEST_REASON - 1] + "…"
