"""Holding those who work at the same time in step, so that what they do is journalled in one order."""

import asyncio
from collections.abc import Iterable


class CommitBarrier:
    """A barrier with an order, for speakers, and for whoever works behind their backs.

    A speaker who works at the same time as others is a member. A member does its waiting (a search, a model)
    whenever it likes, and arrives before it journals what came of it. When all members have arrived they are
    let through in the order in which they were named, each as far as its next wait. So the journal's order
    depends on the members' rounds and not on what came back first.

    Somebody else may work meanwhile: the follower. It holds no member up, and journals at two points alone:
    when all members stand still and wait for it, and when they are through. Between the two it waits.
    """

    def __init__(self) -> None:
        self._members: list[str] = []
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._still: dict[str, asyncio.Future[None]] = {}
        """Members that stand still until the follower lets them go on."""
        self._waited: dict[str, float] = {}
        self._since: dict[str, float] = {}
        """When those who wait began to."""
        self._follower: str | None = None
        self._following: asyncio.Future[None] | None = None
        """Where the follower waits."""
        self._released = True
        """Nobody needs to stand still: the follower has let go, or there is none."""

    def waited(self, member: str) -> float:
        """Return how many seconds a member has waited for others, with what it waits now."""
        since = self._since.get(member)
        now = 0.0 if since is None else asyncio.get_running_loop().time() - since
        return self._waited.get(member, 0.0) + now

    async def _wait(self, member: str, gate: "asyncio.Future[None]") -> None:
        """Wait at a gate, by the clock."""
        self._since[member] = asyncio.get_running_loop().time()
        try:
            await gate
        finally:
            self._waited[member] = self.waited(member)
            del self._since[member]

    def enter(self, members: Iterable[str]) -> None:
        """Name the members of what comes next, in order."""
        self._members = [*self._members, *(m for m in members if m not in self._members)]

    async def arrive(self, member: str) -> None:
        """Wait for the other members; somebody who is no member passes at once."""
        if member == self._follower:
            await self._follow()
        if member not in self._members:
            return
        gate = asyncio.get_running_loop().create_future()
        self._waiting[member] = gate
        self._open()
        try:
            await self._wait(member, gate)
        finally:
            if self._waiting.get(member) is gate:
                del self._waiting[member]

    def leave(self, member: str) -> None:
        """Take a member out: it is done, failed, or was cancelled."""
        self._still.pop(member, None)
        if member in self._members:
            self._members.remove(member)
            self._open()

    def _open(self) -> None:
        present = [m for m in self._members if m not in self._still]
        if self._members and not present:
            self._let_follow()
        if not present or any(m not in self._waiting for m in present):
            return
        gates = [self._waiting.pop(member) for member in present]
        # Not at once: whoever arrived last has yet to wait, and would run before those named before it.
        asyncio.get_running_loop().call_soon(_let_through, gates)

    # The follower

    def follow(self, follower: str) -> None:
        """Name who works while the members do."""
        self._follower, self._released = follower, False

    async def stand_still(self, member: str) -> None:
        """Wait, as a member, until the follower lets all go on; the other members are not held up."""
        if self._released or member not in self._members:
            return
        gate = asyncio.get_running_loop().create_future()
        self._still[member] = gate
        self._open()
        try:
            await self._wait(member, gate)
        finally:
            self._still.pop(member, None)

    def go_on(self) -> None:
        """Let those who stand still go on, in their order; from now on the follower waits for the end."""
        self._released = True
        gates = [self._still.pop(member) for member in self._members if member in self._still]
        _let_through(gates)

    def through(self) -> None:
        """Say that the members are through and all of theirs is journalled: the follower may do the rest."""
        self._follower, self._released = None, True
        self._let_follow()

    async def _follow(self) -> None:
        if not self._released and self._members and all(m in self._still for m in self._members):
            return
        self._following = asyncio.get_running_loop().create_future()
        try:
            await self._following
        finally:
            self._following = None

    def _let_follow(self) -> None:
        """Let the follower through, unless it has had its turn and the members are not through yet."""
        through = self._follower is None
        if self._following is not None and not self._following.done() and (through or not self._released):
            self._following.set_result(None)


def _let_through(gates: Iterable[asyncio.Future[None]]) -> None:
    for gate in gates:
        if not gate.done():
            gate.set_result(None)
