"""ODT to text: headings by their level, paragraphs, lists, and tables with the heads of their columns."""

from collections.abc import Mapping
from typing import Any

from library.errors import ReadError
from library.readers.office.table_text import paragraphs, table_lines
from library.readers.office.zipped_xml import Properties, XmlHandler, opened, opening_heading, stream

_MOST_REPEATED = 200
"""Times that one cell may stand for several: a hostile file says a thousand million."""


def read_odt(data: bytes, largest: int) -> dict[str, Any]:
    """Read a text document of OpenDocument.

    Args:
        data: The file.
        largest: Bytes that its parts may have when unpacked, each.

    Raises:
        ReadError: It is damaged, encrypted or hostile, or holds no text.
    """
    with opened(data, "OpenDocument text") as archive:
        body = _Body(largest)
        stream(archive, "content.xml", body, largest)
        said = Properties()
        if "meta.xml" in archive.namelist():
            stream(archive, "meta.xml", said, 1_000_000)
    text = "\n\n".join(body.blocks)
    if not text.strip():
        raise ReadError("it holds no text")
    told = said.said()
    return {"text": text, **told, "title": told["title"] or opening_heading(text)}


class _Body(XmlHandler):
    """Collects blocks; deleted text that is tracked, and annotations, are left out."""

    def __init__(self, largest: int) -> None:
        self.blocks: list[str] = []
        self._largest = largest
        self._runs: list[list[str]] = []
        """Of the paragraphs that are open, one in another."""
        self._level = 0
        self._lists = 0
        self._tables: list[list[list[str]]] = []
        self._repeated = 1
        self._skipped = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._skipped or name in ("tracked-changes", "annotation", "forms"):
            self._skipped += 1
        elif name in ("p", "h"):
            self._runs.append([])
            level = attributes.get("outline-level", "1")
            self._level = min(6, int(level[:2])) if name == "h" and level.isdecimal() else 0
        elif name == "list":
            self._lists += 1
        elif name == "table":
            self._tables.append([])
        elif name == "table-row" and self._tables:
            self._tables[-1].append([])
        elif name in ("table-cell", "covered-table-cell") and self._tables and self._tables[-1]:
            times = attributes.get("number-columns-repeated", "1")
            self._repeated = min(_MOST_REPEATED, int(times)) if times.isdecimal() and len(times) < 9 else 1
            self._tables[-1][-1].append("")
        elif self._runs and name in ("s", "tab", "line-break"):
            self._runs[-1].append(" ")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name in ("p", "h") and self._runs:
            self._paragraph(" ".join("".join(self._runs.pop()).split()))
        elif name == "list":
            self._lists = max(0, self._lists - 1)
        elif name in ("table-cell", "covered-table-cell") and self._tables and self._tables[-1]:
            row = self._tables[-1][-1]
            row += row[-1:] * (self._repeated - 1)
            self._repeated = 1
        elif name == "table" and self._tables:
            lines = table_lines(self._tables.pop(), self._largest)
            if self._tables and self._tables[-1] and self._tables[-1][-1]:
                self._tables[-1][-1][-1] += " ".join(lines)  # a table in a cell
            else:
                self.blocks += paragraphs(lines)

    def data(self, text: str) -> None:
        if self._runs and not self._skipped:
            self._runs[-1].append(text)

    def _paragraph(self, text: str) -> None:
        if not text:
            return
        if self._tables and self._tables[-1] and self._tables[-1][-1]:
            row = self._tables[-1][-1]
            row[-1] = f"{row[-1]} {text}".strip()
        elif self._level:
            self.blocks.append(f"{'#' * self._level} {text}")
        else:
            self.blocks.append(f"- {text}" if self._lists else text)
