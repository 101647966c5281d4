"""Fetching pages: http and https only, public hosts only, bounded in every direction, honest about who asks.

What may be connected to is decided in `addresses.py` and held by `transport.py`; `exchange.py` asks once.
This module adds what a polite reader keeps to: redirects followed by hand, robots.txt, turns at a host, a
limit of time, and a cache on disk. Every failure is a `FetchError` whose message is one line.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

import httpx2

from library.errors import FetchError
from library.web import robots
from library.web.fetch_settings import FetchSettings
from library.web.guarded_transport import GuardedTransport, Resolve, resolve
from library.web.http_request import PRODUCT, Exchange, StatusError, UnreachableError
from library.web.media_types import PAGES
from library.web.page_cache import Kept, PageCache
from library.web.rate_limit import throttle_for
from library.web.url_policy import Target, target

_PASSING = (429, 502, 503, 504)
_LONGEST_WAIT = 5.0
"""Seconds that a server's Retry-After is waited for, at most."""
_ROBOTS_KEPT = 86_400.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came."""

    url: str
    """Where it was found in the end, after redirects."""
    asked: str
    """The url that was asked for."""
    data: bytes
    media_type: str
    """In lower case, without parameters."""
    charset: str | None
    """As the server named it; None when it did not."""
    retrieved: str
    """ISO 8601, UTC: when the server last said that this is the page."""
    cached: bool = False
    """Taken from disk, without asking or because it had not changed."""


@dataclass(slots=True)
class _Request:
    """What is asked for, from the first url to the last redirect."""

    accept: frozenset[str] | None
    headers: Mapping[str, str] | None
    left: float
    """Seconds that it may still take."""
    paced: bool = True
    """It keeps the usual pause to the host's other pages."""
    interface: bool = False
    """It is made to be asked by programs."""
    anew: bool = False
    """What is kept is not taken unasked."""


