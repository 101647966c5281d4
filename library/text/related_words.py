"""Which words are used like a word, as far as the table of word vectors knows: other words for a question.

A person asks about a mate and a manual tells of a friend. The nearest words by cosine are other words for the
same, kinds of it and, at times, its opposite: they are for finding, never for saying that two texts agree.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from library.text.pretrained_vectors import word_vectors
from library.text.tokenize import stem

_FORMS = 3
"""Words of one stem that make its vector, the most frequent ones."""


class RelatedWords:
    """Vectors of the stems of words."""

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
def related_words() -> RelatedWords:
    """Return what the table that comes with the program tells; English alone."""
    table = word_vectors()
    return RelatedWords(table.words, table.matrix)
