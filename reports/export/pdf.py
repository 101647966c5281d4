"""PDF through Typst. Every text is a string literal of Typst, so that nothing in it is ever markup."""

import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import reports.export.document_blocks as doc
from library import Evidence, Passage
from library.text import CJK, HANGUL
from reports.cite.source_numbering import Entry, bibliography
from reports.document import Report
from reports.export.document_walker import blocks
from reports.export.optional_packages import ExportUnavailable, optional
from reports.export.pictures import chart_file, charts_of, svg
from reports.report_phrases import ReportPhrases, phrases_for
from reports.visible_text import plain

_FONTS = (
    "Libertinus Serif", "Noto Serif", "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun",
    "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Noto Naskh Arabic", "Noto Serif Hebrew",
    "Noto Serif Devanagari", "Noto Sans", "DejaVu Serif", "DejaVu Sans",
)  # fmt: skip
_STEM = "report"
_LEADING = "0.72em"
"""Between lines."""
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
    drawn = {chart_file(_STEM, n): svg(chart) for n, chart in enumerate(charts_of(report), 1)}
    return {name: picture for name, picture in drawn.items() if picture is not None}


def report_typst(report: Report, evidence: Evidence, pictures: Collection[str] = ()) -> str:
    """Return the report as a Typst document; it shows those pictures of charts that are named."""
    words = phrases_for(report.language)
    code = re.sub(r"[^a-z]", "", report.language.lower().split("-")[0])[:3]
    parts = [
        f"#set document(title: {literal(report.title)}, date: none)",
        f'#set text(lang: "{code if 2 <= len(code) <= 3 else "en"}", size: 10.5pt)',
        '#set page(paper: "a4", margin: (x: 2.6cm, y: 2.8cm), numbering: "1")',
        f"#set par(justify: true, leading: {_LEADING})",
        "#show table: set par(justify: false)",
        "#show heading: set block(above: 1.5em, below: 0.8em)",
        "#show link: set text(fill: rgb(122, 59, 18))",
        f'#block(below: 1.6em, text(size: 20pt, weight: "bold", {literal(report.title)}))',
    ]
    for block in blocks(report, bibliography(report, evidence), words):
        parts += _block(block, words, pictures)
    return "\n\n".join(parts) + "\n"


def _block(block: doc.Block, words: ReportPhrases, pictures: Collection[str]) -> Iterator[str]:
    match block:
        case doc.NoteBlock(text):
            yield f"#emph({literal(text)})"
        case doc.HeadingBlock(text, level):
            yield f"#heading(level: {min(level, 6)}, {literal(text)})"
        case doc.ConnectingBlock(text):
            yield f"#{literal(text)}"
        case doc.ParagraphsBlock(paragraphs, listed, first):
            told = ['#" "'.join(_sentence(said, words) for said in each) for each in paragraphs]
            items = "".join(f"[{point}], " for point in told)
            listing = f"#enum(start: {first}, {items})" if first else f"#list({items})"
            yield from [listing] if listed else told
        case doc.CodeBlock(part, cited):
            yield f"#block(inset: (left: 1em))[{_quoted(part)}{_citations(cited)}]"
        case doc.QuotationBlock(parts, _, _, cited):
            whose = f"#text(size: 9pt)[#{literal(f'— {doc.whose(block, words)}')}{_citations(cited)}]"
            quoted = "\n\n".join([*map(_quoted, parts[:-1]), _quoted_with_source(parts[-1], whose)])
            yield f"#quote(block: true)[{quoted}]"
        case doc.TableBlock():
            yield _table(block)
        case doc.ChartBlock(chart, number, table):
            if (name := chart_file(_STEM, number)) in pictures:
                yield f'#image("{name}", width: 80%, alt: {literal(chart.title)})'
            yield _table(table)
        case doc.ListBlock(heading, items):
            yield f"#heading(level: 1, {literal(heading)})"
            yield f"#list({''.join(f'[{_sentence(item, words)}], ' for item in items)})"
        case doc.BibliographyBlock(heading, references):
            yield f"#heading(level: 1, {literal(heading)})"
            yield from (_reference(reference, words) for reference in references)


def _code_line(line: str) -> str:
    """Return a line of code inside a string literal: its blanks count."""
    return line.replace("\\", "\\\\").replace('"', '\\"').replace(" ", "\N{NO-BREAK SPACE}")


