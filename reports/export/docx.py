"""Word (DOCX) through python-docx: real headings and tables, citations and links that work."""

import datetime as dt
import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from library import Evidence
from reports.cite.source_numbering import Bibliography, Entry, bibliography
from reports.document import Report, Section, Sentence, Table
from reports.export.optional_packages import optional
from reports.export.pictures import png
from reports.plan.layout import paragraphs
from reports.report_phrases import ReportPhrases, phrases_for
from reports.tables.charts import chart_table
from reports.visible_text import plain, web_address

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file inside: the same report gives the same bytes."""
_CHART_WIDTH = 5_029_200
"""Of a chart, in English Metric Units: 14 cm."""
_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


def report_docx(report: Report, evidence: Evidence) -> bytes:
    """Return the report as a Word document.

    Raises:
        ExportUnavailable: python-docx is not installed.
    """
    docx = optional("docx", "DOCX")
    document: Document = docx.Document()
    _Writer(document, bibliography(report, evidence), phrases_for(report.language)).write(report)
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
    def __init__(self, document: "Document", sources: Bibliography, words: ReportPhrases) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        self._document = document
        self._sources = sources
        self._words = words
        self._listed = False
        self._element: Any = OxmlElement
        self._name: Any = qn

    def write(self, report: Report) -> None:
        self._listed = report.listed
        self._properties(report)
        self._document.add_heading(plain(report.title), level=0)
        if report.front.note:
            self._document.add_paragraph().add_run(plain(report.front.note)).italic = True
        for section in report.sections:
            self._section(section)
        back, words = report.back, self._words
        for heading, lines in ((words.open, back.open_questions), (words.made, back.made)):
            if lines:
                self._document.add_heading(heading, level=1)
                for line in lines:
                    self._document.add_paragraph(plain(line), style="List Bullet")
        if self._sources.entries:
            self._document.add_heading(words.bibliography, level=1)
            for entry in self._sources.entries:
                self._entry(entry)

    def _properties(self, report: Report) -> None:
        properties = self._document.core_properties
        properties.title = plain(report.title)[:255]
        properties.subject = plain(report.topic)[:255]
        properties.language = plain(report.language)[:255]
        properties.author = "Roundtable"
        properties.comments = ""
        properties.created = properties.modified = dt.datetime(*_FIRST_DAY, tzinfo=dt.UTC)

    def _section(self, section: Section) -> None:
        self._document.add_heading(plain(section.heading), level=min(section.level, 9))
        if section.opening:
            self._document.add_paragraph(plain(section.opening))
        for group in paragraphs(section.sentences):
            paragraph = self._document.add_paragraph(style="List Bullet" if self._listed else None)
            for n, sentence in enumerate(group):
                if n:
                    paragraph.add_run(" ")
                self._sentence(paragraph, sentence)
        for table in section.tables:
            self._table(table)
        for chart in section.charts:
            if (picture := png(chart)) is not None:
                self._document.add_picture(io.BytesIO(picture), width=_CHART_WIDTH)
            self._table(chart_table(chart))

    def _sentence(self, paragraph: "Paragraph", sentence: Sentence) -> None:
        paragraph.add_run(plain(sentence.text))
        self._cites(paragraph, sentence.citations)
        if sentence.support == "unsupported":
            paragraph.add_run(f" ({self._words.unsupported})").italic = True

    def _cites(self, paragraph: "Paragraph", ids: Sequence[str]) -> None:
        for entry, _passages in self._sources.grouped(ids):
            link = self._element("w:hyperlink")
            link.set(self._name("w:anchor"), entry.anchor)
            link.append(self._run(plain(entry.label), raised=entry.label.startswith("[")))
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

    def _table(self, table: Table) -> None:
        if table.title:
            self._document.add_paragraph().add_run(plain(table.title)).bold = True
        grid = self._document.add_table(rows=1, cols=max(len(table.columns), 1), style="Table Grid")
        for cell, column in zip(grid.rows[0].cells, table.columns, strict=False):
            cell.paragraphs[0].add_run(plain(column)).bold = True
        for row in table.rows:
            for cell, said in zip(grid.add_row().cells, row, strict=False):
                cell.paragraphs[0].add_run(plain(said.text))
                self._cites(cell.paragraphs[0], said.citations)
        self._document.add_paragraph()

    def _entry(self, entry: Entry) -> None:
        source, words = entry.source, self._words
        paragraph = self._document.add_paragraph()
        self._bookmark(paragraph, entry)
        paragraph.add_run(plain(source.title or source.url)).bold = True
        details = [plain(part) for part in (source.author, source.published) if part]
        paragraph.add_run((f" — {words.comma.join(details)}" if details else "") + ". ")
        address = web_address(source.url)
        if address:
            link = self._element("w:hyperlink")
            link.set(self._name("r:id"), paragraph.part.relate_to(address, _LINK, is_external=True))
            link.append(self._run(address))
            paragraph._p.append(link)  # noqa: SLF001
        else:
            paragraph.add_run(plain(source.url))
        if source.retrieved:
            retrieved = words.retrieved.format(date=source.retrieved[:10])
            paragraph.add_run(f"{words.comma}{plain(retrieved)}")

    def _bookmark(self, paragraph: "Paragraph", entry: Entry) -> None:
        start, end = self._element("w:bookmarkStart"), self._element("w:bookmarkEnd")
        for element in (start, end):
            element.set(self._name("w:id"), str(entry.number))
        start.set(self._name("w:name"), entry.anchor)
        paragraph._p.append(start)  # noqa: SLF001
        paragraph.add_run(f"{entry.number}. " if entry.numbered else "")
        paragraph._p.append(end)  # noqa: SLF001
