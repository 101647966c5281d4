"""The web through several engines: the next one where one fails or finds nothing, and told when it does."""

import asyncio
from collections.abc import Mapping, Sequence

from library.errors import SearchError
from library.search.backends.web import WebCollection
from library.search.engines.keyed_engine import KEYED, KeyedCollection, engine, has_key
from library.search.interface import Collection, Hit, NotedHits
from library.search.rank_fusion import reciprocal_ranks
from library.search.search_settings import SearchSettings
from library.web.fetcher import Fetcher

KEYLESS = "ddgs"
"""How the engines that want no key are called among the others."""


def engines_in_use(settings: SearchSettings, environment: Mapping[str, str]) -> list[str]:
    """Return which engines the web is searched with, in order: those with a key, and those that want none."""
    return [name for name in settings.web_order if name == KEYLESS or has_key(name, environment)]


class WebEngines:
    """The web as a collection to search."""

    name = "web"
    description = WebCollection.description
    private = False
    local = False

    def __init__(self, engines: Sequence[Collection], together: int) -> None:
        """Take the engines in their order; `together`: how many are asked at a time."""
        self._engines = list(engines)
        self._together = together

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, best first; the hits' notes tell which engines failed.

        Raises SearchError when all of them do.
        """
        notes: list[str] = []
        failed = 0
        for at in range(0, len(self._engines), self._together):
            some = self._engines[at : at + self._together]
            answers = await asyncio.gather(
                *(engine.search(query, limit) for engine in some), return_exceptions=True
            )
            rankings: list[list[Hit]] = []
            for asked, answer in zip(some, answers, strict=True):
                if isinstance(answer, SearchError):
                    failed += 1
                    notes.append(f"{_called(asked)}: {answer}")
                elif isinstance(answer, BaseException):
                    raise answer
                elif not answer:
                    notes.append(f"{_called(asked)} found nothing")
                else:
                    rankings.append(answer)
            if rankings:
                return NotedHits(fused(rankings)[:limit], notes)
        if failed == len(self._engines):
            raise SearchError("; ".join(notes))
        return NotedHits([], notes)


def fused(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Join rankings by the sums of their reciprocal ranks; a page of two rankings is told as in the first."""
    pages = [[hit.url.partition("#")[0].rstrip("/") for hit in ranking] for ranking in rankings]
    first: dict[str, Hit] = {}
    for names, ranking in zip(pages, rankings, strict=True):
        for page, hit in zip(names, ranking, strict=True):
            first.setdefault(page, hit)
    sums = reciprocal_ranks(pages)
    return [first[page] for page in sorted(sums, key=lambda page: -sums[page])]


def open_web(fetcher: Fetcher, settings: SearchSettings, environment: Mapping[str, str]) -> Collection:
    """Return the web, searched with the engines that can be had. Raises SearchError when there is none."""
    in_use = engines_in_use(settings, environment)
    if not in_use:
        wanted = ", ".join(engine(name).key for name in settings.web_order if name in KEYED)
        raise SearchError(f"the web cannot be searched: no engine of search.web_order has a key ({wanted})")
    keyless = WebCollection(settings, offline=fetcher.offline)
    opened: list[Collection] = [
        keyless if name == KEYLESS else open_keyed(name, fetcher, settings, environment) for name in in_use
    ]
    return keyless if in_use == [KEYLESS] else WebEngines(opened, settings.web_together)


def open_keyed(
    name: str, fetcher: Fetcher, settings: SearchSettings, environment: Mapping[str, str]
) -> KeyedCollection:
    """Return one engine of `KEYED`. Raises SearchError when there is no key for it."""
    found = engine(name)
    return KeyedCollection(found, environment.get(found.key, "").strip(), fetcher, settings)


def _called(asked: Collection) -> str:
    return KEYLESS if asked.name == "web" else asked.name
