"""Sessions that a server shows and steers while workers run them: it puts them into the queue."""

import asyncio
import contextlib
import json
import secrets
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mindmap import read_markdown
from roundtable.journal.storage.journal_store import Journal, SessionRow
from roundtable.session.factory import Runtime, create_session
from roundtable.session.session import Session
from roundtable.web.access.searchable import check_places
from roundtable.web.hosting.owners_quota import left_for, within_quota
from roundtable.web.hosting.session_manager import NotRunning, SessionAction, SessionManager
from roundtable.web.schemas import NewSession

if TYPE_CHECKING:
    from roundtable.journal.storage.queue.session_queue import SessionQueue


class QueuedSessions(SessionManager):
    """A session manager that hands sessions over; what is short it does itself: plans, reports, commands."""

    def __init__(self, around: Runtime, queue: "SessionQueue", *, named_documents_only: bool = False) -> None:
        """See `SessionManager`; `queue` is open."""
        super().__init__(around, named_documents_only=named_documents_only)
        self._queue = queue
        queued = self._journal.queued()
        assert queued is not None
        self._queued = queued
        self._handed: Counter[str] = Counter()
        """Sessions that are on their way into the queue."""

    async def begin(self, order: NewSession, identity: str | None = None) -> str:
        """Begin a session and hand it over; one that is to be planned first is planned here."""
        if order.plan:
            return await super().begin(order, identity)
        identity = identity or secrets.token_hex(4)
        settings = (await asyncio.to_thread(self.settled, order))[0]
        check_places(self._journal, self.home, identity, settings.docs)
        settings = within_quota(self._journal, settings, identity, {*self._hosted, *self._handed})
        outline = read_markdown(order.outline) if order.outline.strip() else None
        create = partial(create_session, order.topic, settings, session_id=identity, around=self._around)
        with self._handing(identity):
            await asyncio.to_thread(create, outline=outline, follows=order.follows or "")
            await self._queue.put(identity, {"wait": order.wait})
        self.on_news(identity)
        return identity

    async def resume(
        self,
        identity: str,
        turns: int | None = None,
        *,
        first: SessionAction | None = None,
        once_running: SessionAction | None = None,
    ) -> None:
        """Have a worker go on with a session; what is to be done first is done here.

        One that is to wait on for a person needs no worker until somebody says something: NotRunning.
        """
        if first is Session.wait_on and (await self.state(identity)).controls.standing_still:
            with self._journal.lock(identity):  # and with that nobody is held to run it
                raise NotRunning(f"session {identity} waits for a person")
        first = None if first is Session.wait_on else first
        if once_running is not None:  # it comes to its end
            await super().resume(identity, turns, first=first, once_running=once_running)
            return
        left_for(self._journal, identity, {*self._hosted, *self._handed})
        with self._handing(identity):
            await self._put(identity, turns, first)
        self.on_news(identity)

    async def _put(self, identity: str, turns: int | None, first: SessionAction | None) -> None:
        if first is not None:
            await self.do(identity, first)
        # What it waits for already is done all the same, unless a person says for how many turns.
        before = granted(self._journal, identity, turns) if turns is not None else 0
        work = {"turns": turns, "granted": before, "stood": stood_still(self._journal, identity)}
        await self._queue.put(identity, work, keep=turns is None)

    @contextlib.contextmanager
    def _handing(self, identity: str) -> Iterator[None]:
        """Count a session among those that run until the queue has it: two begun at once see each other."""
        self._handed[identity] += 1
        try:
            yield
        finally:
            self._handed[identity] -= 1
            self._handed = +self._handed

    def stands(self, row: SessionRow) -> dict[str, Any]:
        """Return how a session stands now; one that waits, for a worker or a person, counts as running."""
        stands = super().stands(row)
        held = self._queued.found([row.id]).get(row.id)
        if held is None or row.state == "running":
            return stands
        if held.outcome is None:
            return {**stands, "state": "running", "queued": True}
        outcome = json.loads(held.outcome)
        if outcome.get("waits") and row.state == "stopped":
            return {**stands, "state": "running"}
        return {**stands, "trouble": stands["trouble"] or outcome.get("error") or ""}


def granted(journal: Journal, session: str, turns: int) -> int:
    """Return how often a session went on for so many turns more."""
    told = journal.of_kinds(("session_resumed",), session)
    return sum(json.loads(event).get("turns") == turns for _, event in told)


def stood_still(journal: Journal, session: str) -> int:
    """Return how often a session came to wait for a person, or was told to."""
    waited = len(journal.of_kinds(("table_waits",), session))
    return waited + _commanded(journal, session).count("pause")


def mode_chosen(journal: Journal, session: str) -> bool:
    """Tell whether somebody has said already when the table is to wait: then nobody else says it for him."""
    return "mode" in _commanded(journal, session)


def _commanded(journal: Journal, session: str) -> list[str]:
    told = journal.of_kinds(("commanded",), session)
    return [json.loads(event)["command"]["do"] for _, event in told]
