"""Which sessions are brought up to date by themselves, how often, and when that was done last."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from roundtable.config.errors import InputError, JournalError

WATCHES = "watches.sqlite"
"""The file, in the home folder."""
SHORTEST = timedelta(minutes=10)
_INTERVAL = re.compile(r"(\d{1,4})\s*(m|h|d|w)", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class WatchedSession:
    """A session that is brought up to date by itself."""

    session: str
    every: timedelta
    looked: datetime
    """When its sources were looked up last, or the watch began."""

    @property
    def due(self) -> datetime:
        """When they are to be looked up next."""
        return self.looked + self.every


def interval(text: str) -> timedelta:
    """Read how often: `30m`, `12h`, `1d`, `2w`. Raises InputError."""
    found = _INTERVAL.fullmatch(text.strip())
    every = timedelta(**{_UNITS[found[2].lower()]: int(found[1])}) if found else timedelta()
    if every < SHORTEST:
        raise InputError(f"--every {text}: give 10m or more, as in 12h, 1d or 2w")
    return every


def interval_text(every: timedelta) -> str:
    """Print how often, as `interval` reads it."""
    minutes = round(every.total_seconds() / 60)
    for unit, size in (("w", 10_080), ("d", 1_440), ("h", 60)):
        if minutes % size == 0:
            return f"{minutes // size}{unit}"
    return f"{minutes}m"


def often(every: timedelta) -> str:
    """Say how often: `every 12 hours`."""
    text = interval_text(every)
    number, unit = int(text[:-1]), {"m": "minute", "h": "hour", "d": "day", "w": "week"}[text[-1]]
    return f"every {unit}" if number == 1 else f"every {number} {unit}s"


class Watches:
    """The watched sessions of one home folder; each call stands for itself, and processes may share it."""

    def __init__(self, home: Path) -> None:
        self._path = home / WATCHES

    def set(self, session: str, every: timedelta, now: datetime) -> None:
        """Watch a session from now on."""
        with self._open() as base:
            row = (session, every.total_seconds(), now.astimezone(UTC).isoformat())
            base.execute("INSERT OR REPLACE INTO watches VALUES (?,?,?)", row)

    def end(self, session: str) -> bool:
        """Watch a session no longer; tell whether it was watched."""
        if not self._path.exists():
            return False
        with self._open() as base:
            return base.execute("DELETE FROM watches WHERE session = ?", (session,)).rowcount > 0

    def looked(self, session: str, now: datetime) -> None:
        """Note that a session's sources are looked up now; nothing where it is not watched."""
        if self._path.exists():
            with self._open() as base:
                moment = now.astimezone(UTC).isoformat()
                base.execute("UPDATE watches SET looked = ? WHERE session = ?", (moment, session))

    def all(self) -> list[WatchedSession]:
        """Return the watched sessions, the one that is due first before the others."""
        if not self._path.exists():
            return []
        with self._open() as base:
            rows = base.execute("SELECT session, every, looked FROM watches").fetchall()
        watched = [WatchedSession(s, timedelta(seconds=e), datetime.fromisoformat(at)) for s, e, at in rows]
        return sorted(watched, key=lambda one: one.due)

    def due(self, now: datetime) -> list[str]:
        """Return the sessions whose sources are to be looked up now."""
        # A look as far ahead as that was noted by a clock that was wrong: nobody waits for it.
        return [one.session for one in self.all() if abs(now - one.looked) >= one.every]

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self._path, timeout=10.0)) as base, base:
                base.execute(
                    "CREATE TABLE IF NOT EXISTS watches (session TEXT PRIMARY KEY, every REAL, looked TEXT)"
                )
                yield base
        except (sqlite3.Error, OSError, ValueError) as failure:
            raise JournalError(
                f"{self._path}: what is watched cannot be read or written ({failure}); "
                "move the file away and name the sessions again with `roundtable update ID --every 1d`"
            ) from failure
