"""Tables of a PDF's page: cells by where they stand, so that an empty one moves no figure.

A PDF draws words at places; that they are a table is to be seen alone. Where lines are drawn around cells,
those are the cells (`pdf_grids`). Elsewhere lines of text with gaps in the same places are rows; where hardly
any row has ink, one column ends and the next begins. What is long in its cells (text in two columns), what
begins with bullets or numbers (lists), and code is no table, and is left as text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from library.readers.office.table_text import is_figure, table_lines
from library.readers.pdf.grid_rows import PdfRow, grid_rows
from library.readers.pdf.pdf_grids import cell_at, grids
from library.readers.pdf.pdf_words import (
    Segment,
    Stroke,
    TextLine,
    Word,
    font_of,
    page_lines,
    strokes,
)
from library.text.multilingual.scripts import WIDE

_FEWEST_ROWS = 3
_MOST_APART = 3.2
"""Heights of a line between two rows of one table."""
_SHORT, _SHORT_SHARE = 5, 0.6
"""Words of a cell that is no running text, and the share of such cells."""
_BRIDGED = 0.15
"""Share of the rows that may have ink between two columns: heads that stand over both."""
_LONG_LINE = 4
"""Words that a line of text has at least, in the middle of all lines of a column of the page."""
_GUTTERS = 3
"""The widest white stretches, of which each may part two columns of a page."""
_LONGEST = 7
"""Words in one place of a line, from which on it is running text on a page in columns."""
_WHOLE = 0.7
"""Share of rows that have several cells; with fewer it is text that is set in from a margin."""
_FULL = 0.7
"""Share of its column that a cell takes up when it goes on in the next line."""
_MOST_HEADS, _LONGEST_HEAD = 3, 12
"""Rows of heads, and words of one."""
_PARAGRAPH = 40
"""Words of a cell from which on it is a paragraph or more."""
_SPECIAL = 0.7
"""Share of cells in fonts for code or formulas, from which on lines with gaps are no table."""
_LEADERS = re.compile(r"(?:[.·…]\s?){4,}")
_ITEM = re.compile(r"[•◦▪–*-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d+\]|\d{1,3}(?:\.\d{1,3}){2,}\.?")
_SIGNS = re.compile(f"[{WIDE}]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")

Columns = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table that was found on a page."""

    lines: list[str]
    """Its rows, each cell with the heads of its column."""
    spans: tuple[tuple[int, int], ...]
    """Of its words, as indices of the page's characters."""


def page_tables(page: Any, text_page: Any, words: Sequence[Word], largest: int) -> list[PageTable]:
    """Return the tables of a page; the order means nothing.

    Args:
        page: Of pypdfium2.
        text_page: Its text.
        words: All of it.
        largest: Characters that a table may have as text; a ReadError says so of a longer one.
    """
    if sum(len(line.segments) > 1 for line in page_lines(words)) < _FEWEST_ROWS - 1:
        return []
    along, down = strokes(page)
    found: list[PageTable] = []
    taken = set[int]()

    def take(rows: list[PdfRow], rules: Sequence[float], inside: Sequence[Word]) -> None:
        lines = _told(rows, rules, text_page, largest)
        found.append(PageTable(lines, tuple((word.first, word.end) for word in inside)))
        taken.update(word.first for word in inside)

    def look(some: Sequence[Word], longest: int | None) -> None:
        for lines in _regions(page_lines([w for w in some if w.first not in taken]), longest):
            columns = _columns(lines)
            if len(columns) > 1 and _is_tabular(lines, columns, text_page):
                rules = _rules_within(along, lines)
                rows = _joined(_rows(lines, columns), columns, rules)
                if sum(len(row.filled()) > 1 for row in rows) >= _WHOLE * len(rows):
                    take(rows, rules, [word for line in lines for word in line.words])

    for grid in grids(along, down):
        inside = [word for word in words if word.first not in taken and cell_at(grid, word) is not None]
        if len(rows := grid_rows(grid, inside)) > 1 and not _is_text(rows):
            take(rows, (), inside)
    parts = list(_page_columns([word for word in words if word.first not in taken]))
    if len(parts) > 1:
        look(words, _LONGEST)  # a table across all columns of the page
    for part in parts:
        look(part, None)
    return found


def _is_text(rows: Sequence[PdfRow]) -> bool:
    """Tell whether lines are drawn around running text: there is no column but of long cells."""
    columns = [[text for text in cells if text] for cells in zip(*(row.texts() for row in rows), strict=True)]
    return all(_is_long(cells) for cells in columns if cells)


def _is_long(cells: Sequence[str]) -> bool:
    lengths = [len(cell.split()) + len(_SIGNS.findall(cell)) / 2 for cell in cells]
    in_paragraphs = sum(length for length in lengths if length > _PARAGRAPH)
    return sum(length > _LONGEST_HEAD for length in lengths) > len(
        lengths
    ) / 2 or in_paragraphs > _WHOLE * sum(lengths)


