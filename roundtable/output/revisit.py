"""The sources of a report fetched again: which still say what was cited, which changed, which are gone."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from library import FetchError, LibrarySettings, Passage, ReadError, Source, on_the_web
from library.readers import Reader, looked_at
from library.web import Fetcher, StatusError

Fate = Literal["same", "changed", "lost", "gone", "unreachable", "unread"]
"""`same`: the page says what it said. `changed`: it does not, but all that is cited still stands there.
`lost`: something that is cited stands there no longer. `gone`: the server says that there is no such page.
`unreachable`: it could not be had now, which says nothing about the page.
`unread`: it is no web page, or one that was looked at."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A source with the passages that a report cites of it."""

    source: Source
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Revisit:
    """What came of looking a source up again."""

    cited: CitedPage
    fate: Fate
    reason: str = ""
    lost: tuple[str, ...] = ()
    """Ids of the passages that stand there no longer."""


class Revisitor:
    """Fetches pages again, past any cache."""

    def __init__(self, fetcher: Fetcher, reader: Reader) -> None:
        self._fetcher = fetcher
        self._reader = reader

    async def visit(self, cited: Sequence[CitedPage]) -> list[Revisit]:
        """Look sources up again, in the order given; those at different hosts at the same time."""
        return list(await asyncio.gather(*(self._visit(each) for each in cited)))

    async def _visit(self, cited: CitedPage) -> Revisit:
        url = cited.source.url
        if not on_the_web(url):
            return Revisit(cited, "unread", "a document of one's own")
        try:
            page = await self._fetcher.fetch(looked_at(url) or url)
            if looked_at(url):
                return Revisit(cited, "unread", "it is there; what it looks like is not read again")
            now = await self._reader.read_page(page)
        except StatusError as failure:
            return Revisit(cited, "gone" if failure.gone else "unreachable", str(failure))
        except (FetchError, ReadError) as failure:
            return Revisit(cited, "unreachable", str(failure))
        return compared(cited, now)


@asynccontextmanager
async def revisitor(settings: LibrarySettings, *, offline: bool = False) -> AsyncIterator[Revisitor]:
    """Open what fetching needs; pages kept on disk are not used."""
    reader = Reader(settings.read)
    try:
        async with Fetcher(settings.fetch, cache_folder=None, offline=offline) as fetcher:
            yield Revisitor(fetcher, reader)
    finally:
        await asyncio.to_thread(reader.close)


def compared(cited: CitedPage, now: Source) -> Revisit:
    """Compare a source with the page as it is now: by their words, not by layout or punctuation."""
    page = _folded(now.text)
    lost = tuple(p.id for p in cited.passages if _folded(p.text) not in page)
    if lost:
        return Revisit(cited, "lost", lost=lost)
    same = _folded(cited.source.text) == page
    return Revisit(cited, "same" if same else "changed")


def _folded(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "
