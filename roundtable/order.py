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
        self._apart: set[str] = set()

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

    def step_aside(self, member: str) -> None:
        """Let the others go on without a member that waits for one of them; it keeps its place."""
        self._apart.add(member)
        self._open()

    def step_in(self, member: str) -> None:
        """Take a member that stood aside back in."""
        self._apart.discard(member)

    def leave(self, member: str) -> None:
        """Take a member out: it is done, failed, or was cancelled."""
        self._apart.discard(member)
        if member in self._members:
            self._members.remove(member)
            self._open()

    def _open(self) -> None:
        present = [m for m in self._members if m not in self._apart]
        if not present or any(m not in self._waiting for m in present):
            return
        gates = [self._waiting.pop(member) for member in present]
        # Not at once: whoever arrived last has yet to wait, and would run before those named before it.
        asyncio.get_running_loop().call_soon(_let_through, gates)


def _let_through(gates: Iterable[asyncio.Future[None]]) -> None:
    for gate in gates:
        if not gate.done():
            gate.set_result(None)
