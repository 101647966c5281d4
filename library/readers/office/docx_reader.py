"""DOCX to text: headings as in Markdown, lists, and rows of tables; read as a stream with bounds on all."""

import re
from collections.abc import Mapping
from typing import Any
from zipfile import ZipFile

from library.errors import ReadError
from library.readers.office.docx_tables import DocxTable
from library.readers.office.table_text import paragraphs
from library.readers.office.zipped_xml import Properties, XmlHandler, opened, opening_heading, stream

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "word/_rels/document.xml.rels"
_LINK_ID = "http://schemas.openxmlformats.org/officeDocument/2006/relationships id"
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_HEADING = re.compile(
    r"(?:heading|berschrift|titre|t.tulo|titolo|标题|標題|見出し)\s*([1-6])$", re.IGNORECASE
)


def read_docx(data: bytes, largest: int, links: bool | None = None) -> dict[str, Any]:
    """Read a DOCX: its text, with headings as in Markdown, and what it says of itself.

    Args:
        data: The file.
        largest: Bytes that its parts may have when unpacked, together.
        links: Links to the web keep their addresses, `[words](address)`, and notes stand below the text as
            `[^1]: …`, with `[^1]` where they are called.

    Raises:
        ReadError: It is damaged, encrypted or hostile, or holds no text.
    """
    with opened(data, "DOCX document") as archive:
        styles = _Styles()
        if "word/styles.xml" in archive.namelist():
            stream(archive, "word/styles.xml", styles, largest, _local)
        targets = _Targets()
        if links and _RELATIONS in archive.namelist():
            stream(archive, _RELATIONS, targets, 1_000_000)
        body = _Body(styles, targets.urls, largest, links=bool(links))
        stream(archive, "word/document.xml", body, largest, _local)
        notes = _notes(archive, largest) if links else []
        said = Properties()
        if "docProps/core.xml" in archive.namelist():
            stream(archive, "docProps/core.xml", said, 1_000_000)
    text = "\n\n".join([body.text(), *notes])
    if not text.strip():
        raise ReadError("it holds no text")
    told = said.said()
    title = told["title"] or body.title or opening_heading(text)
    return {"text": text, **told, "title": title}


def _local(name: str) -> str:
    namespace, _, local = name.rpartition(" ")
    return (
        local if namespace in ("", _WORD, _STRICT) or "purl.org/dc" in namespace else f"{namespace} {local}"
    )


def _on(attributes: Mapping[str, str]) -> bool:
    """Whether a property that stands there is on."""
    return attributes.get("val", "1") not in ("0", "false", "off")


class _Styles(XmlHandler):
    """Finds which styles are headings, by their name or outline level; their ids differ between languages."""

    def __init__(self) -> None:
        self.headings: dict[str, int] = {}
        self.title = ""
        """The id of the style for the document's title."""
        self._style = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style":
            self._style = attributes.get("styleId", "")
        elif name == "name" and self._style:
            called = attributes.get("val", "")
            if called.lower() == "title":
                self.headings[self._style] = 1
                self.title = self._style
            elif found := _HEADING.search(called):
                self.headings[self._style] = int(found[1])
        elif name == "outlineLvl" and self._style and attributes.get("val", "").isdecimal():
            level = int(attributes["val"][:2]) + 1
            if level <= 6:
                self.headings.setdefault(self._style, level)

    def end(self, name: str) -> None:
        if name == "style":
            self._style = ""


class _Targets(XmlHandler):
    """Where the links of a document lead, by the ids of its relations."""

    def __init__(self) -> None:
        self.urls: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        target = attributes.get("Target", "")
        if name == "Relationship" and target.startswith(("http://", "https://")):
            self.urls[attributes.get("Id", "")] = target


class _Notes(XmlHandler):
    """The texts of foot- or endnotes, by their ids."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self._id = ""
        self._takes = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("footnote", "endnote"):
            self._id = attributes.get("id", "")
        self._takes = name == "t"

    def end(self, name: str) -> None:
        self._takes = False
        if name == "p" and self._id in self.texts:
            self.texts[self._id].append(" ")

    def data(self, text: str) -> None:
        if self._takes:
            self.texts.setdefault(self._id, []).append(text)


def _notes(archive: ZipFile, largest: int) -> list[str]:
    """Return a document's notes as `[^1]: …`."""
    found: list[str] = []
    for kind, mark in (("footnotes", ""), ("endnotes", "e")):
        if (part := f"word/{kind}.xml") in archive.namelist():
            notes = _Notes()
            stream(archive, part, notes, largest, _local)
            found += [f"[^{mark}{n}]: {' '.join(''.join(told).split())}" for n, told in notes.texts.items()]
    return found


