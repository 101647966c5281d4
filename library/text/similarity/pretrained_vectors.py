"""What words mean, as far as the company they keep tells: vectors of the 30,000 most frequent English words.

The vectors are GloVe's (Pennington, Socher and Manning, "GloVe: Global Vectors for Word Representation",
2014), cut to their main directions and to a byte a number; `data/README.md` says where they come from.
Words of other languages, and rare ones, have none.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from library.text.tokenize import stem

Vector = NDArray[np.float64]

_RARITY = 1e-3
"""The `a` of smooth inverse frequency (Arora, Liang and Ma, "A simple but tough-to-beat baseline", 2017)."""
_SHARE = 12.0
"""Zipf's law: the word of rank r is about one in 12 r."""
_FORMS = 3
"""Words of one stem that make its vector, the most frequent ones."""


class WordVectors:
    """A table of word vectors."""

    def __init__(self, words: Sequence[str], matrix: NDArray[np.float32]) -> None:
        """Take words, the most frequent first, and a row of numbers for each."""
        self._rank = {word: rank for rank, word in enumerate(words)}
        self._matrix = matrix
        self._sorted = sorted(words)

    def __len__(self) -> int:
        return len(self._rank)

    @property
    def words(self) -> list[str]:
        """The words, the most frequent first."""
        return list(self._rank)

    @property
    def matrix(self) -> NDArray[np.float32]:
        """A row of numbers for each of the words; not to be changed."""
        return self._matrix

    @property
    def dimensions(self) -> int:
        """Numbers a vector."""
        return int(self._matrix.shape[1])

    def word(self, word: str) -> Vector | None:
        """Return a folded word's vector, of length 1; None when it has none."""
        rank = self._rank.get(word)
        if rank is None:
            return None
        row = self._matrix[rank].astype(np.float64)
        return np.asarray(row / np.linalg.norm(row))

    def starting(self, prefix: str, count: int) -> list[str]:
        """Return the most frequent words that begin so."""
        found: list[str] = []
        place = bisect_left(self._sorted, prefix)
        while place < len(self._sorted) and self._sorted[place].startswith(prefix):
            found.append(self._sorted[place])
            place += 1
        return sorted(found, key=self._rank.__getitem__)[:count]

    def text(self, words: Sequence[str]) -> Vector:
        """Return the mean of some folded words' vectors, rare words weighing more; 0 when none is known."""
        counted = [
            (rank, count)
            for word, count in Counter(words).items()
            if (rank := self._rank.get(word)) is not None
        ]
        if not counted:
            return np.zeros(self.dimensions)
        ranks = np.array([rank for rank, _ in counted])
        weights = np.array([1.0 + math.log(count) for _, count in counted])
        weights *= _RARITY / (_RARITY + 1.0 / ((ranks + 2.0) * _SHARE))
        total = weights @ self._matrix[ranks].astype(np.float64)
        return np.asarray(total / max(1e-9, float(np.linalg.norm(total))))


class RelatedWords:
    """Index terms by how alike their words are used: other words for a question.

    A person asks about a mate and a manual tells of a friend. The nearest by cosine are other words for the
    same, kinds of it and, at times, its opposite: they are for finding, never for saying that two texts
    agree.
    """

    def __init__(self, words: Sequence[str], matrix: NDArray[np.float32]) -> None:
        """Take words, the most frequent first, and a row of numbers for each."""
        rows: dict[str, list[int]] = {}
        for row, word in enumerate(words):
            forms = rows.setdefault(stem(word), [])
            if len(forms) < _FORMS:
                forms.append(row)
        self._numbers = {term: number for number, term in enumerate(rows)}
        self._terms = list(rows)
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        unit = matrix / np.maximum(lengths, 1e-9)
        firsts = np.array([forms[0] for forms in rows.values()])
        means = unit[firsts].copy()
        for number, forms in enumerate(rows.values()):
            if len(forms) > 1:
                means[number] = unit[forms].mean(axis=0)
        self._means = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)

    @lru_cache(maxsize=2_000)  # noqa: B019 - there is one table, for as long as the program runs
    def near(self, term: str, count: int, least: float) -> tuple[tuple[str, float], ...]:
        """Return up to `count` other index terms of at least the cosine `least`, the nearest first."""
        number = self._numbers.get(term)
        if number is None:
            return ()
        cosines = self._means @ self._means[number]
        enough = np.flatnonzero(cosines >= least)
        best = enough[np.argsort(-cosines[enough], kind="stable")]
        return tuple((self._terms[at], float(cosines[at])) for at in best if at != number)[:count]


@lru_cache(maxsize=1)
def word_vectors() -> WordVectors:
    """Return the table that comes with the program."""
    table = np.load(BytesIO((files("library.text") / "data" / "word_vectors.npz").read_bytes()))
    words = table["words"].tobytes().decode().split("\n")
    return WordVectors(words, table["vectors"].astype(np.float32) * table["scales"][:, None])


@lru_cache(maxsize=1)
def related_words() -> RelatedWords:
    """Return what the table that comes with the program tells; English alone."""
    table = word_vectors()
    return RelatedWords(table.words, table.matrix)
