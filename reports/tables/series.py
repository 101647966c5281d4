"""Tables and charts that a model proposes: kept when every figure is in its passages."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Literal

from pydantic import Field

from library import Evidence, citations, detect, strip_citations
from library.claims import missing_figures, read
from library.text import Number
from models import TaskOutput
from reports.document import Cell, Chart, Table
from reports.tables.charts import PASSAGE, refusal
from reports.visible_text import plain

_COMMA_IS_DECIMAL = {"de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv", "da", "fi", "tr"}


class ProposedTable(TaskOutput):
    """Figures side by side, as a model writes them."""

    title: str = ""
    columns: list[str] = Field(default_factory=list)
    rows: list[list[str]] = Field(default_factory=list)
    """Cells; those with a figure end with its citation: `44 m [p1]`."""
    chart: Literal["bar", "line", "point", ""] = ""
    """Whether the last column should also be drawn over the first, and how."""


def proposed(
    tables: Sequence[ProposedTable], shown: Collection[str], evidence: Evidence
) -> tuple[list[Table], list[Chart]]:
    """Return the tables and charts that may stand."""
    kept: list[Table] = []
    charts: list[Chart] = []
    for proposal in tables:
        table = _table(proposal, shown, evidence)
        if table is None:
            continue
        chart = _chart(table, proposal.chart, evidence) if proposal.chart else None
        if chart is not None and refusal(chart, evidence) is None:
            charts.append(chart)  # it shows its data, so that the table would say it twice
        else:
            kept.append(table)
    return kept, charts


def _table(proposal: ProposedTable, shown: Collection[str], evidence: Evidence) -> Table | None:
    columns = [plain(column) for column in proposal.columns]
    if len(columns) < 2 or len(proposal.rows) < 2 or any(len(row) != len(columns) for row in proposal.rows):
        return None
    rows = []
    for row in proposal.rows:
        cited = [i for cell in row for i in citations(cell)]
        if not cited or any(i not in shown or i not in evidence.passages for i in cited):
            return None
        texts = [evidence.passages[i].text for i in cited]
        cells = [Cell(text=plain(strip_citations(cell)), citations=citations(cell)) for cell in row]
        if any(missing_figures(cell.text, texts) for cell in cells):
            return None
        rows.append(cells)
    return Table(title=plain(proposal.title), columns=columns, rows=rows)


def _chart(table: Table, mark: str, evidence: Evidence) -> Chart | None:
    """Return a chart of a table's first and last column, None when a value is no single number."""
    first, last = table.columns[0], table.columns[-1]
    values: list[dict[str, object]] = []
    for row in table.rows:
        found = read(row[-1].text)
        if len(found.numbers) != 1 or found.dates or not row[-1].citations or not row[0].text:
            return None
        number = _value(found.numbers[0], evidence.passages[row[-1].citations[0]].text)
        exact = int(number) if number == int(number) else float(number)
        values.append({first: row[0].text, last: exact, PASSAGE: row[-1].citations[0]})
    spec: dict[str, object] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "mark": mark,
        "data": {"values": values},
        "encoding": {
            "x": {"field": first, "type": "ordinal", "sort": None},
            "y": {"field": last, "type": "quantitative"},
        },
    }
    return Chart(title=table.title, spec=spec, citations=list(dict.fromkeys(str(v[PASSAGE]) for v in values)))


def _value(number: Number, passage: str) -> Decimal:
    """Return what a number means where its separator may be read in two ways: by its passage's language."""
    if len(number.values) == 1:
        return next(iter(number.values))
    decimal = "," if detect(passage) in _COMMA_IS_DECIMAL else "."
    marks = [sign for sign in number.text if sign in ",."]
    return min(number.values) if marks and marks[-1] == decimal else max(number.values)
