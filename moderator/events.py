"""What happens on the agenda."""

from typing import Literal

from models.event import Event

Closing = Literal["answered", "open"]


class QuestionRaised(Event):
    """A question is on the agenda."""

    kind: Literal["question_raised"] = "question_raised"
    id: str
    """`q1`, `q2`, …"""
    text: str
    by: str
    """Slug of who raised it; `person` for a person."""
    why: str = ""
    search: str = ""
    """Words to search by; empty: the question's own."""
    to: str | None = None
    """Slug of the expert it is put to; None: the nearest."""


class QuestionClosed(Event):
    """A question leaves the agenda: answered, or left open."""

    kind: Literal["question_closed"] = "question_closed"
    id: str
    state: Closing
    reason: str = ""
