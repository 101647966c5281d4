"""Rows of a table; those of one that lines are drawn around, with merged cells in each row and column."""

from collections.abc import Sequence
from dataclasses import dataclass

from library.readers.pdf.pdf_grids import Grid, cell_at
from library.readers.pdf.pdf_words import Segment, Word, page_lines, without_breaks

Place = tuple[int, int]


@dataclass(slots=True)
class PdfRow:
    """What stands in one row: cells by column, and where its lines run."""

    cells: list[list[Segment]]
    middles: list[float]

    def texts(self) -> list[str]:
        """Return what each cell says."""
        return [without_breaks(" ".join(segment.text for segment in cell)) for cell in self.cells]

    def filled(self) -> list[int]:
        """Return the places of cells that hold anything."""
        return [place for place, cell in enumerate(self.cells) if cell]


def grid_rows(grid: Grid, words: Sequence[Word]) -> list[PdfRow]:
    """Return the rows of a grid that hold anything; a merged cell stands in each of its rows and columns.

    Args:
        grid: Of lines.
        words: Of the page, those that stand in it.
    """
    by_place: dict[Place, list[Word]] = {}
    for word in words:
        place = cell_at(grid, word)
        assert place is not None
        by_place.setdefault(place, []).append(word)
    merged = _merged(grid, by_place)
    held: dict[Place, list[Word]] = {}
    for place, some in by_place.items():
        held.setdefault(merged[place], []).extend(some)
    rows: list[PdfRow] = []
    for n in range(len(grid.rows) - 1):
        if not any((n, m) in by_place for m in range(len(grid.columns) - 1)):
            continue
        row = PdfRow([[] for _ in grid.columns[1:]], [grid.rows[n + 1]])
        for m in range(len(row.cells)):
            row.cells[m] = [s for line in page_lines(held.get(merged[n, m], [])) for s in line.segments]
        rows.append(row)
    return rows


def _merged(grid: Grid, words: dict[Place, list[Word]]) -> dict[Place, Place]:
    """Return of each place the first of the cell that it belongs to.

    Rows are one cell where no line is drawn between; columns only where text runs across: heads often stand
    without lines.
    """
    first: dict[Place, Place] = {}
    for n in range(len(grid.rows) - 1):
        for m in range(len(grid.columns) - 1):
            first[n, m] = (n, m)
            if n and not grid.is_parted_below(n - 1, m):
                first[n, m] = first[n - 1, m]
            elif m and not grid.is_parted_after(n, m - 1) and _runs_across(grid.columns[m], n, m, words):
                first[n, m] = first[n, m - 1]
    return first


def _runs_across(edge: float, row: int, column: int, words: dict[Place, list[Word]]) -> bool:
    """Tell whether a piece of text crosses the edge to the left of a cell."""
    beside = [*words.get((row, column - 1), []), *words.get((row, column), [])]
    return any(s.left < edge < s.right for line in page_lines(beside) for s in line.segments)
