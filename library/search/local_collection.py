"""Searching the documents of a collection: BM25 over its postings, then pseudo relevance feedback (Rocchio).

Feedback takes the best passages at their word: the terms that weigh most in them are added to the query and
everything is scored again, twice. It finds passages that speak of the same thing in other words, and it is
what makes a score comparable: a passage's score is how well it matches the query *and* what the query's
best passages are about.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from library.errors import SearchError, StoreError
from library.evidence import Passage
from library.search.interface import Hit
from library.store.postings import Postings
from library.store.store import Held, Store
from library.text.tfidf import TextStatistics

_SATURATION, _LENGTH = 1.2, 0.6
"""BM25's k1 and b."""
ROUNDS = ((10, 30), (20, 60))
"""Of feedback: how many passages are believed, and how many of their terms are taken."""
_COMMON = 0.2
"""Terms in more than this share of the passages are not fed back."""
_DIGITS = 9
"""Of a score: what sums differ by past these is not told apart."""
_KEPT_NUMBERS = 4_000_000
"""Of what postings are evidence of, eight bytes each, that are kept in memory."""

_KEPT_TERMS = 100_000

_Floats = NDArray[np.float64]
_NOWHERE = (np.zeros(0, dtype=np.int32), np.zeros(0))


@dataclass(slots=True)
class _Weighed:
    """Postings with what is evidence of what in them, as far as it was asked for."""

    postings: Postings
    norms: _Floats
    """BM25's length factor of each passage."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Terms that were asked for, with their numbers; -1 for those that occur nowhere."""
    evidence: OrderedDict[int, _Floats] = field(default_factory=OrderedDict)
    """For a term's postings what each is evidence of: BM25's part that does not depend on the query."""
    kept: int = 0
    """Numbers in `evidence`."""
    lock: Lock = field(default_factory=Lock)
    """Searches run in threads."""

    @classmethod
    def of(cls, postings: Postings) -> "_Weighed":
        lengths = postings.lengths.astype(np.float64)
        return cls(postings, 1 - _LENGTH + _LENGTH * lengths / postings.mean_length)

    def terms(self, terms: Iterable[str]) -> list[int]:
        """Return the number of each term, -1 for one that occurs nowhere."""
        wanted = list(terms)
        with self.lock:
            new = [term for term in wanted if term not in self.numbers]
            if new:
                if len(self.numbers) > _KEPT_TERMS:
                    self.numbers.clear()
                    new = wanted
                self.numbers |= zip(new, self.postings.numbers(new), strict=True)
            return [self.numbers[term] for term in wanted]

    def of_term(self, number: int) -> tuple[NDArray[np.int32], _Floats]:
        """Return the places of the passages that hold a term, and what it is evidence of in each."""
        places, counts = self.postings.of(number)
        with self.lock:
            if number in self.evidence:
                self.evidence.move_to_end(number)
                return places, self.evidence[number]
            times = counts.astype(np.float64)
            found = times * (_SATURATION + 1) / (times + _SATURATION * self.norms[places])
            self.evidence[number] = found
            self.kept += len(found)
            while self.kept > _KEPT_NUMBERS and len(self.evidence) > 1:
                self.kept -= len(self.evidence.popitem(last=False)[1])
            return places, found


class CollectionFrequencies:
    """The document frequencies of some collections together, as they are now."""

    def __init__(self, store: Store, collections: Sequence[Held]) -> None:
        self._postings = [store.postings(held) for held in collections]

    def count(self) -> int:
        """Return how many passages the collections hold."""
        return sum(map(len, self._postings))

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        wanted = list(dict.fromkeys(terms))
        sums = np.zeros(len(wanted), dtype=np.int64)
        for postings in self._postings:
            sums += postings.frequencies(wanted)
        return dict(zip(wanted, sums.tolist(), strict=True))


