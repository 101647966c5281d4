"""Rows of a page's table with the heads of their columns, where its markup says which cells are heads.

A page says so by `<thead>` or by rows of `<th>` alone. Nothing is guessed: of a table that says nothing the
rows stay as they are, `a | b`, since most tables of two columns are names with their values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from library.errors import ReadError
from library.readers.office.table_text import table_lines

_WIDEST = 200
"""Columns that cells are spread over at most; what spans more is taken for one that spans one."""
_LARGEST = 2_000_000
"""Characters that a table may have with its heads repeated; a longer one stays without them."""
_MOST_CELLS = 500_000
"""Cells that a table may have when those that span several are spread; one with more stays without heads."""


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell as the page has it."""

    text: str
    head: bool
    """It is a head: `<th>`, or any cell of a `<thead>`."""
    wide: int = 1
    """Columns that it spans, at least 1."""
    high: int = 1
    """Rows that it spans, at least 1."""


def span(said: str | None) -> int:
    """Return what `colspan` or `rowspan` says; 1 for what is no such number."""
    number = int(said) if said and said.isdecimal() and len(said) < 6 else 1
    return number if 1 <= number <= _WIDEST else 1


def row_lines(rows: Sequence[Sequence[PageCell]], *, spread: bool = True) -> list[str]:
    """Return a table as a line a row, `Year: 2021 | Sum: 12` where its heads are known, else `2021 | 12`.

    Args:
        rows: From the top.
        spread: What cells span is known; else heads are told only where each row has as many cells as they.
    """
    headed = _headed(rows) if spread or len({len(row) for row in rows}) == 1 else None
    if headed is not None:
        try:
            return table_lines(headed, _LARGEST, headed=True)
        except ReadError:
            pass  # too long with its heads: its rows are read without them
    lines = (" | ".join(cell.text for cell in row) for row in rows)
    return [line for line in lines if line.strip(" |")]


def _headed(rows: Sequence[Sequence[PageCell]]) -> list[list[str]] | None:
    """Return the heads and the rows below them, a cell a column; None where no heads are said."""
    count = 0
    while count < len(rows) and rows[count] and all(cell.head for cell in rows[count]):
        count += 1
    if not 0 < count < len(rows):
        return None
    grid = _grid(rows)
    if grid is None:
        return None
    columns = zip_longest(*grid[:count], fillvalue="")
    heads = [" ".join(dict.fromkeys(filter(None, column))) for column in columns]
    return [heads, *grid[count:]] if sum(map(bool, heads)) > 1 else None


def _grid(rows: Sequence[Sequence[PageCell]]) -> list[list[str]] | None:
    """Spread cells over the columns and rows that they span; None where that gives more than is held.

    A cell that spans rows belongs to each of them. One that spans columns stands in each where it is a head,
    and in the first alone where it is none: a note across a table is told once.
    """
    grid: list[list[str]] = []
    hanging: dict[int, tuple[str, int]] = {}
    held = 0
    for cells in rows:
        spread = _spread(cells, hanging)
        grid.append([text for text, _ in spread])
        hanging = {place: (text, more - 1) for place, (text, more) in enumerate(spread) if more > 1}
        held += len(spread)
        if held > _MOST_CELLS:
            return None
    return grid


def _spread(cells: Sequence[PageCell], hanging: Mapping[int, tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the columns of a row: the text of each, and how many rows it stands in from here on.

    Args:
        cells: Of the row.
        hanging: By column, what stands there from the rows above.
    """
    row: list[tuple[str, int]] = []
    for cell in cells:
        while len(row) in hanging:
            row.append(hanging[len(row)])
        wide = cell.wide if len(row) + cell.wide <= _WIDEST else 1
        row += [(cell.text if cell.head or not at else "", cell.high) for at in range(wide)]
    while len(row) in hanging:
        row.append(hanging[len(row)])
    return row
