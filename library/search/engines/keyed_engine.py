"""An engine that wants a key: what it is called, how it is asked, and how its answer is read.

A key goes to its own engine's host and nowhere else, is never written down, and is masked in what is told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from time import monotonic
from typing import Any, Literal

from library.errors import FetchError, SearchError
from library.search.backends.http_backend import Query, day_of, tidied, with_query
from library.search.interface import Hit
from library.search.search_settings import SearchSettings
from library.text.multilingual.language import detect
from library.web.fetcher import Fetcher
from library.web.json_api import Faults, RefusedError, Service
from library.web.refusals import span
from models import hold_secret

KEYED = ("tavily", "exa", "brave", "serper")
"""The engines, in the order in which the web is searched by those that there are keys for."""
_LARGEST = 5_000_000
_LONGEST_QUERY = 400
_LONGEST_WAIT = 3.0
"""Seconds that an engine is waited for when it asks for that."""
_FAULTS = Faults("gave no results in", "cannot be searched", "results")


@dataclass(frozen=True, slots=True)
class KeyedEngine:
    """An engine."""

    name: str
    description: str
    key: str
    """The variable of the environment that holds the key."""
    header: str
    """What the key is sent as; `Authorization` for a bearer token."""
    address: str
    """Its base url."""
    asks: Callable[[Query], tuple[str, Mapping[str, Any]]]
    """Returns the path to ask, and the parameters or the body."""
    reads: Callable[[Any, Query], Sequence[Hit]]
    """Reads the answer, parsed from JSON."""
    method: Literal["POST", "GET"] = "POST"


def engine(name: str) -> KeyedEngine:
    """Return an engine of `KEYED`."""
    found = import_module(f"library.search.engines.{name}").ENGINE
    assert isinstance(found, KeyedEngine)
    return found


def has_key(name: str, environment: Mapping[str, str]) -> bool:
    """Tell whether there is a key for an engine of `KEYED`."""
    return bool(environment.get(engine(name).key, "").strip())


class KeyedCollection:
    """An engine as a collection to search."""

    private = False
    local = False

    def __init__(
        self,
        engine: KeyedEngine,
        key: str,
        fetcher: Fetcher,
        settings: SearchSettings,
        *,
        now: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Set up; `now` and `sleep` are for tests to step. Raises SearchError when there is no key."""
        self.name = engine.name
        self.description = engine.description
        if not key:
            raise SearchError(f"{engine.name} needs a key: set {engine.key}")
        hold_secret(key)
        self._engine = engine
        self._headers = {engine.header: f"Bearer {key}" if engine.header == "Authorization" else key}
        self._fetcher = fetcher
        self._settings = settings
        self._now, self._sleep = now, sleep
        self._rests_until = 0.0
        self._address = settings.addresses.get(engine.name, engine.address).rstrip("/")

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, best first. Raises SearchError when the engine fails."""
        text = " ".join(query.split())[:_LONGEST_QUERY]
        if self._fetcher.offline:
            raise SearchError(f"offline: {self.name} is not asked")
        if not text or limit < 1:
            return []
        language = detect(text) if self._settings.language == "auto" else self._settings.language
        wanted = Query(text, limit, language, self._address, self._settings.scope)
        path, given = self._engine.asks(wanted)

        def read(answer: Any) -> list[Hit]:
            kind = "news" if self._settings.scope.kinds == ("news",) else ""
            hits = tidied(self._engine.reads(answer, wanted), limit)
            return [replace(hit, kind=hit.kind or kind) for hit in hits]

        posts = self._engine.method == "POST"
        address = self._address + path
        try:
            service = Service(
                address if posts else with_query(address, **given),
                key="",
                allow=self._fetcher.settings.allow,
                seconds=self._settings.web_seconds,
                largest=_LARGEST,
                faults=_FAULTS,
                headers=self._headers,
                key_variable=self._engine.key,
            )
        except FetchError as error:
            raise SearchError(f"{self.name} cannot be asked: {error}") from error
        try:
            return await self._patiently(service, dict(given) if posts else None, read)
        finally:
            await service.close()

    async def _patiently(
        self, service: Service, body: dict[str, Any] | None, read: Callable[[Any], list[Hit]]
    ) -> list[Hit]:
        """Ask, and once more after a short wait that the engine asks for: some take one request a second.

        Raises SearchError; until an engine may be asked again it is not.
        """
        for last in (False, True):
            if (left := self._rests_until - self._now()) > 0:
                again = f"ask again in {span(left)}"
                raise SearchError(f"the limit of requests to {self.name} is used up; {again}")
            try:
                return await service.ask(body, read)
            except RefusedError as refused:
                if refused.wait is None:
                    raise
                if last or refused.wait > _LONGEST_WAIT:
                    self._rests_until = self._now() + refused.wait
                    raise
                await self._sleep(refused.wait)
        raise AssertionError("the second time it is answered or refused")


def hit_of(result: Mapping[str, Any], *, snippet: str, day: str, url: str = "url") -> Hit:
    """Return one result of an answer as a hit.

    Args:
        result: As it stands in the answer.
        snippet: The name of the field that holds its excerpt.
        day: The name of the field that holds when it was published.
        url: The name of the field that holds its address.
    """
    return Hit(
        url=result[url],
        title=result.get("title") or "",
        snippet=result.get(snippet) or "",
        published=day_of(result.get(day)),
    )
