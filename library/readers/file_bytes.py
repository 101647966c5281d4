"""The bytes of a file of the user's own: of an ordinary one, and never more than are wanted."""

import os
import stat
import zlib
from gzip import BadGzipFile, GzipFile
from io import BytesIO
from pathlib import Path
from unicodedata import category

from library.errors import ReadError
from library.readers.file_kinds import BEGINNING, PACKED, is_man, is_written

_GZIP = b"\x1f\x8b"


def file_bytes(path: Path, megabytes: float) -> bytes:
    """Read a file whole; what is in it, where its name says that it is packed.

    What is looked at is what is read, opened without waiting: a pipe that takes the place of a file is not
    waited for, and a file of the system that names no size, or one that grows, ends at the bound.

    Raises:
        ReadError: It is no ordinary file, is larger than so many megabytes, packed or not, or cannot be read.
    """
    most = int(megabytes * 1_000_000)
    data = _ordinary_bytes(path, most)
    if data is None:
        raise ReadError(_too_large(most))
    return _unpacked(data, most) if path.suffix.lower() == PACKED and data.startswith(_GZIP) else data


def text_beside(path: Path, most: int) -> str:
    """Return a text that a folder of somebody else's holds, opened as `file_bytes` opens.

    Whoever made the folder may have put a link there, to a device without an end, or a pipe without a writer.

    Args:
        path: Where it lies.
        most: Bytes that it may have.

    Raises:
        ReadError: it is not there, is no ordinary file, is larger, cannot be read, or is no UTF-8 text.
    """
    data = _ordinary_bytes(path, most)
    if data is None:
        raise ReadError(f"it is larger than {most / 1_000_000:g} MB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ReadError(f"it is no UTF-8 text ({error.reason} at byte {error.start})") from error


def _ordinary_bytes(path: Path, most: int) -> bytes | None:
    """Return what is in an ordinary file; None where that is more than so many bytes. Raises ReadError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            found = os.fstat(descriptor)
            if stat.S_ISDIR(found.st_mode):
                raise ReadError("it is a folder")
            if not stat.S_ISREG(found.st_mode):
                raise ReadError("it is no ordinary file")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = b"" if found.st_size > most else file.read(most + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ReadError(error.strerror or str(error)) from error
    return None if found.st_size > most or len(data) > most else data


def _too_large(most: int) -> str:
    return f"it is larger than {most / 1_000_000:g} MB: raise library.read.megabytes"


def _unpacked(data: bytes, most: int) -> bytes:
    try:
        with GzipFile(fileobj=BytesIO(data)) as file:
            found = file.read(most + 1)
    except (EOFError, BadGzipFile, zlib.error) as error:
        raise ReadError("it is packed and cannot be unpacked: it is damaged or cut") from error
    if len(found) > most:
        raise ReadError(_too_large(most))
    return found


def begins_as_man(path: Path) -> bool:
    """Tell whether an ordinary file, packed or not, begins like a manual page. Raises OSError."""
    data = _beginning(path)
    return data is None or is_man(data)


def begins_as_text(path: Path) -> bool:
    """Tell whether an ordinary file, packed or not, begins like a text. Raises OSError."""
    data = _beginning(path)
    return data is None or is_written(data)


def _beginning(path: Path) -> bytes | None:
    """Return the first bytes, unpacked; None where they are damaged: that is told where they are read."""
    with path.open("rb") as file:
        data = file.read(BEGINNING)
    if not data.startswith(_GZIP):
        return data
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, BEGINNING)
    except zlib.error:
        return None


def shown_path(path: Path | str) -> str:
    """Show a path in one line: bytes that are not UTF-8, and control characters, by their numbers."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(f"\\x{ord(sign):02x}" if category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
