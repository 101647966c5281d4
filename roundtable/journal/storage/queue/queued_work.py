"""Sessions that were given to the queue: what they have used so far, and what came of them.

The queue itself is Procrastinate's, in tables of its own; here is what its jobs do not hold. A session whose
row has no outcome belongs to the queue: whoever finds it without a process leaves it to the workers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roundtable.config.errors import JournalError
from roundtable.journal.storage.tables.journal_tables import JournalTables

if TYPE_CHECKING:  # not for listing sessions
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    Perform = Callable[[str, Mapping[str, Any]], Awaitable[str]]

NOTED = """
WITH gone AS (
    DELETE FROM queued WHERE session <> %s AND outcome IS NOT NULL
    AND put < clock_timestamp() - interval '7 days'
)
INSERT INTO queued (session) VALUES (%s) ON CONFLICT (session) DO UPDATE
SET spent = '', outcome = NULL, stopping = false, deaths = 0, put = clock_timestamp()
"""
"""Notes that a session is given to the queue; what came of it before is forgotten, as all that is old."""
SILENT = 8.0
"""Seconds without a sign of life after which what a worker did is given to another."""


@dataclass(frozen=True, slots=True)
class QueuedSession:
    """A session that was given to the queue."""

    spent: str
    """JSON of what it has used so far; empty: nothing was told yet."""
    outcome: str | None
    """JSON of what came of it; None: it waits, or is at work."""


@dataclass(frozen=True, slots=True)
class QueueLengths:
    """How much is in the queue."""

    waiting: int
    at_work: int
    workers: int
    """That have given a sign of life of late."""


class QueuedWork:
    """All sessions that were given to the queue of late."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables

    def found(self, sessions: Sequence[str]) -> dict[str, QueuedSession]:
        """Return those of some sessions that were given to the queue."""
        if not sessions:
            return {}
        with self._tables.guarded("read"):
            rows = self._tables.rows(
                "SELECT session, spent, outcome FROM queued WHERE session = ANY(?)", (list(sessions),)
            )
        return {session: QueuedSession(spent, outcome) for session, spent, outcome in rows}

    def pending(self) -> set[str]:
        """Return the sessions that wait in the queue, or that a worker is at."""
        with self._tables.guarded("read"):
            return {row[0] for row in self._tables.rows("SELECT session FROM queued WHERE outcome IS NULL")}

    def tell_spent(self, session: str, spent: str) -> bool:
        """Tell what a session has used so far; True: it is to come to its end, with what there is."""
        with self._tables.guarded("write"):
            told = "UPDATE queued SET spent = ? WHERE session = ? RETURNING stopping"
            found = self._tables.rows(told, (spent, session))
        return bool(found and found[0][0])

    def stop(self, sessions: Sequence[str]) -> None:
        """Have sessions close their tables and write their reports."""
        with self._tables.guarded("write"):
            stopped = "UPDATE queued SET stopping = true WHERE session = ANY(?)"
            self._tables.change(stopped, [(list(sessions),)])

    def stopping(self, session: str) -> bool:
        """Tell whether a session is to come to its end."""
        with self._tables.guarded("read"):
            return bool(self._tables.rows("SELECT 1 FROM queued WHERE session = ? AND stopping", (session,)))

    def finish(self, session: str, outcome: str) -> None:
        """Tell what came of a session, as JSON."""
        with self._tables.guarded("write"):
            self._tables.change("UPDATE queued SET outcome = ? WHERE session = ?", [(outcome, session)])

    def check(self) -> None:
        """See that the queue's tables, where they are, are those of the Procrastinate that is installed here.

        Raises:
            JournalError: another version made them.
        """
        try:
            from procrastinate.schema import SchemaManager
        except ImportError:
            return
        with self._tables.guarded("read"):
            there = {row[0] for row in self._tables.rows(
                "SELECT proname FROM pg_proc WHERE pronamespace = 'roundtable'::regnamespace"
            )}  # fmt: skip
        missing = set(re.findall(r"CREATE FUNCTION (\w+)", SchemaManager.get_schema())) - there
        if missing and any(name.startswith("procrastinate_") for name in there):
            from importlib.metadata import version

            raise JournalError(
                f"the queue in {self._tables.place} was made by another version of Procrastinate than "
                f"{version('procrastinate')}, which is here (no {min(missing)}): install the same one "
                "everywhere, or end all workers and bring the tables to this one with its migrations"
            )

    def lengths(self) -> QueueLengths:
        """Return how much waits, how much is being done, and by how many; all 0 where there is no queue.

        Raises:
            JournalError: the database cannot be reached, or another version made the queue; see `check`.
        """
        with self._tables.guarded("read"):
            if self._tables.rows("SELECT to_regclass('procrastinate_jobs')")[0][0] is None:
                return QueueLengths(0, 0, 0)
        self.check()
        with self._tables.guarded("read"):
            found = self._tables.rows(
                "SELECT count(*) FILTER (WHERE status = 'todo'), count(*) FILTER (WHERE status = 'doing'), "
                "(SELECT count(*) FROM procrastinate_workers "
                "WHERE last_heartbeat > clock_timestamp() - make_interval(secs => ?)) "
                "FROM procrastinate_jobs", (SILENT,),
            )  # fmt: skip
        return QueueLengths(*found[0])
