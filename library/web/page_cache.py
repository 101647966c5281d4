"""Pages on disk, with what a server needs to say that they have not changed.

A cache may always be thrown away: a file that is damaged is replaced by an empty one, a folder that cannot
be written means fetching without a cache. Both are said in the log, neither is an error.
"""

import logging
import sqlite3
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path

_LOG = logging.getLogger(__name__)

_TABLE = """
CREATE TABLE IF NOT EXISTS pages (
    url TEXT PRIMARY KEY, status INTEGER NOT NULL, location TEXT, media_type TEXT NOT NULL, charset TEXT,
    etag TEXT, modified TEXT, retrieved TEXT NOT NULL, fresh_until REAL NOT NULL, used REAL NOT NULL,
    opened INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL
)
"""
_INDEX = "CREATE INDEX IF NOT EXISTS by_use ON pages (used DESC, url, size)"
_COLUMNS = "url, status, location, media_type, charset, etag, modified, retrieved, fresh_until, opened, data"
_FORMAT = 1
LONGEST_FRESH = 30 * 86_400.0
"""Seconds for which a server's word on freshness is believed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One answer of a server: a page, or where it moved."""

    url: str
    status: int
    location: str | None
    """Where it moved, as an absolute url; None for a page."""
    media_type: str
    charset: str | None
    etag: str | None
    modified: str | None
    """The Last-Modified header, as it was sent."""
    retrieved: str
    """ISO 8601, UTC: when the server last said that this is the page."""
    fresh_until: float
    """Seconds since 1970; until then the server need not be asked."""
    opened: bool
    """From a host that `fetch.allow` had opened: not given out once that is taken back."""
    data: bytes


def fresh_for(headers: Mapping[str, str], now: float, otherwise: float) -> float | None:
    """Say for how many seconds an answer may be used unasked; None when it must not be kept.

    Args:
        headers: Of the answer; names in lower case, or a mapping that ignores case.
        now: Seconds since 1970.
        otherwise: For an answer that says nothing about it. Seconds.
    """
    control = _directives(headers.get("cache-control", ""))
    if "no-store" in control or headers.get("vary", "").strip() == "*":
        return None
    if "no-cache" in control:
        return 0.0
    age = headers.get("age", "")
    spent = float(age) if age.isdecimal() and len(age) < 10 else 0.0
    if (limit := control.get("max-age", "")).isdecimal():
        return min(max(float(limit[:12]) - spent, 0.0), LONGEST_FRESH)
    if expires := headers.get("expires"):
        try:
            left = parsedate_to_datetime(expires).timestamp() - now
        except (ValueError, OverflowError):
            return 0.0  # "0" and other non-dates mean: already over
        return min(max(left, 0.0), LONGEST_FRESH)
    return otherwise


def _directives(header: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in header.lower().split(","))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs}


class PageCache:
    """A SQLite file of answers, shared by processes, bounded in size."""

    def __init__(self, folder: Path, megabytes: float = 500.0) -> None:
        self._path = folder / "pages.sqlite3"
        self._limit = int(megabytes * 1_000_000)
        self._lock = threading.Lock()
        self._base: sqlite3.Connection | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = self._open()
        except (OSError, sqlite3.Error) as error:
            _LOG.warning("pages are fetched without a cache: %s cannot be used (%s)", self._path, error)

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            _LOG.warning("the page cache was damaged and starts anew: %s (%s)", self._path, error)
            for ending in ("", "-wal", "-shm"):
                Path(f"{self._path}{ending}").unlink(missing_ok=True)
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=5.0, isolation_level=None, check_same_thread=False)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            if base.execute("PRAGMA user_version").fetchone()[0] not in (0, _FORMAT):
                base.execute("DROP TABLE IF EXISTS pages")
            base.execute(_TABLE)
            base.execute(_INDEX)
            base.execute(f"PRAGMA user_version = {_FORMAT}")
        except sqlite3.Error:
            base.close()
            raise
        return base

    def find(self, url: str, *, opened: bool, now: float) -> Kept | None:
        """Return what is kept of a url. What came from an opened host is only given out while it is open."""
        with self._lock:
            if self._base is None:
                return None
            try:
                row = self._base.execute(f"SELECT {_COLUMNS} FROM pages WHERE url = ?", (url,)).fetchone()  # noqa: S608 - the columns are ours  # nosec B608
                if row is None or (row[9] and not opened):
                    return None
                self._base.execute("UPDATE pages SET used = ? WHERE url = ?", (now, url))
                return Kept(*(*row[:9], bool(row[9]), zlib.decompress(row[10])))
            except (sqlite3.Error, zlib.error) as error:
                _LOG.warning("the page cache cannot be read: %s", error)
                return None

    def keep(self, kept: Kept, *, now: float) -> None:
        """Keep an answer in place of an older one; drop what was not used for longest when it is too much."""
        data = zlib.compress(kept.data, 1)
        row = (
            kept.url, kept.status, kept.location, kept.media_type, kept.charset, kept.etag, kept.modified,
            kept.retrieved, kept.fresh_until, now, kept.opened, len(data), data,
        )  # fmt: skip
        self._write("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._shrink()

    def forget(self, url: str) -> None:
        """Drop what is kept of a url."""
        self._write("DELETE FROM pages WHERE url = ?", (url,))

    def _shrink(self) -> None:
        self._write(
            "DELETE FROM pages WHERE url IN (SELECT url FROM (SELECT url, SUM(size) OVER "
            "(ORDER BY used DESC, url ROWS UNBOUNDED PRECEDING) AS total FROM pages) WHERE total > ?)",
            (self._limit,),
        )

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with self._lock:
            if self._base is None:
                return
            try:
                self._base.execute(statement, values)
            except sqlite3.Error as error:
                _LOG.warning("the page cache cannot be written: %s", error)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._base is not None:
                self._base.close()
                self._base = None
