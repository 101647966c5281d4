"""Turns at what takes long: few at a time, of one account fewer, so that nobody keeps the others waiting."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from roundtable.config.errors import InputError

_Given = ParamSpec("_Given")
ResultT = TypeVar("ResultT")
_THREADS, _THREADS_OF_ONE = 4, 2
_MOST_WAITING_OF_ONE = 10


class FairTurns:
    """Work of which a few pieces are done at a time; used on one loop."""

    def __init__(self, at_once: int, of_one: int) -> None:
        """Say how many: in all, and of one account."""
        self._all = asyncio.Semaphore(at_once)
        self._of_one = of_one
        self._own: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        """Wait for a turn, and hold it; `whose`: an account's id, empty where there are no accounts."""
        if not whose:
            async with self._all:
                yield
            return
        # First one's own: who waits for that keeps no place among all.
        async with self._own.setdefault(whose, asyncio.Semaphore(self._of_one)), self._all:
            yield


class WaitingWork:
    """Counts what is made or waits, in all and by account."""

    def __init__(self, most: int) -> None:
        """Say how many pieces there may be."""
        self._most = most
        self._of: Counter[str] = Counter()

    def check(self, whose: str) -> None:
        """Raise InputError where one more would be too much; `whose`: an account's id, or empty."""
        limits = [(self._of.total(), self._most)]
        if whose:
            limits.append((self._of[whose], _MOST_WAITING_OF_ONE))
        for waiting, most in limits:
            if waiting >= most:
                raise InputError(f"{most} of these are made or wait already; try again when some are done")

    def add(self, whose: str) -> None:
        """Count a piece of work that waits from now on."""
        self._of[whose] += 1

    def done(self, whose: str) -> None:
        """Count it no longer."""
        self._of[whose] -= 1
        self._of = +self._of


class LongWork:
    """What people wait for and nobody knows how long: checks of reports, files to be made, searches.

    It has threads of its own: those of the server's loop answer whatever is short, and whether it is well.
    """

    def __init__(self) -> None:
        """Begin none of the threads yet."""
        self._turns = FairTurns(_THREADS, _THREADS_OF_ONE)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="long-work")

    async def done(
        self, whose: str, work: Callable[_Given, ResultT], *given: _Given.args, **named: _Given.kwargs
    ) -> ResultT:
        """Do something in a thread when it is the account's turn; return what came of it."""
        async with self._turns.turn(whose):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, lambda: work(*given, **named))

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
