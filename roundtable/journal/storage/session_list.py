"""The list of sessions: a row each, found by the beginning of its id; its name, and what it was begun on."""

from collections.abc import Sequence
from dataclasses import astuple, replace

from roundtable.config.errors import JournalError, SessionUnknown
from roundtable.journal.storage.session_counts import near_ids
from roundtable.journal.storage.session_row import FirstTopics, SessionRow, checked_id
from roundtable.journal.storage.tables.journal_tables import JournalTables

_COLUMNS = "id, topic, state, turns, started, sentences"
_SHOWN_IDS = 5
"""Ids that a message shows of those that begin alike."""


class SessionList:
    """The rows of all sessions; what changes them stands in the caller's transaction, but for `rename`."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables
        self._topics = FirstTopics(tables)

    def has(self, session_id: str) -> bool:
        """Tell whether there is such a session."""
        return bool(self._tables.rows("SELECT 1 FROM sessions WHERE id = ?", (session_id,)))

    def add(self, row: SessionRow) -> None:
        """Add a session. Raises JournalError when there is one of its id, or that is no plain name."""
        if self.has(checked_id(row.id)):
            raise JournalError(f"there is a session {row.id} already: choose another id")
        statement = f"INSERT INTO sessions ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 - its words are ours  # nosec B608
        self._tables.change(statement, [astuple(row)[:6]])

    def replace(self, row: SessionRow) -> None:
        """Give a session the row of another journal; when it began stays."""
        changed = "UPDATE sessions SET topic = ?, state = ?, turns = ?, sentences = ? WHERE id = ?"
        self._tables.change(changed, [(row.topic, row.state, row.turns, row.sentences, row.id)])

    def count(self, session_id: str, turns: int, state: str | None, sentences: int | None) -> None:
        """Count what events brought; None leaves state or sentences as they are."""
        if state or turns or sentences is not None:
            self._tables.change(
                "UPDATE sessions SET turns = turns + ?, state = coalesce(?, state), "
                "sentences = coalesce(?, sentences) WHERE id = ?",
                [(turns, state, sentences, session_id)],
            )

    def row(self, session_id: str) -> SessionRow:
        """Return a session's row as it was written. Raises SessionUnknown, JournalError for no plain name."""
        found = self._rows("WHERE id = ?", (session_id,))
        if not found:
            raise SessionUnknown(f"no session {session_id}: see `roundtable list`")
        checked_id(session_id)
        return found[0]

    def session(self, session_id: str) -> SessionRow:
        """Return one session's row as it is now. Raises SessionUnknown."""
        with self._tables.guarded("read"):
            return self._as_they_are([self.row(session_id)])[0]

    def sessions(self) -> list[SessionRow]:
        """Return all sessions, the newest first, without reading their events."""
        with self._tables.guarded("read"):
            return self._as_they_are(self._rows("ORDER BY place DESC"))

    def _rows(self, which: str, values: Sequence[object] = ()) -> list[SessionRow]:
        statement = f"SELECT {_COLUMNS} FROM sessions {which}"  # noqa: S608 - its words are ours  # nosec B608
        return [SessionRow(*row) for row in self._tables.rows(statement, values)]

    def _as_they_are(self, rows: list[SessionRow]) -> list[SessionRow]:
        """A session that nobody runs is not running, whatever was journalled last: its process was killed."""
        rows = self._topics.told(rows)
        running = [row.id for row in rows if row.state == "running"]
        held = self._tables.held(running) if running else set()
        abandoned = {identity for identity in running if identity not in held}
        return [replace(row, state="stopped") if row.id in abandoned else row for row in rows]

    def rename(self, session_id: str, name: str) -> None:
        """Give a session another name. Raises SessionUnknown."""
        with self._tables.guarded("write"), self._tables.transaction():
            self.row(session_id)
            self._tables.change("UPDATE sessions SET topic = ? WHERE id = ?", [(name, session_id)])

    def remove(self, session_id: str) -> None:
        """Remove a session's row, and what is known of it."""
        self._tables.change("DELETE FROM sessions WHERE id = ?", [(session_id,)])
        self._topics.forget(session_id)

    def find(self, prefix: str) -> str:
        """Return the id that begins with a prefix, or the newest for `last`. Raises SessionUnknown."""
        with self._tables.guarded("read"):
            ids = [row[0] for row in self._tables.rows("SELECT id FROM sessions ORDER BY place DESC")]
        if not ids:
            raise SessionUnknown('there are no sessions yet: begin one with `roundtable run "TOPIC"`')
        if prefix in ids:
            return prefix
        if prefix == "last":
            return str(ids[0])
        found = [i for i in ids if prefix and i.startswith(prefix)]
        if not found:
            near = near_ids(prefix, ids)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise SessionUnknown(f"no session begins with {prefix!r}: see `roundtable list`{meant}")
        if len(found) > 1:
            shown = ", ".join(found[:_SHOWN_IDS]) + (", …" if len(found) > _SHOWN_IDS else "")
            raise SessionUnknown(f"{len(found)} sessions begin with {prefix!r}: {shown}; give more of the id")
        return str(found[0])
