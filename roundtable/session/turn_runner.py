"""The table: the experts and the moderator in AutoGen seats, called a turn at a time."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from agents import AgentSettings, Contribution, Expert, Perspective, Speaker, SpeakRequest
from library import StoreError
from models import ExtractiveModel, ModelUnavailable, PromptError
from moderator import SLUG, Moderator
from roundtable.config.errors import JournalError
from roundtable.session.journalled_context import ContextFactory

if TYPE_CHECKING:  # AutoGen takes a third of a second, and nobody speaks before something was searched
    from moderator import Team

_FREE = 24
"""Passages that the embedded model is shown at least: it pays for none of them."""
FATAL = (ModelUnavailable, PromptError, StoreError, JournalError)
"""What a speaker's failure stops the session for; anything else costs that turn alone."""


@dataclass(frozen=True, slots=True)
class SpeakerCall:
    """A speaker is called for something."""

    speaker: str
    request: SpeakRequest


class InStep:
    """A speaker who keeps step with those who work at the same time."""

    def __init__(self, speaker: Speaker, desks: ContextFactory) -> None:
        self.slug = speaker.slug
        self.description = speaker.description
        self._speaker = speaker
        self._desks = desks

    async def speak(self, request: SpeakRequest) -> Contribution:
        """Speak, and hold nobody up afterwards, however it ends."""
        try:
            return await self._speaker.speak(request)
        finally:
            self._desks.order.leave(self.slug)


async def warm_up() -> None:
    """Import AutoGen's team, in a thread: best done while something else is waited for."""
    await asyncio.to_thread(import_module, "moderator.team")


class TurnRunner:
    """Seats the panel; another panel is another team."""

    def __init__(self, desks: ContextFactory, settings: AgentSettings) -> None:
        self._desks = desks
        most = settings.prompt_passages
        if desks.models["expert"].name == ExtractiveModel.name:
            most = max(most, _FREE)
        self._settings = settings.model_copy(update={"prompt_passages": most})
        self._panel: list[Perspective] | None = None
        self._team: Team | None = None

    async def call(self, calls: Sequence[SpeakerCall]) -> list[Contribution | str]:
        """Let speakers speak at the same time; in their order, each one's contribution or why there is none.

        Raises:
            ModelUnavailable, PromptError, StoreError, JournalError: the session cannot go on.
        """
        team = self._seated()
        with self._in_order([call.speaker for call in calls]):
            said = await team.step({call.speaker: call.request for call in calls})
        for call in calls:
            error = team.error(call.speaker)
            if isinstance(error, FATAL):
                raise error
        return said

    @contextmanager
    def _in_order(self, speakers: Sequence[str]) -> Iterator[None]:
        self._desks.order.enter(speakers)
        try:
            yield
        finally:
            for speaker in speakers:
                self._desks.order.leave(speaker)

    def _seated(self) -> "Team":
        from moderator import Team

        state = self._desks.record.state.without_dropped()
        if self._team is None or self._panel != state.panel or state.wishes.narrowed:
            experts = [Expert(p, state, self._desks.desk(p.slug), self._settings) for p in state.panel]
            asks_from = state.worth_asking(self._desks.library.statistics)
            moderator = Moderator(asks_from, state.agenda, self._desks.desk(SLUG))
            speakers: list[Speaker] = [*experts, moderator]
            seated = [InStep(speaker, self._desks) for speaker in speakers]
            self._team = Team(seated, self._settings.timeout)
            self._panel = list(state.panel)
        return self._team

    async def close(self) -> None:
        """Let go of the team."""
        if self._team is not None:
            await self._team.close()
