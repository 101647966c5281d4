"""Taking turns at a host: few requests at once, a pause between, and a rest for hosts that do not answer.

Where processes share a database, all of them together are as polite to a host as one is.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from time import monotonic

from library.errors import FetchError
from library.web.fetch_settings import FetchSettings
from models.client import SHARED_TURNS, Shared

LONGEST_CRAWL_DELAY = 10.0
LONGEST_REST = 600.0
_AT_HOME = 8
"""Requests at once of an interface on a host that the user opened: their own search engine."""


@dataclass(slots=True)
class _Host:
    turns: asyncio.Semaphore
    next_start: float = 0.0
    """Before it nothing is asked: the host itself wants that."""
    next_page: float = 0.0
    """Before it no page is asked for: the usual pause."""
    failures: int = 0
    rests_until: float = 0.0
    why: str = ""
    delay: float = 0.0
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    wide: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_HOME))


class RateLimit:
    """Keeps each host's load low, and calls off requests to hosts that failed several times in a row."""

    def __init__(
        self,
        *,
        per_host: int = 2,
        pause: float = 0.5,
        rest_after: int = 3,
        rest_seconds: float = 60.0,
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set the pace; `now` and `sleep` are a clock that tests can step."""
        self._pause = pause
        self._rest_after = rest_after
        self._rest_seconds = rest_seconds
        self._now = now
        self._sleep = sleep
        self._per_host = per_host
        self._hosts: defaultdict[str, _Host] = defaultdict(lambda: _Host(asyncio.Semaphore(per_host)))

    @asynccontextmanager
    async def turn(self, host: str, *, paced: bool = True, own: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn at a host. Raises FetchError while the host rests.

        Args:
            host: Which one.
            paced: It keeps the usual pause to other pages; False for what is made to be asked by programs
                (an interface, robots.txt): it keeps only to what the host itself asks for.
            own: It is an interface on a host of the user's own, which stands more requests at once.
        """
        state = self._hosts[host]
        self._refuse_while_resting(host, state)
        async with state.wide if own else state.turns:
            # Who keeps to no pause does not queue behind those who wait for one.
            async with state.starting if paced or state.delay else nullcontext():
                wait = max(state.next_start, state.next_page if paced else 0.0) - self._now()
                if wait > 0:
                    await self._sleep(wait)
                state.next_start = self._now() + state.delay
                if paced:
                    state.next_page = self._now() + self._pause
            self._refuse_while_resting(host, state)
            shared = None if own else SHARED_TURNS.get()
            if shared is None:
                yield
                return
            pause = max(state.delay, self._pause if paced else 0.0)
            async with shared.turn(f"host {host}", self._per_host, pause) as rest:
                if rest:
                    self._rest(state, rest)
                    self._refuse_while_resting(host, state)
                yield

    def crawl_delay(self, host: str, seconds: float) -> None:
        """Keep to a pause that the host asks for, up to ten seconds."""
        state = self._hosts[host]
        state.delay = max(state.delay, min(seconds, LONGEST_CRAWL_DELAY))

    def answered(self, host: str) -> None:
        """Note that the host can be reached."""
        self._hosts[host].failures = 0

    def failed(self, host: str) -> None:
        """Note that the host could not be reached."""
        state = self._hosts[host]
        state.failures += 1
        if state.failures >= self._rest_after:
            state.rests_until = self._now() + self._rest_seconds
            state.why = "could not be reached several times"
            state.failures = self._rest_after - 1  # after its rest one more failure is enough

    def asked_to_wait(self, host: str, seconds: float) -> None:
        """Leave a host alone for as long as it asks, up to ten minutes."""
        self._rest(self._hosts[host], seconds)
        if shared := SHARED_TURNS.get():
            shared.rest(f"host {host}", min(seconds, LONGEST_REST))

    def _rest(self, state: _Host, seconds: float) -> None:
        state.rests_until = max(state.rests_until, self._now() + min(seconds, LONGEST_REST))
        state.why = "asked for fewer requests"

    def _refuse_while_resting(self, host: str, state: _Host) -> None:
        left = state.rests_until - self._now()
        if left > 0:
            raise FetchError(f"{host} {state.why}; it is left alone for {left:.0f} s")


_SHARED = Shared[RateLimit]()


def throttle_for(
    settings: FetchSettings, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
) -> RateLimit:
    """Return what keeps to these settings: one for all sessions of a process.

    Ten sessions at once are as polite to a host as one is.
    """
    pace = (settings.per_host, settings.pause, settings.rest_after, settings.rest_seconds)

    def made() -> RateLimit:
        per_host, pause, rest_after, rest_seconds = pace
        return RateLimit(
            per_host=per_host,
            pause=pause,
            rest_after=rest_after,
            rest_seconds=rest_seconds,
            now=now,
            sleep=sleep,
        )

    if (now, sleep) != (monotonic, asyncio.sleep):
        return made()  # a test's own clock
    try:
        shared = _SHARED.here()
    except RuntimeError:
        return made()  # outside of an event loop: nobody to share it with
    return shared.setdefault(str(pace), made())
