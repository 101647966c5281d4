"""Finding passages: several readings of a query, fused by rank.

A query is read four ways: by its own words, passage by passage; by its words and those that are used like
them; by whole pages, since a page that answers may say in several places what a question says in one; and
with feedback (Rocchio): the terms that weigh most in the best passages are added, and everything is scored
again, twice. The readings are fused by reciprocal ranks (Cormack, Clarke and Büttcher, 2009): what several
of them find comes first, and what one of them alone is led astray by does not. Feedback counts the less,
the more words a question has: a topic of two words needs it, a question of twelve is led astray by it.
What is asked is read by its meaning as well (`library.search.by_meaning`), as far as it is in English.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from library.evidence import Passage
from library.search.bm25 import Bm25
from library.search.by_meaning import (
    CANDIDATE_PAGES,
    CANDIDATE_SECTIONS,
    OF_A_PAGE,
    by_meaning,
    likeliest,
    opens_section,
)
from library.search.interface import Hit
from library.search.newest_version import newest_first
from library.search.rank_fusion import reciprocal_ranks
from library.text.questions import is_question
from library.text.similarity.pretrained_vectors import related_words
from library.text.similarity.tfidf import TextStatistics

Places = NDArray[np.int64]

ROUNDS = ((10, 30), (20, 60))
"""Of feedback: how many passages are believed, and how many of their terms are taken."""
_FEEDBACK, _MOST_FEEDBACK = 6.0, 2.0
"""Beside 1 for each of the others, the reading with feedback counts the first by the query's terms, the
second at most."""
RELATED, LEAST_RELATED, _RELATED_WORTH = 10, 0.45, 0.5
"""Related words of each, their least cosine, and what one counts beside the word itself at cosine 1."""
_LEADS = 2.0
"""What the reading by what pages begin with counts, beside 1 for all others together."""
_SHORT = 3
"""Passages of a page that is no longer than a section."""
_PAGES, _OF_A_PAGE = 60, 2
"""Pages that the reading by pages looks at, and the passages that it takes of each."""
_DENSE = 1.0
"""What the reading by dense vectors counts, beside 1 for each of the others."""


Lookup = Callable[[Sequence[int]], Mapping[int, Passage]]
"""Gives passages by the numbers that postings know them by; those that are gone are left out."""


class PassageSearch:
    """Reads queries over postings: all of a collection's, or those of what another engine brought forward."""

    def __init__(self, bm25: Bm25, passages: Lookup, statistics: TextStatistics) -> None:
        """Take what is searched.

        Args:
            bm25: Weighs its terms.
            passages: Gives its passages.
            statistics: Of all passages, however many of them are looked at.
        """
        self.bm25 = bm25
        self._passages = passages
        self._statistics = statistics
        self._sections: dict[int, list[Places]] = {}
        """Of pages by their numbers, as far as they were looked at."""

    def find(
        self, query: str, limit: int, given: Callable[[Passage], Passage], near: Sequence[int] = ()
    ) -> list[Hit]:
        """Return the passages that answer a query best.

        A hit's score tells how much of what is asked it holds, by its words alone: the order may differ.

        Args:
            query: What is asked.
            limit: The most hits.
            given: Makes of a passage what is shown of it.
            near: The places of what dense vectors find, the best first: one more reading.
        """
        asked = dict.fromkeys(self._statistics.terms(query), 1.0)
        feedback = min(_MOST_FEEDBACK, _FEEDBACK / max(1, len(asked)))
        readings = [*self._readings(self.bm25, query, asked, limit), list(near)]
        fused = _fused(readings, (1.0, 1.0, 1.0, feedback, _DENSE))[:limit]
        if is_question(query) and (pages := self._by_lead(self.bm25, query, asked)):
            fused = _fused([fused, pages], (1.0, _LEADS))[:limit]
        scores, most = self.bm25.scores(self._worths(asked))
        numbers = [int(self.bm25.postings.ids[place]) for place in fused]
        found = self._passages(numbers)
        hits = [
            _hit(given(found[number]), float(scores[place] / most) if most else 0.0)
            for number, place in zip(numbers, fused, strict=True)
            if number in found
        ]
        return newest_first(by_meaning(query, hits, self._statistics))

    def _readings(self, bm25: Bm25, query: str, asked: Mapping[str, float], limit: int) -> list[list[int]]:
        """Return the places that each reading of a query finds, best first."""
        related = self._related(asked)
        return [
            [place for place, _ in bm25.best(self._worths(asked), limit)],
            [place for place, _ in bm25.best(self._worths(related), limit)],
            self._by_pages(bm25, asked),
            [place for place, _ in bm25.best(self._worths(self.expand(query)), limit)],
        ]

    def _related(self, asked: Mapping[str, float]) -> dict[str, float]:
        """Return a query's terms with those that are used like them, as far as the collection has them."""
        table = related_words()
        near = {term: table.near(term, 3 * RELATED, LEAST_RELATED) for term in asked}
        bm25 = self.bm25
        weights = dict(asked)
        for others in near.values():
            numbers = bm25.terms(other for other, _ in others)
            held = [pair for pair, number in zip(others, numbers, strict=True) if number >= 0]
            for other, cosine in held[:RELATED]:
                if other not in asked:
                    weights[other] = max(weights.get(other, 0.0), _RELATED_WORTH * cosine)
        return weights

    def _by_pages(self, bm25: Bm25, asked: Mapping[str, float]) -> list[int]:
        """Return the best passages of the best pages."""
        worths = self._worths(asked)
        pages = bm25.page_scores(worths)
        scores, _ = bm25.scores(worths)
        best = np.argsort(-np.round(pages, 9), kind="stable")[:_PAGES]
        found: list[int] = []
        for page in best[pages[best] > 0]:
            inside = np.flatnonzero(bm25.pages == page)
            order = inside[np.argsort(-np.round(scores[inside], 9), kind="stable")[:_OF_A_PAGE]]
            found += [int(place) for place in order if scores[place] > 0]
        return found

    def _by_lead(self, bm25: Bm25, query: str, asked: Mapping[str, float]) -> list[int]:
        """Return the best passages of the pages and sections that begin with what is asked, in any words.

        For questions alone: what names a subject or is put in words of the sources, words find by themselves.
        """
        worths = self._worths(asked)
        pages = bm25.page_scores(worths)
        best = np.argsort(-np.round(pages, 9), kind="stable")[:CANDIDATE_PAGES]
        best = best[pages[best] > 0].tolist()
        scores, _ = bm25.scores(worths)
        parts = [np.flatnonzero(bm25.pages == page) for page in best]
        parts += self._best_sections(bm25, best, scores)
        beside = max(0, min(CANDIDATE_SECTIONS, len(parts) - CANDIDATE_PAGES))
        numbers = [int(bm25.postings.ids[part[0]]) for part in parts]
        held = self._passages(numbers)
        parts = [part for part, number in zip(parts, numbers, strict=True) if number in held]
        found: list[int] = []
        beginnings = [held[n] for n in numbers if n in held]
        for rank in likeliest(query, beginnings, self._statistics, beside):
            order = parts[rank][np.argsort(-np.round(scores[parts[rank]], 9), kind="stable")[:OF_A_PAGE]]
            found += [place for place in order.tolist() if place not in found]
        return found

    def _best_sections(self, bm25: Bm25, pages: Sequence[int], scores: NDArray[np.float64]) -> list[Places]:
        """Return the places of the best sections of some pages: as many as make up the number, and more."""
        room = CANDIDATE_SECTIONS + CANDIDATE_PAGES - len(pages)
        sections = [section for page in pages for section in self._sections_of(bm25, page)]
        sections.sort(key=lambda section: -round(float(scores[section].max()), 9))
        return [section for section in sections[:room] if scores[section].max() > 0]

    def _sections_of(self, bm25: Bm25, page: int) -> list[Places]:
        """Return the places of each section's passages on a page; what stands before the first is in none."""
        if page not in self._sections:
            places = np.flatnonzero(bm25.pages == page)
            numbers = bm25.postings.ids[places].tolist() if len(places) > _SHORT else []
            held = self._passages(numbers)
            opens = [n for n, number in enumerate(numbers) if number in held and opens_section(held[number])]
            self._sections[page] = [places[a:b] for a, b in pairwise([*opens, len(places)])]
        return self._sections[page]

    def expand(self, query: str, rounds: Sequence[tuple[int, int]] = ROUNDS) -> dict[str, float]:
        """Return the query's terms with weights, and those that its best passages add to it."""
        bm25 = self.bm25
        asked = _unit(self._statistics.vector(query))
        weights = asked
        for believed, terms in rounds:
            best = bm25.best(self._worths(weights), believed)
            weights = self.feedback(asked, [int(bm25.postings.ids[place]) for place, _ in best], terms)
        return weights

    def feedback(self, asked: Mapping[str, float], ids: Sequence[int], count: int) -> dict[str, float]:
        """Return the query `asked` with the `count` heaviest terms of some passages, half and half."""
        found = self._passages(ids)
        centre: dict[str, float] = {}
        for vector in self._statistics.passage_vectors(list(found.values())):
            for term, value in vector.items():
                centre[term] = centre.get(term, 0.0) + value / len(found)
        best = sorted(centre, key=lambda term: (-centre[term], term))[:count]
        mean = _unit({term: centre[term] for term in best})
        return _unit({t: asked.get(t, 0.0) + mean.get(t, 0.0) for t in dict.fromkeys([*asked, *mean])})

    def rank(self, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return the row ids of the best passages for weighted terms, best first, with scores from 0 to 1."""
        bm25 = self.bm25
        ids = bm25.postings.ids
        return [(int(ids[place]), score) for place, score in bm25.best(self._worths(weights), limit)]

    def _worths(self, weights: Mapping[str, float]) -> dict[str, float]:
        idf = self._statistics.weights(weights)
        return {term: weight * idf[term] for term, weight in weights.items()}


def _fused(readings: Sequence[Sequence[int]], worths: Sequence[float]) -> list[int]:
    """Return what the readings found, by the sum of the reciprocals of its ranks, the largest first."""
    sums = reciprocal_ranks(readings, worths)
    return sorted(sums, key=lambda place: (-round(sums[place], 12), place))


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = sum(value * value for value in weights.values()) ** 0.5
    return {term: value / length for term, value in weights.items()} if length else dict(weights)


def _hit(passage: Passage, score: float) -> Hit:
    text = " ".join(passage.text.split())
    snippet = text if len(text) <= 300 else text[:300].rsplit(" ", 1)[0] + " …"
    return Hit(passage.url, passage.title, snippet, min(1.0, score), passage, passage.published)
