"""Rows of a table to lines that can be read alone: each cell with the head of its column.

A passage holds a few rows of a table, hardly ever its first. So a row is written as
`Region: North | Year: 2023 | Sales: 12`: whoever quotes it has the heads, and an empty cell moves none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from library.errors import ReadError

_NUMBER = re.compile(r"[-+(]?[^\w\s]?\d[\d\s.,'’]*(?:e[-+]?\d+)?\)?\s?%?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.]+)?")
_LONGEST_HEAD = 120
_LONGEST_HEADS = 200_000
"""Characters that all heads of a table may have, each as often as it spans columns; longer ones are none."""


def table_lines(rows: Iterable[Sequence[str]], largest: int, *, headed: bool = False) -> list[str]:
    """Return a table as lines, each row with the heads of its columns; [] for one without cells.

    What stands above the heads in a single cell (a title, a note) is a line of its own. A table whose first
    row is no row of heads has its columns called by letters, as in spreadsheets.

    Args:
        rows: Cells as text; rows may differ in length.
        largest: Characters that the lines may have together; a table repeats its heads.
        headed: The first row is known to be one of heads.

    Raises:
        ReadError: it is longer.
    """
    before: list[str] = []
    held: list[list[str]] = []
    heads: list[str] | None = None
    lines: list[str] = []
    length = 0
    for row in rows:
        cells = [" ".join(cell.split()) for cell in row]
        filled = [cell for cell in cells if cell]
        if not filled:
            continue
        if headed and heads is None:
            heads = cells
            continue
        if heads is None and not held and len(filled) == 1:
            before.append(filled[0])
            continue
        if heads is None and not held:
            held.append(cells)
            continue
        if heads is None:
            heads = _heads(held[0], cells)
            found = [*([] if heads else held), cells]
            heads = heads or []
        else:
            found = [cells]
        for each in found:
            lines.append(_line(heads, each))
            length += len(lines[-1])
        if length > largest:
            raise ReadError(f"as text it is more than {largest / 1_000_000:g} million characters")
    if heads is None and held:
        lines.append(" | ".join(cell for cell in held[0] if cell))
    return [*before, *lines]


def headed_lines(heads: Sequence[str], rows: Iterable[Sequence[str] | str], largest: int) -> list[str]:
    """Return rows as lines with heads that are known; [] for rows without cells.

    Args:
        heads: A column each, "" for one that has none.
        rows: Cells as text; a plain text is what stands across the whole table, a line of its own.
        largest: Characters that the lines may have together.

    Raises:
        ReadError: it is longer.
    """
    lines: list[str] = []
    length = 0
    for row in rows:
        line = row if isinstance(row, str) else _line(heads, row)
        length += len(line)
        if length > largest:
            raise ReadError(f"as text it is more than {largest / 1_000_000:g} million characters")
        if line:
            lines.append(line)
    return lines


def joined_heads(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the heads of columns that several rows of heads give together, from the top; [] if too long."""
    if sum(len(text) for row in rows for text in row) > _LONGEST_HEADS:
        return []
    columns = zip_longest(*rows, fillvalue="")
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _heads(first: Sequence[str], second: Sequence[str]) -> list[str] | None:
    """Return the heads that a first row is; None when it looks like any other row."""
    filled = [cell for cell in first if cell]
    names = all(len(cell) <= _LONGEST_HEAD and not is_figure(cell) for cell in filled)
    years = len(filled) > 1 and not is_figure(filled[0]) and any(map(is_figure, second))
    distinct = len(set(filled)) == len(filled)
    return list(first) if distinct and (names or years) else None


def is_figure(cell: str) -> bool:
    """Tell whether a cell holds a number, a sum, a share or a date."""
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def _line(heads: Sequence[str], cells: Sequence[str]) -> str:
    parts = []
    for place, cell in enumerate(cells):
        if cell:
            head = heads[place] if place < len(heads) else ""
            parts.append(f"{head or _letters(place)}: {cell}" if head or place or not heads else cell)
    return " | ".join(parts)


def _letters(place: int) -> str:
    """Return what spreadsheets call a column: A, …, Z, AA and so on."""
    name = ""
    while place >= 0:
        name = chr(ord("A") + place % 26) + name
        place = place // 26 - 1
    return f"column {name}"


def paragraphs(lines: Sequence[str], together: int = 12) -> Iterator[str]:
    """Yield lines in paragraphs of so many: a passage ends at a paragraph where it can."""
    for at in range(0, len(lines), together):
        yield "\n".join(lines[at : at + together])
