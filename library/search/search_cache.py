"""Searches of the network kept from session to session, for a while: the same words are not sent twice.

What is kept is what a place answered to words that were sent to it; whatever privacy kept from being sent is
not in there. Nothing found, and nothing that failed, is kept: it may be otherwise a moment later.
"""

import json
from dataclasses import asdict
from typing import Any

from library.evidence import Work
from library.search.interface import Collection, Hit
from library.search.search_settings import SearchSettings
from models.client import TextCache, key_of

_COLUMNS = ("url", "title", "snippet", "score", "passage", "published", "kind", "work")


class KeptHits(list[Hit]):
    """Hits that were kept from an earlier search."""


class KeptSearches:
    """A place outside whose answers are kept."""

    def __init__(self, place: Collection, cache: TextCache, settings: SearchSettings) -> None:
        self.place = place
        self.name = place.name
        self.description = place.description
        self.private = place.private
        self.local = place.local
        self._cache = cache
        self._settings = settings.model_dump(mode="json", exclude={"cache_minutes"})

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, unless an answer to the same words is kept. Raises SearchError when the search fails."""
        known = self._cache.find(self._key(query, limit))
        if known is not None:
            return KeptHits(_hit(row) for row in json.loads(known))
        return await self.search_anew(query, limit)

    def _key(self, query: str, limit: int) -> str:
        return key_of("search", self.name, self._settings, " ".join(query.split()), limit)

    async def search_anew(self, query: str, limit: int) -> list[Hit]:
        """Search whatever is kept, and keep the answer. Raises SearchError when the search fails."""
        hits = await self.place.search(query, limit)
        if hits and all(hit.passage is None for hit in hits):
            rows = [
                [h.url, h.title, h.snippet, h.score, None, h.published, h.kind, h.work and asdict(h.work)]
                for h in hits
            ]
            self._cache.keep(self._key(query, limit), json.dumps(rows))
        return hits


def _hit(row: list[Any]) -> Hit:
    """Return a hit as it was kept; one that an earlier version kept has fewer columns."""
    fields = dict(zip(_COLUMNS, row, strict=False))
    if work := fields.get("work"):
        fields["work"] = Work(**{**work, "authors": tuple(work["authors"])})
    return Hit(**fields)
