"""One session as a piece of work that any process may be given, and be given again.

The journal knows how far it is: a session that it does not hold is begun, one that has ended has its files
written if they are not there, any other goes on from its last event.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Literal

from library import LibraryError, StoreError
from models import Frozen, ModelUnavailable, Spent, mask_secrets
from roundtable.config.config import recorded_settings
from roundtable.config.errors import ConfigError, InputError, RoundtableError, SessionLocked, SessionUnknown
from roundtable.journal.events import SessionStarted
from roundtable.journal.fold.state import State
from roundtable.output.closing_figures import unsearched
from roundtable.output.exports import report_as
from roundtable.output.last_files import write_unless_taken_over
from roundtable.output.outputs import claim_folder, usage_values, write_file, write_outputs
from roundtable.session.context.spending import spent
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.planning.invited_agents import read_invited
from roundtable.session.session import Session

_LOG = logging.getLogger(__name__)
_OF_NOW = ("models", "library", "agents")
"""Settings that a session goes on with as they are now: a server may have moved, a key's model be another."""
_PAUSE = 1.0
"""Seconds between two words of what a session has spent so far."""


class SessionJob(Frozen):
    """What a process is told of a session."""

    session: str
    """Its id."""
    topic: str
    folder: str
    """Where its files go; absolute."""
    settings: Mapping[str, Any]
    """All of them, nested; their places are settled."""
    experts: tuple[str, ...] = ()
    """Files with AutoGen agents."""
    files: bool = True
    """Write its files when it has ended; False: who gave the job writes them from the journal."""


class JobResult(Frozen):
    """What came of it."""

    session: str
    status: Literal["ended", "stopped", "failed"]
    """`stopped`: it can go on later, for instance when the model answers again."""
    error: str | None = None
    """One line; None when it ended as it should."""
    again: bool = False
    """Whether it may go better when tried again."""
    locked: bool = False
    """Whether another process runs it now."""
    waits: bool = False
    """Whether it waits for a person."""
    figures: Mapping[str, Any] = {}
    """Turns, sentences, sources and what was used, as the index of a batch shows them."""


class JobRunner:
    """Runs jobs in this process, several at a time."""

    def __init__(self, around: Runtime) -> None:
        self._around = around
        self._open: set[Session] = set()
        self._stopping = False

    def stop(self) -> None:
        """Have every session close its table and write its report, also those that are still being opened."""
        self._stopping = True
        for session in self._open:
            self._close_table(session)

    async def run(self, job: SessionJob, told: Callable[[Spent], None] = lambda _spent: None) -> JobResult:
        """Do a job; whatever goes wrong with it is in the result.

        Args:
            job: The session.
            told: Hears now and then what the session has spent so far.
        """
        try:
            return await self._conducted(job, told)
        except ModelUnavailable as failure:
            return _failed(job, failure, again=True, status="stopped")
        except (InputError, ConfigError) as failure:
            return _failed(job, failure, again=False)
        except LibraryError as failure:
            return _failed(job, failure, again=isinstance(failure, StoreError))
        except SessionLocked as failure:
            return _failed(job, failure, again=True, locked=True)
        except RoundtableError as failure:
            return _failed(job, failure, again=True)
        except Exception as failure:  # noqa: BLE001 - one session's trouble is not that of all others
            named = f"unexpected error, please report it: {type(failure).__name__}: {failure}"
            return _failed(job, RuntimeError(named), again=True)

    async def _conducted(self, job: SessionJob, told: Callable[[Spent], None]) -> JobResult:
        folder = claim_folder(Path(job.folder), job.session) if job.files else Path(job.folder)
        settings = recorded_settings(job.settings)
        experts = read_invited([Path(file) for file in job.experts], settings)
        begun = self._begun_with(job.session)
        if begun is not None:
            now = recorded_settings(begun, {room: job.settings[room] for room in _OF_NOW})
            session = await resume_session(job.session, now, around=self._around, experts=experts)
        else:
            session = await start_session(
                job.topic, settings, out=folder, session_id=job.session, around=self._around, experts=experts
            )
        async with AsyncExitStack() as closing:
            closing.push_async_callback(session.close)
            if job.files:
                writing = partial(write_job_files, session.state, folder)
                closing.callback(
                    write_unless_taken_over,
                    job.session, session.state, writing, self._around.journal, _LOG.warning,
                )  # fmt: skip
            if session.state.status != "ended":
                await self._followed(session, told)
            state = session.state
            if state.status != "ended":
                return JobResult(
                    session=job.session, status="stopped", error=state.reason, figures=figures(state)
                )
            why = unsearched(state)
            error = (
                f"{why}; the report is empty: `roundtable delete {job.session}` has it run anew"
                if why
                else None
            )
            return JobResult(
                session=job.session, status="failed" if why else "ended", error=error, figures=figures(state)
            )
        raise AssertionError  # the block above returns or raises

    def _begun_with(self, session: str) -> Mapping[str, Any] | None:
        """Return the settings that a session was started with, None when it was not."""
        with self._around.journal() as journal:
            try:
                [first] = journal.read(session, most=1)
            except SessionUnknown:
                return None
            assert isinstance(first.event, SessionStarted)
            return first.event.settings

    async def _followed(self, session: Session, told: Callable[[Spent], None]) -> None:
        """Run a session to its end, and tell what it spends."""
        self._open.add(session)
        if self._stopping:
            self._close_table(session)
        due = time.monotonic() + _PAUSE
        try:
            async with contextlib.aclosing(session.run()) as events:
                async for recorded in events:
                    if time.monotonic() >= due:
                        due = time.monotonic() + _PAUSE
                        told(spent(session.state, recorded.at))
        finally:
            self._open.discard(session)

    @staticmethod
    def _close_table(session: Session) -> None:
        if session.state.status == "running":
            session.stop()


def write_job_files(state: State, folder: Path) -> None:
    """Write what a batch leaves of a session: what `run` does, and the report as a page."""
    write_outputs(state, folder)
    if state.report is not None:
        write_file(folder / "report.html", report_as("html", state, "report").data)


def figures(state: State) -> dict[str, Any]:
    """Return what the index of a batch tells of a session."""
    used = usage_values(state)
    names = ("requests", "tokens", "cost", "searches", "pages", "seconds")
    told = {
        "turns": state.counted,
        **{name: used[name] for name in names},
        "models": ", ".join(used["models"]),
    }
    if state.report is not None:
        summary = state.report.summary
        told |= {name: getattr(summary, name) for name in ("sentences", "cited", "accuracy", "sources")}
    return told


def _failed(
    job: SessionJob,
    failure: Exception,
    *,
    again: bool,
    status: Literal["stopped", "failed"] = "failed",
    locked: bool = False,
) -> JobResult:
    line = mask_secrets(" ".join(str(failure).split()))[:500] or type(failure).__name__
    return JobResult(session=job.session, status=status, error=line, again=again, locked=locked)
