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
        self.session: Session | None = None
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

    def press(self, number: signal.Signals) -> None:
        """Do what one more press asks for."""
        self._presses += 1
        if self._presses > 2:
            os._exit(130)  # something hangs on its way out; what was committed is in the journal
        gently = number == signal.SIGINT and self._presses == 1 and self.session is not None
        if gently and self.session is not None:
            self._say("Stopping after this turn, then the report is written. Ctrl-C again stops at once.")
            self.session.stop()
        elif self._task is not None:
            self._presses = max(self._presses, 2)
            self._task.cancel()
