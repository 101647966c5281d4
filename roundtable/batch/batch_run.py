"""A batch at work: who comes next, what is tried again, when enough is spent, and what came of each topic."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

from models import Budget, Spent
from roundtable.batch.batch_index import BatchRow, add_spent, read_index, total_spent, write_index
from roundtable.batch.batch_plan import PlannedSession
from roundtable.batch.local_processes import ProcessLost
from roundtable.batch.session_job import JobResult, SessionJob
from roundtable.batch.summary_page import PAGE, summary_page
from roundtable.config.errors import RoundtableError, SessionUnknown
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.outputs import write_file

_BETWEEN_WRITES = 2.0
"""Seconds between two writings of the index while much happens."""
_LEAST_IN_A_ROW = 5
"""Topics that fail one after another, and none ends between them, before nothing more is begun."""


class Engine(Protocol):
    """Where sessions run."""

    @property
    def room(self) -> int:
        """How many it runs at once."""

    async def run(self, job: SessionJob, told: Callable[[Spent], None]) -> JobResult:
        """Do a job. Raises ProcessLost when it must be given again."""

    async def withdraw(self) -> None:
        """Take back what was given and is not begun: it comes back as stopped."""

    async def stop(self) -> None:
        """Have all sessions close their tables and write their reports."""

    async def close(self) -> None:
        """Leave all sessions where they are."""


class BatchRun:
    """One run of a batch, from where the journal and the index say that it stands."""

    def __init__(
        self,
        folder: Path,
        name: str,
        plans: Sequence[PlannedSession],
        engine: Engine,
        journal: Journal,
        *,
        retries: int = 2,
        budget: Budget | None = None,
        pause: float = 2.0,
    ) -> None:
        """Find out what is to be done.

        Args:
            folder: Of the batch.
            name: Of the batch.
            plans: A session for each topic.
            engine: Where they run.
            journal: What is known of them.
            retries: How often a topic is tried again after it failed, where that may help.
            budget: Of all sessions together; None: no limit.
            pause: Seconds before the first retry of a topic; each later one waits four times as long.
        """
        self._folder, self._name, self._plans = folder, name, {plan.job.session: plan for plan in plans}
        self._engine, self._retries, self._pause = engine, retries, pause
        self._budget = budget or Budget()
        before = read_index(folder)
        self.rows = {plan.job.session: _standing(plan, before, journal, folder) for plan in plans}
        self.changed = sum(
            row.status == "ended" and row.settings != plan.state
            for row, plan in zip(self.rows.values(), plans, strict=True)
        )
        """Topics that ended before with other settings than they would be given now."""
        self._todo = deque(session for session, row in self.rows.items() if row.status != "ended")
        self.already = len(self.rows) - len(self._todo)
        """Topics that had ended before."""
        self._live: dict[str, Spent] = {}
        self._in_a_row = 0
        self._news: asyncio.Queue[BatchRow | None] = asyncio.Queue()
        self.ending: str | None = None
        """Why nothing more is begun; None: it is."""
        self._written = 0.0
        self._leaving: list[asyncio.Future[None]] = []

    async def run(self) -> AsyncGenerator[BatchRow]:
        """Run what is to be done; yield a topic's row when it is begun, and when it ended, stopped or failed.

        Raises:
            OutputError: the index cannot be written.
        """
        self._write()
        seats = [asyncio.create_task(self._seat()) for _ in range(min(self._engine.room, len(self._todo)))]
        work = asyncio.gather(*seats)
        work.add_done_callback(lambda _: self._news.put_nowait(None))
        try:
            while (row := await self._news.get()) is not None:
                yield row
            await work
        finally:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, *self._leaving, return_exceptions=True)
            for session, row in self.rows.items():
                if row.status == "running":
                    self.rows[session] = row.model_copy(update={"status": "stopped"})
            self._write()

    def begin_no_more(self, why: str) -> None:
        """Let sessions under way go on to their ends, and begin no other."""
        if self.ending is None:
            self.ending = why
            self._leaving.append(asyncio.ensure_future(self._leave(self._engine.withdraw)))

    async def _leave(self, leaving: Callable[[], Awaitable[None]]) -> None:
        """Tell the engine that it comes to an end; where it cannot hear, all goes on as it was."""
        try:
            await leaving()
        except RoundtableError as failure:
            logging.getLogger(__name__).warning("the batch's end: %s", failure)

    def spent(self) -> Spent:
        """Return what all sessions have used, those under way included."""
        rows = [row for session, row in self.rows.items() if session not in self._live]
        done, live = total_spent(rows), list(self._live.values())
        return add_spent([done, *live])

    async def _seat(self) -> None:
        """Do one topic after another."""
        while self._todo and self.ending is None:
            if self._budget.share(self.spent()) >= 1:
                self.begin_no_more(self._exhausted())
                return
            await self._do(self._plans[self._todo.popleft()])

    async def _do(self, plan: PlannedSession) -> None:
        session = plan.job.session
        for attempt in range(1, self._retries + 2):
            self._tell(session, status="running", attempts=attempt, error=None, settings=plan.state)
            try:
                result = await self._engine.run(self._within(plan), lambda spent: self._hear(session, spent))
            except ProcessLost as lost:
                result = JobResult(session=session, status="stopped", error=str(lost), again=True)
            if not result.again or attempt > self._retries or self.ending is not None:
                break
            await asyncio.sleep(self._pause * 4 ** (attempt - 1))
        status = "failed" if result.again and self.ending is None else result.status
        self._live.pop(session, None)
        self._in_a_row = 0 if status == "ended" else self._in_a_row + (status == "failed")
        self._tell(session, status=status, error=result.error, **result.figures)
        if self._in_a_row >= max(_LEAST_IN_A_ROW, self._engine.room):
            self.begin_no_more(
                f"{self._in_a_row} topics in a row failed, the last one because {result.error}"
            )

    def _within(self, plan: PlannedSession) -> SessionJob:
        """Return a session's job, held to what is left of the batch's budget."""
        if not self._budget.limited:
            return plan.job
        spent, own = self.spent(), plan.settings.moderator.budget
        left: dict[str, Any] = {}
        for each in fields(Spent):
            limit = getattr(self._budget, each.name)
            if limit is not None:
                rest = max(limit - getattr(spent, each.name), 1 if isinstance(limit, int) else 1e-6)
                held = getattr(own, each.name)
                left[each.name] = rest if held is None else min(held, rest)
        held_to = plan.settings.moderator.model_copy(update={"budget": own.model_copy(update=left)})
        settings = plan.settings.model_copy(update={"moderator": held_to})
        return plan.job.model_copy(update={"settings": settings.model_dump(mode="json")})

    def _hear(self, session: str, spent: Spent) -> None:
        self._live[session] = spent
        if self.ending is None and self._budget.share(self.spent()) >= 1:
            self.begin_no_more(self._exhausted())
            self._leaving.append(asyncio.ensure_future(self._leave(self._engine.stop)))

    def _exhausted(self) -> str:
        return f"the batch's budget of {self._budget.nearest(self.spent())} is spent"

    def _tell(self, session: str, **values: Any) -> None:
        row = self.rows[session] = self.rows[session].model_copy(update=values)
        self._news.put_nowait(row)
        if time.monotonic() - self._written >= _BETWEEN_WRITES:
            self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        rows = list(self.rows.values())
        write_index(self._folder, rows)
        write_file(self._folder / PAGE, summary_page(self._name, rows).encode("utf-8", "replace"))


def _standing(plan: PlannedSession, before: dict[str, BatchRow], journal: Journal, folder: Path) -> BatchRow:
    """Return a topic's row as it stands: done where index and journal say so, and its report is there."""
    held = before.get(plan.job.session)
    place = Path(plan.job.folder)
    first = BatchRow(
        n=plan.row.n, id=plan.row.name, session=plan.job.session, topic=plan.row.topic, status="waiting",
        folder=place.relative_to(folder).as_posix(), settings=plan.state,
    )  # fmt: skip
    try:
        state = journal.session(plan.job.session).state
    except SessionUnknown:
        return first
    if held is None:
        return first.model_copy(update={"status": "stopped"})
    there = state == "ended" and (place / "report.md").exists()
    status = held.status if there and held.status in {"ended", "failed"} else "stopped"
    return held.model_copy(update={"n": plan.row.n, "status": status, "folder": first.folder})
