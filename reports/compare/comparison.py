"""A comparison as data: things down the side, questions along the top, in each cell what a source says."""

from models import Frozen
from reports.audit.audit_findings import FoundPassage


class ComparisonCell(Frozen):
    """What sources say of one thing in one respect."""

    text: str = ""
    """The value; empty where nothing was found."""
    quote: str = ""
    """The words of the passage that it rests on, as they stand there."""
    passage: FoundPassage | None = None
    judged_by: str = ""
    """`words` where no model chose it, else the model's name; empty for an empty cell."""


class ComparisonRow(Frozen):
    """One thing."""

    thing: str
    cells: tuple[ComparisonCell, ...]
    """In the order of the questions."""


class Comparison(Frozen):
    """A whole table."""

    questions: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    language: str
    compared_at: str
    """ISO 8601, UTC."""
    model: str
    searched: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What went wrong on the way, each in a line."""

    @property
    def found(self) -> int:
        """How many cells hold something."""
        return sum(bool(cell.text) for row in self.rows for cell in row.cells)
