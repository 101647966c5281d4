"""What becomes of jobs in Procrastinate's tables, told with patience and by whom it concerns alone.

A worker that was silent for long may find that its job was given to another meanwhile: it then changes
nothing. While the database is away it goes on trying to tell what it has to tell, for it is told once.
"""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, LiteralString

import procrastinate
import psycopg
import psycopg_pool
from procrastinate.connector import Notify
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

AGAIN = 1.0
"""Seconds between two attempts while the database is away."""
PATIENCE = 60.0
"""Seconds for which what is to be told is tried again."""
_RECONNECTING = 5.0
"""Seconds of attempts that come ever more rarely, before these begin anew."""

_DONE = """
DELETE FROM procrastinate_jobs
WHERE id = %(job)s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %(worker)s
"""
_LATER = f"""
WITH later AS (
    UPDATE procrastinate_jobs AS mine SET status = 'todo', attempts = attempts + 1,
        scheduled_at = clock_timestamp() + make_interval(secs => %(seconds)s)
    WHERE id = %(job)s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %(worker)s
    AND NOT abort_requested
    AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS other
        WHERE other.queueing_lock = mine.queueing_lock AND other.status = 'todo')
    RETURNING id
), done AS ({_DONE} AND NOT EXISTS (SELECT 1 FROM later))
SELECT id FROM later
"""  # noqa: S608 - its words are ours  # nosec B608
_TOLD = """
UPDATE queued SET outcome = %(outcome)s WHERE session = %(session)s
AND EXISTS (SELECT 1 FROM procrastinate_jobs
    WHERE id = %(job)s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %(worker)s)
AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE lock = %(session)s AND status = 'todo')
"""


class PatientConnector(procrastinate.PsycopgConnector):
    """Connections to the database, made anew when it was away."""

    def __init__(self, address: str, values: dict[str, Any]) -> None:
        super().__init__(
            conninfo=address, kwargs=values, min_size=1, max_size=4, timeout=10.0,
            reconnect_timeout=_RECONNECTING,
        )  # fmt: skip
        self.leaving = False
        """Nothing is waited for any more."""

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        """Run a statement that finds nothing; while the database is away it is tried again."""
        loop = asyncio.get_running_loop()
        due = loop.time() + PATIENCE
        while True:
            try:
                await super().execute_query_async(query, **arguments)
            except ConnectorException as failure:
                if self.leaving or loop.time() >= due or not is_away(failure):
                    raise
            else:
                return
            await asyncio.sleep(AGAIN)

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Listen until it is cancelled; what is told while the database is away is found by looking."""
        while True:
            try:
                await super().listen_notify(on_notification, channels)
            except (ConnectorException, psycopg.Error):
                await asyncio.sleep(AGAIN)


def is_away(failure: BaseException) -> bool:
    """Tell whether the database could not be reached, and not that it refused something."""
    cause = failure.__cause__ if isinstance(failure, ConnectorException) else failure
    if isinstance(cause, psycopg_pool.PoolClosed):
        return False
    return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError | OSError)


class Jobs(JobManager):
    """The jobs of the queue; one that is done leaves nothing behind."""

    async def retry_job(self, job: Job, retry_at: datetime | None = None, *_: object, **__: object) -> None:
        """Put a job back, if whoever had it has it still; it goes where it was called off, or waits already.

        Its time is reckoned by the database's clock: a worker's may go wrong.
        """
        seconds = (retry_at - datetime.now(UTC)).total_seconds() if retry_at else 0.0
        given = {"job": job.id, "worker": job.worker_id}
        try:
            await self.connector.execute_query_async(_LATER, seconds=max(seconds, 0.0), **given)
        except UniqueViolation:  # somebody has put it in at the same time
            await self.connector.execute_query_async(_DONE, **given)

    async def put_back(self, job: Job) -> bool:
        """Put back what a silent worker was at; False: it is that worker's no longer."""
        given = {"job": job.id, "worker": job.worker_id}
        return bool(await self.connector.execute_query_all_async(_LATER, seconds=0.0, **given))

    async def finish_job(self, job: Job, *_: object, **__: object) -> None:
        """Take a job out, if whoever had it has it still."""
        await self.connector.execute_query_async(_DONE, job=job.id, worker=job.worker_id)

    async def tell(self, job: Job, session: str, outcome: str) -> None:
        """Tell what came of a session, if the job is still with who did it and no other waits."""
        await self.connector.execute_query_async(
            _TOLD, session=session, outcome=outcome, job=job.id, worker=job.worker_id
        )
