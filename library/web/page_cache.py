"""Pages on disk, with what a server needs to say that they have not changed."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from models.client import SqliteCache

_COLUMNS = "url, status, location, media_type, charset, etag, modified, retrieved, fresh_until, opened, data"
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

    def is_fresh(self, now: datetime) -> bool:
        """Tell whether the server need not be asked; one kept by a clock that was ahead is not fresh."""
        moment = now.astimezone(UTC).isoformat(timespec="seconds")
        return self.retrieved <= moment and now.timestamp() < self.fresh_until


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


class PageCache(SqliteCache):
    """A SQLite file of answers, shared by processes, bounded in size."""

    table = "pages"
    key = "url"
    columns = (
        "url TEXT PRIMARY KEY, status INTEGER NOT NULL, location TEXT, media_type TEXT NOT NULL, "
        "charset TEXT, etag TEXT, modified TEXT, retrieved TEXT NOT NULL, fresh_until REAL NOT NULL, "
        "used REAL NOT NULL, opened INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL"
    )

    def __init__(self, folder: Path, megabytes: float = 500.0) -> None:
        super().__init__(folder / "pages.sqlite3", megabytes)

    def find(self, url: str, *, opened: bool, now: float) -> Kept | None:
        """Return what is kept of a url. What came from an opened host is only given out while it is open."""
        kept: Kept | None = None
        with self._using("read"):
            if (base := self._opened()) is None:
                return None
            row = base.execute(f"SELECT {_COLUMNS} FROM pages WHERE url = ?", (url,)).fetchone()  # noqa: S608 - the columns are ours  # nosec B608
            if row is None or (row[9] and not opened):
                return None
            base.execute("UPDATE pages SET used = ? WHERE url = ?", (now, url))
            try:
                kept = Kept(*(*row[:9], bool(row[9]), zlib.decompress(row[10])))
            except zlib.error as error:
                raise OSError(f"{url} is damaged there ({error})") from error
        return kept

    def keep(self, kept: Kept, *, now: float) -> None:
        """Keep an answer in place of an older one; drop what was not used for longest when it is too much."""
        data = zlib.compress(kept.data, 1)
        row = (
            kept.url, kept.status, kept.location, kept.media_type, kept.charset, kept.etag, kept.modified,
            kept.retrieved, kept.fresh_until, now, kept.opened, len(data), data,
        )  # fmt: skip
        with self._using("written"):
            if (base := self._opened()) is not None:
                base.execute(f"INSERT OR REPLACE INTO pages VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - question marks alone  # nosec B608
                self._shrink(base, len(data))

    def forget(self, url: str) -> None:
        """Drop what is kept of a url."""
        with self._using("written"):
            if (base := self._opened()) is not None:
                base.execute("DELETE FROM pages WHERE url = ?", (url,))
