"""Turns at hosts and models' servers that all processes of one database take together.

A turn is a row that is let for as long as its session gives signs of life: what a dead process held is free
when its session's last sign is old. Nothing here is worth waiting for the disk, nor keeping after a crash.
"""

import asyncio
import hashlib
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from roundtable.config.errors import JournalError
from roundtable.journal.storage.tables.journal_tables import JournalTables

_GLANCE = 0.15
"""Seconds between two looks whether there is room, on average."""
_TAKEN = (
    "INSERT INTO turns (server, session) SELECT ?, ? WHERE (SELECT count(*) FROM turns "
    "JOIN owners ON owners.session = turns.session WHERE turns.server = ? "
    "AND owners.beat > clock_timestamp() - make_interval(secs => ?)) < ? RETURNING id"
)
_STARTED = (
    "INSERT INTO paces AS pace (server, next_start) "
    "VALUES (?, clock_timestamp() + make_interval(secs => ?)) "
    "ON CONFLICT (server) DO UPDATE SET next_start = greatest(pace.next_start, clock_timestamp()) "
    "+ make_interval(secs => ?) "
    "RETURNING extract(epoch FROM next_start - make_interval(secs => ?) - clock_timestamp())"
)

_RESTS = (
    "INSERT INTO paces AS pace (server, rests) VALUES (?, clock_timestamp() + make_interval(secs => ?)) "
    "ON CONFLICT (server) DO UPDATE SET rests = greatest(pace.rests, excluded.rests)"
)


class DatabaseTurns:
    """The turns of one session; see `models.client.SharedTurns`."""

    def __init__(self, session: str, tables: JournalTables, silent: float) -> None:
        """Give back what the session's process before held.

        Args:
            session: It is held by this process.
            tables: Of the journal; used by threads, one at a time.
            silent: Seconds without a sign of life of a session after which its turns are free.

        Raises:
            JournalError: the database cannot be reached.
        """
        self._session, self._tables, self._silent = session, tables, silent
        with tables.guarded("write"):
            tables.change("DELETE FROM turns WHERE session = ?", [(session,)])

    @asynccontextmanager
    async def turn(self, server: str, most: int, pause: float = 0.0) -> AsyncIterator[float]:
        """Wait for a turn and one's start; where the database is away, this process is alone with its own."""
        name = _name(server)
        try:
            number = await self._taken(name, most)
        except JournalError as failure:
            logging.getLogger(__name__).warning("turns of all processes: %s", failure)
            yield 0.0
            return
        try:
            wait, rest = await asyncio.to_thread(self._start, name, pause)
            if not rest and wait > 0:
                await asyncio.sleep(wait)
            yield rest
        finally:
            self._give_back(number)

    async def _taken(self, name: str, most: int) -> int:
        while True:
            taking = asyncio.ensure_future(asyncio.to_thread(self._take, name, most))
            try:
                number = await asyncio.shield(taking)
            except asyncio.CancelledError:
                taking.add_done_callback(self._not_wanted)
                raise
            if number is not None:
                return number
            await asyncio.sleep(_GLANCE * (0.5 + random.random()))  # noqa: S311 - no secret  # nosec B311

    def _not_wanted(self, taking: asyncio.Future[int | None]) -> None:
        """Give a turn back that came when nobody waited for it any more."""
        if not taking.cancelled() and taking.exception() is None and (number := taking.result()) is not None:
            self._give_back(number)

    def _take(self, name: str, most: int) -> int | None:
        """Return the number of a turn, None while there is no room."""
        with self._tables.guarded("write"), self._tables.transaction(wait=False):
            # Never waited for: a process that stands still may hold it.
            mine = self._tables.rows("SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))", (name,))
            if not mine[0][0]:
                return None
            found = self._tables.rows(_TAKEN, (name, self._session, name, self._silent, most))
        return int(found[0][0]) if found else None

    def _start(self, name: str, pause: float) -> tuple[float, float]:
        """Return the seconds until one's own start, and those for which the server is left alone."""
        with self._tables.guarded("write"), self._tables.transaction(wait=False):
            rests = self._tables.rows(
                "SELECT extract(epoch FROM rests - clock_timestamp()) FROM paces WHERE server = ?", (name,)
            )
            rest = max(float(rests[0][0]), 0.0) if rests else 0.0
            if rest or not pause:
                return 0.0, rest
            return float(self._tables.rows(_STARTED, (name, pause, pause, pause))[0][0]), 0.0

    def _give_back(self, number: int) -> None:
        try:
            with self._tables.guarded("write"):
                self._tables.change("DELETE FROM turns WHERE id = ?", [(number,)])
        except JournalError as failure:  # it is free when the session's last sign of life is old
            logging.getLogger(__name__).warning("turns of all processes: %s", failure)

    def rest(self, server: str, seconds: float) -> None:
        """Tell all that a server is to be left alone for so long."""
        try:
            with self._tables.guarded("write"):
                self._tables.change(_RESTS, [(_name(server), seconds)])
        except JournalError as failure:  # this process leaves it alone all the same
            logging.getLogger(__name__).warning("turns of all processes: %s", failure)


def _name(server: str) -> str:
    """Return what a server is called in the database: an address may hold a password."""
    return hashlib.sha256(server.encode("utf-8", "replace")).hexdigest()
