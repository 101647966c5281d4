"""What the journal asks of a database: statements, transactions, and who runs which session.

Statements are written once, with `?` for values, in the SQL that all databases here understand.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol


class JournalTables(Protocol):
    """The tables of a journal, open. One object belongs to one thread."""

    place: str
    """What the database is called in messages; no password is in it."""
    shared: bool
    """Whether several machines reach it.

    A writer then remembers its session's last number: one that lost the session without knowing meets its
    successor's events under the numbers that it gives. The texts that events speak of are kept beside them.
    """

    def guarded(self, verb: str) -> AbstractContextManager[None]:
        """Turn the database's errors into a JournalError; `verb` says what was to be done."""

    def transaction(self, *, wait: bool = True, news: str | None = None) -> AbstractContextManager[None]:
        """Commit what is done in the block, or nothing.

        Args:
            wait: Return once the disk has it.
            news: The session that has news then; those who wait for them are told.
        """

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement, return the rows that it finds."""

    def change(self, statement: str, each: Iterable[Sequence[Any]]) -> None:
        """Run a statement that finds nothing, once for each sequence of values."""

    def hold(self, session: str) -> AbstractContextManager[None]:
        """Hold a session; entering raises SessionLocked when another process has it."""

    def held(self, sessions: Sequence[str]) -> set[str]:
        """Return which of some sessions a process holds."""

    def abandoned(self) -> list[str]:
        """Return the sessions whose process ended without letting go of them; of a file none are told."""

    def let_go(self, session: str) -> None:
        """Forget whatever is kept for holding a session that was deleted."""

    def wait_for_news(self, session: str, seconds: float) -> None:
        """Return when a session has news, or after so many seconds."""

    def check(self) -> str | None:
        """Return what is wrong with the database, None when it is sound."""

    def close(self) -> None:
        """Close it; what was committed is there."""


def open_tables(place: Path | str) -> JournalTables:
    """Open a journal's tables: in a file, or in a database by its address.

    Raises:
        JournalError: they cannot be opened.
        JournalTooNew: a newer program wrote them.
        InputError: what speaks to the database is not installed.
    """
    if isinstance(place, Path):
        from roundtable.journal.storage.tables.sqlite_tables import SqliteTables

        return SqliteTables(place)
    from roundtable.journal.storage.tables.postgres_tables import PostgresTables

    return PostgresTables(place)
