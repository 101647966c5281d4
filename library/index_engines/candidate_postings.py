"""Postings of what an engine brought forward for one query: small, in memory, and gone with it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from library.index_engines.index_engine import CandidatePassage, EngineCounts
from library.search.bm25 import LENGTH, PAGE_LENGTH, Bm25
from library.text.similarity.tfidf import Frequencies


class CandidatePostings:
    """Implements `library.search.bm25.PassagePostings`; a candidate's id is its place."""

    def __init__(self, candidates: Sequence[CandidatePassage]) -> None:
        self.ids = np.arange(len(candidates), dtype=np.int64)
        self.lengths = np.zeros(len(candidates), dtype=np.int32)
        self._numbers: dict[str, int] = {}
        terms: list[int] = []
        for place, candidate in enumerate(candidates):
            before = len(terms)
            terms += [self._numbers.setdefault(t, len(self._numbers)) for t in candidate.terms.split()]
            self.lengths[place] = len(terms) - before
        pairs = np.array(terms, dtype=np.int64) * max(1, len(candidates))
        pairs += np.repeat(self.ids, self.lengths)
        each, counts = np.unique(pairs, return_counts=True)
        self._places = (each % max(1, len(candidates))).astype(np.int32)
        self._counts = counts.clip(0, np.iinfo(np.uint16).max).astype(np.uint16)
        begins = np.arange(len(self._numbers) + 1, dtype=np.int64) * max(1, len(candidates))
        self._starts = np.searchsorted(each, begins)

    def __len__(self) -> int:
        return len(self.ids)

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """Return the number of each term, -1 for one that occurs nowhere."""
        return [self._numbers.get(term, -1) for term in terms]

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many candidates each term occurs."""
        return [len(self.of(n)[0]) if n >= 0 else 0 for n in self.numbers(terms)]

    def of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Return the places of the candidates that hold a term, ascending, and how often each does."""
        part = slice(int(self._starts[number]), int(self._starts[number + 1]))
        return self._places[part], self._counts[part]


def weighed(candidates: Sequence[CandidatePassage], counts: EngineCounts, frequencies: Frequencies) -> Bm25:
    """Weigh candidates as all passages of their collection are weighed, by its own mean lengths.

    Args:
        candidates: Some of its passages.
        counts: How much the collection holds.
        frequencies: How often terms occur in it.
    """
    postings = CandidatePostings(candidates)
    numbers: dict[str, int] = {}
    pages = np.array([numbers.setdefault(c.sha256, len(numbers)) for c in candidates], dtype=np.int32)
    page_lengths = np.zeros(len(numbers))
    page_lengths[pages] = [candidate.page_length for candidate in candidates]
    mean = max(1.0, counts.terms / max(1, counts.passages))
    page_mean = max(1.0, counts.terms / max(1, counts.texts))
    return Bm25(
        postings,
        pages,
        1 - LENGTH + LENGTH * postings.lengths.astype(np.float64) / mean,
        1 - PAGE_LENGTH + PAGE_LENGTH * page_lengths / page_mean,
        frequencies=frequencies,
    )
