"""Searching the documents of a collection: BM25 over its postings, then pseudo relevance feedback (Rocchio).

Feedback takes the best passages at their word: the terms that weigh most in them are added to the query and
everything is scored again, twice. It finds passages that speak of the same thing in other words, and it is
what makes a score comparable: a passage's score is how well it matches the query *and* what the query's
best passages are about.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library import index
from library.errors import SearchError, StoreError
from library.evidence import Passage
from library.search import Hit
from library.statistics import TextStatistics
from library.store import Held, Store

_SATURATION, _LENGTH = 1.2, 0.6
"""BM25's k1 and b."""
ROUNDS = ((10, 30), (20, 60))
"""Of feedback: how many passages are believed, and how many of their terms are taken."""
_COMMON = 0.2
"""Terms in more than this share of the passages are not fed back."""

_Floats = NDArray[np.float64]


@dataclass(slots=True)
class _Snapshot:
    """A collection in memory: its passages by position, and the postings that were asked for."""

    generation: int
    ids: NDArray[np.int64]
    sources: list[str]
    """The sha256 of each passage's source."""
    norms: _Floats
    """BM25's length factor of each passage."""
    postings: dict[str, tuple[NDArray[np.int64], _Floats]]
    """For each term the places of the passages that hold it, and what it is evidence of in each: BM25's part
    that does not depend on the query."""


class CollectionFrequencies:
    """The document frequencies of some collections together."""

    def __init__(self, store: Store, collections: Sequence[Held]) -> None:
        self._store = store
        self._collections = list(collections)

    def count(self) -> int:
        """Return how many passages the collections hold."""
        return self._store.passage_count(self._collections)

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        return self._store.document_frequency(self._collections, terms)


class LocalCollection:
    """A collection of documents in the store, as a place to search."""

    local = True

    def __init__(self, store: Store, held: Held) -> None:
        self._store = store
        self.held = held
        self.name = held.name
        self.description = held.description
        self.private = held.private
        self._snapshot: _Snapshot | None = None
        self.statistics = TextStatistics(CollectionFrequencies(store, [held]))

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search; the work is done in a thread."""
        return await asyncio.to_thread(self.find, query, limit)

    def find(self, query: str, limit: int) -> list[Hit]:
        """Return the passages that answer a query best, with scores from 0 to 1."""
        try:
            weights = self.expand(query)
            best = self.rank(weights, limit)
            found = self._store.passages_by_id([number for number, _ in best])
        except StoreError as error:
            raise SearchError(f"the collection {self.name} cannot be searched: {error}") from error
        return [_hit(found[number], score) for number, score in best if number in found]

    def expand(self, query: str, rounds: Sequence[tuple[int, int]] = ROUNDS) -> dict[str, float]:
        """Return the query's terms with weights, and those that its best passages add to it."""
        asked = _unit(self.statistics.vector(query))
        weights = asked
        for believed, terms in rounds:
            best = self.rank(weights, believed)
            weights = self.feedback(asked, [number for number, _ in best], terms)
        return weights

    def feedback(self, asked: Mapping[str, float], ids: Sequence[int], count: int) -> dict[str, float]:
        """Return the query `asked` with the `count` heaviest terms of some passages, half and half."""
        found = self._store.passages_by_id(ids)
        centre: dict[str, float] = {}
        for passage in found.values():
            for term, value in self.statistics.passage_vector(passage).items():
                centre[term] = centre.get(term, 0.0) + value / len(found)
        best = sorted(centre, key=lambda term: (-centre[term], term))[:count]
        mean = _unit({term: centre[term] for term in best})
        return _unit({t: asked.get(t, 0.0) + mean.get(t, 0.0) for t in dict.fromkeys([*asked, *mean])})

    def rank(self, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return the row ids of the best passages for weighted terms, best first, with scores from 0 to 1."""
        snapshot = self._current()
        scores = np.round(self._scores(snapshot, weights), 9)
        found = np.flatnonzero(scores)
        if 0 < limit < len(found):
            least = np.partition(scores[found], len(found) - limit)[len(found) - limit]
            found = found[scores[found] >= least]
        order = found[np.argsort(-scores[found], kind="stable")][:limit]
        return [(int(snapshot.ids[i]), float(scores[i])) for i in order]

    def _scores(self, snapshot: _Snapshot, weights: Mapping[str, float]) -> _Floats:
        """Return the score of every passage: the share of the weighted terms' evidence that it carries."""
        scores = np.zeros(len(snapshot.ids))
        most = 0.0
        idf = self.statistics.weights(weights)
        for term, weight in weights.items():
            at, evidence = self._postings(snapshot, term)
            if len(at) > _COMMON * len(scores) + 20 and len(weights) > 12:
                continue
            worth = weight * idf[term]
            most += worth
            scores[at] += worth * evidence
        return scores / (most * (_SATURATION + 1)) if most else scores

    def _postings(self, snapshot: _Snapshot, term: str) -> tuple[NDArray[np.int64], _Floats]:
        if term not in snapshot.postings:
            with self._store.reading() as connection:
                ids, counts = index.postings(connection, self.held.id, term)
            at = np.searchsorted(snapshot.ids, ids)
            known = at < len(snapshot.ids)
            known[known] = snapshot.ids[at[known]] == ids[known]
            at, counts = at[known], counts[known]
            evidence = counts * (_SATURATION + 1) / (counts + _SATURATION * snapshot.norms[at])
            snapshot.postings[term] = (at, evidence)
        return snapshot.postings[term]

    def _current(self) -> _Snapshot:
        held = self._store.collection(self.name)
        if held is None:
            raise StoreError(f"the collection {self.name} was removed")
        if self._snapshot is None or self._snapshot.generation != held.generation:
            with self._store.reading() as connection:
                rows = index.members(connection, held.id)
            lengths = np.array([row[2] for row in rows], dtype=np.float64)
            mean = float(lengths.mean()) if len(lengths) else 1.0
            self._snapshot = _Snapshot(
                held.generation,
                np.array([row[0] for row in rows], dtype=np.int64),
                [row[1] for row in rows],
                1 - _LENGTH + _LENGTH * lengths / max(1.0, mean),
                {},
            )
        return self._snapshot


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = sum(value * value for value in weights.values()) ** 0.5
    return {term: value / length for term, value in weights.items()} if length else dict(weights)


def _hit(passage: Passage, score: float) -> Hit:
    text = " ".join(passage.text.split())
    snippet = text if len(text) <= 300 else text[:300].rsplit(" ", 1)[0] + " …"
    return Hit(passage.url, passage.title, snippet, min(1.0, score), passage, passage.published)
