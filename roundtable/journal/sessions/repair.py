"""A damaged journal: what can be read is saved into a new file, and the old one is kept beside it.

Of each session the events up to the first one that cannot be read, or does not fit those before it, are
saved: what comes after a gap means nothing without it. A session that loses its end can be resumed from
there.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from library import PassagesAdmitted, Source
from library.store import damaged_database, free_name, remove_database
from roundtable.config.errors import JournalError, JournalTooNew
from roundtable.journal.clock import Clock
from roundtable.journal.event_log import fold_all
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.session_row import is_id
from roundtable.journal.storage.tables.locks import is_held
from roundtable.journal.storage.tables.sqlite_tables import ACCOUNT_TABLES
from roundtable.journal.storage.upcast import EventUnreadable, read_event

_LONGEST_TEXT = 100_000_000
"""Characters; no source is so long."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What was saved of one session."""

    session: str
    events: int
    lost: bool
    """Whether something behind them could not be read."""


def find_damage(path: Path, clock: Clock) -> str | None:
    """Return what is wrong with a journal: its file, or what it holds; None when it is sound.

    Raises:
        JournalError: another version wrote it, or a part of it: that is no damage.
    """
    try:
        with Journal(path, clock) as journal:
            if problem := journal.check():
                return problem
            names = [row.id for row in journal.sessions()]
    except JournalTooNew:
        raise
    except JournalError as failure:
        return str(failure)
    with closing(sqlite3.connect(path, timeout=10.0, isolation_level=None)) as database:
        for name in names:
            readable, lost = _readable(database, name)
            if lost or len(_fitting(readable)) < len(readable):
                return f"session {name} cannot be read to its end"
    return None


def repair_journal(path: Path, clock: Clock) -> tuple[list[Saved], Path]:
    """Put a new journal in a damaged one's place; return what it holds, and where the damaged one is now.

    Raises:
        JournalError: a session is running, or the new file cannot be written; nothing is changed.
    """
    locks = path.parent / "locks"
    running = [lock.name for lock in sorted(locks.glob("*")) if is_held(lock)] if locks.is_dir() else []
    if running:
        raise JournalError(f"session {running[0]} is running: repair the journal when it has ended")
    fresh = path.with_name(f"{path.name}.repaired")
    remove_database(fresh)
    try:
        with Journal(fresh, clock) as journal:
            saved = list(_save(path, journal))
        _save_accounts(path, fresh)
        aside = free_name(path)
        for suffix in (
            "-wal",
            "-shm",
            "",
        ):  # the file itself last: until then the old journal is in its place
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
        remove_database(path)
        fresh.rename(path)
    except OSError as failure:
        if path.exists():  # else what was saved is all that stands near its name
            with suppress(OSError):
                remove_database(fresh)
        raise JournalError(f"cannot repair {path}: {failure.strerror or failure}") from failure
    return saved, aside


def _save(path: Path, journal: Journal) -> Iterator[Saved]:
    with damaged_database(path) as damaged:
        for session in _sessions(damaged):
            readable, lost = _readable(damaged, session)
            events = _fitting(readable)
            lost = lost or len(events) < len(readable)
            if events and events[0].event.kind == "session_started" and is_id(session):
                journal.adopt(session, events)
                yield Saved(session, len(events), lost)
            else:
                yield Saved(session, 0, lost=True)


def _save_accounts(path: Path, fresh: Path) -> None:
    """Copy what can be read of accounts and of who may see what; a file of an earlier version has none."""
    with damaged_database(path) as damaged, closing(sqlite3.connect(fresh)) as new, new:
        for table, columns in ACCOUNT_TABLES.items():
            statement = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608, E501 - our own words  # nosec B608
            new.executemany(statement, _rows(damaged, f"SELECT {', '.join(columns)} FROM {table}"))  # noqa: S608 - likewise  # nosec B608


def _sessions(damaged: sqlite3.Connection) -> list[str]:
    """Return the ids of all sessions that any part of the file still names; the oldest first, if known."""
    found: dict[str, None] = {}
    for query in (
        "SELECT id FROM sessions ORDER BY place",
        "SELECT id FROM sessions ORDER BY place DESC",
        "SELECT id FROM sessions INDEXED BY sqlite_autoindex_sessions_1",
        "SELECT session FROM events WHERE n = 1",
        "SELECT session FROM events ORDER BY session, n",
        "SELECT session FROM events ORDER BY session DESC, n DESC",
    ):
        found |= {str(row[0]): None for row in _rows(damaged, query)}
    return list(found)


def _rows(damaged: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Yield rows until one cannot be read."""
    try:
        yield from damaged.execute(query)
    except (sqlite3.Error, UnicodeDecodeError):
        return


def _readable(damaged: sqlite3.Connection, session: str) -> tuple[list[Recorded], bool]:
    """Return a session's events from its first to the last readable one, and whether there were more.

    Raises:
        JournalTooNew: a later version wrote one of them.
    """
    events: list[Recorded] = []
    query = f"SELECT n, at, event, {_format_column(damaged)} FROM events WHERE session = ? AND n = ?"  # noqa: S608  # nosec B608 - one of two names of our own
    while True:
        try:
            row = damaged.execute(query, (session, len(events) + 1)).fetchone()
            if row is None:
                return events, _goes_on(damaged, session, len(events))
            events.append(Recorded(n=row[0], at=row[1], event=read_event(row[2], row[3])))
        except EventUnreadable as failure:
            if failure.too_new:
                what = f"session {session}: event {len(events) + 1} {failure}"
                raise JournalTooNew(f"{what}: a later version wrote it; upgrade the program") from failure
            return events, True
        except (sqlite3.Error, ValueError):  # pydantic's ValidationError is a ValueError
            return events, True


def _format_column(damaged: sqlite3.Connection) -> str:
    """Return where a row says which format its event has: a file of the first version does not say."""
    try:
        damaged.execute("SELECT format FROM events LIMIT 0")
    except sqlite3.Error:
        return "1"
    return "format"


def _fitting(events: list[Recorded]) -> list[Recorded]:
    """Return the events that fit together, from the first on.

    Texts are in the store and not here: blank ones stand for them, as long as anything says they are.
    """
    admitted = [recorded.event for recorded in events if isinstance(recorded.event, PassagesAdmitted)]
    ends = [passage.span[2] for event in admitted for passage in event.passages]
    blank = " " * min(max(ends, default=0), _LONGEST_TEXT)
    state = State(lambda sha256: Source(sha256, "", "", blank))
    for place, recorded in enumerate(events):
        try:
            fold_all(state, [recorded])
        except JournalError:
            return events[:place]
    return events


def _goes_on(damaged: sqlite3.Connection, session: str, after: int) -> bool:
    query = "SELECT 1 FROM events WHERE session = ? AND n > ? LIMIT 1"
    try:
        return damaged.execute(query, (session, after)).fetchone() is not None
    except (sqlite3.Error, UnicodeDecodeError):
        return True
