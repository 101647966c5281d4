"""Sparse TF-IDF vectors of many texts in one structure that grows in place.

A text is a bag of index terms (`library.text.tokenize`). What is kept is counts alone: in rows, for matrices,
and in postings, for looking up what is near. Weights come from the document frequencies at the time of
asking, so adding a text costs only its own terms, and nothing is computed again for those that were there.

Everything is a function of the texts and of the order in which they were added: vectors built again from the
same texts in the same order answer the same.
"""

import math
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key", bound=Hashable)

_REFRESH = 1.2
"""Row lengths are measured again when the collection has grown by this factor: constant work, amortised."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a TF-IDF matrix, compressed (as scipy's csr_array takes them), each of length 1 or empty."""

    data: NDArray[np.float64]
    indices: NDArray[np.int64]
    indptr: NDArray[np.int64]
    columns: int

    def dense(self) -> NDArray[np.float64]:
        """Return them as a plain matrix over the columns that occur."""
        used, places = np.unique(self.indices, return_inverse=True)
        matrix = np.zeros((len(self.indptr) - 1, len(used)))
        matrix[np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr)), places] = self.data
        return matrix


def rarity(held: float, texts: int) -> float:
    """Return how much a term tells that so many of the texts hold: its inverse document frequency, > 0."""
    return math.log(1.0 + (texts + 1.0) / (held + 0.5))


def rarities(held: NDArray[np.float64] | NDArray[np.int64], texts: int) -> NDArray[np.float64]:
    """Return `rarity` of many terms at once."""
    found: NDArray[np.float64] = np.log(1.0 + (texts + 1.0) / (held + 0.5))
    return found


class SparseVectors(Generic[Key]):
    """TF-IDF vectors by key, with exact cosines for chosen rows and a bounded search for near ones."""

    def __init__(self) -> None:
        self._columns: dict[str, int] = {}
        self._rows: dict[Key, int] = {}
        self._keys: list[Key] = []
        self._starts = array("q", [0])
        self._terms = array("q")
        self._counts = array("d")
        self._postings: list[array[int]] = []
        self._posted: list[array[float]] = []
        self._lengths = array("d")
        self._measured = 0

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def add(self, key: Key, terms: Iterable[str]) -> None:
        """Add a text by its index terms; a key that is there already is left as it is."""
        if key in self._rows:
            return
        row = self._rows[key] = len(self._keys)
        self._keys.append(key)
        for term, count in sorted(Counter(terms).items()):
            column = self._columns.setdefault(term, len(self._columns))
            if column == len(self._postings):
                self._postings.append(array("q"))
                self._posted.append(array("d"))
            damped = 1.0 + math.log(count)
            self._terms.append(column)
            self._counts.append(damped)
            self._postings[column].append(row)
            self._posted[column].append(damped)
        self._starts.append(len(self._terms))
        # Measured here and not when asked: lengths then depend on the order of adding alone.
        if row >= self._measured * _REFRESH + 8:
            self._lengths = self._all_lengths()
            self._measured = row + 1
        else:
            self._lengths.append(self._length(row))

    def frequency(self, term: str) -> int:
        """Return how many of the texts hold a term."""
        column = self._columns.get(term)
        return 0 if column is None else len(self._postings[column])

    def weight(self, term: str) -> float:
        """Return how much a term tells among these texts (inverse document frequency, > 0)."""
        return self._weight(self.frequency(term))

    def _weight(self, frequency: int) -> float:
        return rarity(frequency, len(self._keys))

    def near(self, terms: Iterable[str], count: int, budget: int = 4000) -> list[tuple[Key, float]]:
        """Return up to `count` keys with their cosines to a bag of terms, the nearest first.

        Postings are read from the most telling term on until `budget` of them were seen, so the work does not
        grow with the collection; what only shares common words with the query may be missed.
        """
        counted = sorted(Counter(terms).items())
        wanted = [(self.frequency(term), term, 1.0 + math.log(times)) for term, times in counted]
        length = math.sqrt(sum((damped * self._weight(found)) ** 2 for found, _, damped in wanted))
        rows: list[NDArray[np.int64]] = []
        scores: list[NDArray[np.float64]] = []
        for found, term, damped in sorted(wanted):
            if not found:
                continue
            budget -= found
            if budget < 0 and rows:
                break
            column, weight = self._columns[term], self._weight(found)
            rows.append(np.frombuffer(self._postings[column], dtype=np.int64))
            scores.append(np.frombuffer(self._posted[column]) * (damped * weight * weight))
        if not rows:
            return []
        # The views above share memory with arrays that cannot grow while they live; none outlives this call.
        seen, places = np.unique(np.concatenate(rows), return_inverse=True)
        products = np.bincount(places, np.concatenate(scores))
        cosines = products / (np.frombuffer(self._lengths)[seen] * length)
        best = np.lexsort((seen, -cosines))[:count]
        return [(self._keys[int(seen[at])], min(1.0, float(cosines[at]))) for at in best]

    def _weights(self) -> NDArray[np.float64]:
        frequencies = np.fromiter(map(len, self._postings), dtype=np.float64, count=len(self._postings))
        return rarities(frequencies, len(self._keys))

    def _length(self, row: int) -> float:
        """Return the length of a row, by today's weights."""
        total = 1e-12
        for at in range(self._starts[row], self._starts[row + 1]):
            total += (self._counts[at] * self._weight(len(self._postings[self._terms[at]]))) ** 2
        return math.sqrt(total)

    def _sizes(self) -> NDArray[np.int64]:
        starts = np.array(self._starts, dtype=np.int64)
        return starts[1:] - starts[:-1]

    def _all_lengths(self) -> "array[float]":
        columns = np.array(self._terms, dtype=np.int64)
        squares = (np.array(self._counts) * self._weights()[columns]) ** 2
        owners = np.repeat(np.arange(len(self._keys)), self._sizes())
        sums = np.bincount(owners, squares, minlength=len(self._keys))
        return array("d", np.sqrt(sums + 1e-12))

    def rows(self, keys: Sequence[Key]) -> Rows:
        """Return the rows of some keys, by today's weights, each scaled to length 1. Raises KeyError."""
        spans = [(self._starts[row], self._starts[row + 1]) for row in (self._rows[key] for key in keys)]
        sizes = np.array([end - start for start, end in spans], dtype=np.int64)
        indptr = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
        columns = array("q")
        counts = array("d")
        for start, end in spans:
            columns += self._terms[start:end]
            counts += self._counts[start:end]
        indices = np.array(columns, dtype=np.int64)
        data = np.array(counts) * self._weights()[indices] if len(indices) else np.zeros(0)
        lengths = np.sqrt(np.bincount(np.repeat(np.arange(len(keys)), sizes), data**2, minlength=len(keys)))
        data = data / np.repeat(np.maximum(lengths, 1e-12), sizes)
        return Rows(data, indices, indptr, len(self._columns))
