"""Tables of things side by side that a person asked for at the table, put into the report."""

from collections.abc import Sequence

from library import Evidence
from models import Frozen
from reports.document import Cell, Report, Section, Table
from reports.report_phrases import phrases_for
from reports.visible_text import plain
from reports.write.parts.added_sections import with_addition


class ReportedComparison(Frozen):
    """One table."""

    questions: list[str]
    """In which respects things are compared: the columns."""
    rows: list[tuple[str, list[Cell]]]
    """Each thing with its cells; an empty one where nothing was found."""


def with_comparisons(report: Report, tables: Sequence[ReportedComparison], evidence: Evidence) -> Report:
    """Return a report with tables of things side by side behind its answer, each cell with its citation.

    Args:
        report: Without such tables.
        tables: Those that hold something.
        evidence: What their cells cite.
    """
    if not tables:
        return report
    words = phrases_for(report.language)
    things = list(dict.fromkeys(thing for table in tables for thing, _ in table.rows))
    section = Section(
        heading=words.compared.format(things=words.compared_and.join(map(plain, things))), level=1, node=None,
        opening=words.compared_opening, sentences=[], compared=True,
        tables=[
            Table(
                title="", columns=["", *map(plain, table.questions)],
                rows=[[Cell(text=plain(thing)), *map(_plain, cells)] for thing, cells in table.rows],
            )
            for table in tables
        ],
    )  # fmt: skip
    return with_addition(report, section, evidence)


def _plain(cell: Cell) -> Cell:
    return Cell(text=plain(cell.text), citations=cell.citations)
