"""Holding those who work at the same time in step, so that what they do is journalled in one order."""

import asyncio
from collections.abc import Iterable


class Turnstile:
    """A barrier with an order.

    Whoever works at the same time is a member. A member does its waiting (a search, a model) whenever it
    likes, and arrives before it journals what came of it. When all members have arrived they are let through
    in the order in which they were named, each as far as its next wait. So the journal's order depends on the
    members' rounds and not on what came back first.
    """

    def __init__(self) -> None:
        self._members: list[str] = []
        self._waiting: dict[str, asyncio.Future[None]] = {}

    def enter(self, members: Iterable[str]) -> None:
        """Name the members of what comes next, in order."""
        self._members = [*self._members, *(m for m in members if m not in self._members)]

    async def arrive(self, member: str) -> None:
        """Wait for the other members; somebody who is no member passes at once."""
        if member not in self._members:
            return
        gate = asyncio.get_running_loop().create_future()
        self._waiting[member] = gate
        self._open()
        try:
            await gate
        finally:
            if self._waiting.get(member) is gate:
                del self._waiting[member]

    def leave(self, member: str) -> None:
        """Take a member out: it is done, failed, or was cancelled."""
        if member in self._members:
            self._members.remove(member)
            self._open()

    def _open(self) -> None:
        if not self._members or any(m not in self._waiting for m in self._members):
            return
        for member in self._members:
            gate = self._waiting.pop(member)
            if not gate.done():
                gate.set_result(None)
