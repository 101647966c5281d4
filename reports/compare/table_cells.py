"""What a table in a document says of a thing: the value where its row meets the column that is asked for.

Tables stand in text as readers leave them: rows of Markdown below a line of dashes, rows of a word
processor's table below their first, rows of a page with each value behind its column's name.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from library import Passage, Source
from library.text import terms
from reports.compare.labelled_values import LabelledValue

_DASHES = re.compile(r"[\s|:-]*")
_NAMED = re.compile(r"(?P<column>[^:：]{1,60}?)\s*[:：]\s(?P<value>\S.*)")
_UNIT = re.compile(r"[(（]([^()（）\d]{1,20})[)）]\s*$")
_FIGURE = re.compile(r"[~≈<>≤≥±+-]?\s?\d[\d.,\s’']*")
_LONGEST = 40
"""Words of a value."""


@dataclass(frozen=True, slots=True)
class _Row:
    columns: Sequence[str]
    cells: Sequence[str]
    line: str
    """The row as it stands, without the bars around it."""


def table_value(
    question: str, found: Sequence[tuple[Passage, Source]], tells_of: Callable[[str], bool] | None = None
) -> LabelledValue | None:
    """Return what tables say under a column's name; None where none does, or rows differ.

    Args:
        question: In what respect: the column's name, or a question that holds it.
        found: Where to look, the best first; what the first with such a table says is told.
        tells_of: Whether a row's cell is the name of what is asked about; None: every row tells of it.
    """
    for passage, source in found:
        said = [one for row in _rows(passage, source) if (one := _value(question, row, passage, tells_of))]
        if said:
            return said[0] if len({one.value for one in said}) == 1 else None
    return None


def is_dashes(line: str) -> bool:
    """Tell whether a line parts a table's head from its rows: the line above it names columns."""
    return "|" in line and "--" in line and bool(_DASHES.fullmatch(line))


def bare_row(line: str) -> str:
    """Return a table's row without the bars around it."""
    return line.strip().strip("|").strip()


def _value(
    question: str, row: _Row, passage: Passage, tells_of: Callable[[str], bool] | None
) -> LabelledValue | None:
    name = next((n for n, cell in enumerate(row.cells) if tells_of is not None and tells_of(cell)), None)
    if tells_of is not None and name is None:
        return None
    fits = [n for n, column in enumerate(row.columns) if n != name and _is_asked(column, question)]
    if len(fits) != 1 or fits[0] >= len(row.cells):
        return None
    value = row.cells[fits[0]]
    unit = _UNIT.search(row.columns[fits[0]])
    if unit and _FIGURE.fullmatch(value):
        value = f"{value} {unit[1].strip()}"
    if not value.strip("–—-") or len(value.split()) > _LONGEST:
        return None
    return LabelledValue(value, row.line, passage)


def _is_asked(column: str, question: str) -> bool:
    """Tell whether a column's name is what is asked, with or without more words on either side."""
    if column.casefold() == question.casefold():
        return True
    named, asked = set(terms(_UNIT.sub("", column))), set(terms(question))
    return bool(named and asked) and (named <= asked or asked <= named)


def _rows(passage: Passage, source: Source) -> Iterator[_Row]:
    """Yield the rows of a passage's tables, also of one whose head stands before the passage."""
    text, start = source.text, passage.start
    while start and "|" in text[(before := text.rfind("\n", 0, start - 1) + 1) : start]:
        start = before
    head: list[str] = []
    for line in text[start : passage.end].splitlines(keepends=True):
        here, start = start, start + len(line)
        if "|" not in line:
            head = []
            continue
        if is_dashes(line):
            continue
        cells = [" ".join(cell.strip(" *_").split()) for cell in bare_row(line).split("|")]
        named = [_NAMED.fullmatch(cell) for cell in cells]
        if all(named):
            pairs = [(one["column"], one["value"]) for one in named if one]
            columns, cells = [column for column, _ in pairs], [value for _, value in pairs]
        elif not head:
            head = cells
            continue
        else:
            columns = head
        if here >= passage.start:
            yield _Row(columns, cells, " ".join(bare_row(line).split()))
