"""The journal: what happened in every session, in one SQLite file. It is the truth; all else is read from it.

An event is committed before anybody sees it: a process that is killed loses none. For a machine that loses
its power, a commit waits for the disk at the end of each turn, and after whatever a person did: what a turn
under way brings is there with the next of these (docs/decisions/0010). Page texts are in the store.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Self

from models import mask_secrets
from roundtable.config.errors import JournalError, JournalTooNew, SessionLocked, SessionUnknown
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.storage.locks import hold, is_held

if TYPE_CHECKING:  # listing sessions needs no event, and all rooms stand behind these
    from models import Event
    from roundtable.journal.events import Recorded

VERSION = 2
"""Of the tables, in the file's `user_version`. In the first, events had no format: it is 1."""

_TABLES = """
CREATE TABLE sessions (
    place   INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    topic   TEXT NOT NULL,
    state   TEXT NOT NULL,
    turns   INTEGER NOT NULL,
    started TEXT NOT NULL
);
CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id),
    n       INTEGER NOT NULL,
    at      TEXT NOT NULL,
    event   TEXT NOT NULL,
    format  INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (session, n)
) WITHOUT ROWID;
"""
_SINCE = {1: "ALTER TABLE events ADD COLUMN format INTEGER NOT NULL DEFAULT 1"}
"""What brings the tables of a version to the next; what stands in them is not touched."""

_STATES = {
    "session_started": "running",
    "session_resumed": "running",
    "session_stopped": "stopped",
    "session_ended": "ended",
}
"""What a session's state is after an event of a kind; all other kinds leave it as it is."""

_OF_A_TURN_UNDER_WAY = frozenset({
    "speaker_called", "searched", "page_read", "passages_admitted", "reranked", "computed", "memory_added",
    "memory_dropped", "loop_warned", "turn_hurried", "place_unrelated", "citation_rejected", "model_replied",
    "answer_judged", "passages_compared", "contradiction_found", "novelty_measured", "map_placed",
    "map_grown", "passages_embedded", "section_written",
})  # fmt: skip
"""Events that would come again if the machine lost its power: commits of them alone wait for no disk."""


def _without_secrets(event: "Event") -> "tuple[Event, str]":
    """Return an event as it is kept and shown, and its JSON; almost always it is the event itself."""
    text = event.model_dump_json()
    masked = mask_secrets(text)
    return (event, text) if masked == text else (type(event).model_validate_json(masked), masked)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session, as a list of them shows it."""

    id: str
    topic: str
    state: str
    """`running`, `stopped` (it can be resumed, also after a crash) or `ended`."""
    turns: int
    started: str
    """ISO 8601 date and time, UTC."""

    def fits(self, words: str) -> bool:
        """Tell whether the session's topic or id holds all of some words, in whatever case."""
        known = f"{self.id} {self.topic}".casefold()
        return all(word in known for word in words.casefold().split())


