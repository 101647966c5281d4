"""Tables of a DOCX: cells as they stand in columns, and which row is one of heads."""

from library.errors import ReadError
from library.readers.office.table_text import is_figure, table_lines

_WIDEST = 200
"""Columns that a cell is spread over at most."""


class DocxTable:
    """Collects one table, row by row, as the document tells it."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._marked = False
        """The first row is marked to be repeated on each page: only heads are."""
        self._bold: list[bool] = []
        """Of each row with words, whether all of them are bold."""
        self._row: list[list[str]] = []
        """Of the row that is open, the paragraphs of each cell."""
        self._merged: set[int] = set()
        """Cells of the open row that go on with the cell above."""
        self._wide: dict[int, int] = {}
        self._plain = self._strong = False

    @property
    def in_cell(self) -> bool:
        """Whether words belong to a cell."""
        return bool(self._row)

    def begin_row(self) -> None:
        """A row begins."""
        self._row, self._merged, self._wide = [], set(), {}
        self._plain = self._strong = False

    def begin_cell(self) -> None:
        """The next cell of the row begins."""
        self._row.append([])

    def repeats(self) -> None:
        """The open row is repeated on each page."""
        self._marked = self._marked or not self._rows

    def spans(self, columns: int) -> None:
        """The open cell spans so many columns."""
        self._wide[len(self._row) - 1] = min(max(1, columns), _WIDEST)

    def goes_on(self) -> None:
        """The open cell is that above it."""
        self._merged.add(len(self._row) - 1)

    def words(self, *, bold: bool) -> None:
        """Words come, in bold or not."""
        self._strong = self._strong or bold
        self._plain = self._plain or not bold

    def paragraph(self, text: str) -> None:
        """A paragraph of the open cell ends."""
        self._row[-1].append(text)

    def end_row(self) -> None:
        """The row ends."""
        above = self._rows[-1] if self._rows else []
        row: list[str] = []
        for at, cell in enumerate(self._row):
            told = " ".join(cell)
            if at in self._merged and not told and len(row) < len(above):
                told = above[len(row)]
            row += [told, *[""] * (self._wide.get(at, 1) - 1)]
        if any(row):
            self._rows.append(row)
            self._bold.append(self._strong and not self._plain)
        self._row = []

    def lines(self, largest: int) -> list[str]:
        """Return it a line a row: with the heads of its columns where it has heads, else `a | b`.

        Args:
            largest: Characters that it may have with its heads repeated; a longer one stays without them.
        """
        if self._has_heads():
            try:
                return table_lines(self._rows, largest, headed=self._marked or self._stands_out())
            except ReadError:
                pass  # too long with its heads: its rows are read without them
        return [" | ".join(row) for row in self._rows]

    def _has_heads(self) -> bool:
        """Tell whether the first row may be one of heads.

        Two columns are as often names with their values: there heads must be marked, stand out in bold, or
        stand above figures.
        """
        if len(self._rows) < 2:
            return False
        if self._marked or self._stands_out() or max(map(len, self._rows)) > 2:
            return True
        first, *below = [(*row, "", "")[:2] for row in self._rows]
        return not any(map(is_figure, first)) and all(is_figure(row[1]) for row in below)

    def _stands_out(self) -> bool:
        return self._bold[0] and not any(self._bold[1:]) and sum(map(bool, self._rows[0])) > 1
