"""Connections that are ended when nobody asks for anything: the server alone would wait for ever.

It would also take in any number of them, each a file that is open, until the sessions at work can open none.
"""

import asyncio
import contextlib
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_SECONDS = 10.0
"""A connection without a whole request for so long, or for twice as long, is ended."""
_OWN_FILES = 256
"""Files that the sessions at work open, and those who come at the same moment. Of the others that the system
grants three quarters are for those who are served, the rest for those who are told to come later; who comes
when these are open too is ended unheard."""


def connections_served(most: int, files: int) -> int:
    """Return how many connections are served at a time: `most`, or fewer where few files may be open."""
    return min(most, max(16, (files - _OWN_FILES) * 3 // 4))


def files_granted(wanted: int) -> int:
    """Have the system grant this process more open files, as far as it may be; return how many it grants."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if more > soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            return more
    return soft


class PromptConnection(H11Protocol):
    """One connection; whoever opens many and sends half a request on each does not keep others out."""

    _due: asyncio.TimerHandle
    _before: RequestResponseCycle | None
    """The exchange that was the last one, and over, when it was looked at before; None: there was none."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at it now and then."""
        super().connection_made(transport)
        self._before = None
        self._due = self.loop.call_later(HEAD_SECONDS, self._look)
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files != resource.RLIM_INFINITY and len(self.connections) > max(files - _OWN_FILES, 32):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._due.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        waits = self.cycle is None or self.cycle.response_complete
        if waits and self.cycle is self._before:
            self.transport.close()
            return
        self._before = self.cycle
        self._due = self.loop.call_later(HEAD_SECONDS, self._look)
