"""The sessions that run in this server, and what the journal knows of the others.

A session runs in a task of its own and needs nobody to watch it. Whoever watches reads the journal, from the
event after the last one seen: so a listener holds a number and no queue, a slow one costs nothing, and a
reload, a lost connection and a restart of the server are the same thing.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from library import LibraryError
from mindmap import read_markdown
from models import Event, ModelError, Models, ModelUnavailable
from reports import OutlineUnreadable, with_marks
from roundtable.config.config import Settings, recorded_settings
from roundtable.config.errors import InputError, JournalError, RoundtableError, SessionLocked
from roundtable.config.language_codes import check_language
from roundtable.journal.events import Recorded, SessionStarted
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.fork import fork
from roundtable.journal.storage.journal_store import SessionRow
from roundtable.output.exports import outline_of
from roundtable.output.outputs import claim_folder, write_outputs
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.planning.plan_editing import PlanEdit
from roundtable.session.session import Session
from roundtable.session.updating.watches import Watches, interval_text
from roundtable.web.access.searchable import (
    check_places,
    check_recorded_places,
    check_still_searchable,
)
from roundtable.web.hosting.hosted_session import HostedSession
from roundtable.web.hosting.indexing_heard import heard
from roundtable.web.hosting.outgoing import outgoing
from roundtable.web.hosting.owners_quota import bounded_by_quota, left_for, used_up, within_quota
from roundtable.web.hosting.remembered_texts import forget_texts
from roundtable.web.hosting.replayed_sessions import ReplayedSessions
from roundtable.web.hosting.settled_order import settled_order
from roundtable.web.schemas import NewSession, ReportOrder

_MOST_FAILURES = 200
"""Sessions of which it is known why they stopped here."""
SessionAction = Callable[[Session], object]
"""Something to do with a session: a command."""


def said_by(event: Event) -> str:
    """Return who spoke, or was to speak, in an event that ends a turn."""
    return str(getattr(getattr(event, "turn", None), "speaker", getattr(event, "speaker", "")))


class NotRunning(RoundtableError):
    """The command needs a session that runs in this server."""


class SessionManager:
    """All sessions of one home folder."""

    def __init__(self, around: Runtime, *, named_documents_only: bool = False) -> None:
        """Open the journal.

        Args:
            around: What the sessions run in.
            named_documents_only: New sessions may search named collections, not any folder of this machine.
        """
        self._around = around
        self.named_only = named_documents_only
        self._journal = around.journal()
        self._hosted: dict[str, HostedSession] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Held while a session at rest is open for one command; gone when nobody waits for it."""
        self._failures: dict[str, str] = {}
        self._replayed = ReplayedSessions(around)
        self.on_news: Callable[[str], None] = lambda _identity: None
        """Called with a session's id when there is news of it."""

    @property
    def home(self) -> Path:
        """The folder that all is kept in."""
        return self._around.home

    # What there is

    def rows(self) -> list[SessionRow]:
        """Return all sessions, the newest first."""
        return self._journal.sessions()

    def row(self, identity: str) -> SessionRow:
        """Return one session. Raises SessionUnknown."""
        return self._journal.session(identity)

    def watched(self) -> dict[str, str]:
        """Return how often sessions are brought up to date, by id: `1d`. Raises JournalError."""
        return {one.session: interval_text(one.every) for one in Watches(self.home).all()}

    def stands(self, row: SessionRow) -> dict[str, Any]:
        """Return how a session stands now: what no event says, because it is of this server or of a crash."""
        here = row.id in self._hosted
        trouble = "" if here else self._failures.get(row.id, "")
        indexing = self._hosted[row.id].indexing if here else {}
        watched = ""
        try:
            watched = self.watched().get(row.id, "")
        except JournalError as failure:  # the session itself can be read all the same
            trouble = trouble or str(failure)
        # A process that shares no database with this one takes no commands from here.
        watch_only = row.state == "running" and not here and not self._journal.is_shared
        stands = {"name": row.topic, "state": row.state, "here": here, "trouble": trouble}
        return {**stands, "indexing": indexing, "watched": watched, "watch_only": watch_only}

    def writing(self, identity: str) -> dict[str, str]:
        """Return what speakers are writing at this moment, by speaker: never journalled, and soon gone."""
        hosted = self._hosted.get(identity)
        return dict(hosted.writing) if hosted else {}

    async def state(self, identity: str) -> State:
        """Return a session as it stands, to be read only. Raises SessionUnknown, LibraryError."""
        hosted = self._hosted.get(identity)
        if hosted and hosted.session:
            return hosted.session.state
        return await self.at_rest(identity)

    async def at_rest(self, identity: str) -> State:
        """Return a session's state as a thread may read it: one that no event changes meanwhile."""
        return await self._replayed.at_rest(identity)

    # Sessions

    async def begin(self, order: NewSession, identity: str | None = None) -> str:
        """Begin a session; return its id, the one given or any, once its first event is committed.

        Raises:
            InputError, ConfigError, LibraryError, ModelUnavailable: what was ordered cannot be done.
        """
        fresh = identity or secrets.token_hex(4)
        settings = (await asyncio.to_thread(self.settled, order))[0]
        check_places(self._journal, self.home, fresh, settings.docs)
        settings = within_quota(self._journal, settings, fresh, self._hosted)
        outline = read_markdown(order.outline) if order.outline.strip() else None

        async def opening() -> Session:
            around = self._heard(fresh)
            return await start_session(
                order.topic, settings, session_id=fresh, around=around, outline=outline,
                follows=order.follows or "",
            )  # fmt: skip

        def waiting(session: Session) -> None:
            session.do("/mode wait")

        self._host(fresh, opening, turns=None, first=waiting if order.wait else None, planned=order.plan)
        await asyncio.sleep(0)  # its first event is committed before it waits for anything
        if trouble := self._failures.get(fresh):
            raise InputError(trouble)
        return fresh

    async def outgoing(self, order: NewSession) -> dict[str, Any]:
        """Return what would leave this machine with an order; raises as `begin` does."""
        return outgoing(*await asyncio.to_thread(self.settled, order))

    def settled(self, order: NewSession) -> tuple[Settings, Models | None]:
        """Return an order's settings and models; see `settled_order`."""
        return settled_order(order, self._around, named_only=self.named_only)

    def wall(self) -> datetime:
        """Return what time it is for who watches sessions."""
        return self._around.wall()

    async def resume(
        self,
        identity: str,
        turns: int | None = None,
        *,
        first: SessionAction | None = None,
        once_running: SessionAction | None = None,
    ) -> None:
        """Go on with a session here; what went wrong in opening it is raised.

        Args:
            identity: Its id.
            turns: Go on for so many turns more, also when it has ended; None: to its own limit.
            first: Done with the session before it goes on.
            once_running: Done with it as soon as it goes on.

        Raises:
            NotRunning: it runs here already.
            SessionLocked: another process runs it.
            InputError: it cannot be opened; the message says why.
        """
        if await self.is_here(identity):
            raise NotRunning(f"session {identity} is running already")
        if once_running is None:  # else it only comes to its end
            left_for(self._journal, identity, self._hosted)

        opening = partial(self._reopened, identity)
        hosted = self._host(identity, opening, turns=turns, first=first, once_running=once_running)
        await hosted.opened.wait()
        if hosted.locked is not None:
            raise hosted.locked
        if hosted.session is None and (trouble := self._failures.get(identity)):
            raise InputError(trouble)

    async def wait_for(self, identity: str) -> str | None:
        """Return when a session does not run here any more, and what went wrong with it; None: nothing.

        It is cut off with whoever waits so.
        """
        hosted = self._hosted.get(identity)
        if hosted is not None and hosted.task is not None:
            await hosted.task
        return self._failures.get(identity)

    async def do(self, identity: str, command: SessionAction) -> object:
        """Do something with a session; one that does not run here is opened for it, and closed again.

        Raises:
            Whatever the command raises; SessionLocked when another process runs it.
        """
        hosted = self._hosted.get(identity)
        try:
            if hosted is not None:
                await hosted.opened.wait()
                if hosted.session is None:
                    raise NotRunning(self._failures.get(identity, f"session {identity} has stopped"))
                return command(hosted.session)
            return await self._once_opened(identity, command)
        finally:
            self.on_news(identity)

    async def _once_opened(self, identity: str, command: SessionAction) -> object:
        """Do something with a session at rest; who asks for something else meanwhile waits for its turn."""
        async with self._opening.setdefault(identity, asyncio.Lock()):
            hosted = self._hosted.get(identity)
            if hosted is not None and hosted.session is not None:
                return command(hosted.session)
            session = await self._resumed(identity, self._around)
            try:
                return command(session)
            finally:
                await session.close()

    def _heard(self, identity: str) -> Runtime:
        return heard(self._around, identity, self._hosted, self.on_news)

    async def _reopened(self, identity: str) -> Session:
        async with self._opening.setdefault(identity, asyncio.Lock()):
            return await self._resumed(identity, self._heard(identity))

    async def _resumed(self, identity: str, around: Runtime) -> Session:
        """Open a session, if its owner may still search where it does."""
        if around.library is None:
            check_recorded_places(self._journal, self.home, identity)
        bounded = bounded_by_quota(self._journal, identity)
        return await resume_session(identity, around=around, bounded=bounded)

    async def rested(self, identity: str) -> None:
        """Return when a session does not run here any more; it goes on when whoever waits is cut off."""
        hosted = self._hosted.get(identity)
        if hosted is not None and hosted.task is not None:
            await asyncio.wait([hosted.task])

    def stands_still(self, identity: str) -> bool:
        """Tell whether a session that runs here waits for a person."""
        hosted = self._hosted.get(identity)
        return bool(hosted and hosted.session and hosted.session.state.controls.standing_still)

    async def is_here(self, identity: str) -> bool:
        """Tell whether a session runs in this server; one that is being closed is waited for."""
        hosted = self._hosted.get(identity)
        if hosted is not None and hosted.leaving:
            await self.rested(identity)
        return identity in self._hosted

    def running_here(self) -> set[str]:
        """Return the ids of the sessions that run in this server."""
        return set(self._hosted)

    def _host(
        self,
        identity: str,
        opening: Callable[[], Awaitable[Session]],
        *,
        turns: int | None,
        first: SessionAction | None = None,
        once_running: SessionAction | None = None,
        planned: bool = False,
        work: Callable[[Session], Awaitable[None]] | None = None,
    ) -> HostedSession:
        hosted = self._hosted[identity] = HostedSession()
        self._failures.pop(identity, None)
        work = work or (self._plan if planned else partial(self._talk, identity, turns, once_running))
        hosted.task = asyncio.create_task(self._run(identity, hosted, opening, first, work))
        return hosted

    async def _run(
        self,
        identity: str,
        hosted: HostedSession,
        opening: Callable[[], Awaitable[Session]],
        first: SessionAction | None,
        work: Callable[[Session], Awaitable[None]],
    ) -> None:
        try:
            session = await opening()
            try:
                if first is not None:
                    first(session)
                if self._around.library is None:
                    session.before_turns(partial(check_still_searchable, self._journal, self.home, identity))
                session.before_requests(partial(used_up, self._journal, identity))
                session.watch(partial(self._written, identity, hosted))
                session.hear(partial(self._happened, identity, hosted))
                hosted.session, hosted.indexing = session, {}
                hosted.opened.set()
                await work(session)
            finally:
                hosted.leaving = True
                await session.close()
        except ModelUnavailable as failure:
            self._failures[identity] = str(failure)  # and SessionStopped has it
        except SessionLocked as failure:
            hosted.locked, self._failures[identity] = failure, str(failure)
        except (RoundtableError, ModelError, LibraryError, ValueError) as failure:
            self._failures[identity] = str(failure)
        except Exception as failure:
            logging.getLogger(__name__).exception("session %s ended by an unexpected error", identity)
            self._failures[identity] = f"unexpected error: {type(failure).__name__}: {failure}"
        finally:
            self._hosted.pop(identity, None)
            if not self._hosted:
                forget_texts()
            while len(self._failures) > _MOST_FAILURES:
                self._failures.pop(next(iter(self._failures)))
            hosted.opened.set()
            self.on_news(identity)

    async def _talk(
        self, identity: str, turns: int | None, once_running: SessionAction | None, session: Session
    ) -> None:
        going = True
        while going:
            await self._run_on(session, turns, once_running)
            await asyncio.to_thread(self._write_files, identity)
            # Somebody may have spoken while the files were written.
            turns, once_running, going = None, None, session.state.status == "running"

    async def _run_on(self, session: Session, turns: int | None, once_running: SessionAction | None) -> None:
        async with contextlib.aclosing(session.run(turns)) as events:
            async for _ in events:
                if once_running is not None:
                    once_running(session)
                    once_running = None

    async def _plan(self, session: Session) -> None:
        await session.plan()
        session.leave_planned()

    def _happened(self, identity: str, hosted: HostedSession, recorded: Recorded) -> None:
        if recorded.event.kind in {"turn_taken", "turn_failed"}:
            hosted.writing.pop(said_by(recorded.event), None)
        self.on_news(identity)

    def _written(self, identity: str, hosted: HostedSession, speaker: str, said: str) -> None:
        if said:
            hosted.writing[speaker] = said
        else:
            hosted.writing.pop(speaker, None)
        self.on_news(identity)

    async def update(self, identity: str) -> None:
        """Look a session's sources up again here, and go on with what is new.

        Raises:
            NotRunning: the session is at work.
            SessionUnknown: there is none.
        """
        hosted = self._hosted.get(identity)
        if hosted and hosted.task and hosted.session and hosted.session.state.status == "ended":
            await asyncio.wait([hosted.task], timeout=10.0)  # its files are being written
        if await self.is_here(identity):
            raise NotRunning(f"session {identity} is running already")
        left_for(self._journal, self.row(identity).id, self._hosted)
        Watches(self.home).looked(identity, self._around.wall())

        async def look(session: Session) -> None:
            before = session.state.report
            async with contextlib.aclosing(session.update()) as events:
                async for _ in events:
                    pass
            if session.state.report is not before:
                await asyncio.to_thread(self._write_files, identity)

        self._host(identity, partial(self._reopened, identity), turns=None, work=look)

    async def write_report(self, identity: str, order: ReportOrder) -> None:
        """Write a session's report again, and wait until it is written.

        Raises:
            InputError: it cannot be written so, or by this model; the message says why.
            NotRunning: the session is at work.
            SessionLocked: another process runs it.
        """
        if await self.is_here(identity):
            raise NotRunning(f"session {identity} is at work; its report is written at its end")
        if order.language:
            check_language(order.language, "language")
        left_for(self._journal, identity, self._hosted)
        events = self._journal.read(identity, 0, 1)
        assert isinstance(events[0].event, SessionStarted)
        settings = recorded_settings(events[0].event.settings, {"reports": order.settings()})

        async def write(session: Session) -> None:
            try:
                outline = with_marks(order.outline, outline_of(session.state)) if order.outline else None
                await session.write_again(settings.reports, outline)
            except OutlineUnreadable as failure:
                raise InputError(str(failure)) from failure
            await asyncio.to_thread(self._write_files, identity)

        hosted = self._host(identity, partial(self._reopened, identity), turns=None, work=write)
        assert hosted.task is not None
        await asyncio.shield(hosted.task)
        if trouble := self._failures.pop(identity, None):
            raise InputError(trouble)

    async def fork(self, identity: str, turn: int, fresh: str | None = None) -> str:
        """Begin another session as one was after a turn; return its id. Raises InputError, SessionUnknown."""
        return fork(self._journal, identity, turn, fresh)

    async def begin_planned(self, identity: str, wanted: PlanEdit) -> None:
        """Begin a session with its plan as a person wants it.

        Raises:
            InputError: it cannot begin so, or has begun already.
            SessionLocked: another process runs it.
        """
        if await self.is_here(identity):
            raise NotRunning(f"session {identity} is running already")
        await self.do(identity, lambda session: session.edit_plan(wanted))
        await self.resume(identity)

    def _write_files(self, identity: str) -> None:
        """Write the files of a session that was begun with a folder for them; the page needs none."""
        with self._around.journal() as journal:
            first = journal.read(identity, 0, 1)[0].event
        assert isinstance(first, SessionStarted)
        if first.out:
            write_outputs(self._replayed.replay(identity), claim_folder(Path(first.out), identity))

    async def close(self) -> None:
        """Cut every session off where it is; each can be resumed from its last event."""
        tasks = [hosted.task for hosted in self._hosted.values() if hosted.task]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1.0)
        self._journal.close()
