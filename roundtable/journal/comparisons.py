"""Things compared at the table: the event that tells it."""

from typing import Literal

from models import Event, Frozen


class ComparedCell(Frozen):
    """What sources say of one thing in one respect."""

    text: str = ""
    """The value; empty where nothing was found."""
    passage: str = ""
    """Id of the passage that says so; empty with the value."""


class ThingsCompared(Event):
    """Things were set side by side; each value is quoted, or was held against the words of a passage."""

    kind: Literal["things_compared"] = "things_compared"
    things: list[str]
    questions: list[str]
    """In which respects."""
    rows: list[list[ComparedCell]]
    """Of each thing its cells, in the order of the questions."""
