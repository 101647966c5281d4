"""Rows of a page's table with the heads of their columns, where its markup says which cells are heads.

A page says so by `<thead>` or by rows of `<th>` alone. Nothing is guessed: of a table that says nothing the
rows stay as they are, `a | b`, since most tables of two columns are names with their values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from library.errors import ReadError
from library.readers.office.table_text import headed_lines, joined_heads

_WIDEST = 200
"""Columns that cells are spread over at most; what spans more is taken for one that spans one."""
_HIGHEST = 65_534
"""Rows that a cell may span, as in browsers."""
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
    below: bool = False
    """It stands below a `<thead>` with the heads of columns, and is none itself, `<th>` or not."""


def columns_spanned(said: str | None) -> int:
    """Return what `colspan` says; 1 for what is no such number."""
    number = _number(said)
    return number if 1 <= number <= _WIDEST else 1


def rows_spanned(said: str | None, left: int) -> int:
    """Return what `rowspan` says; 1 for what is no such number.

    Args:
        said: As the page has it; "0" is as far as the rows of its group go.
        left: Rows of its group from its own on: no cell goes on in the next group.
    """
    return min(_number(said) or _HIGHEST, _HIGHEST, left)


def _number(said: str | None) -> int:
    return int(said) if said and said.isdecimal() and len(said) < 6 else 1


def row_lines(rows: Sequence[Sequence[PageCell]], *, spread: bool = True) -> list[str]:
    """Return a table as a line a row, `Year: 2021 | Sum: 12` where its heads are known, else `2021 | 12`.

    Args:
        rows: From the top.
        spread: What cells span is known; else heads are told only where each row has as many cells as they.
    """
    headed = _headed(rows) if spread or len({len(row) for row in rows}) == 1 else None
    if headed is not None:
        try:
            return headed_lines(*headed, _LARGEST)
        except ReadError:
            pass  # too long with its heads: its rows are read without them
    lines = (" | ".join(cell.text for cell in row) for row in rows)
    return [line for line in lines if line.strip(" |")]


def _headed(rows: Sequence[Sequence[PageCell]]) -> tuple[list[str], list[list[str] | str]] | None:
    """Return the heads, and what is told with them: rows, a cell a column, and what stands across the table.

    None where no heads are said.
    """
    grid = _grid(rows)
    if grid is None:
        return None
    first = next((at for at, row in enumerate(grid) if not isinstance(row, str)), len(grid))
    count = first
    said: list[list[str]] = []
    while count < len(grid) and all(cell.head and not cell.below for cell in rows[count]):
        row = grid[count]
        if isinstance(row, str) or not row:
            break
        said.append(row)
        count += 1
    heads = joined_heads(said)
    if sum(map(bool, heads)) < 2 or all(isinstance(row, str) for row in grid[count:]):
        return None
    return heads, [*grid[:first], *grid[count:]]


def _grid(rows: Sequence[Sequence[PageCell]]) -> list[list[str] | str] | None:
    """Spread cells over the columns and rows that they span; None where that gives more than is held.

    A cell that spans rows belongs to each of them. One that spans columns stands in each where it is a head,
    and in the first alone where it is none. A row that is one cell across the table is its text: a title, a
    note, a heading of the rows below it.
    """
    grid: list[list[str] | str] = []
    hanging: dict[int, tuple[str, int]] = {}
    held = 0
    for cells in rows:
        if not hanging and _across(cells):
            grid.append(cells[0].text)
            continue
        spread = _spread(cells, hanging)
        grid.append([text for text, _ in spread])
        hanging = {place: (text, more - 1) for place, (text, more) in enumerate(spread) if more > 1}
        held += len(spread)
        if held > _MOST_CELLS:
            return None
    return grid


def _across(cells: Sequence[PageCell]) -> bool:
    """Tell whether a row, into which no cell from above goes on, is one cell or one head with empty ones."""
    if len(cells) == 1:
        return cells[0].high == 1 and (cells[0].head or cells[0].wide > 1)
    return all(cell.head for cell in cells) and bool(cells[:1]) and not any(cell.text for cell in cells[1:])


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
