"""The web, through the engines that ddgs asks.

ddgs brings an HTTP client of its own, so that the rules of `library/web/fetcher.py` do not hold for what it
asks: engines only, never a page (its `extract` is not used). It is synchronous, and it keeps a refusal to
itself: an engine that limits us looks like one that found nothing. So searches are paced and repeated here,
and when nothing is found again and again, a plain question that any engine can answer shows which of the two
it was.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from time import monotonic
from typing import Any

from library.errors import SearchError
from library.search.backends.http_backend import day_of, tidied
from library.search.interface import Hit
from library.search.search_settings import SearchSettings
from library.text.multilingual.language import detect
from library.web.fetcher import Fetcher
from library.web.refusals import refusal

_REGIONS = {
    "en": "us-en", "zh": "cn-zh", "ja": "jp-jp", "ko": "kr-kr", "de": "de-de", "fr": "fr-fr", "es": "es-es",
    "it": "it-it", "pt": "br-pt", "nl": "nl-nl", "ru": "ru-ru", "pl": "pl-pl", "sv": "se-sv", "ar": "xa-ar",
}  # fmt: skip
_PLAIN_QUESTION = "weather"
_REST_AFTER = 2
"""Searches that failed in a row, each with all its attempts, after which the web is left alone."""
_REST_SECONDS = 60.0
_PLAIN_ANSWER_HOLDS = 120.0
"""Seconds for which the engines are believed to answer, after they have."""


class WebCollection:
    """The web as a collection to search."""

    name = "web"
    description = "The web: pages of all kinds, through several search engines."
    private = False
    local = False

    def __init__(
        self,
        settings: SearchSettings,
        *,
        offline: bool = False,
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: random.Random | None = None,
    ) -> None:
        """Set up; `now`, `sleep` and `chance` (for the jitter of repetitions) are for tests to step."""
        self._settings = settings
        self._offline = offline
        self._news = settings.scope.kinds == ("news",)
        self._now = now
        self._sleep = sleep
        self._chance = chance or random.Random()  # noqa: S311 - jitter, no secret  # nosec B311
        self._turn = asyncio.Lock()
        self._next = 0.0
        self._answered_at: float | None = None
        self._failed = 0
        self._rests_until = 0.0

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, best first. Raises SearchError when the engines cannot be had or seem to refuse."""
        text = " ".join(query.split())[:400]
        if self._offline:
            raise SearchError("offline: the web is not searched")
        if not text or limit < 1:
            return []
        if (left := self._rests_until - self._now()) > 0:
            raise SearchError(f"the web failed several times; it is left alone for {left:.0f} s")
        try:
            found = await self._found(text, limit)
        except SearchError:
            self._failed += 1
            if self._failed >= _REST_AFTER:
                self._rests_until = self._now() + _REST_SECONDS
            raise
        self._failed = 0
        return found

    async def _found(self, text: str, limit: int) -> list[Hit]:
        """Search, with repetitions; after a rest once only."""
        trouble: SearchError | None = None
        for attempt in range(self._settings.web_attempts if self._failed < _REST_AFTER else 1):
            if attempt:
                pause = self._settings.web_pause * 2 ** (attempt - 1)
                await self._sleep(pause * (1 + self._chance.random() / 2))
            try:
                found = await self._paced(text, limit)
            except SearchError as error:
                trouble = error
                continue
            trouble = None
            if found:
                return found
        if trouble is not None:
            raise trouble
        if await self._engines_answer():
            return []
        raise SearchError(
            "the web found nothing at all, not even for a plain question: its engines seem to limit us, and"
            " do not say until when; a key (TAVILY_API_KEY, …) or a SearXNG of your own asks others"
        )

    async def _engines_answer(self) -> bool:
        if self._answered_at is not None and self._now() - self._answered_at < _PLAIN_ANSWER_HOLDS:
            return True
        return bool(await self._paced(_PLAIN_QUESTION, 3))

    async def _paced(self, text: str, limit: int) -> list[Hit]:
        async with self._turn:
            if (wait := self._next - self._now()) > 0:
                await self._sleep(wait)
            self._next = self._now() + self._settings.web_pause
            results = await asyncio.to_thread(self._ask, text, limit)
        kind = "news" if self._news else ""
        hits = tidied(
            [
                Hit(
                    each.get("href") or each.get("url", ""), each.get("title", ""), each.get("body", ""),
                    published=day_of(each.get("date")), kind=kind,
                )
                for each in results
            ],
            limit,
        )  # fmt: skip
        if hits:
            self._answered_at = self._now()
        return hits

    def _ask(self, text: str, limit: int) -> list[dict[str, Any]]:
        """Ask ddgs, in a thread. An empty list means that nobody gave a result or a reason."""
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException, RatelimitException

        settings = self._settings
        language = detect(text) if settings.language == "auto" else settings.language
        client = DDGS(
            proxy=settings.web_proxy, timeout=settings.web_seconds, verify=settings.web_certificates or True
        )
        asked = {
            "region": _REGIONS.get(language, "us-en"),
            "safesearch": settings.web_safe,
            "timelimit": _time_limit(settings.scope.first),
            "max_results": limit,
        }
        text += settings.scope.operators()
        try:
            found: list[dict[str, Any]]
            if self._news:
                found = client.news(text, **asked)
            else:
                found = client.text(text, backend=",".join(settings.web_engines), **asked)
        except DDGSException as error:
            if "No results found" in str(error):
                return []
            if isinstance(error, RatelimitException):
                raise SearchError(refusal("the web's engines", 429, limited=True)) from error
            raise SearchError(f"the web could not be searched ({_reason(str(error))})") from error
        return found


def _time_limit(since: date | None) -> str | None:
    """Return the shortest of the spans that engines know which holds all since a day; None for none."""
    if since is None:
        return None
    days = (datetime.now(UTC).date() - since).days
    return next((name for name, most in (("d", 1), ("w", 7), ("m", 30), ("y", 365)) if days < most), None)


def _reason(said: str) -> str:
    """Return an engine's error in a few words: what resolvers and sockets say is told as what it means."""
    if re.search(r"\bDNS|resolving|name or service|network is unreachable", said, re.IGNORECASE):
        return "no search engine can be reached: is there a network?"
    line = " ".join(said.split())
    return line if len(line) <= 160 else line[:159] + "…"


def open_backend(fetcher: Fetcher, settings: SearchSettings) -> WebCollection:
    """Open the backend; it asks by itself, and only minds whether the fetcher is offline."""
    return WebCollection(settings, offline=fetcher.offline)
