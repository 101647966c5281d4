"""A cache in a SQLite file: bounded in size, shared by processes and threads.

A cache may always be thrown away: a file that is damaged is replaced by an empty one, and one that cannot be
read or written costs the keeping alone. Both are said in the log, neither is an error. What is somebody's
instead, the database of something else or a file that a person named by mistake, is left as it is.
"""

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Self

_LOG = logging.getLogger(__name__)


class SqliteCache:
    """One table of a file that is made when it is first used; what was not used for longest goes first."""

    columns: ClassVar[str]
    """The table's columns, as SQL: a primary key, `used` (seconds since 1970), `size` (bytes), and others."""
    key: ClassVar[str]
    """The column of the primary key."""
    table: ClassVar[str]
    format: ClassVar[int] = 1
    """A file of another format is emptied."""

    def __init__(self, path: Path, megabytes: float, *, ours: bool = True) -> None:
        """Take a file and the most that it keeps.

        Args:
            path: The file; made where there is none.
            megabytes: The most that it keeps.
            ours: The place is this program's own: a damaged file there is replaced. Else it is left alone.
        """
        self._path = path
        self._ours = ours
        self._limit = int(megabytes * 1_000_000)
        self._lock = threading.Lock()
        self._base: sqlite3.Connection | None = None
        self._usable = True
        self._written = self._limit
        """Bytes since it was last looked at how much there is: others may have written before."""

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._base is not None:
                self._base.close()
            self._base, self._usable = None, False

    @contextlib.contextmanager
    def _using(self, what: str) -> Iterator[None]:
        """Let one thread use the file at a time. What goes wrong within ends the block, and is logged.

        Args:
            what: `read` or `written`, for the log.
        """
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OSError, UnicodeError) as error:
                _LOG.warning("the cache %s cannot be %s: %s", self._path, what, error)

    def _shrink(self, base: sqlite3.Connection, written: int) -> bool:
        """Drop what is too much: at the first write, then whenever a twentieth of the limit was written.

        Args:
            base: The file.
            written: Bytes just written.

        Returns:
            Whether it was time to.
        """
        self._written += written
        due = self._written > self._limit // 20
        if due:
            base.execute(
                f"DELETE FROM {self.table} WHERE {self.key} IN (SELECT {self.key} FROM (SELECT {self.key}, "  # noqa: S608 - the names are ours  # nosec B608
                f"SUM(size) OVER (ORDER BY used DESC, {self.key} ROWS UNBOUNDED PRECEDING) AS total "
                f"FROM {self.table}) WHERE total > ?)",
                (self._limit,),
            )
            self._written = 0
        return due

    def _opened(self) -> sqlite3.Connection | None:
        if self._base is None and self._usable:
            self._usable = False  # one attempt, whatever comes of it
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._base = self._connect()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError) or not self._ours:
                    raise
                _LOG.warning("the cache was damaged and starts anew: %s (%s)", self._path, error)
                for ending in ("", "-wal", "-shm"):
                    Path(f"{self._path}{ending}").unlink(missing_ok=True)
                self._base = self._connect()
            self._usable = True
        return self._base

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=5.0, isolation_level=None, check_same_thread=False)
        try:
            held = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            if any(name != self.table and not name.startswith("sqlite_") for (name,) in held):
                raise sqlite3.OperationalError("it is the database of something else")
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            if base.execute("PRAGMA user_version").fetchone()[0] not in (0, self.format):
                base.execute(f"DROP TABLE IF EXISTS {self.table}")
            base.execute(f"CREATE TABLE IF NOT EXISTS {self.table} ({self.columns})")
            base.execute(f"CREATE INDEX IF NOT EXISTS by_use ON {self.table} (used DESC, {self.key}, size)")
            base.execute(f"PRAGMA user_version = {self.format}")
        except sqlite3.Error:
            base.close()
            raise
        return base
