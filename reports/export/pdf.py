"""PDF through Typst. Every text is a string literal of Typst, so that nothing in it is ever markup."""

import re
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from library import Evidence
from library.text import CJK, HANGUL
from reports.cite.source_numbering import Bibliography, Entry, bibliography
from reports.document import Report, Section, Sentence, Table
from reports.export.optional_packages import ExportUnavailable, optional
from reports.export.pictures import svg
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases, phrases_for
from reports.tables.charts import chart_table
from reports.visible_text import plain, web_address

_FONTS = (
    "Libertinus Serif", "Noto Serif", "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun",
    "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Noto Naskh Arabic", "Noto Serif Hebrew",
    "Noto Serif Devanagari", "Noto Sans", "DejaVu Serif", "DejaVu Sans",
)  # fmt: skip
# Which families cover a script: a family whose name holds one of the words does.
_SCRIPTS = {
    "Chinese, Japanese or Korean": (
        f"[{CJK}{HANGUL}]", "cjk wenquan han songti simsun pingfang yahei"
    ),
    "Arabic": (r"[\u0600-\u06ff]", "arabic naskh kufi amiri dejavu"),
    "Hebrew": (r"[\u0590-\u05ff]", "hebrew dejavu david"),
    "Devanagari": (r"[\u0900-\u097f]", "devanagari mangal lohit"),
    "Thai": (r"[\u0e00-\u0e7f]", "thai loma garuda"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pdf:
    """A report as PDF, and what a reader should be warned of."""

    data: bytes
    warnings: tuple[str, ...] = ()


def report_pdf(report: Report, evidence: Evidence) -> Pdf:
    """Return the report as PDF.

    Raises:
        ExportUnavailable: Typst is not installed, or could not set the report.
    """
    typst = optional("typst", "PDF")
    pictures = _pictures(report)
    source = report_typst(report, evidence, pictures)
    families = list(typst.Fonts().families())
    fonts = [name for name in _FONTS if name in families]
    header = f"#set text(font: ({''.join(f'{literal(name)}, ' for name in fonts)}))\n" if fonts else ""
    with tempfile.TemporaryDirectory() as empty:  # the root of all paths that a document could name
        for name, picture in pictures.items():
            (Path(empty) / name).write_text(picture, encoding="utf-8")
        try:
            data = typst.compile((header + source).encode(), root=empty)
        except typst.TypstError as error:
            raise ExportUnavailable(f"Typst could not set the report: {error}") from error
    return Pdf(data, tuple(_unshown(source, families)))


def _unshown(source: str, families: Sequence[str]) -> list[str]:
    names = " ".join(families).lower()
    return [
        f"no font for {script} is installed: some text of the PDF cannot be seen"
        for script, (signs, words) in _SCRIPTS.items()
        if re.search(signs, source) and not any(word in names for word in words.split())
    ]


def literal(words: str) -> str:
    """Return words as a string literal of Typst."""
    return '"' + plain(words).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _pictures(report: Report) -> dict[str, str]:
    """Return the charts that can be drawn, by the name of the file that a document finds them under."""
    charts = [chart for section in report.sections for chart in section.charts]
    drawn = {f"chart-{n}.svg": svg(chart) for n, chart in enumerate(charts)}
    return {name: picture for name, picture in drawn.items() if picture is not None}


def report_typst(report: Report, evidence: Evidence, pictures: Collection[str] = ()) -> str:
    """Return the report as a Typst document; it shows those pictures of charts that are named."""
    words = phrases_for(report.language)
    sources = bibliography(report, evidence)
    code = re.sub(r"[^a-z]", "", report.language.lower().split("-")[0])[:3]
    parts = [
        f"#set document(title: {literal(report.title)}, date: none)",
        f'#set text(lang: "{code if 2 <= len(code) <= 3 else "en"}", size: 10.5pt)',
        '#set page(paper: "a4", margin: (x: 2.6cm, y: 2.8cm), numbering: "1")',
        "#set par(justify: true, leading: 0.72em)",
        "#show heading: set block(above: 1.5em, below: 0.8em)",
        "#show link: set text(fill: rgb(122, 59, 18))",
        f'#block(below: 1.6em, text(size: 20pt, weight: "bold", {literal(report.title)}))',
    ]
    if report.front.note:
        parts.append(f"#emph({literal(report.front.note)})")
    count = 0
    for section in report.sections:
        parts += _section(section, sources, words, listed=report.listed)
        for chart in section.charts:
            if (name := f"chart-{count}.svg") in pictures:
                parts.append(f'#image("{name}", width: 80%, alt: {literal(chart.title)})')
            parts.append(_table(chart_table(chart), sources))
            count += 1
    for heading, lines in ((words.open, report.back.open_questions), (words.made, report.back.made)):
        if lines:
            items = "".join(f"[#{literal(line)}], " for line in lines)
            parts += [f"#heading(level: 1, {literal(heading)})", f"#list({items})"]
    if sources.entries:
        parts.append(f"#heading(level: 1, {literal(words.bibliography)})")
        parts += [_entry(entry, words) for entry in sources.entries]
    return "\n\n".join(parts) + "\n"


def _section(section: Section, sources: Bibliography, words: ReportPhrases, *, listed: bool) -> list[str]:
    parts = [f"#heading(level: {min(section.level, 6)}, {literal(section.heading)})"]
    if section.opening:
        parts.append(f"#{literal(section.opening)}")
    told = [
        '#" "'.join(_sentence(sentence, sources, words) for sentence in group)
        for group in paragraphs(section.sentences)
    ]
    if listed and told:
        told = [f"#list({''.join(f'[{point}], ' for point in told)})"]
    parts += told
    return [*parts, *(_table(table, sources) for table in section.tables)]


def _sentence(sentence: Sentence, sources: Bibliography, words: ReportPhrases) -> str:
    mark = ""
    if sentence.support == "unsupported":
        mark = f'#" "#emph({literal(f"({words.unsupported})")})'
    return f"#{literal(sentence.text)}{_cites(sentence.citations, sources)}{mark}"


def _cites(ids: Sequence[str], sources: Bibliography) -> str:
    return "".join(
        f'#link(label("{entry.anchor}"), {_raised(entry)})'
        for entry, _passages in sources.grouped(ids)
    )


def _raised(entry: Entry) -> str:
    """Return a citation's look: numbers are raised, names stand in the line."""
    shown = literal(entry.label)
    return f"super({shown})" if entry.label.startswith("[") else shown


def _table(table: Table, sources: Bibliography) -> str:
    head = ", ".join(f"strong({literal(column)})" for column in table.columns)
    cells = "".join(
        f"[#{literal(cell.text)}{_cites(cell.citations, sources)}], " for row in table.rows for cell in row
    )
    title = f"#strong({literal(table.title)})\n\n" if table.title else ""
    columns = f"({'1fr, ' * len(table.columns)})"
    return f"{title}#table(columns: {columns}, stroke: 0.4pt + luma(180), table.header({head}), {cells})"


def _entry(entry: Entry, words: ReportPhrases) -> str:
    source = entry.source
    details = [plain(part) for part in (source.author, source.published) if part]
    about = f" — {words.comma.join(details)}" if details else ""
    parts = [f"#strong({literal(source.title or source.url)})#{literal(f'{about}. ')}"]
    address = web_address(source.url)
    parts.append(f"#link({literal(address)})" if address else f"#{literal(source.url)}")
    if source.retrieved:
        parts.append(f"#{literal(words.comma + words.retrieved.format(date=source.retrieved[:10]))}")
    columns, number = "(2.2em, 1fr)", f"[#{literal(f'{entry.number}.')}], "
    if not entry.numbered:
        columns, number = "1fr", ""
    return f"#grid(columns: {columns}, {number}[{''.join(parts)}]) <{entry.anchor}>"
