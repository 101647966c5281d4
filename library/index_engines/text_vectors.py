"""Dense vectors for a collection that an engine indexes: of its passages when they come, of each query."""

import asyncio
from collections.abc import Sequence

import numpy as np

from library.evidence import Passage
from library.index_engines.index_engine import Vectors
from library.search.embeddings import Embedder, EmbeddingSettings, unpacked

_KEPT = 1_000
"""Queries of which the vectors are kept."""


class TextVectors:
    """Asks the service that `library.embeddings` names."""

    def __init__(self, settings: EmbeddingSettings, key: str = "", allow: Sequence[str] = ()) -> None:
        """Take a service, as `Embedder` does. Raises FetchError: the url may not be asked."""
        self._given = (settings, key, tuple(allow))
        self._asks: Embedder | None = None
        self._queries: dict[str, Vectors] = {}
        first = Embedder(*self._given)
        self.host = first.target.host
        self.here = first.here
        """Whether the service runs on this machine."""
        self.model = settings.model
        self._private = settings.private

    def may_have(self, *, private: bool) -> bool:
        """Tell whether texts may be sent: those of a person's own documents stay on this machine."""
        return self.here or self._private or not private

    def of(self, passages: Sequence[Passage]) -> Vectors:
        """Return a vector of length 1 for each passage; in a thread that runs no event loop.

        Raises SearchError, which names the service.
        """
        return _matrix(asyncio.run(self._of(passages)))

    async def _of(self, passages: Sequence[Passage]) -> list[str]:
        embedder = Embedder(*self._given)  # connections belong to the loop that opened them
        try:
            return await embedder.embed([f"{passage.title}\n{passage.text}" for passage in passages])
        finally:
            await embedder.close()

    async def of_query(self, query: str) -> Vectors:
        """Return a query's vector of length 1, shape (dimensions,). Raises SearchError."""
        if query not in self._queries:
            if self._asks is None:
                self._asks = Embedder(*self._given)
            found = _matrix(await self._asks.embed([query]))[0]
            if len(self._queries) >= _KEPT:
                self._queries.clear()
            self._queries[query] = found
        return self._queries[query]

    async def close(self) -> None:
        """Release connections."""
        if self._asks is not None:
            await self._asks.close()


def _matrix(packed: Sequence[str]) -> Vectors:
    return np.array([unpacked(each) for each in packed], dtype=np.float32)
