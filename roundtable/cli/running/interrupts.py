"""Ctrl-C while a session runs: once to stop well, twice to stop at once, a third time to leave."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from roundtable.session.session import Session


class Interrupts:
    """Counts how often a person pressed Ctrl-C, and does what that asks for."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._session: Session | None = None
        self._say = say
        self._presses = 0
        self._task: asyncio.Task[object] | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Listen for as long as the block runs; a second press cancels the task that runs it."""
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.press, number)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    def opened(self, session: Session) -> None:
        """Tell what is to be stopped; where that was asked for while it was being opened, it is now."""
        self._session = session
        if self._presses:
            session.stop()

    def press(self, number: signal.Signals) -> None:
        """Do what one more press asks for."""
        self._presses += 1
        if self._presses > 2:
            os._exit(130)  # something hangs on its way out; what was committed is in the journal
        if number == signal.SIGINT and self._presses == 1:
            self._say(f"{self._stop_well()} Ctrl-C again stops at once.")
        elif self._task is not None:
            self._presses = max(self._presses, 2)
            self._task.cancel()

    def _stop_well(self) -> str:
        """Have the session end with its report; return what comes now."""
        if self._session is None:
            return "Stopping when all is open; the report is written from what is found then."
        if self._session.state.status == "ended":
            return "The report is written."  # a stop would have it written again
        self._session.stop()
        return "Stopping after this turn, then the report is written."
