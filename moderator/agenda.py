"""The agenda: the queue of open questions, each with who raised it and why. A fold of its own events."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from models.event import Event
from moderator.events import QuestionClosed, QuestionRaised


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the agenda."""

    id: str
    text: str
    by: str
    why: str = ""
    search: str = ""
    to: str | None = None
    state: Literal["waiting", "answered", "open"] = "waiting"
    """`waiting`: nobody has taken it yet; `open`: it was taken, and no answer was found."""


@dataclass(slots=True)
class Agenda:
    """All questions of a session, in the order in which they were raised."""

    questions: dict[str, Question] = field(default_factory=dict)

    def fold(self, event: Event) -> None:
        """Take in one event; others than the agenda's own are passed over."""
        if isinstance(event, QuestionRaised):
            self.questions[event.id] = Question(
                event.id, event.text, event.by, event.why, event.search, event.to
            )
        elif isinstance(event, QuestionClosed):
            self.questions[event.id] = replace(self.questions[event.id], state=event.state)

    def next_id(self) -> str:
        """Return the id for the next question."""
        return f"q{len(self.questions) + 1}"

    def waiting(self) -> list[Question]:
        """Return the questions nobody has taken: a person's first, then in order."""
        queue = [q for q in self.questions.values() if q.state == "waiting"]
        return sorted(queue, key=lambda q: q.by != "person")

    def unanswered(self) -> list[Question]:
        """Return the questions without an answer, taken or not, in order."""
        return [q for q in self.questions.values() if q.state != "answered"]

    def asked(self, text: str) -> bool:
        """Tell whether a question of these words was raised before."""
        return _folded(text) in {_folded(q.text) for q in self.questions.values()}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？ ")


def raise_all(agenda: Agenda, questions: Iterable[tuple[str, str, str, str | None]]) -> list[QuestionRaised]:
    """Return events that put (text, search, by, to) on the agenda; a question asked before is passed over."""
    events: list[QuestionRaised] = []
    for text, search, by, to in questions:
        known = agenda.asked(text) or _folded(text) in {_folded(e.text) for e in events}
        if text and not known:
            number = len(agenda.questions) + len(events) + 1
            events.append(QuestionRaised(id=f"q{number}", text=text, search=search, by=by, to=to))
    return events
