"""A comparison for people and programs: Markdown, CSV, a workbook.

What begins as a formula does in a spreadsheet's cell is written as text: it comes from strangers.
"""

import csv
import io
from urllib.parse import unquote, urlsplit

from library.text import cell_text
from reports.compare.comparison import Comparison, ComparisonCell
from reports.export.markdown import escape
from reports.visible_text import plain, web_address

_WIDEST = 60
"""Characters of a column of the workbook."""


def comparison_markdown(comparison: Comparison) -> str:
    """Return the table with a number in each cell, and below it the passage of each number."""
    questions = [escape(question) for question in comparison.questions]
    lines = [f"| | {' | '.join(questions)} |", "|" + "---|" * (len(questions) + 1)]
    notes: list[str] = []
    for row in comparison.rows:
        cells = [_numbered(cell, notes) for cell in row.cells]
        lines.append(f"| **{escape(row.thing)}** | {' | '.join(cells)} |")
    below = [f"- {escape(notice)}" for notice in comparison.notices]
    return "\n\n".join(part for part in ("\n".join(lines), "\n".join(notes), "\n".join(below)) if part) + "\n"


def _numbered(cell: ComparisonCell, notes: list[str]) -> str:
    if cell.passage is None:
        return ""
    number = len(notes) + 1
    passage = cell.passage
    address = web_address(passage.url)
    title = escape(passage.title)
    page = f", p. {passage.page}" if passage.page is not None else ""
    under = f", {escape(passage.heading)}" if passage.heading not in ("", passage.title) else ""
    file = unquote(urlsplit(passage.url).path) if passage.url.startswith("file:") else ""
    whence = f"[{title}]({address}){under}" if address else f"{title}{under}{file and f' ({escape(file)})'}"
    notes.append(f"{number}. “{escape(cell.quote)}” — {whence}{page}")
    return f"{escape(cell.text)} [{number}]"


def comparison_csv(comparison: Comparison) -> str:
    """Return the table as CSV: of each question the value, the words that it rests on, and their source."""
    out = io.StringIO()
    writer = csv.writer(out)
    head = [part for one in comparison.questions for part in (one, f"{one}: quoted", f"{one}: source")]
    writer.writerow(_harmless(["", *head]))
    for row in comparison.rows:
        writer.writerow(_harmless([row.thing, *(part for cell in row.cells for part in _parts(cell))]))
    return out.getvalue()


def _parts(cell: ComparisonCell) -> tuple[str, str, str]:
    passage = cell.passage
    if passage is None:
        return "", "", ""
    under = f", {passage.heading}" if passage.heading not in ("", passage.title) else ""
    return cell.text, cell.quote, f"{passage.title}{under} {passage.url}".strip()


def _harmless(row: list[str]) -> list[str]:
    return [cell_text(plain(value)) for value in row]


def comparison_xlsx(comparison: Comparison) -> bytes:
    """Return the table as a workbook: a sheet of values, and one of what each rests on."""
    import xlsxwriter

    data = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(data, options) as book:
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        body = book.add_format({"text_wrap": True, "valign": "top"})
        values = book.add_worksheet("Comparison")
        rests = book.add_worksheet("Sources")
        values.set_column(0, len(comparison.questions), _WIDEST // 2)
        rests.set_column(0, 4, _WIDEST // 2)
        values.freeze_panes(1, 1)
        values.write_row(0, 0, ["", *map(plain, comparison.questions)], head)
        rests.write_row(0, 0, ["", "", "value", "quoted", "source"], head)
        line = 1
        for number, row in enumerate(comparison.rows, 1):
            values.write_string(number, 0, plain(row.thing), head)
            for column, (question, cell) in enumerate(zip(comparison.questions, row.cells, strict=True), 1):
                values.write_string(number, column, plain(cell.text), body)
                if cell.passage is not None:
                    told = [row.thing, question, *_parts(cell)]
                    for place, part in enumerate(map(plain, told)):
                        rests.write_string(line, place, part, body)
                    line += 1
    return data.getvalue()
