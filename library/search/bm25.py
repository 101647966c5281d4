"""BM25 (Robertson and Zaragoza, 2009) of passages and of their pages, over a collection's postings."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from library.text.similarity.tfidf import Frequencies

SATURATION, LENGTH, PAGE_LENGTH = 1.2, 0.6, 0.75
"""BM25's k1, and b for passages and for pages."""
_COMMON = 0.2
"""Terms in more than this share of the passages are left out of long queries."""
_LONG_QUERY = 12
_DIGITS = 9
"""Of a score: what sums differ by past these is not told apart."""
_KEPT_NUMBERS = 4_000_000
"""Of what postings are evidence of, eight bytes each, that are kept in memory."""
_KEPT_TERMS = 100_000

Floats = NDArray[np.float64]
_NOWHERE = (np.zeros(0, dtype=np.int32), np.zeros(0))


class PassagePostings(Protocol):
    """Which passages hold which terms, as far as weighing them needs it."""

    @property
    def ids(self) -> NDArray[np.int64]:
        """By which their owner knows the passages."""

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Number of terms of each passage."""

    def __len__(self) -> int:
        """Return how many passages there are."""

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """Return the number of each term, -1 for one that occurs nowhere."""

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many passages each term occurs."""

    def of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Return the places of the passages that hold a term, ascending, and how often each does."""


@dataclass(slots=True)
class Bm25:
    """Postings with what is evidence of what in them, as far as asked for. Passages go by their places."""

    postings: PassagePostings
    pages: NDArray[np.int32]
    """The number of the page that each passage stands in."""
    norms: Floats
    """BM25's length factor of each passage."""
    page_norms: Floats
    numbers: dict[str, int] = field(default_factory=dict)
    """Terms that were asked for, with their numbers; -1 for those that occur nowhere."""
    evidence: OrderedDict[int, Floats] = field(default_factory=OrderedDict)
    """For a term's postings what each is evidence of: BM25's part that does not depend on the query."""
    kept: int = 0
    """Numbers in `evidence`."""
    frequencies: Frequencies | None = None
    """How often terms occur in all passages, where the postings are of some of them; None: of all."""
    lock: Lock = field(default_factory=Lock)
    """Searches run in threads."""

    @classmethod
    def of(cls, postings: PassagePostings, pages: NDArray[np.int32]) -> "Bm25":
        """Weigh postings; `pages` numbers the page of each passage, from 0."""
        lengths = postings.lengths.astype(np.float64)
        page_lengths = np.bincount(pages, lengths).astype(np.float64)
        mean_length = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
        mean = max(1.0, float(page_lengths.mean())) if len(page_lengths) else 1.0
        return cls(
            postings,
            pages,
            1 - LENGTH + LENGTH * lengths / mean_length,
            1 - PAGE_LENGTH + PAGE_LENGTH * page_lengths / mean,
        )

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

    def of_term(self, number: int) -> tuple[NDArray[np.int32], Floats]:
        """Return the places of the passages that hold a term, and what it is evidence of in each."""
        places, counts = self.postings.of(number)
        with self.lock:
            if number in self.evidence:
                self.evidence.move_to_end(number)
                return places, self.evidence[number]
            times = counts.astype(np.float64)
            found = times * (SATURATION + 1) / (times + SATURATION * self.norms[places])
            self.evidence[number] = found
            self.kept += len(found)
            while self.kept > _KEPT_NUMBERS and len(self.evidence) > 1:
                self.kept -= len(self.evidence.popitem(last=False)[1])
            return places, found

    def scores(self, worths: Mapping[str, float]) -> tuple[Floats, float]:
        """Return the evidence that every passage carries for terms, and the most that one could.

        Args:
            worths: What each term is worth: its weight in the query times its inverse document frequency.
        """
        places: list[NDArray[np.int32]] = []
        evidence: list[Floats] = []
        most = 0.0
        for (at, found), worth in self._asked(worths):
            most += worth
            places.append(at)
            evidence.append(worth * found)
        if not places:
            return np.zeros(len(self.postings)), 0.0
        # One pass over all postings; the sums are in the order of the terms.
        scores = np.bincount(np.concatenate(places), np.concatenate(evidence), minlength=len(self.postings))
        return scores.astype(np.float64, copy=False), most * (SATURATION + 1)

    def page_scores(self, worths: Mapping[str, float]) -> Floats:
        """Return the evidence that every page carries for terms, by its number."""
        scores = np.zeros(len(self.page_norms))
        for number, worth in zip(self.terms(worths), worths.values(), strict=True):
            if number < 0:
                continue
            places, counts = self.postings.of(number)
            times = np.bincount(self.pages[places], counts, minlength=len(scores))
            scores += worth * times * (SATURATION + 1) / (times + SATURATION * self.page_norms)
        return scores

    def _asked(self, worths: Mapping[str, float]) -> Iterable[tuple[tuple[NDArray[np.int32], Floats], float]]:
        common = self._common(worths) if len(worths) > _LONG_QUERY else frozenset()
        for (term, worth), number in zip(worths.items(), self.terms(worths), strict=True):
            if term not in common:
                yield (self.of_term(number) if number >= 0 else _NOWHERE), worth

    def _common(self, terms: Iterable[str]) -> frozenset[str]:
        """Return those of some terms that occur in so many passages that they tell little."""
        asked = list(terms)
        if self.frequencies is None:
            known, count = dict(zip(asked, self.postings.frequencies(asked), strict=True)), len(self.postings)
        else:
            known, count = dict(self.frequencies.document_frequency(asked)), self.frequencies.count()
        return frozenset(term for term, held in known.items() if held > _COMMON * count + 20)

    def best(self, worths: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return the places of the best passages, best first, with scores from 0 to 1, the most there is."""
        scores, most = self.scores(worths)
        found = np.flatnonzero(scores > self._below(worths, scores, limit))
        if 0 < limit < len(found):
            least = np.partition(scores[found], len(found) - limit)[len(found) - limit]
            # What is rounded decides, and only for the best: all others need not be rounded.
            found = found[scores[found] >= least - 2 * most / 10**_DIGITS]
        rounded = np.round(scores[found] / most, _DIGITS) if most else scores[found]
        order = np.argsort(-rounded, kind="stable")[:limit]
        return [(int(found[i]), float(rounded[i])) for i in order if rounded[i]]

    def _below(self, worths: Mapping[str, float], scores: Floats, limit: int) -> float:
        """Return a score that the best passages are above for certain: most need not be looked at then.

        Among the passages of one term as many as are wanted are as good as the worst of these: there may be
        better ones elsewhere, but none of the best is worse.
        """
        held = [self.postings.of(number)[0] for number in self.terms(worths) if number >= 0]
        enough = [places for places in held if len(places) >= max(limit, 1)]
        if not enough or limit <= 0:
            return 0.0
        few = min(enough, key=len)
        least = np.partition(scores[few], len(few) - limit)[len(few) - limit]
        return float(least) * (1 - 1e-6) - 1e-12 if least > 0 else 0.0
