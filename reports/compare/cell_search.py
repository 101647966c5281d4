"""Where the passages of a comparison's cells are looked for: the contract, and a library alone."""

from collections.abc import Sequence
from typing import Protocol

from library import Library, LibraryError, Passage, SearchError, select
from library.text import asks_condition
from reports.audit.auditor import CATALOGUES

_FOUND, _FOUND_CONDITIONS = 12, 80
"""Passages of a place that are looked at for a cell, and for one that asks when to do something: words for
that are in every passage."""
_READ, _OF_PAGE = 2, 3
"""Pages that are read for a cell of what a search outside finds, and passages of each."""


class CellSearch(Protocol):
    """Finds passages that may tell of a thing what is asked."""

    async def passages(self, query: str) -> Sequence[Passage]:
        """Return passages that a query finds, here and outside; none where nothing does."""

    @property
    def notices(self) -> Sequence[str]:
        """What went wrong on the way, each in a line."""


class LibrarySearch:
    """Looks in a library, and outside as long as searches are left."""

    def __init__(self, library: Library, searches: int) -> None:
        self._library = library
        self._searches = searches
        self.notices: list[str] = []

    async def passages(self, query: str) -> list[Passage]:
        """Return what each place finds; a place that fails is told in the notices."""
        found: list[Passage] = []
        most = _FOUND_CONDITIONS if asks_condition(query) else _FOUND
        for place in self._library.collections:
            try:
                if place.local:
                    hits = await self._library.search(query, place.name, most)
                    found += [hit.passage for hit in hits if hit.passage is not None]
                elif place.name not in CATALOGUES and self._searches > 0:
                    self._searches -= 1
                    found += await self._outside(query, place.name)
            except SearchError as error:
                self.notice(str(error))
        return found

    async def _outside(self, query: str, where: str) -> list[Passage]:
        passages: list[Passage] = []
        read = 0
        for hit in await self._library.search(query, where, 2 * _READ):
            if read == _READ:
                break
            try:
                source = await self._library.read(hit.url, [hit])
            except LibraryError as error:
                self.notice(str(error))
                continue
            read += 1
            passages += best_of_page(query, source.sha256, self._library)
        return passages

    def notice(self, text: str) -> None:
        """Tell what went wrong, once."""
        if text not in self.notices:
            self.notices.append(text)


def best_of_page(query: str, sha256: str, library: Library) -> list[Passage]:
    """Return the passages of a page that fit a query best."""
    passages = library.passages(sha256)
    chosen = select(query, passages, library.statistics, limit=_OF_PAGE, threshold=0.0)
    return [item.passage for item in chosen]