def _quoted(part: doc.QuotedPart) -> str:
    if part.form == "code":
        lines = (f'#"{_code_line(line)}"' for line in doc.code_lines(part))
        return f'#text(font: "DejaVu Sans Mono", size: 9pt)[{" #linebreak() ".join(lines)}]'
    if part.form in ("step", "point"):
        return _listed(part.items)
    if part.table:
        return _table(part.table)
    return f"#{literal(part.text)}"


def _quoted_with_source(part: doc.QuotedPart, whose: str) -> str:
    """Return the last part of a quotation with the line that tells whose it is.

    That line begins no page: to lines of text it is one more of theirs, of which Typst leaves none alone; the
    last item of a list and the last row of a table go with it. A whole part would take too much along.
    """
    if part.form in ("step", "point"):
        return _kept_with(_listed(part.items[:-1]), _listed(part.items[-1:]), _LEADING, whose)
    if part.table:
        # A row alone below its heads is no table.
        rest, last = (part.table.rows[:-1], part.table.rows[-1:]) if len(part.table.rows) > 1 else ((), ())
        above = _table(replace(part.table, rows=rest)) if rest else ""
        below = _table(replace(part.table, title="", columns=("",) * len(part.table.columns), rows=last))
        return _kept_with(above, below if rest else _table(part.table), "0pt", whose)
    return f"{_quoted(part)}#linebreak()#box(inset: (top: {_LEADING}))[{whose}]"


def _kept_with(above: str, last: str, gap: str, whose: str) -> str:
    """Return what must stay with the line below it, `gap` behind what stands above it, if anything does."""
    if above:
        return f"#block(below: {gap})[{above}]\n\n#block(above: {gap}, sticky: true)[{last}]\n\n{whose}"
    return f"#block(sticky: true)[{last}]\n\n{whose}"


def _listed(items: Sequence[doc.QuotedItem]) -> str:
    shown = []
    for first, run in doc.lists_of(items):
        told = "".join(f"[#{literal(item.text)} {_listed(item.below)}], " for item in run)
        shown.append(f"#enum(start: {first}, {told})" if first else f"#list({told})")
    return "\n".join(shown)


def _sentence(said: doc.CitedText, words: ReportPhrases) -> str:
    mark = f'#" "#emph({literal(f"({doubt})")})' if (doubt := said.doubt(words)) else ""
    told = "".join(
        f'#text(font: "DejaVu Sans Mono", size: 0.9em, {literal(part)})' if code else _beside_code(part)
        for part, code in said.pieces
    )
    return f"{told}{_citations(said.cited)}{mark}"


def _beside_code(part: str) -> str:
    before, after = ('#" "' if sign.isspace() else "" for sign in (part[:1], part[-1:]))
    return f"{before}#{literal(part)}{after}"


def _citations(cited: doc.Cited) -> str:
    return "".join(f'#link(label("{entry.anchor}"), {_raised(entry, passages)})' for entry, passages in cited)


def _raised(entry: Entry, passages: Sequence[Passage]) -> str:
    """Return a citation's look: numbers are raised, names stand in the line."""
    shown = literal(entry.label_at(passages))
    return f"super({shown})" if entry.numbered else shown


def _table(table: doc.TableBlock) -> str:
    head = ", ".join(f"strong({literal(column)})" for column in table.columns)
    cells = "".join(f"[#{literal(c.text)}{_citations(c.cited)}], " for row in table.rows for c in row)
    title = f"#strong({literal(table.title)})\n\n" if table.title else ""
    columns = f"({'1fr, ' * len(table.columns)})"
    heads = f"table.header({head}), " if any(table.columns) else ""
    return f"{title}#table(columns: {columns}, stroke: 0.4pt + luma(180), {heads}{cells})"


def _reference(reference: doc.Reference, words: ReportPhrases) -> str:
    entry, details = reference.entry, [plain(part) for part in reference.details]
    about = f'#" "#{literal(f"— {words.comma.join(details)}")}' if details else ""
    where = f"link({literal(reference.address)})" if reference.address else literal(reference.url)
    ended = f'#"{words.ended}"'  # as it is: the space behind it counts
    parts = [f"#strong({literal(reference.title)}){about}{ended}#{where}"]
    if reference.retrieved:
        parts.append(f"#{literal(words.comma + reference.retrieved)}")
    below = map(literal, doc.passage_lines(entry, words))
    parts += [f"#linebreak()#text(size: 0.85em, {line})" for line in below]
    columns, number = "(2.2em, 1fr)", f"[#{literal(f'{entry.number}.')}], "
    if not entry.numbered:
        columns, number = "1fr", ""
    return f"#grid(columns: {columns}, {number}[{''.join(parts)}]) <{entry.anchor}>"
