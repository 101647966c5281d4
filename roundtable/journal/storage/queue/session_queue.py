"""Procrastinate's queue in the database of sessions: a job for each session that waits for a worker.

What a job says is little and may be done again: the journal knows how far its session is. A worker says every
two seconds that it is alive, from a thread that no session holds up; what a silent one was at goes back into
the queue. Should that be wrong, the lock of the session and the key of its events refuse a second process.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import procrastinate
import procrastinate.exceptions
import psycopg
from procrastinate.jobs import Job, Status

from roundtable.config.errors import JournalError
from roundtable.journal.storage.queue.queue_jobs import AGAIN, Jobs, PatientConnector
from roundtable.journal.storage.queue.queued_work import NOTED, SILENT
from roundtable.journal.storage.tables.postgres_tables import connection_values, lock_key

if TYPE_CHECKING:
    from roundtable.journal.storage.queue.queued_work import Perform

_LOG = logging.getLogger(__name__)
_TASK = _QUEUE = "roundtable"
_BEAT, _GLANCE, _RESCUE = 2.0, 1.0, 2.0
"""Seconds between two signs of life, two looks for work that nobody told of, and two for silent workers."""
_LATER, _MUCH_LATER, _SOON = 2, 30, 15
"""Seconds after which a session that another process runs is looked at again: so often, then more rarely. A
process that fell silent loses its session meanwhile."""
_PUTS = 2
"""Sessions that are put at the same time; fewer than there are connections."""
_MOST_DEATHS = 5
"""Workers that a session may end before it is left."""
_FAILURES = (procrastinate.exceptions.ConnectorException, psycopg.Error, OSError)


class SessionQueue:
    """The queue, open between `async with`; belongs to one event loop."""

    def __init__(self, address: str, perform: "Perform | None" = None) -> None:
        """See `session_queue`."""
        self._perform = perform
        self._connector = PatientConnector(address, connection_values(address))
        self._app = procrastinate.App(connector=self._connector)
        self._jobs = self._app.job_manager = Jobs(self._connector)
        self._putting = asyncio.Semaphore(_PUTS)
        self._app.task(name=_TASK, queue=_QUEUE, retry=_Later(), pass_context=True)(self._work)

    async def __aenter__(self) -> Self:
        """Connect, and make the queue's tables where they are not. Raises JournalError."""
        with _told("open"):
            await self._app.open_async()
            try:
                async with self._alone("schema"):
                    if not await self._app.check_connection_async():
                        await self._app.schema_manager.apply_schema_async()
            except BaseException:
                await self._app.close_async()
                raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._app.close_async()

    @contextlib.asynccontextmanager
    async def _alone(self, what: str) -> AsyncIterator[psycopg.AsyncConnection]:
        """Hold up all other processes that are at the same; a transaction."""
        async with self._connector.pool.connection() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock_key(f"queue {what}"),))
            yield connection

    # For who gives work

    async def put(self, session: str, work: Mapping[str, Any], *, keep: bool = False) -> None:
        """Give a session to the workers, and note that it is theirs: both, or nothing.

        Args:
            session: One that waits already waits with this instead.
            work: What is to be done with it.
            keep: One that waits already waits for what it did.

        Raises:
            JournalError: the database cannot be reached.
        """
        # Of hundreds that come at once the last would wait longer for a connection than it may.
        async with self._putting:
            with _told("write"):
                try:
                    await self._put(session, work, keep)
                except procrastinate.exceptions.AlreadyEnqueued:  # a worker has put it back at the same time
                    await self._put(session, work, keep)

    async def _put(self, session: str, work: Mapping[str, Any], keep: bool) -> None:
        async with self._alone(f"put {session}") as connection:
            await connection.execute(NOTED.encode(), (session, session))
            waits = "SELECT 1 FROM procrastinate_jobs WHERE lock = %s AND status = 'todo'"
            if keep and await (await connection.execute(waits, (session,))).fetchone():
                return
            await connection.execute(
                "DELETE FROM procrastinate_jobs WHERE lock = %s AND status <> 'doing'", (session,)
            )
            given = self._app.configure_task(
                _TASK, queue=_QUEUE, lock=session, queueing_lock=session, connection=connection
            )
            await given.defer_async(session=session, work=json.dumps(work))

    async def take_out(self, session: str, *, at_work: bool) -> bool:
        """Take a session out of the queue, with `at_work` also from the worker that is at it.

        Returns:
            Whether it was taken out.

        Raises:
            JournalError: the database cannot be reached.
        """
        taken = False
        with _told("write"):
            for job in await self._jobs.list_jobs_async(queue=_QUEUE, lock=session):
                if job.id is not None and (at_work or job.status == Status.TODO.value):
                    taken |= await self._jobs.cancel_job_by_id_async(job.id, abort=at_work, delete_job=True)
        return taken

    # For workers

    async def _work(self, context: procrastinate.JobContext, session: str, work: str) -> None:
        assert self._perform is not None
        outcome = await self._perform(session, json.loads(work))
        await self._jobs.tell(context.job, session, outcome)

    async def work(self, sessions: int) -> None:
        """Do what is in the queue, so many sessions at once, until it is cancelled.

        What is under way then is left where it is, and goes back into the queue. A database that goes away is
        waited for; what it was in the middle of goes on afterwards.
        """
        for name in ("procrastinate", "psycopg.pool"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what it comes to is said here, in a line
        rescuing = asyncio.create_task(self._keep_rescuing())
        try:
            while True:
                working = asyncio.create_task(self._app.run_worker_async(
                    queues=[_QUEUE], concurrency=sessions, fetch_job_polling_interval=_GLANCE,
                    abort_job_polling_interval=_GLANCE, update_heartbeat_interval=_BEAT,
                    stalled_worker_timeout=SILENT, shutdown_graceful_timeout=0, delete_jobs="always",
                    install_signal_handlers=False,
                ))  # fmt: skip
                try:
                    await asyncio.shield(working)
                except _FAILURES as failure:
                    _LOG.warning("the queue is away, and waited for: %s", _line(failure))
                await asyncio.sleep(AGAIN)
        finally:
            rescuing.cancel()
            self._connector.leaving = True
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError, *_FAILURES):
                await working

    async def _keep_rescuing(self) -> None:
        """Put back what workers were at that have fallen silent."""
        while True:
            await asyncio.sleep(_RESCUE)
            try:
                async with self._alone("rescue"):
                    found = await self._jobs.get_stalled_jobs(queue=_QUEUE, seconds_since_heartbeat=SILENT)
                    for job in found:
                        await self._put_back(job)
            except _FAILURES as failure:
                _LOG.warning("work of silent workers: %s", _line(failure))

    async def _put_back(self, job: Job) -> None:
        session = job.lock or ""
        known = "SELECT deaths FROM queued WHERE session = %(session)s"
        found = await self._connector.execute_query_all_async(known, session=session)
        deaths = 1 + (found[0]["deaths"] if found else 0)
        if deaths <= _MOST_DEATHS:
            if await self._jobs.put_back(job):
                counted = "UPDATE queued SET deaths = %(deaths)s WHERE session = %(session)s"
                await self._connector.execute_query_async(counted, deaths=deaths, session=session)
            return
        why = f"{deaths} workers ended while they were at it; is there memory enough for so many at once?"
        outcome = {"session": session, "status": "failed", "error": why}
        await self._jobs.tell(job, session, json.dumps(outcome))
        await self._jobs.finish_job(job)


class _Later(procrastinate.BaseRetryStrategy):
    """What another process runs is looked at later; what a worker left as it ended is for another at once.

    So is what it could not tell, or not begin, because the database was away.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> procrastinate.RetryDecision | None:
        if isinstance(exception, JournalError | procrastinate.exceptions.ConnectorException):
            pause = _LATER if job.attempts < _SOON else _MUCH_LATER
            return procrastinate.RetryDecision(retry_in={"seconds": pause})
        return procrastinate.RetryDecision() if isinstance(exception, asyncio.CancelledError) else None


@contextlib.contextmanager
def _told(verb: str) -> Iterator[None]:
    """Turn the queue's errors into a JournalError."""
    try:
        yield
    except _FAILURES as failure:
        told = f"cannot {verb} the queue in PostgreSQL: {_line(failure)}; is the server there?"
        raise JournalError(told) from failure


def _line(failure: BaseException) -> str:
    return " ".join(str(failure.__cause__ or failure).split())[:300]
