"""A session: one discussion on one topic, from its first event to its report. The Python API.

session = await start_session("Why do cities flood?", settings)
async for recorded in session.run():
    print(recorded.event.kind)
report = await session.report()
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

from models import ModelUnavailable
from reports import Report
from roundtable.desk import Desks
from roundtable.discussion import Discussion
from roundtable.events import Recorded, SessionEnded, SessionResumed, SessionStopped
from roundtable.state import State


class Session:
    """One session. Its journal is the truth: everything here is read from there, and goes there first."""

    def __init__(self, session_id: str, discussion: Discussion, desks: Desks, opened: AsyncExitStack) -> None:
        self.id = session_id
        self._discussion = discussion
        self._desks = desks
        self._opened = opened
        self._running = False

    @property
    def state(self) -> State:
        """The session as it stands; changed by its events alone."""
        return self._desks.record.state

    async def run(self, turns: int | None = None) -> AsyncIterator[Recorded]:
        """Run, or go on, until the report is written; yield each event once it is committed.

        Args:
            turns: Go on for so many turns more, also in a session that has ended; None: to the session's own
                limit.

        Raises:
            ModelUnavailable: a model cannot be had; the session is stopped and can be resumed.
            StoreError, JournalError: nothing more can be kept; what was committed is there.
        """
        if self._running:
            raise RuntimeError("this session is running already")
        self._running = True
        queue = self._desks.record.listen()
        work = asyncio.create_task(self._work(turns))
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (recorded := await queue.get()) is not None:
                yield recorded
            await work
        finally:
            self._desks.record.forget(queue)
            self._running = False
            if not work.done():
                work.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await work

    async def _work(self, turns: int | None) -> None:
        state, record = self.state, self._desks.record
        if state.status == "stopped" or turns is not None:
            record.add(SessionResumed(turns=turns))
        try:
            await self._discussion.run()
        except ModelUnavailable as failure:
            record.add(SessionStopped(reason=str(failure)))
            raise
        if state.status == "closed":
            record.add(SessionEnded(reason=state.reason))

    def say(self, text: str, to: str | None = None) -> None:
        """Say something: heard at the next turn boundary, and answered before anything else on the agenda.

        Args:
            text: The words.
            to: Slug of the expert who should answer; None: the nearest.

        Raises:
            ValueError: nothing was said, or nobody at the table has that name.
        """
        words = " ".join(text.split())
        if not words:
            raise ValueError("nothing was said: give some words")
        names = [p.slug for p in self.state.panel]
        if to is not None and to not in names:
            raise ValueError(f"nobody named {to!r} is at the table; there are: {', '.join(names)}")
        self._discussion.heard.append((words, to))

    def stop(self) -> None:
        """Stop after this turn and write the report from what there is."""
        self._discussion.stopping = True

    async def report(self) -> Report:
        """Return the report, written now from what there is when there is none yet."""
        if self.state.report is None:
            await self._discussion.write()
        report = self.state.report
        assert report is not None
        return report

    async def close(self) -> None:
        """Release the lock, connections and files. The session stays in the journal."""
        await self._opened.aclose()
