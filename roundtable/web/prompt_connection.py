"""Connections that are ended when nobody asks for anything: the server alone would wait for ever."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_SECONDS = 10.0
"""A connection without a whole request for so long, or for twice as long, is ended."""


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