class _Body(XmlHandler):
    """Collects paragraphs; a row of a table becomes a line of cells."""

    def __init__(
        self, styles: _Styles, targets: Mapping[str, str], largest: int, *, links: bool = False
    ) -> None:
        self.title = ""
        """The first paragraph in the style of titles."""
        self._styles = styles
        self._targets = targets
        self._largest = largest
        self._links = links
        self._linked: list[tuple[int, str]] = []
        """Where the links that are open begin among the runs, and where each leads."""
        self._blocks: list[str] = []
        self._runs: list[str] = []
        self._level = 0
        self._listed = self._titles = False
        self._tables: list[DocxTable] = []
        """Those that are open, one in another."""
        self._takes = False
        self._hidden = self._bold = False
        self._skipped = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipped or name.endswith(" Fallback"):
            self._skipped += 1  # the second telling of a drawing
        elif name == "p":
            self._level, self._listed, self._titles = 0, False, False
        elif name == "pStyle":
            style = attributes.get("val", "")
            self._level = self._styles.headings.get(style, 0)
            self._titles = bool(style) and style == self._styles.title
        elif name == "numPr":
            self._listed = True
        elif name in ("r", "vanish", "b"):
            self._hidden = (name == "vanish" and _on(attributes)) or (self._hidden and name == "b")
            self._bold = (name == "b" and _on(attributes)) or (self._bold and name == "vanish")
        elif name == "t":
            self._takes = not self._hidden
        elif name in ("tab", "br", "cr", "noBreakHyphen"):
            self._runs.append({"tab": " ", "noBreakHyphen": "-"}.get(name, "\n"))
        elif self._links and name in ("hyperlink", "footnoteReference", "endnoteReference"):
            self._cited(name, attributes)
        elif name == "tbl":
            self._tables.append(DocxTable())
        elif self._tables:
            self._in_table(name, attributes)

    def _in_table(self, name: str, attributes: Mapping[str, str]) -> None:
        table = self._tables[-1]
        if name == "tr":
            table.begin_row()
        elif name == "tc":
            table.begin_cell()
        elif name == "tblHeader" and _on(attributes):
            table.repeats()
        elif name == "gridBefore" and attributes.get("val", "").isdecimal():
            table.leaves_out(int(attributes["val"][:5]))
        elif name == "gridSpan" and attributes.get("val", "").isdecimal():
            table.spans(int(attributes["val"][:5]))
        elif name == "vMerge" and attributes.get("val") != "restart":
            table.goes_on()

    def _cited(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "hyperlink":
            self._linked.append((len(self._runs), self._targets.get(attributes.get(_LINK_ID, ""), "")))
        else:
            mark = "e" if name.startswith("end") else ""
            self._runs.append(f"[^{mark}{attributes.get('id', '')}]")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "t":
            self._takes = False
        elif name == "hyperlink" and self._linked:
            begins, url = self._linked.pop()
            words = "".join(self._runs[begins:]).strip()
            if url and words:
                self._runs[begins:] = [f"[{words}]({url})"]
        elif name == "p":
            self._paragraph()
        elif name == "tr" and self._tables:
            self._tables[-1].end_row()
        elif name == "tbl" and self._tables:
            self._table(self._tables.pop().lines(self._largest))

    def _table(self, lines: list[str]) -> None:
        if self._tables and self._tables[-1].in_cell:
            self._tables[-1].paragraph("; ".join(lines))
        else:
            self._blocks += paragraphs(lines)

    def data(self, text: str) -> None:
        if self._takes and not self._skipped:
            self._runs.append(text)
            if self._tables and text.strip():
                self._tables[-1].words(bold=self._bold)

    def _paragraph(self) -> None:
        text = "".join(self._runs).strip()
        self._runs.clear()
        if not text:
            return
        if self._tables and self._tables[-1].in_cell:
            self._tables[-1].paragraph(" ".join(text.split()))
        elif self._level:
            words = " ".join(text.split())
            self.title = self.title or (words if self._titles else "")
            self._blocks.append(f"{'#' * self._level} {words}")
        else:
            self._blocks.append(f"- {text}" if self._listed else text)

    def text(self) -> str:
        """Return what was collected."""
        return "\n\n".join(self._blocks)
