"""Work on a loop and in a thread of its own: the loop that answers goes on, whatever its steps take."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from models import Usage
from roundtable.session.steady_loop import run_steadily
from roundtable.session.texts.runtime import Spending

_Result = TypeVar("_Result")


async def run_apart(make: Callable[[], Coroutine[Any, Any, _Result]], name: str) -> _Result:
    """Do work in a thread of its own and return what came of it, or raise what it raised.

    Cancelled, it cancels the work and waits until that has ended; cancelled once more, no longer.

    Args:
        make: Begins the work, on its own loop.
        name: The thread's.
    """
    here, over = asyncio.get_running_loop(), asyncio.Event()
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[_Result]]] = Future()
    outcome: Future[_Result] = Future()

    async def working() -> _Result:
        task = asyncio.ensure_future(make())
        begun.set_result((asyncio.get_running_loop(), task))
        return await task

    def below() -> None:
        try:
            outcome.set_result(run_steadily(working()))
        except BaseException as failure:  # noqa: BLE001 - whoever waits is told
            outcome.set_exception(failure)
        begun.cancel()  # where no loop could be had for it
        with contextlib.suppress(RuntimeError):  # the loop above has ended
            here.call_soon_threadsafe(over.set)

    threading.Thread(target=below, name=name, daemon=True).start()
    try:
        await over.wait()
    except asyncio.CancelledError:
        there, task = await asyncio.wrap_future(begun)
        with contextlib.suppress(RuntimeError):  # it has ended meanwhile
            there.call_soon_threadsafe(task.cancel)
        await over.wait()
        raise
    return outcome.result()


@dataclass(frozen=True, slots=True)
class SpendingAbove:
    """What somebody spends, asked and told from another thread than that of the loop to which it belongs."""

    spending: Spending
    loop: asyncio.AbstractEventLoop

    def check(self) -> None:
        """Raise QuotaReached when nothing is left."""
        self._done(self.spending.check)

    def count(self, usage: Usage) -> None:
        """Count what one request used."""
        self._done(self.spending.count, usage)

    def _done(self, what: Callable[..., None], *given: object) -> None:
        async def doing() -> None:
            what(*given)

        asyncio.run_coroutine_threadsafe(doing(), self.loop).result()
