"""EPUB to text: the chapters in the order of the book, each read as a page."""

import posixpath
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from library.errors import ReadError
from library.readers.html.html_reader import read_html
from library.readers.office.zipped_xml import Properties, XmlHandler, opened, stream

_CONTAINER = "META-INF/container.xml"
_LATEST = "2100-01-01"


def read_epub(data: bytes, largest: int, largest_page: int) -> dict[str, Any]:
    """Read a book.

    Args:
        data: The file.
        largest: Bytes that its chapters may have when unpacked, together.
        largest_page: Bytes that one of them may have.

    Raises:
        ReadError: It is damaged, protected or hostile, or holds no text.
    """
    with opened(data, "EPUB book") as archive:
        found = _Container()
        stream(archive, _CONTAINER, found, 1_000_000)
        package = _Package()
        stream(archive, found.path, package, 20_000_000)
        if "META-INF/rights.xml" in archive.namelist():
            raise ReadError("it is protected against copying, so its text cannot be read")
        chapters: list[str] = []
        left = largest
        for href in package.reading_order():
            name = posixpath.normpath(posixpath.join(posixpath.dirname(found.path), unquote(href)))
            if name not in archive.namelist():
                continue
            size = archive.getinfo(name).file_size
            if size > min(left, largest_page):
                raise ReadError(f"a chapter of it unpacks to more than {largest_page / 1_000_000:g} MB")
            with archive.open(name) as unpacked:
                chapter = unpacked.read(min(left, largest_page) + 1)
            left -= len(chapter)
            try:
                chapters.append(read_html(chapter, None, largest_page, _LATEST)["text"])
            except ReadError:
                continue  # a cover, a page that is a picture: it has no text of its own
    if not chapters:
        raise ReadError("it holds no text")
    published = package.values.get("date", "")[:10] or None  # a book's own, set by who publishes it
    return {"text": "\n\n".join(chapters), **package.said(), "published": published}


class _Container(XmlHandler):
    path = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rootfile" and not self.path:
            self.path = attributes.get("full-path", "")


class _Package(Properties):
    """The book's list of its parts, and their order."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[str, str] = {}
        self._spine: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        super().start(name, attributes)
        contents = "nav" in attributes.get("properties", "").split()
        if name == "item" and "html" in attributes.get("media-type", "") and not contents:
            self._parts[attributes.get("id", "")] = attributes.get("href", "")
        elif name == "itemref":
            self._spine.append(attributes.get("idref", ""))

    def reading_order(self) -> list[str]:
        """Return the addresses of the chapters within the archive."""
        return [self._parts[each] for each in dict.fromkeys(self._spine) if each in self._parts]
