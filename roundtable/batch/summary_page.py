"""The page of a batch to begin reading at: its topics in a table, each with a link to its report."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from urllib.parse import quote

from roundtable.batch.batch_index import INDEX, TABLE, BatchRow, dollars, duration, summary_line
from roundtable.output.clean import clean_line

PAGE = "index.html"
_COLUMNS = ("Sentences", "Cited", "Sources", "Turns", "Tokens", "Cost", "Time")


def summary_page(name: str, rows: Sequence[BatchRow]) -> str:
    """Return the page: how many topics came to what, what was spent, and a line with a link for each."""
    head = "".join(f'<th scope="col" class="figure">{column}</th>' for column in _COLUMNS)
    body = "\n".join(map(_line, rows))
    style = files("roundtable.batch").joinpath("summary.css").read_text(encoding="utf-8")
    title = f"Batch {escape(name)}"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{style}</style></head><body><main>
<h1>{title}</h1>
<p>{escape(summary_line(rows))}</p>
<p>The same as <a href="{INDEX}">JSON lines</a> and as <a href="{TABLE}">CSV</a>.</p>
<div class="scroll"><table><thead><tr><th scope="col" class="figure">No.</th><th scope="col">Topic</th>
<th scope="col">Status</th>{head}</tr></thead><tbody>
{body}
</tbody></table></div></main></body></html>
"""


def _line(row: BatchRow) -> str:
    topic = escape(clean_line(row.topic))
    if row.status == "ended":
        topic = f'<a href="{quote(row.folder)}/report.html">{topic}</a>'
    name = f" <small>{escape(clean_line(row.id))}</small>" if row.id else ""
    error = f'<div class="error">{escape(clean_line(row.error))}</div>' if row.error else ""
    figures = (
        f"{row.sentences:,}", f"{row.cited:,}", f"{row.sources:,}", f"{row.turns:,}", f"{row.tokens:,}",
        dollars(row.cost), duration(row.seconds),
    )  # fmt: skip
    cells = "".join(f'<td class="figure">{figure}</td>' for figure in figures)
    return (
        f'<tr><td class="figure">{row.n}</td><td dir="auto">{topic}{name}{error}</td>'
        f'<td class="{row.status}">{row.status}</td>{cells}</tr>'
    )