class LocalCollection:
    """A collection of documents in the store, as a place to search."""

    local = True

    def __init__(self, store: Store, held: Held) -> None:
        self._store = store
        self.held = held
        self.name = held.name
        self.description = held.description
        self.private = held.private
        self._weighed: _Weighed | None = None
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
        for vector in self.statistics.passage_vectors(list(found.values())):
            for term, value in vector.items():
                centre[term] = centre.get(term, 0.0) + value / len(found)
        best = sorted(centre, key=lambda term: (-centre[term], term))[:count]
        mean = _unit({term: centre[term] for term in best})
        return _unit({t: asked.get(t, 0.0) + mean.get(t, 0.0) for t in dict.fromkeys([*asked, *mean])})

    def rank(self, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return the row ids of the best passages for weighted terms, best first, with scores from 0 to 1."""
        weighed = self._current()
        scores, most = self._scores(weighed, weights)
        found = np.flatnonzero(scores > self._below(weighed, weights, scores, limit))
        if 0 < limit < len(found):
            least = np.partition(scores[found], len(found) - limit)[len(found) - limit]
            # What is rounded decides, and only for the best: all others need not be rounded.
            found = found[scores[found] >= least - 2 * most / 10**_DIGITS]
        rounded = np.round(scores[found] / most, _DIGITS) if most else scores[found]
        order = np.argsort(-rounded, kind="stable")[:limit]
        ids = weighed.postings.ids
        return [(int(ids[found[i]]), float(rounded[i])) for i in order if rounded[i]]

    def _below(self, weighed: _Weighed, weights: Mapping[str, float], scores: _Floats, limit: int) -> float:
        """Return a score that the best passages are above for certain: most need not be looked at then.

        Among the passages of one term as many as are wanted are as good as the worst of these: there may be
        better ones elsewhere, but none of the best is worse.
        """
        held = [weighed.postings.of(number)[0] for number in weighed.terms(weights) if number >= 0]
        enough = [places for places in held if len(places) >= max(limit, 1)]
        if not enough or limit <= 0:
            return 0.0
        few = min(enough, key=len)
        least = np.partition(scores[few], len(few) - limit)[len(few) - limit]
        return float(least) * (1 - 1e-6) - 1e-12 if least > 0 else 0.0

    def _scores(self, weighed: _Weighed, weights: Mapping[str, float]) -> tuple[_Floats, float]:
        """Return the evidence that every passage carries, and the most that one could."""
        size = len(weighed.postings)
        places: list[NDArray[np.int32]] = []
        evidence: list[_Floats] = []
        most = 0.0
        idf = self.statistics.weights(weights)
        for term, number in zip(weights, weighed.terms(weights), strict=True):
            at, found = weighed.of_term(number) if number >= 0 else _NOWHERE
            if len(at) > _COMMON * size + 20 and len(weights) > 12:
                continue
            worth = weights[term] * idf[term]
            most += worth
            places.append(at)
            evidence.append(worth * found)
        if not places:
            return np.zeros(size), 0.0
        # One pass over all postings; the sums are in the order of the terms.
        scores = np.bincount(np.concatenate(places), np.concatenate(evidence), minlength=size)
        return scores.astype(np.float64, copy=False), most * (_SATURATION + 1)

    def _current(self) -> _Weighed:
        held = self._store.collection(self.name)
        if held is None:
            raise StoreError(f"the collection {self.name} was removed")
        postings = self._store.postings(held)
        if self._weighed is None or self._weighed.postings is not postings:
            self._weighed = _Weighed.of(postings)
        return self._weighed


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = sum(value * value for value in weights.values()) ** 0.5
    return {term: value / length for term, value in weights.items()} if length else dict(weights)


def _hit(passage: Passage, score: float) -> Hit:
    text = " ".join(passage.text.split())
    snippet = text if len(text) <= 300 else text[:300].rsplit(" ", 1)[0] + " …"
    return Hit(passage.url, passage.title, snippet, min(1.0, score), passage, passage.published)
