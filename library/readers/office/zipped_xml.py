"""Documents that are a zip of XML, read as a stream with bounds on everything.

No tree is built: expat calls back for each element, so that a document of any size or depth costs its text
alone. None of these formats has a document type, so a part that declares any (entities of "billion laughs"
need it) is refused outright.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from xml.parsers import expat

from library.errors import ReadError

_DEEPEST = 500
_PIECE = 65_536
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How parts may be packed; other ways take memory as the file says."""
_HEADING = re.compile(r"\s*#{1,6} ([^\n]+)")


class XmlHandler:
    """What is told of elements."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""

    def end(self, name: str) -> None:
        """Take its end."""

    def data(self, text: str) -> None:
        """Take text."""


@contextmanager
def opened(data: bytes, what: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Raises ReadError, which calls the document `what`, for whatever is wrong inside."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(part.compress_type not in _PACKED for part in archive.infolist()):
                raise ReadError(f"it is packed as no {what} is")
            yield archive
    except KeyError as error:
        raise ReadError(f"it is a ZIP archive, but no {what}") from error
    except (
        zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
    ) as error:  # fmt: skip
        raise ReadError(f"it is a damaged or encrypted {what} ({error})") from error
    except expat.ExpatError as error:
        raise ReadError(f"its XML is broken ({error})") from error


def without_namespace(name: str) -> str:
    """Return the last part of a name, whatever namespace it is of."""
    return name.rpartition(" ")[2]


def stream(
    archive: zipfile.ZipFile,
    part: str,
    handler: XmlHandler,
    largest: int,
    local: Callable[[str], str] = without_namespace,
) -> int:
    """Feed one part of an archive to a handler; return the bytes that really came.

    Args:
        archive: It is opened.
        part: Its name; KeyError when there is none.
        handler: Is told of the elements.
        largest: Bytes that it may have when unpacked.
        local: Makes the name that the handler is told of `namespace name`.

    Raises:
        ReadError: It is too large, too deep or hostile.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ReadError(f"its XML is nested deeper than {_DEEPEST} elements")
        handler.start(local(name), {local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(local(name))

    def refuse(*_declaration: object) -> None:
        raise ReadError("it declares a document type, which no such document does; it may be hostile")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.data
    parser.StartDoctypeDeclHandler = refuse
    parser.buffer_text = True
    read = 0
    with archive.open(part) as unpacked:
        while piece := unpacked.read(_PIECE):
            read += len(piece)
            if read > largest:
                raise ReadError(f"it unpacks to more than {largest / 1_000_000:g} MB")
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    return read


def opening_heading(text: str) -> str | None:
    """Return the heading that a text begins with, as in Markdown; None where it begins with anything else."""
    found = _HEADING.match(text)
    return found[1].strip() if found else None


class Properties(XmlHandler):
    """What a document says of itself: `title`, `creator`, `date`, …, by the names of the Dublin Core."""

    NAMES = ("title", "creator", "date", "publisher", "language")

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:  # noqa: ARG002
        """Take note of whose text comes."""
        self._name = name

    def end(self, name: str) -> None:  # noqa: ARG002
        """Forget it."""
        self._name = ""

    def data(self, text: str) -> None:
        """Keep the text of what is known."""
        if self._name in self.NAMES:
            self.values[self._name] = (self.values.get(self._name, "") + text).strip()

    def said(self) -> dict[str, str | None]:
        """Return title and author, as a source has them.

        When a program made or saved the file, or a template of it, is no day on which it was published.
        """
        return {"title": self.values.get("title"), "author": self.values.get("creator")}
