"""The session manager in a thread of its own, and what a server asks of it.

Sessions work: they weigh words, place passages, lay out reports. Whoever watches, speaks or downloads must
not wait for that, so the server has one event loop and the session manager another, and they meet in two
places alone: what happened is read from the journal, each side with a connection of its own, and what a
person asks for is sent down and carried out on the session manager's loop.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from roundtable.config.home import journal_place
from roundtable.journal.events import SessionStarted
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal, SessionRow
from roundtable.journal.storage.people.accounts import Accounts
from roundtable.journal.storage.people.quotas import Quotas
from roundtable.journal.storage.people.sharing import Sharing
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.session.factory import Runtime
from roundtable.session.removal import delete_session
from roundtable.session.steady_loop import run_steadily
from roundtable.session.updating.watches import Watches, interval
from roundtable.web.hosting.fair_turns import LongWork
from roundtable.web.hosting.queued_sessions import QueuedSessions
from roundtable.web.hosting.session_manager import SessionManager
from roundtable.web.hosting.shared_sessions import SharedSessions
from roundtable.web.hosting.watch_keeping import keep_watch

ResultT = TypeVar("ResultT")
BATCH = 256
"""Events that are read at once: a listener that is far behind does not hold up the others."""
CLOSING = 1.0
"""Seconds that sessions have to be cut off cleanly; what they committed is in the journal anyway."""


class SessionThread:
    """The session manager as the server sees it. Made and used on the server's loop."""

    def __init__(
        self,
        around: Runtime,
        *,
        named_documents_only: bool = False,
        hand_over: bool = False,
        for_queue: bool = False,
    ) -> None:
        """Open the session manager.

        Args:
            around: What its sessions run in.
            named_documents_only: See `SessionManager`.
            hand_over: Sessions are put into the queue, for workers. The caller has seen that it is to be had.
            for_queue: It runs what is in the queue, and looks for nothing else to do.
        """
        self._around = around
        self._named_only, self._hand_over, self._for_queue = named_documents_only, hand_over, for_queue
        self._loop = asyncio.get_running_loop()
        self._journal = around.journal()
        self._changed: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        """Held by those who wait for news of a session."""
        self.long_work = LongWork()
        self.ending = asyncio.Event()
        """Set when the server ends: every stream ends with it."""
        opened = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(
            target=self._below, args=(opened,), name="sessions", daemon=True
        )
        self._thread.start()
        opened.wait()

    def _below(self, opened: threading.Event) -> None:
        """Run the session manager in this thread until it is closed."""

        async def running(closing: contextlib.AsyncExitStack) -> None:
            try:
                self._there = asyncio.get_running_loop()
                self._leave = asyncio.Event()
                self.manager = await self._managed(closing)
                self.manager.on_news = self._tell_above
                self.shared = SharedSessions(self.manager, self._around)
            finally:
                opened.set()
            work = [self.shared.keep_inbox()]
            work += [] if self._for_queue else [keep_watch(self.manager), self.shared.keep_rescuing()]
            at_work = [asyncio.create_task(each) for each in work]
            await self._leave.wait()
            for task in at_work:
                task.cancel()
            await self.manager.close()
            self.shared.close()

        async def closed() -> None:
            async with contextlib.AsyncExitStack() as closing:
                await running(closing)

        try:
            run_steadily(closed())
        finally:
            self._closed.set()

    async def _managed(self, closing: contextlib.AsyncExitStack) -> SessionManager:
        if not self._hand_over:
            return SessionManager(self._around, named_documents_only=self._named_only)
        place = journal_place(self._around.home, self._around.environment)
        queue = await closing.enter_async_context(session_queue(place))
        return QueuedSessions(self._around, queue, named_documents_only=self._named_only)

    @property
    def home(self) -> Path:
        """The folder that all is kept in."""
        return self._around.home

    @property
    def together(self) -> Path:
        """The folder of what several servers share beside the journal; see `Runtime.together`."""
        return self._around.together

    async def below(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Have something done on the session manager's loop; return what came of it, raise what it raises."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._there))

    async def perform(
        self, identity: str, name: str, given: Mapping[str, Any], *, person: str = "", own_file: bool = False
    ) -> None:
        """Do a person's command, in whatever process the session runs; see `SharedSessions.perform`."""
        doing = self.shared.perform(identity, name, given, person=person, own_file=own_file)
        await self.below(doing)

    async def look(self, identity: str, what: Callable[[State], ResultT]) -> ResultT:
        """Return what is seen of a session as it stands. Raises SessionUnknown, LibraryError."""

        async def looking() -> ResultT:
            return what(await self.manager.state(identity))

        return await self.below(looking())

    # What the journal and the seats say: read here, without waiting for anybody.

    def rows(self) -> list[SessionRow]:
        """Return all sessions, the newest first; one that waits for a worker counts as running."""
        rows = self._journal.sessions()
        queued = self._journal.queued() if self._hand_over else None
        waiting = queued.pending() if queued else set()
        return [
            replace(row, state="running") if row.id in waiting and row.state == "stopped" else row
            for row in rows
        ]

    def planned(self, row: SessionRow) -> bool:
        """Whether a session's panel is seated and nobody has let it begin."""
        begun = row.state != "stopped" or row.turns or row.sentences is not None
        return not begun and bool(self._journal.of_kinds(("panel_seated",), row.id))

    def new_journal(self) -> Journal:
        """Open the journal once more, for a thread of its own. Raises JournalError."""
        return self._around.journal()

    def row(self, identity: str) -> SessionRow:
        """Return one session. Raises SessionUnknown."""
        return self._journal.session(identity)

    def places_of(self, identity: str) -> list[str]:
        """Return the documents that a session was begun with. Raises SessionUnknown."""
        first = self._journal.read(identity, 0, 1)[0].event
        assert isinstance(first, SessionStarted)
        return first.docs

    def accounts(self) -> Accounts:
        """Return the people who may sign in; to be asked on the server's loop."""
        return self._journal.accounts()

    def quotas(self) -> Quotas:
        """Return what people may use; to be asked on the server's loop."""
        return self._journal.quotas()

    def sharing(self) -> Sharing:
        """Return what is whose; to be asked on the server's loop."""
        return self._journal.sharing(self._around.home)

    def rename(self, identity: str, name: str) -> None:
        """Give a session another name in lists. Raises SessionUnknown, JournalError."""
        self._journal.rename(identity, name)

    def watch(self, identity: str, every: str) -> None:
        """Bring a session up to date by itself so often; '' for no longer. Raises InputError."""
        watches = Watches(self.home)
        if every:
            watches.set(identity, interval(every), self._around.wall())
        else:
            watches.end(identity)
        self._tell(identity)

    def delete(self, identity: str) -> None:
        """Delete a session for good; see `delete_session`, also for what it raises."""
        delete_session(self._journal, self.home, self.together, identity)
        self._tell(identity)

    def running_here(self) -> set[str]:
        """Return the ids of the sessions that run in this server."""
        return self.manager.running_here()

    def standing(self, identity: str) -> dict[str, Any]:
        """Return how a session stands now; see `SessionManager.stands`. Raises SessionUnknown."""
        return self.manager.stands(self.row(identity))

    def texts(self, identity: str, after: int) -> list[tuple[int, str, str]]:
        """Return what was recorded after an event as it is kept: number, time, JSON."""
        return self._journal.texts(identity, after, BATCH)

    def writing(self, identity: str) -> dict[str, str]:
        """Return what speakers are writing at this moment; see `SessionManager.writing`."""
        return self.manager.writing(identity)

    async def news(self, identity: str, seconds: float) -> bool:
        """Wait until something is recorded, or the server ends; at most for so long. False: nothing was told.

        A session that another process runs tells nobody here: its journal is looked at each second.
        """
        waiting = self._changed.setdefault(identity, asyncio.Event())
        most = seconds if identity in self.manager.running_here() else min(seconds, 1.0)
        try:
            await asyncio.wait_for(waiting.wait(), most)
        except TimeoutError:
            return False
        return True

    def _tell_above(self, identity: str) -> None:
        with contextlib.suppress(RuntimeError):  # the server's loop has ended
            self._loop.call_soon_threadsafe(self._tell, identity)

    def _tell(self, identity: str) -> None:
        if event := self._changed.pop(identity, None):
            event.set()

    # The end

    def let_go(self) -> None:
        """End every stream."""
        self.ending.set()
        for identity in list(self._changed):
            self._tell(identity)

    async def close(self) -> None:
        """Cut every session off where it is; each can be resumed from its last event."""
        self.let_go()
        self.long_work.close()
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            self._there.call_soon_threadsafe(self._leave.set)
        await asyncio.to_thread(self._closed.wait, CLOSING + 0.5)
        self._journal.close()
