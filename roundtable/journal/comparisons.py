"""Things compared at the table: the event that tells it."""

from typing import Literal

from models import Event, Frozen


class ComparedCell(Frozen):
    """What sources say of one thing in one respect."""

    text: str = ""
    """The value; empty where nothing was found."""
    passage: str = ""
    """Id of the passage that says so; empty with the value."""


class ComparisonProposed(Event):
    """The moderator proposes to set things side by side; a person may have it done."""

    kind: Literal["comparison_proposed"] = "comparison_proposed"
    things: list[str]
    questions: list[str]
    """In which respects."""


class ThingsCompared(Event):
    """Things were set side by side; each value is quoted, or was held against the words of a passage."""

    kind: Literal["things_compared"] = "things_compared"
    things: list[str]
    questions: list[str]
    """In which respects."""
    rows: list[list[ComparedCell]]
    """Of each thing its cells, in the order of the questions."""
