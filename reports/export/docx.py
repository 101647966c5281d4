"""Word (DOCX) through python-docx: real headings and tables, citations and links that work."""

import datetime as dt
import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import reports.export.document_blocks as doc
from library import Evidence
from reports.cite.source_numbering import Entry, bibliography
from reports.document import Report
from reports.export.document_walker import blocks
from reports.export.optional_packages import optional
from reports.export.pictures import png
from reports.report_phrases import ReportPhrases, phrases_for
from reports.visible_text import plain

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file inside: the same report gives the same bytes."""
_CHART_WIDTH, _INDENT, _APART = 5_029_200, 228_600, 38_100
"""Of a chart, in English Metric Units: 14 cm; how far items of a list stand in, and apart: 3 points."""
_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


def report_docx(report: Report, evidence: Evidence) -> bytes:
    """Return the report as a Word document.

    Raises:
        ExportUnavailable: python-docx is not installed.
    """
    docx = optional("docx", "DOCX")
    document: Document = docx.Document()
    words = phrases_for(report.language)
    writer = _Writer(document, words)
    writer.front(report)
    for block in blocks(report, bibliography(report, evidence), words):
        writer.block(block)
    buffer = io.BytesIO()
    document.save(buffer)
    return _undated(buffer.getvalue())


def _undated(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            new.writestr(zipfile.ZipInfo(item.filename, _FIRST_DAY), old.read(item), zipfile.ZIP_DEFLATED)
    return out.getvalue()


class _Writer:
    def __init__(self, document: "Document", words: ReportPhrases) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        self._document = document
        self._words = words
        self._element: Any = OxmlElement
        self._name: Any = qn

    def front(self, report: Report) -> None:
        self._properties(report)
        self._document.add_heading(plain(report.title), level=0)

    def block(self, block: doc.Block) -> None:  # noqa: C901 - one case for each kind of block
        add = self._document
        match block:
            case doc.NoteBlock(text):
                add.add_paragraph().add_run(plain(text)).italic = True
            case doc.HeadingBlock(text, level):
                add.add_heading(plain(text), level=min(level, 9))
            case doc.ConnectingBlock(text):
                add.add_paragraph(plain(text))
            case doc.ParagraphsBlock():
                self._paragraphs(block)
            case doc.CodeBlock(part, cited):
                self._code(part)
                if cited:
                    self._cited_text(add.add_paragraph(), doc.CitedText("", cited))
            case doc.QuotationBlock():
                self._quotation(block)
            case doc.TableBlock():
                self._table(block)
            case doc.ChartBlock():
                self._chart(block)
            case doc.ListBlock(heading, items):
                add.add_heading(heading, level=1)
                for item in items:
                    self._cited_text(add.add_paragraph(style="List Bullet"), item)
            case doc.BibliographyBlock(heading, references):
                add.add_heading(heading, level=1)
                for reference in references:
                    self._reference(reference)

    def _chart(self, block: doc.ChartBlock) -> None:
        if (picture := png(block.chart)) is not None:
            self._document.add_picture(io.BytesIO(picture), width=_CHART_WIDTH)
        self._table(block.table)

    def _properties(self, report: Report) -> None:
        properties = self._document.core_properties
        properties.title = plain(report.title)[:255]
        properties.subject = plain(report.topic)[:255]
        properties.language = plain(report.language)[:255]
        properties.author = "Roundtable"
        properties.comments = ""
        properties.created = properties.modified = dt.datetime(*_FIRST_DAY, tzinfo=dt.UTC)

    def _paragraphs(self, block: doc.ParagraphsBlock) -> None:
        for place, sentences in enumerate(block.paragraphs, block.first):
            style = "List Bullet" if block.listed and not block.first else None
            paragraph = self._document.add_paragraph(style=style)
            # Word numbers all lists of a style as one.
            if block.first:
                paragraph.add_run(f"{place}.\t")
                _hang(paragraph)
            for n, said in enumerate(sentences):
                if n:
                    paragraph.add_run(" ")
                self._cited_text(paragraph, said)
                if doubt := said.doubt(self._words):
                    paragraph.add_run(f" ({doubt})").italic = True

    def _code(self, part: doc.QuotedPart) -> None:
        for line in doc.code_lines(part):
            self._document.add_paragraph(style="No Spacing").add_run(line).font.name = "Courier New"

    def _quotation(self, block: doc.QuotationBlock) -> None:
        told = len(self._document.paragraphs)
        for part in block.parts:
            if part.form == "code":
                self._code(part)
                continue
            if part.table:
                self._table(part.table)
            if part.text:
                self._document.add_paragraph(plain(part.text), style="Quote")
            if part.items:
                self._items(part.items)
                self._document.paragraphs[-1].paragraph_format.space_after = None  # the list's end
        for last in self._document.paragraphs[told:][-1:]:  # whose it is does not stand alone on a page
            last.paragraph_format.keep_with_next = True
        below = self._document.add_paragraph()
        self._cited_text(below, doc.CitedText(f"— {doc.whose(block, self._words)}", block.cited))

    def _items(self, items: Sequence[doc.QuotedItem], level: int = 0) -> None:
        for item in items:
            # Word numbers all lists of a style as one: here the numbers are the source's.
            mark = f"{item.number}.\t" if item.number else "•\t"
            _hang(self._document.add_paragraph(mark + plain(item.text), style="Quote"), level)
            self._items(item.below, level + 1)

    def _cited_text(self, paragraph: "Paragraph", said: doc.CitedText) -> None:
        for part, code in said.pieces:
            run = paragraph.add_run(plain(part) if code else doc.between(part, plain(part)))
            if code:
                run.font.name = "Courier New"
        for entry, passages in said.cited:
            link = self._element("w:hyperlink")
            link.set(self._name("w:anchor"), entry.anchor)
            link.append(self._run(plain(entry.label_at(passages)), raised=entry.numbered))
            paragraph._p.append(link)  # noqa: SLF001 - python-docx has no call for links

    def _run(self, words: str, *, raised: bool = False) -> Any:
        run, properties, text = self._element("w:r"), self._element("w:rPr"), self._element("w:t")
        color = self._element("w:color")
        color.set(self._name("w:val"), "7A3B12")
        properties.append(color)
        if raised:
            align = self._element("w:vertAlign")
            align.set(self._name("w:val"), "superscript")
            properties.append(align)
        text.text = words
        run.append(properties)
        run.append(text)
        return run

    def _table(self, table: doc.TableBlock) -> None:
        if table.title:
            self._document.add_paragraph().add_run(plain(table.title)).bold = True
        grid = self._document.add_table(rows=1, cols=max(len(table.columns), 1), style="Table Grid")
        for cell, column in zip(grid.rows[0].cells, table.columns, strict=False):
            cell.paragraphs[0].add_run(plain(column)).bold = True
        for row in table.rows:
            for cell, said in zip(grid.add_row().cells, row, strict=False):
                self._cited_text(cell.paragraphs[0], said)
        self._document.add_paragraph()

    def _reference(self, reference: doc.Reference) -> None:
        words, paragraph = self._words, self._document.add_paragraph()
        self._bookmark(paragraph, reference.entry)
        paragraph.add_run(plain(reference.title)).bold = True
        details = [plain(part) for part in reference.details]
        paragraph.add_run((f" — {words.comma.join(details)}" if details else "") + words.ended)
        if reference.address:
            link = self._element("w:hyperlink")
            target = paragraph.part.relate_to(reference.address, _LINK, is_external=True)
            link.set(self._name("r:id"), target)
            link.append(self._run(reference.address))
            paragraph._p.append(link)  # noqa: SLF001
        else:
            paragraph.add_run(plain(reference.url))
        if reference.retrieved:
            paragraph.add_run(f"{words.comma}{plain(reference.retrieved)}")
        for line in doc.passage_lines(reference.entry, words):
            self._document.add_paragraph(line, style="List Bullet")

    def _bookmark(self, paragraph: "Paragraph", entry: Entry) -> None:
        start, end = self._element("w:bookmarkStart"), self._element("w:bookmarkEnd")
        for element in (start, end):
            element.set(self._name("w:id"), str(entry.number))
        start.set(self._name("w:name"), entry.anchor)
        paragraph._p.append(start)  # noqa: SLF001
        paragraph.add_run(f"{entry.number}. " if entry.numbered else "")
        paragraph._p.append(end)  # noqa: SLF001


def _hang(paragraph: "Paragraph", level: int = 0) -> None:
    """Let the lines of a list's item begin below its words, not below its mark, near the items around it."""
    shape = paragraph.paragraph_format
    shape.left_indent, shape.first_line_indent, shape.space_after = (level + 1) * _INDENT, -_INDENT, _APART
