"""Cells that lines are drawn around, on a page of a PDF."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from library.readers.pdf.pdf_words import Stroke, Word

_NEAR = 3.0
"""Points in which two ends of strokes are the same corner."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines that part a rectangle into cells."""

    columns: tuple[float, ...]
    """Where those run that are drawn down, from the left, the edges included."""
    rows: tuple[float, ...]
    """How high those run that are drawn across, from the top, the edges included; also those that stop at the
    edge of a cell which is merged from several rows."""
    across: tuple[Stroke, ...] = ()
    """What is drawn across it, whole or in part."""
    down: tuple[Stroke, ...] = ()
    """What is drawn down it."""

    def is_parted_below(self, row: int, column: int) -> bool:
        """Tell whether a line is drawn below a cell."""
        left, right = self.columns[column : column + 2]
        return _is_drawn(self.across, self.rows[row + 1], left, right)

    def is_parted_after(self, row: int, column: int) -> bool:
        """Tell whether a line is drawn to the right of a cell."""
        top, bottom = self.rows[row : row + 2]
        return _is_drawn(self.down, self.columns[column + 1], bottom, top)


def grids(along: Sequence[Stroke], down: Sequence[Stroke]) -> list[Grid]:
    """Return the grids of at least two columns and two rows that strokes make, the highest first.

    Args:
        along: Strokes from left to right.
        down: Strokes from the bottom up.
    """
    found: list[Grid] = []
    for across in _same_extent(along):
        for top, *others in _bands(across, down):
            bottom = others[-1].at
            inner = (
                stroke.at
                for stroke in down
                if top.start - _NEAR < stroke.at < top.end + _NEAR
                and min(stroke.end, top.at) - max(stroke.start, bottom) > (top.at - bottom) / 2
            )
            # The outermost are often not drawn.
            columns = _apart(sorted([top.start, *inner, top.end]))
            within = [s for s in along if bottom - _NEAR < s.at < top.at + _NEAR]
            whole = [top.at, *(stroke.at for stroke in others)]
            rows = _apart(sorted([*whole, *(s.at for s in within if _parts_cells(s, columns))], reverse=True))
            if len(columns) > 2 and len(_apart(whole)) > 2:
                found.append(Grid(tuple(columns), tuple(rows), tuple(within), tuple(down)))
    return sorted(found, key=lambda grid: -grid.rows[0])


def cell_at(grid: Grid, word: Word) -> tuple[int, int] | None:
    """Return the row and column of a grid that a word stands in; None for one outside."""
    across, high = (word.left + word.right) / 2, word.middle
    if not (grid.rows[-1] < high < grid.rows[0] and grid.columns[0] < across < grid.columns[-1]):
        return None
    row = sum(high < at for at in grid.rows) - 1
    return row, sum(across > at for at in grid.columns) - 1


def _parts_cells(stroke: Stroke, columns: Sequence[float]) -> bool:
    """Tell whether a stroke goes from one edge of cells to another: the line below a word does not."""
    return all(any(abs(end - edge) < _NEAR for edge in columns) for end in (stroke.start, stroke.end))


def _is_drawn(strokes: Sequence[Stroke], at: float, start: float, end: float) -> bool:
    """Tell whether most of a side is drawn."""
    drawn = (min(s.end, end) - max(s.start, start) for s in strokes if abs(s.at - at) < _NEAR)
    return any(part > (end - start) / 2 for part in drawn)


def _same_extent(along: Sequence[Stroke]) -> list[list[Stroke]]:
    """Return strokes that begin and end below each other, each group from the top."""
    groups: list[list[Stroke]] = []
    for stroke in sorted(along, key=lambda stroke: -stroke.at):
        for group in groups:
            if abs(group[0].start - stroke.start) < _NEAR and abs(group[0].end - stroke.end) < _NEAR:
                group.append(stroke)
                break
        else:
            groups.append([stroke])
    return [group for group in groups if len(group) > 2]


def _bands(across: Sequence[Stroke], down: Sequence[Stroke]) -> list[list[Stroke]]:
    """Cut strokes where nothing is drawn down between two of them: there one grid ends."""
    found = [[across[0]]]
    for above, below in pairwise(across):
        beside = (s for s in down if above.start - _NEAR < s.at < above.end + _NEAR)
        if not any(s.end > above.at - _NEAR and s.start < below.at + _NEAR for s in beside):
            found.append([])
        found[-1].append(below)
    return [band for band in found if len(band) > 2]


def _apart(places: Sequence[float]) -> list[float]:
    """Return places of which no two are nearly the same: a stroke may be drawn twice."""
    kept: list[float] = []
    for place in places:
        if not kept or abs(place - kept[-1]) > _NEAR:
            kept.append(place)
    return kept
