"""The journal: what happened in every session. It is the truth; all else is read from it.

It is one SQLite file, or tables in PostgreSQL that several machines reach (docs/decisions/0024). An event is
committed before anybody sees it: a process that is killed loses none. For a machine that loses
its power, a commit waits for the disk at the end of each turn, and after whatever a person did: what a turn
under way brings is there with the next of these (docs/decisions/0010). Page texts are in the store.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from models import mask_secrets
from roundtable.config.errors import JournalError, JournalTooNew, SessionLocked, SessionUnknown
from roundtable.config.home import journal_place
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.storage.session_counts import sentences_of, turns_of
from roundtable.journal.storage.session_list import SessionList
from roundtable.journal.storage.session_row import SessionRow, checked_id
from roundtable.journal.storage.shared_texts import SharedTexts
from roundtable.journal.storage.tables.journal_tables import open_tables

if TYPE_CHECKING:  # listing sessions needs no event, and all rooms stand behind these
    from library import Source
    from models import Event
    from roundtable.journal.events import Recorded
    from roundtable.journal.storage.command_inbox import CommandInbox
    from roundtable.journal.storage.people.accounts import Accounts
    from roundtable.journal.storage.people.quotas import Quotas
    from roundtable.journal.storage.people.sharing import Sharing
    from roundtable.journal.storage.queue.queued_work import QueuedWork
    from roundtable.journal.storage.shared_turns import DatabaseTurns

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


_NEW_EVENT = "INSERT INTO events (session, n, at, event, format) VALUES (?, ?, ?, ?, ?)"
_ALL = 2**62
"""More rows than there are."""


class Journal:
    """All sessions' events. One object belongs to one thread."""

    def __init__(self, place: Path | str, clock: Clock) -> None:
        """Open it.

        Args:
            place: A file, or the address of a database; `journal_in` knows which is configured.
            clock: Gives events their times.

        Raises:
            JournalError: it cannot be opened.
            InputError: what speaks to the database is not installed.
        """
        self._clock = clock
        self._tables = open_tables(place)
        self._last: dict[str, int] = {}
        """The last event's number of each session that this object writes, where the database fences."""
        self._list = SessionList(self._tables)
        self.shared_texts = SharedTexts(self._tables)
        """What events speak of, where the database keeps it for other machines."""

    @property
    def place(self) -> str:
        """Where it is, as messages call it."""
        return self._tables.place

    @property
    def is_shared(self) -> bool:
        """Whether it is a database that other machines may reach; it has the texts of sessions too."""
        return self._tables.shared

    def create(self, session_id: str, events: "Sequence[Event]") -> "list[Recorded]":
        """Begin a session with its first events, committed at once.

        Raises:
            JournalError: there is such a session already, or nothing can be written.
        """
        topic = next((str(getattr(e, "topic", "")) for e in events if e.kind == "session_started"), "")
        now = timestamp(self._clock.now())
        with self._tables.guarded("write"), self._tables.transaction():
            self._list.add(SessionRow(session_id, topic, "running", 0, now))
            self._last[session_id] = 0
            recorded = self._insert(session_id, events, now)
        return self._committed(session_id, recorded)

    def adopt(self, session_id: str, events: "Sequence[Recorded]", *, begun_now: bool = False) -> None:
        """Take in a whole session, from a bundle or another's beginning; in lists it began then, or now.

        Raises:
            JournalError: there is such a session already, the events have gaps, or nothing can be written.
        """
        if not events or [item.n for item in events] != list(range(1, len(events) + 1)):
            raise JournalError(f"session {session_id} cannot be taken in: its events are not whole")
        first = events[0]
        kinds = [item.event.kind for item in events]
        states = [_STATES[kind] for kind in kinds if kind in _STATES]
        topic, turns = str(getattr(first.event, "topic", "")), turns_of(item.event for item in events)
        with self._tables.guarded("write"), self._tables.transaction():
            written = sentences_of(item.event for item in events)
            began = timestamp(self._clock.now()) if begun_now else first.at
            state = states[-1] if states else "running"
            self._list.add(SessionRow(session_id, topic, state, turns, began, written))
            self._keep(session_id, events, [item.event.model_dump_json() for item in events])

    def as_kept(self, session_id: str) -> tuple[SessionRow, list[tuple[int, str, str, int]]]:
        """Return a session's row and events as they are written: number, time, JSON, its format.

        Raises:
            SessionUnknown, JournalError.
        """
        with self._tables.guarded("read"):
            return self._list.row(session_id), self._kept(session_id, 0, -1)

    def take(
        self, row: SessionRow, events: Sequence[tuple[int, str, str, int]], texts: "Sequence[Source]"
    ) -> None:
        """Keep events as another journal kept them, behind those that are there; hold the session meanwhile.

        Args:
            row: The session's row there, which becomes its row here.
            events: See `as_kept`.
            texts: That they speak of, for a database; a file has them in the store.

        Raises:
            JournalError: nothing can be written, or the events do not follow those that are there.
        """
        with self._tables.guarded("write"), self._tables.transaction():
            if self._last_number(row.id) + 1 != events[0][0]:
                raise JournalError(f"the events of session {row.id} do not follow those that are there")
            if self._list.has(row.id):
                self._list.replace(row)
            else:
                self._list.add(row)
            self.shared_texts.put(texts)
            self._tables.change(_NEW_EVENT, [(row.id, *event) for event in events])

    def append(self, session_id: str, events: "Sequence[Event]") -> "list[Recorded]":
        """Add events in one commit: all of them, or none.

        Raises:
            SessionUnknown, JournalError.
            SessionLocked: another process has taken the session over, in a database that machines share.
        """
        now = timestamp(self._clock.now())
        wait = any(event.kind not in _OF_A_TURN_UNDER_WAY for event in events)
        with self._tables.guarded("write"), self._tables.transaction(wait=wait, news=session_id):
            recorded = self._insert(session_id, events, now)
        return self._committed(session_id, recorded)

    def _committed(self, session_id: str, recorded: "list[Recorded]") -> "list[Recorded]":
        """Take note of what is there now."""
        if self._tables.shared and recorded:
            self._last[session_id] = recorded[-1].n
            self.shared_texts.note(recorded)
        return recorded

    def _insert(self, session_id: str, events: "Sequence[Event]", now: str) -> "list[Recorded]":
        from roundtable.journal.events import Recorded
        from roundtable.journal.storage.people.quotas import count_spent

        last = self._last.get(session_id) if self._tables.shared else None
        if last is None:
            self._list.row(session_id)
            last = self._last_number(session_id)
        kept = [_without_secrets(event) for event in events]
        recorded = [Recorded(n=n, at=now, event=event) for n, (event, _) in enumerate(kept, last + 1)]
        self._keep(session_id, recorded, [text for _, text in kept])
        states = [_STATES[event.kind] for event in events if event.kind in _STATES]
        count_spent(self._tables, session_id, now[:10], events)
        self._list.count(session_id, turns_of(events), states[-1] if states else None, sentences_of(events))
        return recorded

    def _last_number(self, session_id: str) -> int:
        found = self._tables.rows("SELECT max(n) FROM events WHERE session = ?", (session_id,))
        return int(found[0][0] or 0)

    def _keep(self, session_id: str, events: "Sequence[Recorded]", texts: Sequence[str]) -> None:
        from roundtable.journal.storage.upcast import current_format

        written = current_format()
        self.shared_texts.put_named(events)
        self._tables.change(
            _NEW_EVENT,
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

    def of_kinds(self, kinds: Sequence[str], session_id: str | None = None) -> list[tuple[str, str]]:
        """Return the events of some kinds, unread: session and JSON as it was written, in order.

        Args:
            kinds: Of events.
            session_id: Of one session; None: of all.
        """
        rows: list[tuple[str, str]] = []
        whose, values = (" AND session = ?", (session_id,)) if session_id else ("", ())
        with self._tables.guarded("read"):
            for kind in kinds:
                statement = f"SELECT session, event FROM events WHERE event LIKE ?{whose} ORDER BY session, n"  # noqa: S608 - its words are ours  # nosec B608
                rows += self._tables.rows(statement, (f'{{"kind":"{kind}"%', *values))
        return rows

    def _kept(self, session_id: str, after: int, most: int) -> list[tuple[int, str, str, int]]:
        with self._tables.guarded("read"):
            self._list.row(session_id)
            return self._tables.rows(
                "SELECT n, at, event, format FROM events WHERE session = ? AND n > ? ORDER BY n LIMIT ?",
                (session_id, after, most if most >= 0 else _ALL),
            )

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

    def session(self, session_id: str) -> SessionRow:
        """Return one session's row as it is now. Raises SessionUnknown."""
        return self._list.session(session_id)

    def sessions(self) -> list[SessionRow]:
        """Return all sessions, the newest first, without reading their events."""
        return self._list.sessions()

    def find(self, prefix: str) -> str:
        """Return the id that begins with a prefix, or the newest for `last`. Raises SessionUnknown."""
        return self._list.find(prefix)

    def rename(self, session_id: str, name: str) -> None:
        """Give a session another name in lists; its topic and its files stay.

        A repair makes the list anew, from the topics. Raises SessionUnknown.
        """
        self._list.rename(session_id, name)

    def delete(self, session_id: str) -> None:
        """Delete a session with its events, for good; its files in folders and what it read stay.

        Raises:
            SessionUnknown: there is none.
            SessionLocked: it is running.
        """
        from roundtable.journal.storage.people.sharing import forget_holding

        with self._tables.guarded("read"):
            self._list.row(session_id)
        with self.lock(session_id), self._tables.guarded("write"), self._tables.transaction():
            self._tables.change("DELETE FROM events WHERE session = ?", [(session_id,)])
            self._list.remove(session_id)
            forget_holding(self._tables, "session", session_id)
        self._tables.let_go(session_id)

    @contextlib.contextmanager
    def lock(self, session_id: str) -> Iterator[None]:
        """Hold a session for this process alone; entering raises SessionLocked when another has it.

        Raises JournalError where its id is no plain name: it may be a stranger's, and locks are called by it.
        """
        with self._tables.hold(checked_id(session_id)):
            with self._tables.guarded("read"):
                if self._tables.shared:
                    self._last[session_id] = self._last_number(session_id)
            yield

    # What several machines share

    def accounts(self) -> "Accounts":
        """Return the people who may sign in at a server."""
        from roundtable.journal.storage.people.accounts import Accounts

        return Accounts(self._tables, self._clock)

    def sharing(self, home: Path | None = None) -> "Sharing":
        """Return what is whose, and who else may see it; of what lies in a home folder by that folder."""
        from roundtable.journal.storage.people.sharing import Sharing

        return Sharing(self._tables, home)

    def quotas(self) -> "Quotas":
        """Return what people may use, and have used today."""
        from roundtable.journal.storage.people.quotas import Quotas

        return Quotas(self._tables, self._clock)

    def inbox(self) -> "CommandInbox | None":
        """Return the commands to sessions that other processes run; None: processes do not share it so."""
        if not self._tables.shared:
            return None
        from roundtable.journal.storage.command_inbox import CommandInbox

        return CommandInbox(self._tables)

    def queued(self) -> "QueuedWork | None":
        """Return what was given to the queue for workers; None: there is none beside a file."""
        if not self._tables.shared:
            return None
        from roundtable.journal.storage.queue.queued_work import QueuedWork

        return QueuedWork(self._tables)

    def turns(self, session_id: str) -> "DatabaseTurns | None":
        """Return the turns that a session, held here, takes with other processes; None: with none."""
        if not self._tables.shared:
            return None
        from roundtable.journal.storage.shared_turns import DatabaseTurns
        from roundtable.journal.storage.tables.postgres_tables import SILENT

        return DatabaseTurns(session_id, self._tables, SILENT)

    def abandoned(self) -> list[str]:
        """Return the sessions that any process may take up: theirs died, or has long been silent."""
        with self._tables.guarded("read"):
            return self._tables.abandoned()

    def wait_for_news(self, session_id: str, seconds: float) -> None:
        """Return when a session has news, or after so many seconds; a file's news are not told."""
        with self._tables.guarded("read"):
            self._tables.wait_for_news(session_id, seconds)

    def check(self) -> str | None:
        """Return what the database finds wrong with itself, None when it is sound."""
        with self._tables.guarded("read"):
            return self._tables.check()

    def close(self) -> None:
        """Close it; what was committed is there."""
        self._tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def journal_in(home: Path, clock: Clock, environment: Mapping[str, str] | None = None) -> Journal:
    """Open the journal that is configured: the file in the home folder, or a database.

    Args:
        home: The home folder.
        clock: Gives events their times.
        environment: May name the database; None: the process's own.

    Raises:
        ConfigError: what names the database does not.
        JournalError: it cannot be opened.
        InputError: what speaks to the database is not installed.
    """
    return Journal(journal_place(home, environment), clock)


__all__ = ["Journal", "JournalError", "SessionLocked", "SessionRow", "SessionUnknown", "journal_in"]
