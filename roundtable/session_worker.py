"""A process that takes sessions from the queue: those of a batch, and those that servers hand over.

Sessions run on the loop of a thread of their own, as in a server; what is asked of them on a server's page
comes through the database.
"""

import asyncio
import contextlib
import json
import logging
import signal
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from library import LibraryError
from models import ModelError, Spent
from roundtable.batch.session_job import JobResult, JobRunner, SessionJob
from roundtable.config.errors import (
    InputError,
    JournalError,
    RoundtableError,
    SessionLocked,
    SessionUnknown,
)
from roundtable.config.home import journal_place
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.journal.storage.queue.queued_work import QueuedWork
from roundtable.session.factory import Runtime, load_stubs
from roundtable.web.hosting.queued_sessions import granted, mode_chosen, stood_still
from roundtable.web.hosting.session_manager import NotRunning
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.worker_lines import WorkerLines

_GLANCE = 1.0
_STANDING = 30.0
"""Seconds for which a session waits for a person before others may have its place."""
_LOOKS = 5.0
"""Seconds from then on between two looks whether others wait: each counts the whole queue."""


class SessionWorker:
    """Does the work of the queue."""

    def __init__(self, around: Runtime, sessions: int, lines: WorkerLines | None = None) -> None:
        """Open what sessions run in.

        Args:
            around: What they run in.
            sessions: At once.
            lines: Tell of the work; None: nothing is told.

        Raises:
            InputError: sessions are kept in a file, or what runs the queue is not installed.
        """
        self._around, self._sessions = around, sessions
        self._lines = lines or WorkerLines()
        self._queue = session_queue(journal_place(around.home, around.environment), self._perform)

    async def run(self) -> None:
        """Work until it is cancelled. Raises JournalError when the database cannot be reached at first."""
        load_stubs()
        self._thread = SessionThread(self._around, for_queue=True)
        try:
            async with self._queue:
                self._lines.waiting_soon()
                await self._queue.work(self._sessions)
        finally:
            await self._thread.close()

    async def until_interrupted(self) -> None:
        """Work until Ctrl-C or a request to terminate; see `run`."""
        loop, work = asyncio.get_running_loop(), asyncio.ensure_future(self.run())
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, work.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await work

    async def _perform(self, session: str, work: Mapping[str, Any]) -> str:
        """Do a session's work, tell of it, and return what came of it, as JSON; raises as `_done`."""
        self._lines.taken(session, await self._thread.below(self._topic(session, work)))
        try:
            result = await self._thread.below(self._done(session, work))
        except JournalError as failure:
            self._lines.later(session, str(failure))
            raise
        except BaseException:
            self._lines.left(session)
            raise
        self._lines.done(result)
        return json.dumps(result.model_dump(mode="json"))

    async def _topic(self, session: str, work: Mapping[str, Any]) -> str:
        """Return what a session is about, on the loop of sessions; "" where nobody can say it now."""
        if "job" in work:
            return str(work["job"].get("topic", ""))
        with contextlib.suppress(RoundtableError):
            return self._thread.manager.row(session).topic
        return ""

    async def _done(self, session: str, work: Mapping[str, Any]) -> JobResult:
        """Do a session's work, on the loop of sessions, and return what came of it.

        Raises:
            JournalError: the database is away, or another process runs the session: it is done later.
        """
        with self._around.journal() as journal:
            queued = journal.queued()
            assert queued is not None
            try:
                if "job" in work:
                    result = await self._batched(SessionJob.model_validate(work["job"]), journal, queued)
                else:
                    result = await self._gone_on(session, work, journal, queued)
                if result.status == "failed":
                    queued.pending()  # raises while the database is away
            except (SessionLocked, asyncio.CancelledError):
                raise  # it is done later, or by another
            except JournalError as failure:
                queued.pending()
                result = JobResult(session=session, status="failed", error=str(failure))
            except (RoundtableError, LibraryError, ModelError, ValueError) as failure:
                result = JobResult(session=session, status="failed", error=str(failure))
            except Exception as failure:
                logging.getLogger(__name__).exception("session %s: unexpected error", session)
                told = f"unexpected error, please report it: {type(failure).__name__}: {failure}"
                result = JobResult(session=session, status="failed", error=told)
        return result

    async def _batched(self, job: SessionJob, journal: Journal, queued: QueuedWork) -> JobResult:
        if queued.stopping(job.session) and not _is_begun(journal, job.session):
            return JobResult(session=job.session, status="stopped")
        runner = JobRunner(self._around)

        def tell(spent: Spent) -> None:
            try:
                if queued.tell_spent(job.session, json.dumps(asdict(spent))):
                    runner.stop()
            except JournalError as failure:  # what matters more is told by the session itself
                logging.getLogger(__name__).warning("session %s: %s", job.session, failure)

        result = await runner.run(job, tell)
        if result.locked:
            raise SessionLocked(result.error or "")
        return result

    async def _gone_on(
        self, session: str, work: Mapping[str, Any], journal: Journal, queued: QueuedWork
    ) -> JobResult:
        """Go on with a session that a server began or found at rest; one that has ended is left."""
        manager, turns = self._thread.manager, work.get("turns")
        if turns is not None and granted(journal, session, turns) > work.get("granted", 0):
            turns = None  # by a worker before, which ended: the journal has them
        if manager.row(session).state == "ended" and turns is None:
            return JobResult(session=session, status="ended")
        stood = stood_still(journal, session) > work.get("stood", 0)
        if stood and (await manager.state(session)).controls.standing_still:
            # A worker that ended meanwhile went on with it, until it waited for a person: so it does still.
            return JobResult(session=session, status="stopped", waits=True)
        waits = work.get("wait") and not mode_chosen(journal, session)
        try:
            await manager.resume(
                session, turns, first=(lambda opened: opened.do("/mode wait")) if waits else None
            )
        except NotRunning as failure:
            raise SessionLocked(str(failure)) from failure
        except InputError as failure:
            return JobResult(session=session, status="failed", error=str(failure))
        if await self._left(session, queued):
            return JobResult(session=session, status="stopped", waits=True)
        trouble = await manager.wait_for(session)
        state = manager.row(session).state
        return JobResult(session=session, status="ended" if state == "ended" else "stopped", error=trouble)

    async def _left(self, session: str, queued: QueuedWork) -> bool:
        """Return when a session runs here no longer; True: it waits for a person, others for its place."""
        manager, stands, look = self._thread.manager, 0.0, _STANDING
        running = asyncio.ensure_future(manager.wait_for(session))
        try:
            while not (await asyncio.wait([running], timeout=_GLANCE))[0]:
                still = (await manager.state(session)).controls.standing_still
                stands = stands + _GLANCE if still else 0.0
                if stands < look:
                    look = look if still else _STANDING
                    continue
                look = stands + _LOOKS
                try:
                    if queued.lengths().waiting:
                        return True
                except JournalError as failure:
                    logging.getLogger(__name__).warning("session %s: %s", session, failure)
            return False
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


def _is_begun(journal: Journal, session: str) -> bool:
    try:
        journal.session(session)
    except SessionUnknown:
        return False
    return True
