"""Sessions that several processes share: commands go to who runs a session; what a dead process ran goes on.

Each process looks into the inbox for the sessions that it runs, and now and then for sessions whose process
has died. A session is taken up by whoever locks it first. What the page shows of it comes from the journal.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from library import LibraryError
from models import ModelError
from roundtable.config.errors import RoundtableError, SessionLocked
from roundtable.journal.storage.command_inbox import CommandInbox, CommandOutcome, SentCommand
from roundtable.session.factory import Runtime
from roundtable.session.session import Session
from roundtable.web.hosting.session_commands import Conflict, command_for, perform
from roundtable.web.hosting.session_manager import NotRunning, SessionManager

_LOOK = 0.25
"""Seconds between two looks into the inbox."""
_RESCUE = 3.0
"""Seconds between two looks for sessions whose process has died."""
_ANSWERED = 15.0
"""Seconds after which a command that nobody took is taken back."""
_MOST_ATTEMPTS = 3
"""Times that this process takes a session up; one that kills whoever runs it is left then."""
_ERRORS: Mapping[str, type[RoundtableError]] = {"Conflict": Conflict, "NotRunning": NotRunning}


class SharedSessions:
    """What one process does for the sessions of all."""

    def __init__(self, manager: SessionManager, around: Runtime) -> None:
        """Open a journal of its own. Made and used on the session manager's loop."""
        self._manager = manager
        self._journal = around.journal()
        self._inbox: CommandInbox | None = self._journal.inbox()
        self._attempts: Counter[str] = Counter()
        self.taken_up = 0
        """Sessions of dead processes that went on here."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may run sessions of the same journal."""
        return self._inbox is not None

    async def perform(
        self, identity: str, name: str, given: Mapping[str, Any], *, person: str = "", own_file: bool = False
    ) -> None:
        """Do a command here, or have the process that runs the session do it; see `session_commands.perform`.

        Raises:
            NotRunning: nobody took it; and what `session_commands.perform` raises.
        """
        if self._inbox is None or await self._manager.is_here(identity) or not self._is_elsewhere(identity):
            await perform(self._manager, identity, name, given, person=person, own_file=own_file)
            return
        command_for(self._manager, name, given, own_file=own_file)  # who runs it may allow more
        number = self._inbox.send(
            identity, {**given, "command": name, "person": person, "own_file": own_file}
        )
        due = asyncio.get_running_loop().time() + _ANSWERED
        while (outcome := self._inbox.outcome(number)) is None:
            if asyncio.get_running_loop().time() > due and self._inbox.take_back(number):
                raise NotRunning(f"the process that runs session {identity} does not answer; try again")
            await asyncio.sleep(_LOOK / 2)
        if outcome.trouble:
            raise _ERRORS.get(outcome.kind, RoundtableError)(outcome.trouble)

    def _is_elsewhere(self, identity: str) -> bool:
        return self._journal.session(identity).state == "running"

    async def keep_inbox(self) -> None:
        """Do what is asked of sessions that run here, until it is cancelled."""
        while self._inbox is not None:
            try:
                for sent in self._inbox.waiting(sorted(self._manager.running_here())):
                    await self._do(self._inbox, sent)
            except RoundtableError as failure:  # the database is away; perhaps it comes back
                logging.getLogger(__name__).warning("commands to sessions: %s", failure)
                await asyncio.sleep(_RESCUE)
            await asyncio.sleep(_LOOK)

    async def _do(self, inbox: CommandInbox, sent: SentCommand) -> None:
        given = dict(sent.values)
        name, own_file = str(given.pop("command", "")), bool(given.pop("own_file", False))
        person = str(given.pop("person", ""))
        outcome = CommandOutcome()
        try:
            await perform(self._manager, sent.session, name, given, person=person, own_file=own_file)
        except (RoundtableError, LibraryError, ModelError, ValueError) as failure:
            outcome = CommandOutcome(trouble=str(failure), kind=type(failure).__name__)
        except Exception as failure:
            logging.getLogger(__name__).exception("session %s: a command failed", sent.session)
            told = f"unexpected error: {type(failure).__name__}: {failure}"
            outcome = CommandOutcome(trouble=told, kind=type(failure).__name__)
        inbox.answer(sent.id, outcome)

    async def keep_rescuing(self) -> None:
        """Go on with sessions whose process has died, until it is cancelled."""
        while self.is_shared:
            try:
                abandoned = self._journal.abandoned()
                queued = self._journal.queued()
                waiting = queued.pending() if queued and abandoned else set()
                for identity in abandoned:
                    if identity not in waiting:  # else it is for the workers
                        await self._take_up(identity)
            except RoundtableError as failure:
                logging.getLogger(__name__).warning("sessions of dead processes: %s", failure)
            await asyncio.sleep(_RESCUE)

    async def _take_up(self, identity: str) -> None:
        if self._attempts[identity] >= _MOST_ATTEMPTS or await self._manager.is_here(identity):
            return
        try:
            await self._manager.resume(identity, first=Session.wait_on)
        except (SessionLocked, NotRunning):
            return  # another process was faster, or it needs none
        except (RoundtableError, LibraryError, ModelError) as failure:
            self._attempts[identity] = _MOST_ATTEMPTS
            logging.getLogger(__name__).warning("session %s cannot go on here: %s", identity, failure)
            return
        self._attempts[identity] += 1
        self.taken_up += 1

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()
