"""What a speaker works with.

A protocol that the session implements. Everything done through it is journalled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agents.actions import Action, Observation
from library import Passage, TextStatistics
from models import Event, OutputT, Task


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere to search, as a speaker is told of it."""

    name: str
    description: str
    local: bool


class Desk(Protocol):
    """One speaker's desk.

    Speakers that work at the same time are held in step: what they did is journalled in (round, speaker,
    action, rank) order, whatever came back first, so that a session repeats.
    """

    @property
    def statistics(self) -> TextStatistics:
        """Text statistics over what the library holds."""
        ...

    def known(self, passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
        """Return the keys of those that the session has admitted before this speaker's turn."""
        ...

    def found_before(self) -> list[Passage]:
        """Return what searches and readings had found when this speaker's turn began, the newest last."""
        ...

    @property
    def places(self) -> Sequence[Place]:
        """Where one can search."""
        ...

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        """Run actions at the same time; the observations come in the order of the actions."""
        ...

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        """Give ids to passages (with their relevance, 0 to 1) that are about to be shown.

        Returns each passage with its id, and whether it is new to the session; known ones keep their ids.
        """
        ...

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task with the model of its role. Raises ModelUnavailable."""
        ...

    async def settled(self) -> None:
        """Wait until what was said before stands in the map: to be called before a prompt shows the map."""
        ...

    def record(self, event: Event) -> None:
        """Journal something that happened."""
        ...
