"""Requests to models that are under way: what they may cost counts before it is known."""

import asyncio
from collections.abc import Awaitable, Callable

from models import ModelError, OutputT, Reply, ReplyUnusable, Spent, Usage
from roundtable.session.context.spending import added, cost_of, most

Exhausted = Callable[[Spent], str | None]
"""Returns which limit what the journal counts and what is given reach; None while there is some left."""


class RequestsUnderWay:
    """Lets as many requests of a session go out at the same moment as its budget has room for."""

    def __init__(self) -> None:
        self._count = 0
        self._answered = Spent()
        """What the answers since `_journal_before` cost."""
        self._journal_before: Spent | None = None
        """What the journal counted before the first request."""
        self._largest = Spent(requests=1)
        """The most that one took so far of each means."""
        self._ended = asyncio.Event()

    async def send(
        self,
        request: Callable[[], Awaitable[Reply[OutputT]]],
        journalled: Callable[[], Spent],
        exhausted: Exhausted,
    ) -> Reply[OutputT]:
        """Send a request: at once if there is room beside those under way, else when one of them has ended.

        Args:
            request: Sends it, and returns what came.
            journalled: Returns what the journal counts now.
            exhausted: See `Exhausted`.

        Raises:
            ReplyUnusable: A budget is spent; nothing was sent.
        """
        if self._journal_before is None:
            self._journal_before = journalled()
        while True:
            waiting = self._not_journalled(journalled())
            if (limit := exhausted(waiting)) is not None:
                raise ReplyUnusable(f"the budget is spent: {limit}")
            if not self._count or exhausted(added(waiting, self._largest, self._count)) is None:
                break
            await self._ended.wait()
        self._count += 1
        usage: Usage | None = None
        try:
            reply = await request()
            usage = reply.usage
        except ModelError as error:
            usage = error.usage
            raise
        finally:
            self._end(usage)
        return reply

    def _end(self, usage: Usage | None) -> None:
        self._count -= 1
        if usage is not None:
            cost = cost_of([usage])
            self._answered = added(self._answered, cost)
            self._largest = most(self._largest, cost)
        self._ended.set()
        self._ended = asyncio.Event()

    def _not_journalled(self, journalled: Spent) -> Spent:
        """Return what answers cost that the journal does not count yet: they wait for those beside them."""
        whole = added(self._journal_before or Spent(), self._answered)
        return most(Spent(), added(whole, journalled, -1))
