"""The talk as it stands: what contradicts, what was judged, how much is new. A fold of events."""

from dataclasses import dataclass, field

from agents import SpeakerCalled, Turn, TurnFailed, TurnTaken
from library import Searched
from models import Event
from moderator.events import (
    AnswerJudged,
    ContradictionFound,
    DiscussionReviewed,
    NoveltyMeasured,
    PassagesCompared,
)


@dataclass(slots=True)
class Talk:
    """What is known of the talk beside its turns and its agenda."""

    compared: set[str] = field(default_factory=set)
    """Ids of the passages that were set against all others."""
    contradictions: list[ContradictionFound] = field(default_factory=list)
    """Points on which passages disagree by their words alone, in order."""
    paired: set[str] = field(default_factory=set)
    """Ids of those passages whose sentences the moderator has been shown beside others' already."""
    weighed: int = 0
    """How many of those, from the first, the moderator has looked at."""
    differing: set[int] = field(default_factory=set)
    """Which of those it found to be disagreements, by place."""
    novelty: list[NoveltyMeasured] = field(default_factory=list)
    unjudged: list[Turn] = field(default_factory=list)
    """The experts' answers that nobody has judged, in order."""
    reviewed: int = 0
    """Number of the last turn that the moderator has looked at."""
    unsaid: dict[str, int] = field(default_factory=dict)
    """What answers say the sources do not tell, a clause each, with the turn that said so last, in order."""
    hurried: set[tuple[int, str]] = field(default_factory=set)
    """Turns and speakers that were asked to answer with what they have."""
    searched: dict[int, list[str]] = field(default_factory=dict)
    """By turn: what its speaker searched for, each once, in order."""
    first: int = 0
    """Number of the first turn of those called together last."""
    _called: set[int] = field(default_factory=set)
    """Turns of those called together last that are not over."""
    _turn_of: dict[str, int] = field(default_factory=dict)
    """The turn that each speaker was called for last."""

    def fold(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case SpeakerCalled():
                self._call(event)
            case Searched():
                self._search(event)
            case TurnTaken():
                self._called.discard(event.turn.n)
                if event.turn.act == "answer" and event.turn.role == "expert" and event.turn.question:
                    self.unjudged.append(event.turn)
            case TurnFailed():
                self._called.discard(event.turn)
            case AnswerJudged():
                self.unjudged = [turn for turn in self.unjudged if turn.n != event.turn]
                for clause in event.unsaid:
                    self.unsaid.pop(clause, None)
                    self.unsaid[clause] = event.turn
            case DiscussionReviewed():
                self.reviewed = event.turn
                self.weighed = max(self.weighed, event.weighed)
                self.differing.update(event.differ)
                self.paired.update(self.compared)
            case PassagesCompared():
                self.compared.update(event.passages)
            case ContradictionFound():
                self.contradictions.append(event)
            case NoveltyMeasured():
                self.novelty.append(event)
            case _:
                pass  # not of the talk

    def disagreements(self, *, confirmed: bool) -> list[ContradictionFound]:
        """Return the points on which passages disagree.

        Args:
            confirmed: Those alone that the moderator found to be some; else all that it has not refused.
        """
        return [
            point
            for n, point in enumerate(self.contradictions)
            if n in self.differing or (n >= self.weighed and not confirmed)
        ]

    def _call(self, event: SpeakerCalled) -> None:
        if not self._called:
            self.first = event.turn
        self._called.add(event.turn)
        self._turn_of[event.speaker] = event.turn
        if event.hurry:
            self.hurried.add((event.turn, event.speaker))

    def _search(self, event: Searched) -> None:
        turn = self._turn_of.get(event.speaker)
        queries = self.searched.setdefault(turn, []) if turn in self._called else []
        if event.query not in queries:
            queries.append(event.query)

    def judged_meanwhile(self) -> list[Turn]:
        """Return the answers that are judged while those called last speak: what was said before them."""
        return [turn for turn in self.unjudged if turn.n < self.first]

    def overdue(self) -> list[Turn]:
        """Return answers that should have been judged by now: the session was cut off before it could."""
        return [] if self._called else self.judged_meanwhile()
