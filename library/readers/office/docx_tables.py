"""Tables of a DOCX: cells as they stand in columns, and which rows are of heads."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, takewhile, zip_longest

from library.errors import ReadError
from library.readers.office.table_text import headed_lines, is_figure, joined_heads

_WIDEST = 200
"""Columns that a cell is spread over at most."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with words."""

    cells: list[str]
    """A column each; a cell that spans several stands in the first of them."""
    heads: list[str]
    """The same as heads: a cell that spans several stands in each of them."""
    marked: bool
    """It is marked to be repeated on each page: only heads are."""
    bold: bool
    """All its words are bold."""
    across: bool
    """It is one cell that spans several columns: a title, a note, a heading of the rows below it."""

    @property
    def told(self) -> list[str] | str:
        """Its cells, or the text that stands across the table."""
        return next(filter(None, self.cells)) if self.across else self.cells


class DocxTable:
    """Collects one table, row by row, as the document tells it."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        self._row: list[list[str]] = []
        """Of the row that is open, the paragraphs of each cell."""
        self._merged: set[int] = set()
        """Cells of the open row that go on with the cell above."""
        self._wide: dict[int, int] = {}
        self._before = 0
        """Columns that the open row leaves out at its beginning."""
        self._marked = self._plain = self._strong = False

    @property
    def in_cell(self) -> bool:
        """Whether words belong to a cell."""
        return bool(self._row)

    def begin_row(self) -> None:
        """A row begins."""
        self._row, self._merged, self._wide, self._before = [], set(), {}, 0
        self._marked = self._plain = self._strong = False

    def begin_cell(self) -> None:
        """The next cell of the row begins."""
        self._row.append([])

    def repeats(self) -> None:
        """The open row is repeated on each page."""
        self._marked = True

    def leaves_out(self, columns: int) -> None:
        """The open row begins so many columns further on."""
        self._before = min(columns, _WIDEST)

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
        above = self._rows[-1] if self._rows else None
        cells = [""] * self._before
        heads = list(cells)
        for at, paragraphs in enumerate(self._row):
            told, head = " ".join(paragraphs), " ".join(paragraphs)
            if above and at in self._merged and not told and len(cells) < len(above.cells):
                told, head = above.cells[len(cells)], above.heads[len(cells)]
            wide = self._wide.get(at, 1)
            cells += [told, *[""] * (wide - 1)]
            heads += [head] * wide
        if any(cells):
            across = not self._before and len(self._row) == 1 and len(cells) > 1
            bold = self._strong and not self._plain
            self._rows.append(_Row(cells, heads, self._marked, bold, across))
        self._row = []

    def lines(self, largest: int) -> list[str]:
        """Return it a line a row: with the heads of its columns where it has heads, else `a | b`.

        Args:
            largest: Characters that it may have with its heads repeated; a longer one stays without them.
        """
        first = next((at for at, row in enumerate(self._rows) if not row.across), 0)
        below = first + _heads(self._rows[first:])
        heads = joined_heads([row.heads for row in self._rows[first:below] if not row.across])
        told = [row.told for row in self._rows[:first] + self._rows[below:]]
        if sum(map(bool, heads)) > 1:
            try:
                return headed_lines(heads, told, largest)
            except ReadError:
                pass  # too long with its heads: its rows are read without them
        every = [row.told for row in self._rows]
        return [row if isinstance(row, str) else " | ".join(row) for row in every]


def _heads(rows: list[_Row]) -> int:
    """Return how many rows from the top are of heads: by mark, by bold words, or by the figures below; or 0.

    A first row is not taken for heads because the table is wide: as often it is one of names with what is
    told of them.
    """
    for count in (_leading(row.marked for row in rows), _bold(rows), int(_over_figures(rows))):
        if count and not all(row.across for row in rows[count:]):
            return count
    return 0


def _leading(said: Iterable[bool]) -> int:
    return sum(1 for _ in takewhile(bool, said))


def _bold(rows: list[_Row]) -> int:
    """Return how many rows are bold at the top where none is below: the next, too, if cells span columns."""
    count = _leading(row.bold for row in rows)
    if any(row.bold and not row.across for row in rows[count:]):
        return 0
    spanning = _leading(row.heads != row.cells for row in rows[:count])
    return count if count <= spanning + 1 and sum(map(bool, rows[0].cells)) > 1 else 0


def _over_figures(rows: list[_Row]) -> bool:
    """Tell whether the first row has no figure, and all the others have, in one of its columns."""
    if not rows or any(map(is_figure, rows[0].cells)):
        return False
    below = [row.cells for row in rows[1:] if not row.across]
    columns = zip_longest(*below, fillvalue="")
    heads = rows[0].heads[1:]
    return len(below) > 1 and any(
        head and all(map(is_figure, column))
        for head, column in zip(heads, islice(columns, 1, None), strict=False)
    )
