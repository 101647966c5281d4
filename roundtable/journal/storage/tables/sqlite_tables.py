"""The journal's tables in one SQLite file, in WAL mode; locks are files beside it."""

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from library.store import worked_out
from roundtable.config.errors import JournalError, JournalTooNew
from roundtable.journal.storage.tables.locks import hold, is_held

VERSION = 6
"""Of the tables, in the file's `user_version`. In the first, events had no format: it is 1."""

_ACCOUNTS = """
CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    folded     TEXT NOT NULL,
    created    TEXT NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    removed    TEXT
);
CREATE UNIQUE INDEX accounts_named ON accounts (folded) WHERE removed IS NULL;
CREATE TABLE account_tokens (
    id      TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    label   TEXT NOT NULL,
    hash    TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE holdings (
    kind  TEXT NOT NULL,
    thing TEXT NOT NULL,
    owner TEXT NOT NULL REFERENCES accounts (id),
    team  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (kind, thing)
);
CREATE TABLE shares (
    kind    TEXT NOT NULL,
    thing   TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    role    TEXT NOT NULL,
    PRIMARY KEY (kind, thing, account)
);
"""
_QUOTAS = """
CREATE TABLE quotas (
    account  TEXT PRIMARY KEY,
    sessions INTEGER,
    tokens   INTEGER,
    money    REAL
);
CREATE TABLE spent (
    account TEXT NOT NULL,
    day     TEXT NOT NULL,
    tokens  INTEGER NOT NULL,
    money   REAL NOT NULL,
    PRIMARY KEY (account, day)
);
"""
_IDENTITIES = """
CREATE TABLE identities (
    issuer  TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    email   TEXT NOT NULL,
    created TEXT NOT NULL,
    named   INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE TABLE expected_emails (
    email   TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id)
);
"""
ACCOUNT_TABLES = {
    "accounts": ("id", "name", "folded", "created", "generation", "removed"),
    "account_tokens": ("id", "account", "label", "hash", "created"),
    "holdings": ("kind", "thing", "owner", "team"),
    "shares": ("kind", "thing", "account", "role"),
    "quotas": ("account", "sessions", "tokens", "money"),
    "spent": ("account", "day", "tokens", "money"),
    "identities": ("issuer", "subject", "account", "email", "created", "named"),
    "expected_emails": ("email", "account"),
}
"""Those that say who may see and use what, and their columns: what a repair copies."""
_TABLES = f"""
CREATE TABLE sessions (
    place   INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    topic   TEXT NOT NULL,
    state   TEXT NOT NULL,
    turns   INTEGER NOT NULL,
    started TEXT NOT NULL,
    sentences INTEGER
);
CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id),
    n       INTEGER NOT NULL,
    at      TEXT NOT NULL,
    event   TEXT NOT NULL,
    format  INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (session, n)
) WITHOUT ROWID;
{_ACCOUNTS}{_QUOTAS}{_IDENTITIES}
"""
_SINCE = {
    1: "ALTER TABLE events ADD COLUMN format INTEGER NOT NULL DEFAULT 1",
    2: "ALTER TABLE sessions ADD COLUMN sentences INTEGER",
    3: _ACCOUNTS,
    4: _QUOTAS,
    5: _IDENTITIES,
}
"""What brings the tables of a version to the next; what stands in them is not touched."""


class SqliteTables:
    """A journal's tables in a file."""

    shared = False

    def __init__(self, path: Path) -> None:
        """Open the file, made if it is not there."""
        self._path = path
        self.place = str(path)
        with self.guarded("open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path, timeout=10.0, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def _prepare(self) -> None:
        if foreign := worked_out(self.connection):
            raise JournalError(f"{self._path}: not opened, for it works out what it says ({foreign})")
        self.connection.execute("PRAGMA journal_mode=WAL")
        self._wait_for_disk(True)
        self.connection.execute("PRAGMA foreign_keys=ON")
        with self.transaction():
            version = self.connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise JournalTooNew(
                    f"{self._path} was written by a newer roundtable (format {version}, this one reads "
                    f"{VERSION}): upgrade the program, or set ROUNDTABLE_HOME to another folder"
                )
            if version == 0:
                self._run(_TABLES)
            for before in range(version or VERSION, VERSION):
                self._run(_SINCE[before])
            if version < VERSION:
                self.connection.execute(f"PRAGMA user_version={VERSION}")

    def _run(self, statements: str) -> None:
        """Run statements within the transaction under way."""
        for statement in statements.split(";"):
            self.connection.execute(statement)

    def _wait_for_disk(self, wait: bool) -> None:
        """Choose whether commits return when the disk has them, or before: whole and in order both ways."""
        self._waits = wait
        self.connection.execute(f"PRAGMA synchronous={'FULL' if wait else 'NORMAL'}")

    @contextlib.contextmanager
    def guarded(self, verb: str) -> Iterator[None]:
        """Turn the file's errors into a JournalError."""
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
    def transaction(self, *, wait: bool = True, news: str | None = None) -> Iterator[None]:  # noqa: ARG002
        """Commit what is done in the block, or nothing; nobody is told news: who waits looks again."""
        if wait is not self._waits:
            self._wait_for_disk(wait)
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement, return the rows that it finds."""
        return self.connection.execute(statement, values).fetchall()

    def change(self, statement: str, each: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each sequence of values."""
        self.connection.executemany(statement, each)

    def hold(self, session: str) -> AbstractContextManager[None]:
        """Hold a session for this process alone."""
        return hold(self._lock(session), f"session {session}")

    def held(self, sessions: Sequence[str]) -> set[str]:
        """Return which of some sessions a process holds."""
        return {session for session in sessions if is_held(self._lock(session))}

    def abandoned(self) -> list[str]:
        """Return none: whose file it is goes on with his sessions himself."""
        return []

    def let_go(self, session: str) -> None:
        """Remove the file by which a session was held."""
        with contextlib.suppress(FileNotFoundError):
            self._lock(session).unlink()

    def _lock(self, session: str) -> Path:
        return self._path.parent / "locks" / session

    def wait_for_news(self, session: str, seconds: float) -> None:  # noqa: ARG002 - a file tells nobody
        """Return after so many seconds."""
        time.sleep(seconds)

    def check(self) -> str | None:
        """Return what SQLite finds wrong with the file, None when it is sound."""
        found = self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return None if found == "ok" else str(found)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
