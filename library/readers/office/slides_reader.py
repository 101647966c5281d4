"""PPTX to text: each slide under its title, with its tables and its speaker's notes; slides are its pages."""

import re
from collections.abc import Mapping
from typing import Any
from zipfile import ZipFile

from library.errors import ReadError
from library.readers.office.table_text import paragraphs, table_lines
from library.readers.office.zipped_xml import Properties, XmlHandler, opened, stream

_SLIDE = re.compile(r"ppt/slides/slide(\d{1,9})\.xml")


def read_slides(data: bytes, largest: int) -> dict[str, Any]:
    """Read a presentation; `pages` tells where each slide begins.

    Args:
        data: The file.
        largest: Bytes that its slides may have when unpacked, together.

    Raises:
        ReadError: It is damaged, encrypted or hostile, or holds no text.
    """
    with opened(data, "PPTX presentation") as archive:
        names = set(archive.namelist())
        parts: list[str] = []
        left = largest
        for name in _in_order(archive, largest):
            slide = _Slide()
            left -= stream(archive, name, slide, left)
            notes = _Slide()
            noted = next(iter(_targets(archive, name, "notesSlide", names)), None)
            if noted:
                left -= stream(archive, noted, notes, left)
            parts.append(slide.text(largest, notes.words()))
        said = Properties()
        if "docProps/core.xml" in names:
            stream(archive, "docProps/core.xml", said, 1_000_000)
    shown = [part for part in parts if part]
    if not shown:
        raise ReadError("its slides hold no text")
    pages, at = [], 0
    for part in parts:
        pages.append(at)
        at += len(part) + 2 if part else 0
    return {"text": "\n\n".join(shown), "pages": pages, **said.said()}


def _in_order(archive: ZipFile, largest: int) -> list[str]:
    """Return the names of the slides as they are shown, hidden ones left out as far as the list tells."""
    order = _Listed()
    stream(archive, "ppt/presentation.xml", order, largest)
    there = _relations(archive, "ppt/presentation.xml")
    names = set(archive.namelist())
    listed = [there[each][1] for each in order.ids if each in there and there[each][1] in names]
    return listed or sorted(filter(_SLIDE.fullmatch, names), key=_number)


def _number(name: str) -> int:
    found = _SLIDE.fullmatch(name)
    return int(found[1]) if found else 0


def _targets(archive: ZipFile, part: str, kind: str, names: set[str]) -> list[str]:
    return [to for what, to in _relations(archive, part).values() if what == kind and to in names]


def _relations(archive: ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return what a part refers to: by id, the kind and the name of the other part."""
    folder, _, name = part.rpartition("/")
    handler = _Relations(folder)
    where = f"{folder}/_rels/{name}.rels"
    if where in archive.namelist():
        stream(archive, where, handler, 5_000_000)
    return handler.found


class _Relations(XmlHandler):
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.found: dict[str, tuple[str, str]] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship":
            target = attributes.get("Target", "")
            steps = [] if target.startswith("/") else self._folder.split("/")
            for step in target.strip("/").split("/"):
                steps = steps[:-1] if step == ".." else [*steps, step]
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.found[attributes.get("Id", "")] = (kind, "/".join(steps))


class _Listed(XmlHandler):
    """The slides of a presentation in their order, by the ids of its relations."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sldId":  # its own id comes first, then the relation's, which looks like rId7
            self.ids += [value for value in attributes.values() if not value.isdecimal()]


class _Slide(XmlHandler):
    """Collects the paragraphs of shapes, a title's apart, and the rows of tables."""

    def __init__(self) -> None:
        self._title: list[str] = []
        self._blocks: list[str] = []
        self._tables: dict[int, list[list[str]]] = {}
        self._runs: list[str] = []
        self._is_title = False
        self._is_number = False
        self._takes = False
        self._in_table = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sp":
            self._is_title = self._is_number = False
        elif name == "ph":
            self._is_title = attributes.get("type") in ("title", "ctrTitle")
            self._is_number = attributes.get("type") in ("sldNum", "dt", "ftr")
        elif name == "tbl":
            self._in_table = True
            self._tables[len(self._blocks)] = []
            self._blocks.append("")
        elif name == "tr" and self._in_table:
            self._rows().append([])
        elif name == "tc" and self._in_table and self._rows():
            self._rows()[-1].append("")
        elif name == "t":
            self._takes = True
        elif name == "br":
            self._runs.append(" ")

    def _rows(self) -> list[list[str]]:
        return self._tables[max(self._tables)]

    def end(self, name: str) -> None:
        if name == "t":
            self._takes = False
        elif name == "tbl":
            self._in_table = False
        elif name == "p":
            self._paragraph()

    def data(self, text: str) -> None:
        if self._takes:
            self._runs.append(text)

    def _paragraph(self) -> None:
        text = " ".join("".join(self._runs).split())
        self._runs.clear()
        if not text or self._is_number:
            return
        if self._in_table and self._rows() and self._rows()[-1]:
            row = self._rows()[-1]
            row[-1] = f"{row[-1]} {text}".strip()
        elif self._is_title:
            self._title.append(text)
        else:
            self._blocks.append(text)

    def words(self) -> str:
        """Return its paragraphs alone."""
        return "\n\n".join([*self._title, *filter(None, self._blocks)])

    def text(self, largest: int, notes: str) -> str:
        """Return the slide: title, text, tables, notes."""
        blocks = list(self._blocks)
        for place, rows in self._tables.items():
            blocks[place] = "\n\n".join(paragraphs(table_lines(rows, largest)))
        title = f"## {' '.join(self._title)}" if self._title else ""
        return "\n\n".join(filter(None, [title, *blocks, notes]))