class Journal:
    """All sessions' events. One object belongs to one thread."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        with self._guarded("open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=10.0, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode=WAL")
        self._wait_for_disk(True)
        self._database.execute("PRAGMA foreign_keys=ON")
        with self._transaction():
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise JournalTooNew(
                    f"{self._path} was written by a newer roundtable (format {version}, this one reads "
                    f"{VERSION}): upgrade the program, or set ROUNDTABLE_HOME to another folder"
                )
            if version == 0:
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)
            for before in range(version or VERSION, VERSION):
                self._database.execute(_SINCE[before])
            if version < VERSION:
                self._database.execute(f"PRAGMA user_version={VERSION}")

    def _wait_for_disk(self, wait: bool) -> None:
        """Choose whether commits return when the disk has them, or before: whole and in order both ways."""
        self._waits = wait
        self._database.execute(f"PRAGMA synchronous={'FULL' if wait else 'NORMAL'}")

    @contextlib.contextmanager
    def _guarded(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as failure:
            # What SQLite says of a damaged file may quote its bytes, which need not be text.
            printed = "".join(sign if sign.isprintable() else " " for sign in str(failure))
            said = " ".join(printed.split())[:200]
            hint = "free some space, or set ROUNDTABLE_HOME to another folder"
            if type(failure) in {sqlite3.DatabaseError, UnicodeDecodeError} or "malformed" in said:
                hint = "it is damaged: `roundtable doctor --repair` saves what can be read"
            raise JournalError(f"cannot {verb} the journal {self._path}: {said}; {hint}") from failure

    @contextlib.contextmanager
    def _transaction(self, *, wait: bool = True) -> Iterator[None]:
        if wait is not self._waits:
            self._wait_for_disk(wait)
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def create(self, session_id: str, events: "Sequence[Event]") -> "list[Recorded]":
        """Begin a session with its first events, committed at once.

        Raises:
            JournalError: there is such a session already, or nothing can be written.
        """
        topic = next((str(getattr(e, "topic", "")) for e in events if e.kind == "session_started"), "")
        now = timestamp(self._clock.now())
        with self._guarded("write"), self._transaction():
            if self._database.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone():
                raise JournalError(f"there is a session {session_id} already: choose another id")
            self._database.execute(
                "INSERT INTO sessions (id, topic, state, turns, started) VALUES (?, ?, 'running', 0, ?)",
                (session_id, topic, now),
            )
            return self._insert(session_id, events, now)

    def adopt(self, session_id: str, events: "Sequence[Recorded]") -> None:
        """Take in a whole session, from a bundle or another session's beginning, with its times.

        Raises:
            JournalError: there is such a session already, the events have gaps, or nothing can be written.
        """
        if not events or [item.n for item in events] != list(range(1, len(events) + 1)):
            raise JournalError(f"session {session_id} cannot be taken in: its events are not whole")
        first = events[0]
        kinds = [item.event.kind for item in events]
        states = [_STATES[kind] for kind in kinds if kind in _STATES]
        topic, turns = str(getattr(first.event, "topic", "")), kinds.count("turn_taken")
        with self._guarded("write"), self._transaction():
            if self._database.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone():
                raise JournalError(f"there is a session {session_id} already: choose another id")
            self._database.execute(
                "INSERT INTO sessions (id, topic, state, turns, started) VALUES (?, ?, ?, ?, ?)",
                (session_id, topic, states[-1] if states else "running", turns, first.at),
            )
            self._keep(session_id, events, [item.event.model_dump_json() for item in events])

    def append(self, session_id: str, events: "Sequence[Event]") -> "list[Recorded]":
        """Add events in one commit: all of them, or none. Raises SessionUnknown, JournalError."""
        now = timestamp(self._clock.now())
        wait = any(event.kind not in _OF_A_TURN_UNDER_WAY for event in events)
        with self._guarded("write"), self._transaction(wait=wait):
            self._row(session_id)
            return self._insert(session_id, events, now)

    def _insert(self, session_id: str, events: "Sequence[Event]", now: str) -> "list[Recorded]":
        from roundtable.journal.events import Recorded

        last = self._database.execute(
            "SELECT max(n) FROM events WHERE session = ?", (session_id,)
        ).fetchone()[0]
        kept = [_without_secrets(event) for event in events]
        recorded = [Recorded(n=n, at=now, event=event) for n, (event, _) in enumerate(kept, (last or 0) + 1)]
        self._keep(session_id, recorded, [text for _, text in kept])
        states = [_STATES[event.kind] for event in events if event.kind in _STATES]
        turns = sum(event.kind == "turn_taken" for event in events)
        if states or turns:
            self._database.execute(
                "UPDATE sessions SET turns = turns + ?, state = coalesce(?, state) WHERE id = ?",
                (turns, states[-1] if states else None, session_id),
            )
        return recorded

    def _keep(self, session_id: str, events: "Sequence[Recorded]", texts: Sequence[str]) -> None:
        from roundtable.journal.storage.upcast import current_format

        written = current_format()
        self._database.executemany(
            "INSERT INTO events (session, n, at, event, format) VALUES (?, ?, ?, ?, ?)",
            [(session_id, item.n, item.at, text, written) for item, text in zip(events, texts, strict=True)],
        )

    def read(self, session_id: str, after: int = 0, most: int = -1) -> "list[Recorded]":
        """Return a session's events past number `after`, in order; the first `most` of them, -1 for all.

        Raises:
            SessionUnknown, JournalError.
        """
        from roundtable.journal.events import Recorded
        from roundtable.journal.storage.upcast import read_event

        with self._understood(session_id) as place:
            return [
                Recorded(n=place(n), at=at, event=read_event(text, written))
                for n, at, text, written in self._kept(session_id, after, most)
            ]

    def texts(self, session_id: str, after: int = 0, most: int = -1) -> list[tuple[int, str, str]]:
        """Return events for those who only show them, unread: number, time, JSON in today's form.

        Raises:
            SessionUnknown, JournalError.
        """
        from roundtable.journal.storage.upcast import upcast_text

        with self._understood(session_id) as place:
            return [
                (place(n), at, upcast_text(text, written))
                for n, at, text, written in self._kept(session_id, after, most)
            ]

    def _kept(self, session_id: str, after: int, most: int) -> list[tuple[int, str, str, int]]:
        with self._guarded("read"):
            self._row(session_id)
            return self._database.execute(
                "SELECT n, at, event, format FROM events WHERE session = ? AND n > ? ORDER BY n LIMIT ?",
                (session_id, after, most),
            ).fetchall()

    @contextlib.contextmanager
    def _understood(self, session_id: str) -> Iterator[Callable[[int], int]]:
        """Give a function that is told each event's number, to name the one that cannot be read."""
        from roundtable.journal.storage.upcast import EventUnreadable

        last = 0

        def place(n: int) -> int:
            nonlocal last
            last = n
            return n

        try:
            yield place
        except EventUnreadable as failure:
            what = f"session {session_id}: event {last} {failure}"
            if failure.too_new:
                raise JournalTooNew(f"{what}: a later version wrote it; upgrade the program") from failure
            raise JournalError(
                f"{what}: it is damaged; `roundtable doctor --repair` saves what is before it"
            ) from failure

    def _row(self, session_id: str) -> SessionRow:
        found = self._database.execute(
            "SELECT id, topic, state, turns, started FROM sessions WHERE id = ?", (session_id,)
        ).fetchone()
        if found is None:
            raise SessionUnknown(f"no session {session_id}: see `roundtable list`")
        return SessionRow(*found)

    def session(self, session_id: str) -> SessionRow:
        """Return one session's row. Raises SessionUnknown."""
        with self._guarded("read"):
            return self._as_it_is(self._row(session_id))

    def sessions(self) -> list[SessionRow]:
        """Return all sessions, the newest first, without reading their events."""
        with self._guarded("read"):
            rows = self._database.execute(
                "SELECT id, topic, state, turns, started FROM sessions ORDER BY place DESC"
            ).fetchall()
        return [self._as_it_is(SessionRow(*row)) for row in rows]

    def _as_it_is(self, row: SessionRow) -> SessionRow:
        """A session that nobody runs is not running, whatever was journalled last: its process was killed."""
        abandoned = row.state == "running" and not is_held(self._lock_path(row.id))
        return replace(row, state="stopped") if abandoned else row

    def rename(self, session_id: str, name: str) -> None:
        """Give a session another name in lists; its topic and its files stay.

        A repair makes the list anew, from the topics. Raises SessionUnknown.
        """
        with self._guarded("write"), self._transaction():
            self._row(session_id)
            self._database.execute("UPDATE sessions SET topic = ? WHERE id = ?", (name, session_id))

    def delete(self, session_id: str) -> None:
        """Delete a session with its events, for good; its files in folders and what it read stay.

        Raises:
            SessionUnknown: there is none.
            SessionLocked: it is running.
        """
        with self._guarded("read"):
            self._row(session_id)
        with self.lock(session_id), self._guarded("write"), self._transaction():
            self._database.execute("DELETE FROM events WHERE session = ?", (session_id,))
            self._database.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        with contextlib.suppress(FileNotFoundError):
            self._lock_path(session_id).unlink()

    def find(self, prefix: str) -> str:
        """Return the id that begins with a prefix, or the newest for `last`. Raises SessionUnknown."""
        with self._guarded("read"):
            ids = [row[0] for row in self._database.execute("SELECT id FROM sessions ORDER BY place DESC")]
        if not ids:
            raise SessionUnknown('there are no sessions yet: begin one with `roundtable run "TOPIC"`')
        if prefix in ids:
            return prefix
        if prefix == "last":
            return str(ids[0])
        found = [i for i in ids if prefix and i.startswith(prefix)]
        if not found:
            near = get_close_matches(prefix, ids, n=3, cutoff=0.5)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise SessionUnknown(f"no session begins with {prefix!r}: see `roundtable list`{meant}")
        if len(found) > 1:
            shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
            raise SessionUnknown(f"{len(found)} sessions begin with {prefix!r}: {shown}; give more of the id")
        return str(found[0])

    def _lock_path(self, session_id: str) -> Path:
        return self._path.parent / "locks" / session_id

    def lock(self, session_id: str) -> AbstractContextManager[None]:
        """Hold a session for this process alone; entering raises SessionLocked when another has it."""
        return hold(self._lock_path(session_id), f"session {session_id}")

    def check(self) -> str | None:
        """Return what SQLite finds wrong with the file, None when it is sound."""
        with self._guarded("read"):
            found = self._database.execute("PRAGMA quick_check(1)").fetchone()[0]
        return None if found == "ok" else str(found)

    def close(self) -> None:
        """Close the file; what was committed is there."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["Journal", "JournalError", "SessionLocked", "SessionRow", "SessionUnknown"]
