"""What a speaker works with.

A protocol that the session implements. Everything done through it is journalled.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agents.memory.memory import MemoryBlock
from agents.research.moves.actions import Action, Observation
from library import Passage, TextStatistics
from models import Event, OutputT, Task


@dataclass(frozen=True, slots=True)
class SearchPlace:
    """Somewhere to search, as a speaker is told of it."""

    name: str
    description: str
    local: bool


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """How a place did, as it stood when a speaker's turn began."""

    searched: int
    """Searches that worked."""
    fitted: int
    """Searches that gave something that was admitted."""
    unrelated: int
    """Questions for which nothing that it gave fitted."""
    unrelated_here: bool
    """The question at hand is one of them."""


class SpeakerContext(Protocol):
    """What one speaker works with.

    Speakers that work at the same time are held in step: what they did is journalled in (round, speaker,
    action, rank) order, whatever came back first, so that a session repeats.
    """

    @property
    def speaker(self) -> str:
        """Slug of the speaker."""

    @property
    def statistics(self) -> TextStatistics:
        """Text statistics over what the library holds."""

    def known(self, passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
        """Return the keys of those that the session has admitted before this speaker's turn."""

    def admitted_before(self) -> list[Passage]:
        """Return what the session had admitted when this speaker's turn began, in order, with its ids."""

    def seen_before(self) -> Mapping[str, int]:
        """Return the ids of passages that this speaker was shown, each with in how many earlier turns."""

    def found_before(self) -> list[Passage]:
        """Return what searches and readings had found when this speaker's turn began, the newest last."""

    def rankings_before(self) -> list[tuple[str, list[tuple[str, int, int]]]]:
        """Return each search before this speaker's turn: its query and keys of the passages found, in order.

        Pages of the web that were not read are not among them.
        """

    @property
    def places(self) -> Sequence[SearchPlace]:
        """Where one can search."""

    @property
    def computes(self) -> bool:
        """Whether Python can be run for figures."""

    @property
    def looks(self) -> bool:
        """Whether pages can be looked at: a model that sees reads pictures of them."""

    @property
    def chooses(self) -> bool:
        """Whether a language model speaks, which may search again in words of its own."""
        ...

    def hurried(self, turn: int, number: int) -> bool:
        """Tell whether a budget is nearly spent, so that a round answers with what there is."""

    def records(self, question: str) -> Mapping[str, PlaceRecord]:
        """Return how each place that was searched did before this turn, for a question's id."""

    def queries_before(self) -> list[str]:
        """Return what had been searched for when this speaker's turn began, in order."""

    def memory(self) -> list[MemoryBlock]:
        """Return the notes that stood when this speaker's turn began, in order."""

    def unrelated_since(self) -> list[MemoryBlock]:
        """Return what others, who work at the same time, have called another matter since this turn began.

        What they had noted when passages were shown to this speaker last; its own notes may be among it.
        """

    def remember(self, kind: str, text: str, passages: Sequence[str], given: Collection[str]) -> MemoryBlock:
        """Keep a note, and return it with its id; `given` are the ids that this turn was given already."""

    def forget(self, block_id: str) -> None:
        """Drop a note."""

    @property
    def reranks(self) -> bool:
        """Whether a service judges how well passages answer a query."""

    async def rerank(self, query: str, passages: Sequence[Passage]) -> list[float] | None:
        """Return that service's judgement (0 to 1, more is better); None when it failed."""

    async def perform(self, actions: Sequence[Action]) -> list[Observation]:
        """Run actions at the same time; the observations come in the order of the actions."""

    async def aside(self, work: Callable[[], None]) -> None:
        """Do what takes long in a thread; those who work at the same time go on in their order."""

    def admit(self, passages: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, bool]]:
        """Give ids to passages (with their relevance, 0 to 1) that are about to be shown.

        Returns each passage with its id, and whether it is new to the session; known ones keep their ids.
        """

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task with the model of its role. Raises ModelUnavailable."""

    def answered(self, task: Task[OutputT]) -> bool:
        """Tell whether a task's reply is had already: a turn is done again after a crash."""

    async def settled(self) -> None:
        """Wait until what was said before stands in the map: to be called before a prompt shows the map."""

    def record(self, event: Event) -> None:
        """Journal something that happened."""
