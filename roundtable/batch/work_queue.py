"""A batch's sessions in the queue of the database: workers on any machine take them from there.

Nothing of a session is in the queue. Its files are written here, from the journal, when it has ended.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from library import LibraryError
from models import Spent
from roundtable.batch.local_processes import ProcessLost
from roundtable.batch.session_job import JobResult, SessionJob, write_job_files
from roundtable.config.errors import JournalError, RoundtableError, SessionUnknown
from roundtable.config.home import journal_place
from roundtable.journal.replay import replayed
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.journal.storage.queue.queued_work import QueuedSession, QueuedWork, QueueLengths
from roundtable.output.outputs import claim_folder
from roundtable.session.factory import Runtime

_GLANCE = 0.5
"""Seconds between two looks at what came of sessions."""
_PATIENCE = 120.0
"""Seconds for which a database that does not answer is waited for."""


class _Given:
    """A session that was put into the queue, and who waits for it."""

    def __init__(self, session: str, told: Callable[[Spent], None]) -> None:
        self.session, self.told, self.there = session, told, False
        self.done: asyncio.Future[JobResult] = asyncio.get_running_loop().create_future()

    def hear(self, held: QueuedSession) -> None:
        """Take note of what the database tells."""
        if self.done.done() or not self.there:
            return  # else it would be told what came of it before
        try:
            spent = Spent(**json.loads(held.spent)) if held.spent else None
            result = None if held.outcome is None else JobResult.model_validate_json(held.outcome)
        except (ValueError, TypeError) as failure:
            said = " ".join(str(failure).split())[:200]
            why = f"what its worker tells cannot be read: is it of another version? ({said})"
            result, spent = JobResult(session=self.session, status="failed", error=why), None
        if spent is not None:
            self.told(spent)
        if result is not None:
            self.done.set_result(result)


class WorkQueue:
    """So many sessions in the queue at a time, those at work included."""

    def __init__(self, room: int, around: Runtime) -> None:
        """Open the journal.

        Args:
            room: Sessions in the queue at a time.
            around: Where sessions are kept.

        Raises:
            InputError: that is a file, or what runs the queue is not installed.
            JournalError: the database cannot be reached, or its queue is of another version.
        """
        self.room = room
        self._around = around
        self._queue = session_queue(journal_place(around.home, around.environment))
        self._journal = around.journal()
        self._opening = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._given: dict[str, _Given] = {}
        """Sessions that are in the queue, by their ids."""
        self._withdrawn = False

    @property
    def _queued(self) -> QueuedWork:
        queued = self._journal.queued()
        assert queued is not None
        return queued

    def lengths(self) -> QueueLengths:
        """Return how much is in the queue, and how many workers there are. Raises JournalError."""
        return self._queued.lengths()

    async def run(self, job: SessionJob, told: Callable[[Spent], None]) -> JobResult:
        """Put a job into the queue; return what came of it once a worker has done it.

        Raises:
            ProcessLost: the database cannot be reached; the session is where it was.
        """
        try:
            folder = claim_folder(Path(job.folder), job.session)
            result = await self._done(job, told)
            await asyncio.to_thread(self._write, job.session, folder)
        except JournalError as failure:
            raise ProcessLost(str(failure)) from failure
        except (RoundtableError, LibraryError) as failure:
            return JobResult(session=job.session, status="failed", error=str(failure))
        return result

    async def _done(self, job: SessionJob, told: Callable[[Spent], None]) -> JobResult:
        async with self._opening:
            if self._looking is None:
                await self._queue.__aenter__()
                self._looking = asyncio.create_task(self._look())
        given = job.model_copy(update={"files": False})
        held = self._given[job.session] = _Given(job.session, told)
        await self._queue.put(job.session, {"job": given.model_dump(mode="json")})
        held.there = True
        if self._withdrawn:
            await self._taken_out(job.session)
        result = await held.done
        del self._given[job.session]
        return result

    async def _look(self) -> None:
        """Tell those who wait what workers told, until it is cancelled.

        Workers go on by themselves, so a database that is away for a while is waited for.
        """
        loop, heard = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(_GLANCE)
            try:
                found = self._queued.found(sorted(self._given))
            except JournalError as failure:
                if loop.time() - heard > _PATIENCE:
                    for given in self._given.values():
                        if not given.done.done():
                            given.done.set_exception(ProcessLost(str(failure)))
                continue
            heard = loop.time()
            for session, held in found.items():
                self._given[session].hear(held)

    def _write(self, session: str, folder: Path) -> None:
        """Write a session's files; one that failed before it began has none."""
        with self._around.journal() as journal:
            try:
                events = journal.read(session)
            except SessionUnknown:
                return
        with replayed(events, self._around.home) as state:
            write_job_files(state, folder)

    async def withdraw(self) -> None:
        """Take out what waits; what workers are at goes on."""
        self._withdrawn = True
        for session in list(self._given):
            await self._taken_out(session)

    async def _taken_out(self, session: str) -> None:
        if await self._queue.take_out(session, at_work=False):
            left = JobResult(session=session, status="stopped")
            self._queued.finish(session, left.model_dump_json())
            if (given := self._given.get(session)) is not None and not given.done.done():
                given.done.set_result(left)

    async def stop(self) -> None:
        """Have all sessions close their tables and write their reports; what waits is taken out."""
        self._queued.stop(sorted(self._given))
        await self.withdraw()

    async def close(self) -> None:
        """Take out what waits, and what is being done from who does it; all stays where it is."""
        try:
            if self._looking is None:
                return
            self._looking.cancel()
            try:
                for session in self._given:
                    await self._queue.take_out(session, at_work=True)
                    left = JobResult(session=session, status="stopped")
                    self._queued.finish(session, left.model_dump_json())
            finally:
                await self._queue.__aexit__(None, None, None)
        finally:
            self._journal.close()
