"""The agenda: the queue of open questions, each with who raised it and why. A fold of its own events."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from agents import TurnClaim, TurnTaken
from models import Event
from moderator.events import (
    DiscussionReviewed,
    QuestionClosed,
    QuestionRaised,
    QuestionReturned,
    QuestionReworded,
)
from moderator.same_question import alike

OUTSIDE = frozenset({"person", "update"})
"""Who asks from outside the table: a person, and a look at what became of the sources."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the agenda."""

    id: str
    text: str
    by: str
    why: str = ""
    search: str = ""
    to: str | None = None
    state: Literal["waiting", "taken", "answered", "open", "not_found", "merged", "dropped"] = "waiting"
    """`taken`: answered, and the answer is not judged yet; `open`: no answer to it held;
    `not_found`: what its answers lack is not in the sources found."""
    place: Literal["queue", "head", "tail"] = "queue"
    returns: int = 0
    """How often it came back because its answer did not hold."""
    claim: TurnClaim | None = None
    """What somebody claimed and `to` is asked to respond to."""
    passages: tuple[str, ...] = ()
    """Ids of the passages that it was asked from."""
    rank: int = 0
    """Its place (from 1) in the order that the moderator gave last; 0: it has none."""
    wanting: str = ""
    """What its last answer wanted; for an open question, why it is open; for an answered one, the part that
    is not in the sources found."""
    in_part: bool = False
    """It was answered but for what is wanting."""
    part: bool = False
    """It is a part of what was asked."""

    @property
    def owed(self) -> bool:
        """Whether it is answered beyond the table's own limits: somebody outside it asked."""
        return self.by in OUTSIDE


@dataclass(slots=True)
class Agenda:
    """All questions of a session, in the order in which they were raised."""

    questions: dict[str, Question] = field(default_factory=dict)

    def fold(self, event: Event) -> None:
        """Take in one event; others than the agenda's own are passed over."""
        match event:
            case QuestionRaised():
                self.questions[event.id] = Question(
                    event.id,
                    event.text,
                    event.by,
                    event.why,
                    event.search,
                    event.to,
                    place=event.place,
                    claim=event.claim,
                    passages=tuple(event.passages),
                    part=event.part,
                )
            case QuestionClosed():
                in_part = event.state == "answered" and bool(event.reason)
                self._change(event.id, state=event.state, wanting=event.reason, in_part=in_part)
            case QuestionReturned():
                known = self.questions[event.id]
                search = event.search or known.search
                self._change(
                    event.id, state="waiting", place="head", returns=known.returns + 1, wanting=event.reason,
                    search=search, to=None, in_part=event.in_part,
                )  # fmt: skip
            case DiscussionReviewed():
                for name in self.questions:
                    rank = event.order.index(name) + 1 if name in event.order else 0
                    self._change(name, rank=rank)
            case QuestionReworded():
                self._change(event.id, text=event.text, search="")
            case TurnTaken() if event.turn.act == "answer" and event.turn.question in self.questions:
                if self.questions[event.turn.question].state == "waiting":
                    self._change(event.turn.question, state="taken")
            case _:
                pass  # not the agenda's

    def _change(self, question: str, **new: object) -> None:
        self.questions[question] = replace(self.questions[question], **new)  # type: ignore[arg-type]

    def next_id(self) -> str:
        """Return the id for the next question."""
        return f"q{len(self.questions) + 1}"

    def waiting(self) -> list[Question]:
        """Return the questions that wait, in the order in which they are put; not the topic itself.

        A person's, then parts of what was asked, then claims to respond to, then as the moderator ordered
        them, then what came up and the rest in order, and last those that were answered before.
        """
        queue = [q for q in self.questions.values() if q.state == "waiting" and q.place != "tail"]
        last = len(self.questions) + 1

        def place(q: Question) -> tuple[int, ...]:
            ranked = (q.rank or last, q.place != "head")
            return not q.owed, q.returns > 0, not q.part, q.claim is None, *ranked

        return sorted(queue, key=place)

    def tail(self) -> Question | None:
        """Return the topic itself, which is asked when all else is; None once it was, or where it is not."""
        return next((q for q in self.questions.values() if q.place == "tail" and q.state == "waiting"), None)

    def unanswered(self) -> list[Question]:
        """Return the questions without an answer, taken or not, in order.

        Not the topic that nobody took, nor claims that somebody was asked to respond to.
        """
        return [
            q
            for q in self.questions.values()
            if q.claim is None
            and q.state not in ("answered", "merged", "dropped")
            and (q.state, q.place) != ("waiting", "tail")
        ]

    def in_vain(self) -> int:
        """Return how many questions are not in the sources found; 0 where any question is answered."""
        states = [q.state for q in self.questions.values()]
        return 0 if "answered" in states else states.count("not_found")

    def answered_in_part(self) -> list[Question]:
        """Return the questions that are answered but for what they want, closed or waiting, in order."""
        return [q for q in self.questions.values() if q.in_part]

    def asked(self, text: str) -> bool:
        """Tell whether a question of these or nearly these words was raised before."""
        return any(alike(text, q.text) for q in self.questions.values())


def raise_all(
    agenda: Agenda,
    questions: Iterable[tuple[str, str, str, str | None]],
    *,
    place: Literal["queue", "head", "tail"] = "queue",
    why: str = "",
    first: int = 0,
    part: bool = False,
) -> list[QuestionRaised]:
    """Return events that put (text, search, by, to) on the agenda; a question asked before is passed over.

    Args:
        agenda: What was asked so far.
        questions: The new ones.
        place: Where they stand: a gap goes to the head.
        why: Why they are asked.
        first: How many other questions are raised together with these, before them.
        part: They are parts of what was asked.
    """
    events: list[QuestionRaised] = []
    for text, search, by, to in questions:
        known = agenda.asked(text) or any(alike(text, event.text) for event in events)
        if text and not known:
            number = len(agenda.questions) + first + len(events) + 1
            events.append(
                QuestionRaised(
                    id=f"q{number}", text=text, search=search, by=by, to=to, place=place, why=why, part=part
                )
            )
    return events