class Fetcher:
    """Fetches pages, one instance for a session; `await close()` or `async with` when done."""

    def __init__(
        self,
        settings: FetchSettings | None = None,
        *,
        cache_folder: Path | None = None,
        offline: bool = False,
        resolve: Resolve = resolve,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set up; no connection is opened before the first page.

        Args:
            settings: What a person can set.
            cache_folder: Where pages are kept on disk; None for nowhere.
            offline: Refuse everything.
            resolve: How names become addresses.
            clock: The date and time that pages are stamped with and judged fresh by.
            now: Seconds, for pauses; with `sleep`, a clock that tests can step.
            sleep: Waits.
        """
        self.settings = settings or FetchSettings()
        self.offline = offline
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._transport = GuardedTransport(self.settings.allow, resolve=resolve, proxy=self.settings.proxy)
        self._exchange = Exchange(self._transport, self.settings, clock)
        self.user_agent = self._exchange.user_agent
        kept = cache_folder if self.settings.cache and not offline else None
        self._cache = PageCache(kept, self.settings.cache_megabytes) if kept else None
        self._robots: dict[str, tuple[float, robots.Robots]] = {}
        self._robots_asked: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._throttle = throttle_for(self.settings, now, sleep)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close connections and the cache."""
        await self._transport.aclose()
        if self._cache is not None:
            self._cache.close()

    async def fetch(
        self,
        url: str,
        *,
        accept: frozenset[str] | None = PAGES,
        interface: bool = False,
        headers: Mapping[str, str] | None = None,
        pause: float = 0.0,
        anew: bool = False,
        within: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """Fetch a page.

        Args:
            url: Where it is.
            accept: Media types that will do; another one is refused before its body is read. None: any.
            interface: The url is made to be asked by programs: robots.txt is not meant for it, and its
                answers are not kept on disk as pages are.
            headers: More to send, such as a key. Such answers are not kept on disk, and the headers go to no
                other host.
            pause: Seconds that the host asks to leave between requests, as a Crawl-delay.
            anew: Ask the server whether a page that is kept has changed, however fresh it was said to be.
            within: Tells of a url whether a redirect there is followed; None: wherever it leads.

        Raises:
            FetchError: It could not be had, or may not be; the message is one line.
        """
        if self.offline:
            raise FetchError(f"offline: {url} is not fetched")
        place = self._judged(url)
        request = _Request(accept, headers, self.settings.seconds, not interface, interface, anew)
        if pause:
            self._throttle.crawl_delay(place.host, pause)
        for _ in range(self.settings.redirects + 1):
            if self.settings.robots and not interface:
                await self._keep_to_robots(place, request)
            kept, cached = await self._answer(place, request)
            if kept.location is None:
                page = (kept.data, kept.media_type, kept.charset, kept.retrieved)
                return Fetched(kept.url, url, *page, cached=cached)
            if within is not None and not within(kept.location):
                raise FetchError(f"it leads elsewhere, to {kept.location}: {place.url}")
            there = self._redirected(place, kept.location)
            if there.origin != place.origin:
                request.headers = None
            place = there
        raise FetchError(f"more than {self.settings.redirects} redirects: {url}")

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return where a site's robots.txt says that lists of its pages are.

        Raises:
            FetchError: the site, or this url, may not be asked.
        """
        if self.offline:
            raise FetchError(f"offline: {url} is not fetched")
        place = self._judged(url)
        if not self.settings.robots:
            return ()
        await self._keep_to_robots(place, _Request(None, None, self.settings.seconds))
        return self._robots[place.origin][1].sitemaps

    def check_part(self, url: str, of: str) -> None:
        """Judge what a page is made of, a script, a style, data, which `fetch` is then asked for.

        Args:
            url: Where it is.
            of: The page, or the frame in it.

        Raises:
            FetchError: It may not be asked for; so where a page of a stranger asks for a host that the user
                opened.
        """
        self._redirected(self._judged(of), url)

    def _judged(self, url: str) -> Target:
        return target(url, self.settings.allow, self.settings.ports)

    def _redirected(self, place: Target, location: str) -> Target:
        """Judge where a redirect leads: a stranger may not send us to a host that the user opened."""
        there = self._judged(location)
        if there.opened and not place.opened:
            raise FetchError(f"{place.host} sends us into the private host {there.host}: {location}")
        return there

    async def _keep_to_robots(self, place: Target, request: _Request) -> None:
        async with self._robots_asked[place.origin]:  # pages of one site wait for one answer
            known = self._robots.get(place.origin)
            if known is None or known[0] < self._now():
                asked = replace(request, accept=None, headers=None, paced=False, anew=False)
                known = (self._now() + _ROBOTS_KEPT, await self._ask_robots(place, asked))
                request.left = asked.left
                self._robots[place.origin] = known
                self._throttle.crawl_delay(place.host, known[1].delay)
        if known[1] is robots.CLOSED:
            raise FetchError(f"robots.txt of {place.host} cannot be had, so this is left alone: {place.url}")
        if not known[1].allows(place.url):
            raise FetchError(f"robots.txt of {place.host} closes this page to programs: {place.url}")

    async def _ask_robots(self, place: Target, request: _Request) -> robots.Robots:
        there = self._judged(f"{place.origin}/robots.txt")
        try:
            for _ in range(self.settings.redirects + 1):
                kept, _cached = await self._answer(there, request)
                if kept.location is None:
                    return robots.parse(kept.data[: robots.LARGEST].decode("utf-8", "replace"), PRODUCT)
                there = self._redirected(there, kept.location)
        except StatusError as error:
            return robots.CLOSED if error.status >= 500 else robots.Robots()
        return robots.Robots()  # redirected without end: RFC 9309 takes that for a site without one

    async def _answer(self, place: Target, request: _Request) -> tuple[Kept, bool]:
        """Give what is at a url, and whether it came from disk; ask once more when the trouble may pass."""
        # What a programming interface answers is kept as the search that it was, not as a page too.
        cache = self._cache if request.headers is None and not request.interface else None
        known = await self._known(cache, place, request.accept)
        if known is not None and not request.anew and known.is_fresh(self._clock()):
            return known, True
        try:
            kept = await self._ask(place, request, known)
        except (StatusError, UnreachableError) as error:
            wait = _worth_waiting(error)
            if wait is None or wait >= request.left:
                raise
            await self._sleep(wait)
            request.left -= wait
            kept = await self._ask(place, request, known)
        return await self._remembered(cache, kept, known)

    async def _known(
        self, cache: PageCache | None, place: Target, accept: frozenset[str] | None
    ) -> Kept | None:
        if cache is None:
            return None
        now = self._clock().timestamp()
        known = await asyncio.to_thread(cache.find, place.url, opened=place.opened, now=now)
        if known is None or known.location is not None or accept is None or known.media_type in accept:
            return known
        return None

    async def _remembered(self, cache: PageCache | None, kept: Kept, known: Kept | None) -> tuple[Kept, bool]:
        unchanged = kept.status == 304
        if unchanged and known is not None:
            kept = replace(known, retrieved=kept.retrieved, fresh_until=kept.fresh_until)
        if cache is not None and kept.fresh_until >= 0:
            await asyncio.to_thread(cache.keep, kept, now=self._clock().timestamp())
        elif cache is not None and known is not None:
            await asyncio.to_thread(cache.forget, kept.url)
        return kept, unchanged

    async def _ask(self, place: Target, request: _Request, known: Kept | None) -> Kept:
        own = request.interface and place.opened
        async with self._throttle.turn(place.host, paced=request.paced, own=own):
            started = self._now()
            try:
                async with asyncio.timeout(max(request.left, 0.001)):
                    kept = await self._exchange.ask(place, request.accept, request.headers, known)
            except TimeoutError as error:
                self._throttle.failed(place.host)
                message = f"took longer than {self.settings.seconds:g} s: {place.url}"
                raise UnreachableError(message) from error
            except (httpx2.HTTPError, OSError) as error:
                self._throttle.failed(place.host)
                raise UnreachableError(_trouble(error, place, self.settings.connect_seconds)) from error
            except StatusError as error:
                self._throttle.answered(place.host)
                if _passes(error) and (error.retry_after or 0.0) > _LONGEST_WAIT:
                    self._throttle.asked_to_wait(place.host, error.retry_after or 0.0)
                raise
            finally:
                request.left -= self._now() - started
            self._throttle.answered(place.host)
            return kept


def _passes(error: StatusError) -> bool:
    return error.limited or error.status in _PASSING


def _worth_waiting(error: StatusError | UnreachableError) -> float | None:
    """Say after how many seconds asking once more may help; None when it will not."""
    if isinstance(error, StatusError):
        if not _passes(error):
            return None
        wait = 1.0 if error.retry_after is None else error.retry_after
        return wait if wait <= _LONGEST_WAIT else None
    final = (TimeoutError, httpx2.TimeoutException, httpx2.ConnectError)
    return None if isinstance(error.__cause__, final) else 0.5


def _trouble(error: Exception, place: Target, connect_seconds: float) -> str:
    what = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, httpx2.ConnectTimeout):
        return f"{place.host} did not answer within {connect_seconds:g} s: {place.url}"
    if isinstance(error, httpx2.ConnectError):
        return f"{place.host} cannot be reached ({what}): {place.url}"
    return f"the connection to {place.host} failed ({what}): {place.url}"
