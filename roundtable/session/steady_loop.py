"""Time as sessions count it: how long a process stood still is nobody's time.

Ctrl-Z, a frozen container or a debugger stop a process for minutes. When it goes on, every bound on time
would have passed at once: experts would lose their turns and requests their answers, which lie there already.
"""

import asyncio
import selectors
import sys
from collections.abc import Coroutine
from time import monotonic, thread_time
from typing import Any, TypeVar

_GLANCE, _LONGEST_DELAY = 1.0, 3.0
"""Seconds for which events are waited for at a time, and by how much a wait, or the work between two waits,
may take longer than it should: else the process stood still."""
_Result = TypeVar("_Result")


class _Watching(selectors.DefaultSelector):
    """Notices for how long the thread of its loop did not run though it could have."""

    stood = 0.0
    """Seconds in all."""

    def __init__(self) -> None:
        super().__init__()
        self._looked, self._worked = monotonic(), thread_time()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.work()
        most = None if timeout is None else min(timeout, _GLANCE)
        ready = super().select(most)
        self._notice(float("inf") if most is None else max(most, 0.0))
        return ready

    def work(self) -> None:
        """Look at the time that has passed in work, before anybody counts on from now."""
        self._notice(thread_time() - self._worked)

    def _notice(self, expected: float) -> None:
        """Take note where more time has passed since the last look than the seconds that are expected."""
        now = monotonic()
        if (late := now - self._looked - expected) > _LONGEST_DELAY:
            self.stood += late
        self._looked, self._worked = now, thread_time()


class SteadyLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while the process does."""

    def __init__(self) -> None:
        self._watching = _Watching()
        super().__init__(self._watching)

    def time(self) -> float:
        """Return seconds as `time.monotonic` does, without those in which the process stood still."""
        self._watching.work()
        return super().time() - self._watching.stood


def run_steadily(main: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine as `asyncio.run` does, on a loop whose clock stands still while the process does."""
    if sys.platform == "win32":  # programs are started by another kind of loop there
        return asyncio.run(main)
    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        return runner.run(main)