def _page_columns(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the words of each column of text that the page is set in, the left one first."""
    lines = page_lines(words)
    wide = [line for line in lines if len(line.segments) > 1]
    if len(wide) > max(8, len(lines) // 3):
        stretches = _empty_stretches(wide, tolerated=int(_BRIDGED * len(wide)))
        for left, right in sorted(stretches, key=lambda pair: pair[0] - pair[1])[:_GUTTERS]:
            cut = (left + right) / 2
            sides = [[w for w in words if w.left < cut], [w for w in words if w.left >= cut]]
            if all(map(_is_running, sides)):
                for side in sides:
                    yield from _page_columns(side)
                return
    yield words


def _is_running(words: Sequence[Word]) -> bool:
    """Tell whether words are mostly lines of text."""
    lines = [[w for w in line.words if not is_figure(w.text)] for line in page_lines(words)] if words else []
    return bool(lines) and median(map(len, lines)) >= _LONG_LINE


def _regions(lines: Sequence[TextLine], longest: int | None) -> Iterator[list[TextLine]]:
    """Yield runs of lines that have gaps.

    One line without may stand between two, a heading within the table; and any number that go on with a cell
    which is not the first. A line of a list of contents ends a run; and, where `longest` is given, one with
    more words than that in one place.
    """
    run: list[TextLine] = []
    lone: list[TextLine] = []
    for line in lines:
        last = (lone or run)[-1] if run else None
        apart = last is not None and last.middle - line.middle > _MOST_APART * max(last.height, line.height)
        long = _LEADERS.search(line.text) or (
            longest is not None and any(len(segment.words) > longest for segment in line.segments)
        )
        single = len(line.segments) == 1
        if run and not (apart or long) and single and _is_below_a_cell(line, run):
            run += [*lone, line]
            lone = []
            continue
        if run and (apart or long or (single and lone)):
            yield run
            run, lone = [], []
        if long:
            continue
        if not single:
            run += [*lone, line]
            lone = []
        elif run:
            lone = [line]
    if run:
        yield run


def _is_below_a_cell(line: TextLine, run: Sequence[TextLine]) -> bool:
    """Tell whether a line begins where a cell began that is not the first of its row."""
    above = next(above for above in reversed(run) if len(above.segments) > 1)
    return any(abs(cell.left - line.segments[0].left) < 0.3 * line.height for cell in above.segments[1:])


def _empty_stretches(lines: Sequence[TextLine], tolerated: int) -> list[tuple[float, float]]:
    """Return where, from left to right, no more than `tolerated` lines have ink; not at the edges."""
    edges = sorted(
        (at, change) for line in lines for s in line.segments for at, change in ((s.left, 1), (s.right, -1))
    )
    inked, empty = 0, list[tuple[float, float]]()
    since: float | None = None
    for at, change in edges:
        before, inked = inked, inked + change
        if before > tolerated >= inked:
            since = at
        elif before <= tolerated < inked and since is not None:
            empty.append((since, at))
            since = None
    return [(left, right) for left, right in empty if right > left]


def _columns(lines: Sequence[TextLine]) -> Columns:
    """Return where the columns of a region begin and end."""
    many = [line for line in lines if len(line.segments) > 1]
    height = median(line.height for line in lines)
    tolerated = int(_BRIDGED * len(many)) if len(many) > _FEWEST_ROWS else 0
    between = [(a, b) for a, b in _empty_stretches(many, tolerated) if b - a > 0.3 * height]
    left = min(segment.left for line in many for segment in line.segments)
    right = max(segment.right for line in many for segment in line.segments)
    starts = [left, *(b for _, b in between)]
    ends = [*(a for a, _ in between), right]
    return list(zip(starts, ends, strict=True))


def _is_tabular(lines: Sequence[TextLine], columns: Columns, text_page: Any) -> bool:
    """Tell whether a region is a table: no running text, list, list of contents, nor code."""
    rows = [row for row in _rows(lines, columns) if len(row.filled()) > 1]
    if len(rows) < _FEWEST_ROWS:
        return False
    cells = [text for row in rows for text in row.texts() if text]
    if sum(_ITEM.fullmatch(row.texts()[0]) is not None for row in rows) > len(rows) / 2:
        return False
    short = sum(len(cell.split()) <= _SHORT or is_figure(cell) for cell in cells)
    full = sum(
        len(cell) > 0 and sum(len(s.words) for s in cell) > 2 and _is_full(cell, columns[place])
        for row in rows
        for place, cell in enumerate(row.cells)
    )
    if short < _SHORT_SHARE * len(cells) or full > (1 - _SHORT_SHARE) * len(cells):
        return False
    fonts = [font_of(text_page, segment.words[0]) for line in lines for segment in line.segments]
    return sum(font.special for font in fonts) < _SPECIAL * len(fonts)


def _rows(lines: Sequence[TextLine], columns: Columns) -> list[PdfRow]:
    """Put each segment into its column; one that stands over several, as a head may, into each of them."""
    found = []
    for line in lines:
        row = PdfRow([[] for _ in columns], [line.middle])
        for segment in line.segments:
            over = [
                place
                for place, (left, right) in enumerate(columns)
                if min(right, segment.right) - max(left, segment.left) > 0.3 * (right - left)
            ]
            middle = (segment.left + segment.right) / 2
            near = min(range(len(columns)), key=lambda place: _away(middle, columns[place]))
            for place in over if len(over) > 1 and len(line.segments) > 1 else [near]:
                row.cells[place].append(segment)
        found.append(row)
    return found


def _away(middle: float, column: tuple[float, float]) -> float:
    return max(column[0] - middle, middle - column[1], 0.0)


def _rules_within(along: Sequence[Stroke], lines: Sequence[TextLine]) -> list[float]:
    """Return how high the lines run that are drawn across a region, from the top."""
    left = min(segment.left for line in lines for segment in line.segments)
    right = max(segment.right for line in lines for segment in line.segments)
    across = [s.at for s in along if min(s.end, right) - max(s.start, left) > 0.6 * (right - left)]
    return sorted((at for at in across if lines[-1].middle < at < lines[0].middle), reverse=True)


def _joined(rows: list[PdfRow], columns: Columns, rules: Sequence[float]) -> list[PdfRow]:
    """Join lines that are one row: between two rules where rows are ruled, else where cells go on."""
    ruled = len(rules) + 1 >= max(_FEWEST_ROWS, len(rows) / 3)
    found: list[PdfRow] = []
    for row in rows:
        before = found[-1] if found else None
        if before is not None and (
            _same_band(before, row, rules) if ruled else _goes_on(before, row, columns, rules)
        ):
            before.cells = [[*cell, *more] for cell, more in zip(before.cells, row.cells, strict=True)]
            before.middles += row.middles
        else:
            found.append(row)
    return found


def _same_band(before: PdfRow, row: PdfRow, rules: Sequence[float]) -> bool:
    return not any(row.middles[0] < rule < before.middles[-1] for rule in rules)


def _goes_on(before: PdfRow, row: PdfRow, columns: Columns, rules: Sequence[float]) -> bool:
    """Tell whether a line goes on with cells that were full: their column's width did not suffice."""
    filled = row.filled()
    if 0 in filled or not _same_band(before, row, rules):
        return False
    if any(is_figure(text) for text in row.texts() if text):
        return False
    return all(before.cells[place] and _is_full(before.cells[place], columns[place]) for place in filled)


def _is_full(cell: Sequence[Segment], column: tuple[float, float]) -> bool:
    return cell[-1].right - cell[-1].left > _FULL * (column[1] - column[0])


def _told(rows: Sequence[PdfRow], rules: Sequence[float], text_page: Any, largest: int) -> list[str]:
    """Return the lines of a table: with its heads where it has any, else cell beside cell."""
    count = _head_rows(rows, rules, text_page)
    texts = [row.texts() for row in rows]
    if not count or any(len(cell.split()) > _LONGEST_HEAD for cells in texts[:count] for cell in cells):
        return [" | ".join(cells).strip() for cells in texts]
    heads = [
        " ".join(dict.fromkeys(texts[n][place] for n in range(count) if texts[n][place]))
        for place in range(len(texts[0]))
    ]
    return table_lines([heads, *texts[count:]], largest, headed=True)


def _head_rows(rows: Sequence[PdfRow], rules: Sequence[float], text_page: Any) -> int:
    """Return how many of the first rows are heads: above a rule, in bold letters, or words above figures."""
    some = rows[: min(_MOST_HEADS, len(rows) - 1)]
    if rules:
        above = sum(row.middles[-1] > rules[0] for row in rows)
        if 0 < above <= len(some):
            return above
    bold = [all(font_of(text_page, cell[0].words[0]).bold for cell in row.cells if cell) for row in rows]
    if bold[0] and not all(bold):
        return min(len(some), bold.index(False))
    if _has_years(rows[0]):
        return 1
    figures = [sum(map(is_figure, row.texts())) for row in rows]
    heads = 0
    while heads < len(some):
        below_heads = heads > 0 and not rows[heads].cells[0]
        if figures[heads] >= median(figures) / 2 and not (below_heads and _has_years(rows[heads])):
            break
        heads += 1
    return heads


def _has_years(row: PdfRow) -> bool:
    """Tell whether all cells but the first are years, as heads are."""
    cells = [text for text in row.texts()[1:] if text]
    return bool(cells) and all(map(_YEAR.fullmatch, cells)) and len(set(cells)) == len(cells)
