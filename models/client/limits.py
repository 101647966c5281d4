"""How many requests are under way at one server at a time, from all sessions of a process together.

Sessions that run side by side ask the same provider: what a person set as the most in flight holds for all of
them, not for each. Where processes share a database it holds for all of these, too.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol, TypeVar

ThingT = TypeVar("ThingT")


class Shared(dict[asyncio.AbstractEventLoop, dict[str, ThingT]]):
    """Things by name, shared by all that runs in one event loop; forgotten when it is closed."""

    def here(self) -> dict[str, ThingT]:
        """Return those of the running loop. Raises RuntimeError when none runs."""
        running = asyncio.get_running_loop()
        if running not in self:
            for loop in [loop for loop in self if loop.is_closed()]:
                del self[loop]
            self[running] = {}
        return self[running]


class SharedTurns(Protocol):
    """Turns at servers and hosts that several processes take together."""

    def turn(self, server: str, most: int, pause: float = 0.0) -> AbstractAsyncContextManager[float]:
        """Wait until fewer than `most` are under way in all processes, and for one's start.

        Args:
            server: What is asked, by a name that all processes know it by.
            most: Requests under way at a time.
            pause: Seconds between two starts; 0: none.

        Returns:
            Gives, on entering, the seconds for which the server is to be left alone, 0 or more.
        """

    def rest(self, server: str, seconds: float) -> None:
        """Tell all that a server is to be left alone for so long."""


SHARED_TURNS: ContextVar[SharedTurns | None] = ContextVar("shared_turns", default=None)
"""What the session at work here shares with other processes; None: nothing."""


class Turns:
    """Turns at one server: who came first is served first."""

    def __init__(self, server: str = "") -> None:
        self._server = server
        self._under_way = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def turn(self, most: int) -> AsyncIterator[None]:
        """Wait until fewer than `most` are under way; one's own counts until the end of the block."""
        await self._begin(most)
        shared = SHARED_TURNS.get() if self._server else None
        try:
            async with shared.turn(self._server, most) if shared else nullcontext():
                yield
        finally:
            self._end()

    async def _begin(self, most: int) -> None:
        if self._under_way < most and not self._waiting:
            self._under_way += 1
            return
        handed = asyncio.get_running_loop().create_future()
        self._waiting.append((most, handed))
        try:
            await handed
        except asyncio.CancelledError:
            if handed.done() and not handed.cancelled():
                self._end()  # the turn had come, and nobody is there to take it
            self._admit()  # who waited first may have asked for less than those behind
            raise

    def _end(self) -> None:
        self._under_way -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and (self._waiting[0][1].done() or self._under_way < self._waiting[0][0]):
            _, handed = self._waiting.popleft()
            if not handed.done():
                self._under_way += 1
                handed.set_result(None)


_SERVERS = Shared[Turns]()


def turns_at(server: str) -> Turns:
    """Return the turns at a server, the same for all sessions of this event loop."""
    return _SERVERS.here().setdefault(server, Turns(server))
