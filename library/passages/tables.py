"""Rows of tables in a text, each with the heads of its columns, as readers leave them.

Rows of Markdown below a line of dashes; rows that name their columns (`Year: 2021 | Sales: 12`); and rows
below a first one that names columns as far as one can see: it has no figure, and each of the others has one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from library.passages.blocks import blocks

_BAR = re.compile(r"(?<!\\)\|")
_DASHES = re.compile(r"[\s|:+=-]*")
_LABELLED = re.compile(r"([^|:：]{1,80}?)[:：]\s+(\S.*)")
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table; it stands at `text[start:end]`."""

    start: int
    end: int
    words: str
    """In one line, its cells parted by bars, without those around it."""
    heads: tuple[str, ...]
    """Of its columns; () where none are known, and for a cell a name that it brings itself."""
    table: int
    """Where its table begins in the text, its heads included."""

    @property
    def told(self) -> str:
        """The row with the name of each column before its value, for what knows no table."""
        return ". ".join(
            f"{head}: {cell}" if head and cell else cell
            for head, cell in aligned(self.words, self.heads)
            if cell
        )


@lru_cache(maxsize=1_000)
def table_rows(text: str, heads: tuple[str, ...] = ()) -> tuple[TableRow, ...]:
    """Return the rows of a text's tables in order, without those that name columns.

    Args:
        text: Of a passage, say.
        heads: Of the table that it begins in the midst of; () for none.
    """
    found: list[TableRow] = []
    run: list[tuple[int, int]] = []
    for block in blocks(text):
        if block.form == "row":
            if run and text[run[-1][1] : block.start].strip(" \t") != "\n":
                found += _of_table(text, run, heads if run[0][0] == 0 else ())
                run = []
            run.append((block.start, block.end))
    return (*found, *_of_table(text, run, heads if run and run[0][0] == 0 else ()))


def cells(words: str) -> list[str]:
    """Return the cells of a row."""
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(words)]


def aligned(words: str, heads: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of a row, each behind the head of its column; "" for none."""
    held = cells(words)
    if not heads:
        return [("", cell) for cell in held]
    if all(cell.startswith(f"{head}:") for cell, head in zip(held, heads, strict=False)):
        return [(head, cell[len(head) + 1 :].strip()) for cell, head in zip(held, heads, strict=False)]
    return list(zip([*heads, *[""] * len(held)], held, strict=False))


def _of_table(text: str, run: Sequence[tuple[int, int]], heads: tuple[str, ...]) -> list[TableRow]:
    if not run:
        return []
    lines = [_bare(text[start:end]) for start, end in run]
    parting = next((n for n, line in enumerate(lines) if _is_dashes(line)), None)
    begins = run[0][0]
    rows = [n for n, line in enumerate(lines) if not _is_dashes(line)]
    if parting is not None and parting <= 1:
        heads = tuple(cells(lines[0])) if parting else heads
        rows = [n for n in rows if n > parting]
    elif not heads and _names_columns(lines):
        heads, rows = tuple(cells(lines[0])), rows[1:]
    labelled = {n: _labels(lines[n]) for n in rows}
    return [TableRow(*run[n], lines[n], labelled[n] or heads, begins) for n in rows]


def _bare(line: str) -> str:
    words = " ".join(line.split())
    words = words.removeprefix("|")
    return (words if words.endswith("\\|") else words.removesuffix("|")).strip()


def _is_dashes(line: str) -> bool:
    return "--" in line and bool(_DASHES.fullmatch(line))


def _labels(line: str) -> tuple[str, ...]:
    """Return the names that a row's cells bring along; () where not each does."""
    found = [_LABELLED.fullmatch(cell) for cell in cells(line) if cell]
    named = tuple(each[1].strip() for each in found if each)
    return named if len(named) == len(found) > 1 and len(set(named)) == len(named) else ()


def _names_columns(lines: Sequence[str]) -> bool:
    """Tell whether a first row names the columns of the others: it has no figure, and each of them has."""
    first, *others = (cells(line) for line in lines)
    if len(others) < 2 or not all(first) or any(_FIGURE.search(cell) for cell in first):
        return False
    if any(_labels(line) for line in lines):
        return False
    same = all(len(row) == len(first) for row in others)
    return same and all(any(_FIGURE.search(cell) for cell in row[1:]) for row in others)
