"""A database whose file was cut short: opened as if its end were there, so that what is left can be read.

SQLite refuses to read any of a file that has fewer pages than its head says. With empty pages in the place of
those that are missing it reads all that does not lie on one of them.
"""

import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from library.store.schema import worked_out

_HEAD = struct.Struct(">16sH10xI")
"""Magic, bytes of a page (1 stands for 65,536), number of pages: the file format's offsets 0, 16 and 28."""
_MAGIC = b"SQLite format 3\0"
_LONGEST = 1 << 36
"""Bytes; a head that claims more is itself damaged."""


def missing_bytes(path: Path) -> int:
    """Return how many bytes a database file lacks of what its head says; 0 when that cannot be told."""
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return 0
    magic, page, pages = _HEAD.unpack(head)
    whole = (65_536 if page == 1 else page) * pages
    return max(0, whole - path.stat().st_size) if magic == _MAGIC and whole <= _LONGEST else 0


@contextmanager
def damaged_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a damaged database to read from it: the file, or for one that was cut short a filled up copy.

    Raises:
        OSError: the copy cannot be written, or it works out what it says.
    """
    missing = missing_bytes(path)
    if not missing:
        with closing(sqlite3.connect(path, timeout=30.0, isolation_level=None)) as database:
            _check(database)
            yield database
        return
    copy = path.with_name(f"{path.name}.filled")
    names = [(path.with_name(path.name + end), copy.with_name(copy.name + end)) for end in ("", "-wal")]
    try:
        for original, copied in names:
            if original.exists():
                shutil.copyfile(original, copied)
        with copy.open("r+b") as file:
            file.truncate(path.stat().st_size + missing)
        with closing(sqlite3.connect(copy, timeout=30.0, isolation_level=None)) as database:
            _check(database)
            yield database
    finally:
        for end in ("", "-wal", "-shm"):
            copy.with_name(copy.name + end).unlink(missing_ok=True)


def _check(database: sqlite3.Connection) -> None:
    """Raise OSError where what is read would have no end."""
    with suppress(sqlite3.Error):  # where its list of tables cannot be read, nothing else can
        if foreign := worked_out(database):
            raise OSError(f"it works out what it says ({foreign})")
