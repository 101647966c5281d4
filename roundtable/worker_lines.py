"""What a worker tells of its work, in lines: that it waits, which session it takes, what became of that."""

import asyncio
import time
from collections.abc import Callable

from roundtable.batch.batch_index import duration
from roundtable.batch.session_job import JobResult
from roundtable.output.clean import clean_line

_IDLE = 1.0
"""Seconds without a session before it is told that the worker waits for one."""


class WorkerLines:
    """Tells of sessions as they come and go; belongs to the loop on which the queue is worked on."""

    def __init__(self, say: Callable[[str], None] = lambda _line: None) -> None:
        """Tell nothing yet.

        Args:
            say: Writes a line; by default nothing is told.
        """
        self._say = say
        self._begun: dict[str, tuple[str, float]] = {}
        self._later: set[str] = set()

    def waiting_soon(self) -> None:
        """Tell that the worker waits, unless a session comes in a moment."""
        asyncio.get_running_loop().call_later(_IDLE, self._waiting)

    def _waiting(self) -> None:
        if not self._begun:
            self._say("waiting for sessions")

    def taken(self, session: str, topic: str) -> None:
        """Tell which session the worker takes; one that another process runs is told once, however often."""
        named = f"{clean_line(topic, 90)} ({session})" if topic else session
        self._begun[session] = named, time.monotonic()
        if session not in self._later:
            self._say(f"taken: {named}")

    def done(self, result: JobResult) -> None:
        """Tell what became of a session."""
        named, began = self._begun.pop(result.session)
        self._later.discard(result.session)
        came = "waits for a person" if result.waits else result.status
        why = f": {clean_line(result.error, 300)}" if result.error else ""
        self._say(f"{came} after {duration(time.monotonic() - began)}: {named}{why}")
        self.waiting_soon()

    def later(self, session: str, why: str) -> None:
        """Tell that a session cannot be gone on with now; it is looked at again, and told of once."""
        named, _ = self._begun.pop(session)
        if session not in self._later:
            self._say(f"later: {named}: {clean_line(why, 300)}")
            self.waiting_soon()
        self._later.add(session)

    def left(self, session: str) -> None:
        """Tell that a session is left where it is: the worker ends, or somebody takes the session away."""
        named, _ = self._begun.pop(session)
        self._later.discard(session)
        self._say(f"left where it is: {named}")
