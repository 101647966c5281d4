"""How many requests are under way at one server at a time, from all sessions of a process together.

Sessions that run side by side ask the same provider: what a person set as the most in flight holds for all of
them, not for each.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

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


class Turns:
    """Turns at one server: who came first is served first."""

    def __init__(self) -> None:
        self._under_way = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def turn(self, most: int) -> AsyncIterator[None]:
        """Wait until fewer than `most` are under way; one's own counts until the end of the block."""
        await self._begin(most)
        try:
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
    return _SERVERS.here().setdefault(server, Turns())
