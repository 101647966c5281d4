"""Short texts on disk, kept from session to session by a key: bounded in size, and for a time.

A cache may always be thrown away: a file that is damaged is replaced by an empty one, and one that cannot be
written costs the keeping alone. Both are said in the log, neither is an error.
"""

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

_LOG = logging.getLogger(__name__)

_TABLE = """
CREATE TABLE IF NOT EXISTS kept (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, written REAL NOT NULL, used REAL NOT NULL, size INTEGER NOT NULL
) WITHOUT ROWID
"""
_BY_USE = "CREATE INDEX IF NOT EXISTS by_use ON kept (used DESC, key, size)"
_TOO_MUCH = (
    "DELETE FROM kept WHERE key IN (SELECT key FROM (SELECT key, SUM(size) OVER "
    "(ORDER BY used DESC, key ROWS UNBOUNDED PRECEDING) AS total FROM kept) WHERE total > ?)"
)
_FORMAT = 1


def key_of(*parts: object) -> str:
    """Return the key of what depends on these parts (anything that JSON can write), and on no others."""
    text = json.dumps([_FORMAT, *parts], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class TextCache:
    """A SQLite file of texts by key; processes may share it, and threads. The file is made when needed."""

    def __init__(
        self, path: Path, *, megabytes: float, seconds: float, now: Callable[[], float] = time.time
    ) -> None:
        """Take the file.

        Args:
            path: It, made with its folder when something is first looked for.
            megabytes: The most that is kept; what was not used for longest goes first.
            seconds: For how long a text is good.
            now: Seconds since 1970.
        """
        self._path = path
        self._limit = int(megabytes * 1_000_000)
        self._seconds = seconds
        self._now = now
        self._lock = threading.Lock()
        self._base: sqlite3.Connection | None = None
        self._usable = True
        self._written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def find(self, key: str) -> str | None:
        """Return what is kept under a key, None when there is nothing or it is too old."""
        now = self._now()
        with self._lock, self._trouble("read"):
            base = self._opened()
            if base is None:
                return None
            oldest = now - self._seconds
            row = base.execute(
                "SELECT text FROM kept WHERE key = ? AND written BETWEEN ? AND ?", (key, oldest, now)
            ).fetchone()
            if row is not None:
                base.execute("UPDATE kept SET used = ? WHERE key = ?", (now, key))
                return str(row[0])
        return None

    def keep(self, key: str, text: str) -> None:
        """Keep a text under a key, in place of an older one."""
        now = self._now()
        with self._lock, self._trouble("written"):
            base = self._opened()
            if base is None:
                return
            size = len(text.encode("utf-8", "surrogatepass")) + len(key)
            base.execute("INSERT OR REPLACE INTO kept VALUES (?,?,?,?,?)", (key, text, now, now, size))
            self._written += size
            if self._written > self._limit // 20 or size > self._limit // 20:
                base.execute("DELETE FROM kept WHERE written < ?", (now - self._seconds,))
                base.execute(_TOO_MUCH, (self._limit,))
                self._written = 0

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._base is not None:
                self._base.close()
            self._base, self._usable = None, False

    @contextlib.contextmanager
    def _trouble(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeError) as error:
            _LOG.warning("the cache %s cannot be %s: %s", self._path, what, error)

    def _opened(self) -> sqlite3.Connection | None:
        if self._base is None and self._usable:
            self._usable = False  # one attempt, whatever comes of it
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._base = self._connect()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                _LOG.warning("the cache was damaged and starts anew: %s (%s)", self._path, error)
                for ending in ("", "-wal", "-shm"):
                    Path(f"{self._path}{ending}").unlink(missing_ok=True)
                self._base = self._connect()
            self._usable = True
        return self._base

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=2.0, isolation_level=None, check_same_thread=False)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            if base.execute("PRAGMA user_version").fetchone()[0] not in (0, _FORMAT):
                base.execute("DROP TABLE IF EXISTS kept")
            base.execute(_TABLE)
            base.execute(_BY_USE)
            base.execute(f"PRAGMA user_version = {_FORMAT}")
        except sqlite3.Error:
            base.close()
            raise
        return base
