"""The tables of a collection in LanceDB, and how its faults are told."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from library.errors import EngineError
from models import install_command

if TYPE_CHECKING:
    import lancedb
    import pyarrow as pa

TEXTS, PASSAGES, COUNTS, ABOUT, VECTORS = "texts", "passages", "counts", "about", "vectors"
NEVER_WRITTEN = "was not found"
"""What LanceDB says of a table whose folder is there and that holds no version."""
_SEEN_AFTER = timedelta(seconds=5)
"""How old what a reader sees may be, where another process writes."""
_LONGEST = 300
"""Characters of what an engine says of a fault."""


def connect(place: str, options: Mapping[str, str]) -> "lancedb.DBConnection":
    """Open a folder, or an address such as `s3://bucket/path`. Raises EngineError."""
    # It tells each table that it makes anew as a warning, between the lines of a command.
    os.environ.setdefault("LANCEDB_LOG", "error")
    try:
        import lancedb
    except ImportError as error:
        raise EngineError(f"{place}: LanceDB is not installed; {install_command('lancedb')}") from error
    with faults(place):
        return lancedb.connect(
            place, storage_options=dict(options) or None, read_consistency_interval=_SEEN_AFTER
        )


def schemas() -> "dict[str, pa.Schema]":
    """Return the columns of each table that is there from the beginning."""
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    return {
        TEXTS: pa.schema([("sha256", text), ("source", text)]),
        PASSAGES: pa.schema([
            ("sha256", text), ("start", number), ("end", number), ("terms", text), ("length", number),
            ("page_length", number),
        ]),
        COUNTS: pa.schema([("term", text), ("passages", pa.int64())]),
        ABOUT: pa.schema([("name", text), ("value", text)]),
    }  # fmt: skip


def vector_schema(dimensions: int) -> "pa.Schema":
    """Return the columns of the table of vectors."""
    import pyarrow as pa

    vector = pa.list_(pa.float32(), dimensions)
    return pa.schema([("sha256", pa.string()), ("start", pa.int32()), ("vector", vector)])


def quoted(values: object) -> str:
    """Return texts as a list in SQL."""
    assert isinstance(values, list | tuple | set | frozenset | dict)
    return ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)


@contextmanager
def faults(place: str) -> Iterator[None]:
    """Tell whatever goes wrong in LanceDB as an EngineError in one line."""
    try:
        yield
    except (ValueError, RuntimeError, OSError, TypeError) as error:
        said = " ".join(str(error).split())
        raise EngineError(f"{place}: LanceDB: {said[:_LONGEST]}") from error
