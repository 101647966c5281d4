"""Short texts on disk, kept from session to session by a key: bounded in size, and for a time."""

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path

from models.client.sqlite_cache import SqliteCache


def key_of(*parts: object) -> str:
    """Return the key of what depends on these parts (anything that JSON can write), and on no others."""
    text = json.dumps([TextCache.format, *parts], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class TextCache(SqliteCache):
    """Texts by key."""

    table = "kept"
    key = "key"
    columns = (
        "key TEXT PRIMARY KEY, text TEXT NOT NULL, written REAL NOT NULL, used REAL NOT NULL, "
        "size INTEGER NOT NULL"
    )

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
        super().__init__(path, megabytes)
        self._seconds = seconds
        self._now = now

    def find(self, key: str) -> str | None:
        """Return what is kept under a key, None when there is nothing or it is too old."""
        now = self._now()
        with self._using("read"):
            if (base := self._opened()) is None:
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
        with self._using("written"):
            if (base := self._opened()) is None:
                return
            size = len(text.encode("utf-8", "surrogatepass")) + len(key)
            base.execute("INSERT OR REPLACE INTO kept VALUES (?,?,?,?,?)", (key, text, now, now, size))
            if self._shrink(base, size):
                base.execute("DELETE FROM kept WHERE written < ?", (now - self._seconds,))
