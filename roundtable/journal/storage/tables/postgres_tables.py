"""The journal's tables in PostgreSQL, reached by any number of machines.

Who runs a session holds an advisory lock of the database, which dies with the connection, and says every few
seconds that it is alive: a process that fell silent with its connection open is cut off by whoever wants the
session next. Neither is trusted with the events: their key, (session, n), refuses a second writer.
"""

import contextlib
import hashlib
import os
import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from models import install_command
from roundtable.config.errors import InputError, JournalError, JournalTooNew, SessionLocked

_MIGRATIONS = (
    """
    CREATE TABLE sessions (
        place   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id      text NOT NULL UNIQUE,
        topic   text NOT NULL,
        state   text NOT NULL,
        turns   integer NOT NULL,
        started text NOT NULL
    );
    CREATE TABLE events (
        session text NOT NULL REFERENCES sessions (id),
        n       integer NOT NULL,
        at      text NOT NULL,
        event   text NOT NULL,
        format  integer NOT NULL,
        PRIMARY KEY (session, n)
    );
    CREATE TABLE texts (sha256 text PRIMARY KEY, source text NOT NULL);
    CREATE TABLE owners (session text PRIMARY KEY, holder text NOT NULL, beat timestamptz NOT NULL);
    """,
    """
    CREATE TABLE inbox (
        id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session text NOT NULL,
        command text NOT NULL,
        sent    timestamptz NOT NULL DEFAULT clock_timestamp(),
        outcome text
    );
    CREATE INDEX inbox_waiting ON inbox (session) WHERE outcome IS NULL;
    """,
    "ALTER TABLE sessions ADD COLUMN sentences integer",
    """
    CREATE TABLE queued (
        session  text PRIMARY KEY,
        put      timestamptz NOT NULL DEFAULT clock_timestamp(),
        spent    text NOT NULL DEFAULT '',
        stopping boolean NOT NULL DEFAULT false,
        outcome  text
    );
    """,
    """
    CREATE UNLOGGED TABLE turns (
        id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        server  text NOT NULL,
        session text NOT NULL
    );
    CREATE INDEX turns_at ON turns (server);
    CREATE UNLOGGED TABLE paces (
        server     text PRIMARY KEY,
        next_start timestamptz NOT NULL DEFAULT clock_timestamp(),
        rests      timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    """,
    "ALTER TABLE queued ADD COLUMN deaths integer NOT NULL DEFAULT 0",
    """
    CREATE TABLE accounts (
        id         text PRIMARY KEY,
        name       text NOT NULL,
        folded     text NOT NULL,
        created    text NOT NULL,
        generation integer NOT NULL DEFAULT 0,
        removed    text
    );
    CREATE UNIQUE INDEX accounts_named ON accounts (folded) WHERE removed IS NULL;
    CREATE TABLE account_tokens (
        id      text PRIMARY KEY,
        account text NOT NULL REFERENCES accounts (id),
        label   text NOT NULL,
        hash    text NOT NULL,
        created text NOT NULL
    );
    CREATE TABLE holdings (
        kind  text NOT NULL,
        thing text NOT NULL,
        owner text NOT NULL REFERENCES accounts (id),
        team  text NOT NULL DEFAULT '',
        PRIMARY KEY (kind, thing)
    );
    CREATE TABLE shares (
        kind    text NOT NULL,
        thing   text NOT NULL,
        account text NOT NULL REFERENCES accounts (id),
        role    text NOT NULL,
        PRIMARY KEY (kind, thing, account)
    );
    """,
    """
    CREATE TABLE quotas (
        account  text PRIMARY KEY,
        sessions bigint,
        tokens   bigint,
        money    double precision
    );
    CREATE TABLE spent (
        account text NOT NULL,
        day     text NOT NULL,
        tokens  bigint NOT NULL,
        money   double precision NOT NULL,
        PRIMARY KEY (account, day)
    );
    """,
    """
    CREATE TABLE identities (
        issuer  text NOT NULL,
        subject text NOT NULL,
        account text NOT NULL REFERENCES accounts (id),
        email   text NOT NULL,
        created text NOT NULL,
        named   integer NOT NULL,
        PRIMARY KEY (issuer, subject)
    );
    CREATE TABLE expected_emails (
        email   text PRIMARY KEY,
        account text NOT NULL REFERENCES accounts (id)
    );
    """,
)
"""What makes the tables of version 1, then each next version from the one before. Append, never change."""
_CHANNEL = "roundtable"
_BEAT = 5.0
"""Seconds between two signs of life of who runs a session."""
SILENT = 15.0
"""Seconds without one after which a session may be taken from its process."""
_PATIENCE = 3.0
"""Seconds until the lock of a process that was cut off is free."""
_LOCKS = """
SELECT (classid::bigint << 32) | objid::bigint, pid FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_OPTIONS = (
    "-c search_path=roundtable -c client_min_messages=warning "
    # A machine that is gone is noticed in some 11 seconds, and what it held is free.
    "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
)
_WAIT, _NO_WAIT = b"SET LOCAL synchronous_commit = on", b"SET LOCAL synchronous_commit = off"
_KEEPALIVES: dict[str, Any] = {
    "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "connect_timeout": 10
}  # fmt: skip


class PostgresTables:
    """A journal's tables in a database, in its schema `roundtable`."""

    shared = True

    def __init__(self, address: str) -> None:
        """Connect; the tables are made, or brought to this version, where they are not.

        Raises:
            JournalError, JournalTooNew, InputError.
        """
        try:
            import psycopg
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as failure:
            raise InputError(
                f"sessions are kept in PostgreSQL here ({failure}): {install_command('postgres')}"
            ) from failure
        self._errors: type[Exception] = psycopg.Error
        self._collision: type[Exception] = psycopg.errors.UniqueViolation
        self._one_at_a_time = threading.RLock()
        """The signs of life of sessions come from a thread."""
        self._address, self._psycopg = address, psycopg
        self._bound = 0
        """How much would be lost with this connection: sessions that it holds, a transaction under way."""
        self._left = False
        self.place = "in PostgreSQL"
        with self.guarded("open"):
            parts = conninfo_to_dict(address)
            host = parts.get("host") or parts.get("hostaddr") or "this machine"
            self.place = f"{parts.get('dbname') or parts.get('user') or ''} in PostgreSQL at {host}"
            self.connection = self._connect()
            try:
                self._prepare()
            except BaseException:
                self.connection.close()
                raise

    def _connect(self) -> Any:
        return self._psycopg.connect(self._address, autocommit=True, **connection_values(self._address))

    def _connected(self) -> Any:
        """Return the connection; where the server was away a new one, unless something went with the old."""
        if self.connection.closed and not self._bound and not self._left:
            self.connection = self._connect()
        return self.connection

    def _prepare(self) -> None:
        """Make the tables, or bring them to this version; who comes at the same time waits."""
        if self._version() == len(_MIGRATIONS):
            return
        with self.connection.transaction():
            self.connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock_key("schema"),))
            self.connection.execute("CREATE SCHEMA IF NOT EXISTS roundtable")
            version = self._version()
            if version > len(_MIGRATIONS):
                raise JournalTooNew(
                    f"{self.place} was written by a newer roundtable (format {version}, this one reads "
                    f"{len(_MIGRATIONS)}): upgrade the program, or name another database"
                )
            for statements in _MIGRATIONS[version:]:
                self.connection.execute(statements.encode())
            self.connection.execute("CREATE TABLE IF NOT EXISTS about (version integer NOT NULL)")
            self.connection.execute("DELETE FROM about")
            self.connection.execute("INSERT INTO about VALUES (%s)", (len(_MIGRATIONS),))

    def _version(self) -> int:
        """Return the version of the tables, 0 where there are none."""
        if self.rows("SELECT to_regclass('roundtable.about')")[0][0] is None:
            return 0
        return int(self.rows("SELECT max(version) FROM about")[0][0] or 0)

    @contextlib.contextmanager
    def guarded(self, verb: str) -> Iterator[None]:
        """Turn the database's errors into a JournalError."""
        try:
            yield
        except (self._errors, OSError) as failure:
            said = " ".join(str(failure).split())[:300]
            raise JournalError(
                f"cannot {verb} the journal {self.place}: {said}; is the server there, may this user do that?"
            ) from failure

    @contextlib.contextmanager
    def transaction(self, *, wait: bool = True, news: str | None = None) -> Iterator[None]:
        """Commit what is done in the block, or nothing; all of it is one way to the server and back.

        News are told in a transaction of their own, which waits for no disk: a commit that notifies holds up
        all others of the server that do, for as long as it waits.

        Raises:
            SessionLocked: another process has written what was to be written here.
        """
        with self._one_at_a_time, self._binding():
            connection = self.connection
            try:
                with connection.pipeline():
                    connection.execute(b"BEGIN")
                    connection.execute(_WAIT if wait else _NO_WAIT)
                    yield
                    connection.execute(b"COMMIT")
                    if news is not None:
                        connection.execute(b"BEGIN")
                        connection.execute(_NO_WAIT)
                        connection.execute(b"SELECT pg_notify(%s, %s)", (_CHANNEL, news))
                        connection.execute(b"COMMIT")
            except BaseException as failure:
                if not connection.closed:
                    connection.execute(b"ROLLBACK")
                if isinstance(failure, self._collision):
                    raise SessionLocked(
                        f"the session was taken over by another process, which has written on: {self.place}"
                    ) from failure
                raise

    @contextlib.contextmanager
    def _binding(self) -> Iterator[None]:
        """Make no other connection meanwhile."""
        with self._one_at_a_time:
            self._connected()
            self._bound += 1
        try:
            yield
        finally:
            with self._one_at_a_time:
                self._bound -= 1

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement, return the rows that it finds."""
        ours, given = _ours(statement), _storable(values)
        with self._one_at_a_time:
            try:
                return list(self._connected().execute(ours, given).fetchall())
            except self._errors:
                # The server was away since the last statement; only what changes nothing is done again.
                if self._bound or not self.connection.closed or not statement.startswith("SELECT"):
                    raise
                return list(self._connected().execute(ours, given).fetchall())

    def change(self, statement: str, each: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each sequence of values."""
        with self._one_at_a_time, self._connected().cursor() as cursor:
            for values in each:
                cursor.execute(_ours(statement), _storable(values))

    # Who runs what

    @contextlib.contextmanager
    def hold(self, session: str) -> Iterator[None]:
        """Hold a session; one whose process has been silent for long is taken from it."""
        holder = f"process {os.getpid()} on {socket.gethostname()}"
        with contextlib.ExitStack() as bound:
            with self.guarded("lock a session in"):
                bound.enter_context(self._binding())
                if not self._locked(session) and not self._taken_over(session):
                    known = self._one_row("SELECT holder FROM owners WHERE session = ?", (session,))
                    holder = known or "another process"
                    raise SessionLocked(
                        f"session {session} is being run by {holder}: wait for it, or stop it first"
                    )
                self._one_row(
                    "INSERT INTO owners VALUES (?, ?, clock_timestamp()) ON CONFLICT (session) DO UPDATE "
                    "SET holder = excluded.holder, beat = excluded.beat RETURNING 1", (session, holder),
                )  # fmt: skip
            ended = threading.Event()
            beating = threading.Thread(target=self._beat, args=(session, ended), daemon=True)
            beating.start()
            try:
                yield
            finally:
                ended.set()
                beating.join()
                with contextlib.suppress(self._errors):  # a connection that is gone has let go of it
                    self._one_row(
                        "DELETE FROM owners WHERE session = ? AND holder = ? RETURNING 1", (session, holder)
                    )
                    self._one_row("SELECT pg_advisory_unlock(?)", (lock_key(session),))

    def _one_row(self, statement: str, values: Sequence[Any]) -> Any:
        found = self.rows(statement, values)
        return found[0][0] if found else None

    def _locked(self, session: str) -> bool:
        # One connection may hold a lock twice: here that is another one's session all the same.
        if lock_key(session) in {row[0] for row in self.rows(_LOCKS)}:
            return False
        return bool(self._one_row("SELECT pg_try_advisory_lock(?)", (lock_key(session),)))

    def _taken_over(self, session: str) -> bool:
        """Cut off a process that holds a session and has been silent; True when the session is ours then."""
        silent = self._one_row(
            "SELECT beat < clock_timestamp() - make_interval(secs => ?) FROM owners WHERE session = ?",
            (SILENT, session),
        )
        if not silent:
            return False
        for key, process in self.rows(_LOCKS):
            if key == lock_key(session):
                self.rows("SELECT pg_terminate_backend(?)", (process,))
        ended = threading.Event()
        for _ in range(30):
            if self._locked(session):
                return True
            ended.wait(_PATIENCE / 30)
        return False

    def _beat(self, session: str, ended: threading.Event) -> None:
        """Say every few seconds that the session's process is alive."""
        while not ended.wait(_BEAT):
            try:
                self.rows(
                    "UPDATE owners SET beat = clock_timestamp() WHERE session = ? RETURNING 1", (session,)
                )
            except self._errors:
                return  # the connection is gone: whoever writes next is told, and others see the silence

    def held(self, sessions: Sequence[str]) -> set[str]:
        """Return which of some sessions a process holds that has given a sign of life."""
        alive = self.rows(
            "SELECT session FROM owners WHERE session = ANY(?) "
            "AND beat > clock_timestamp() - make_interval(secs => ?)",
            (list(sessions), SILENT),
        )
        locked = {row[0] for row in self.rows(_LOCKS)}
        return {session for (session,) in alive if lock_key(session) in locked}

    def abandoned(self) -> list[str]:
        """Return the sessions whose process ended without letting go of them, or has been silent for long."""
        begun = self.rows(
            "SELECT sessions.id FROM sessions JOIN owners ON owners.session = sessions.id "
            "WHERE sessions.state = 'running'"
        )
        running = [session for (session,) in begun]
        return sorted({*running} - self.held(running)) if running else []

    def let_go(self, session: str) -> None:
        """Nothing is kept: the row of its owner went when it was let go."""

    # News

    def wait_for_news(self, session: str, seconds: float) -> None:
        """Return when a session has news, or after so many seconds."""
        with self._one_at_a_time:
            connection = self._connected()
            connection.execute(f"LISTEN {_CHANNEL}".encode())
            for notified in connection.notifies(timeout=seconds):
                if notified.payload == session:
                    return

    def check(self) -> str | None:
        """Return which session has a gap in its events, None when none has."""
        found = self.rows("SELECT session FROM events GROUP BY session HAVING max(n) <> count(*) LIMIT 1")
        return f"session {found[0][0]} has a gap in its events" if found else None

    def close(self) -> None:
        """Close the connection."""
        self._left = True
        self.connection.close()


def connection_values(address: str) -> dict[str, Any]:
    """Return what a connection is made with beside its address. Raises psycopg.Error where it is none."""
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(address)
    given = {name: value for name, value in _KEEPALIVES.items() if name not in parts}
    options = f"{parts.get('options') or ''} {_OPTIONS}".strip()
    return {**given, "options": options, "application_name": "roundtable"}


def _ours(statement: str) -> bytes:
    """Return a statement with its places for values as the driver writes them."""
    return statement.replace("?", "%s").encode()


def _storable(values: Sequence[Any]) -> list[Any]:
    """Return values that the database takes: texts without NUL. Events are JSON, where it is escaped."""
    return [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in values]


def lock_key(session: str) -> int:
    """Return the number of the advisory lock of a session, or of something else by its name."""
    digest = hashlib.blake2b(f"roundtable:{session}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
