"""Made texts with a vocabulary like real ones: few words everywhere, most of them rare, a subject for each.

Words are drawn after Zipf's law (with Mandelbrot's shift) from as many as a body of text of that size has
(Heaps' law); a third of a text's words are of its own subject. The same seed, the same texts. They mean
nothing: they are for measuring how long searching takes, not how well it finds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from library.text import STOP_WORDS

_SYLLABLES = tuple(first + vowel + last for first in "bdfgklmnprtvz" for vowel in "aeiou" for last in "nrlmk")
_SHIFT = 2.7
_SUBJECT_WORDS = 60
_SUBJECT_SHARE = 0.35
_PARAGRAPHS = 8
_WORDS = 92
"""Of one paragraph, which is a passage."""


@dataclass(frozen=True)
class Corpus:
    """So many documents of eight paragraphs."""

    documents: int
    seed: int = 7

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary, the most frequent first: stop words, then made ones."""
        tokens = self.documents * _PARAGRAPHS * _WORDS
        size = int(30 * tokens**0.55)
        stop = sorted(STOP_WORDS)[:120]
        return stop + [_word(number) for number in range(max(size, 2_000))]

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        shares = 1.0 / (np.arange(1, len(self.words) + 1) + _SHIFT)
        return np.cumsum(shares / shares.sum())

    def _subject(self, number: int) -> NDArray[np.int64]:
        """Return the words of a document's subject, which it shares with some others."""
        chance = np.random.default_rng([self.seed, 1, number % max(1, self.documents // 6)])
        # Neither everybody's words nor those that nobody uses.
        ranks = np.exp(chance.uniform(np.log(300), np.log(len(self.words)), _SUBJECT_WORDS))
        return ranks.astype(np.int64) - 1

    def text(self, number: int) -> str:
        """Return a document as Markdown."""
        chance = np.random.default_rng([self.seed, 2, number])
        subject, words = self._subject(number), self.words
        paragraphs = []
        for _ in range(_PARAGRAPHS):
            drawn = np.searchsorted(self._cumulative, chance.random(_WORDS)).clip(0, len(words) - 1)
            own = subject[(chance.random(_WORDS) ** 2 * _SUBJECT_WORDS).astype(np.int64)]
            chosen = np.where(chance.random(_WORDS) < _SUBJECT_SHARE, own, drawn)
            paragraphs.append(_prose([words[rank] for rank in chosen]))
        title = " ".join(words[rank] for rank in subject[:4]).capitalize()
        return f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"

    def queries(self, count: int) -> Iterator[str]:
        """Yield questions of four words of a document's subject and two of everybody's."""
        chance = np.random.default_rng([self.seed, 3])
        for _ in range(count):
            subject = self._subject(int(chance.integers(self.documents)))
            own = [self.words[rank] for rank in chance.choice(subject[:30], 4, replace=False)]
            common = [self.words[rank] for rank in chance.integers(120, 800, 2)]
            yield " ".join([*own, *common])


def _word(number: int) -> str:
    """Return a word of its own for each number: the rarer, the longer."""
    parts = []
    number += len(_SYLLABLES)
    while number:
        number, digit = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[digit])
    return "".join(reversed(parts))


def _prose(words: list[str]) -> str:
    """Return words as sentences of sixteen."""
    sentences = [" ".join(words[at : at + 16]).capitalize() for at in range(0, len(words), 16)]
    return ". ".join(sentences) + "."
