"""What a task may ask about text when no language model is there: a protocol that the library implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Only for the annotation: numpy takes longer to import than all of this room.
    import numpy as np
    from numpy.typing import NDArray


class Statistics(Protocol):
    """A read-only view of text statistics over what the library holds. Every answer is deterministic."""

    def terms(self, text: str) -> list[str]:
        """Return the text's index terms in order: folded, without stop words, CJK text as bigrams."""

    def weight(self, term: str) -> float:
        """Return how much an index term tells (inverse document frequency, >= 0; unseen terms weigh most)."""

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Return the (start, end) character spans of the sentences, in order, without outer white space."""

    def relevance(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine (0 to 1) of each text with the query, on TF-IDF weights."""

    def meaning(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return the cosine (-1 to 1) of what each text means with what the query means.

        Only the beginning of a text counts, about 90 words. None where that is not known: no texts, or texts
        or a query in a language that the sentence model has not learnt.
        """

    def interaction(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return how well each text meets the query word by word (-1 to 1), by what they mean in place.

        About 280 words of a text count. None where that is not known, as for `meaning`.
        """

    def similarity(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the symmetric (n, n) matrix of cosines (0 to 1) between the texts, on TF-IDF weights."""

    def feedback(self, query: str, texts: Sequence[str], count: int) -> list[str]:
        """Return up to `count` words (as written) that the texts add to the query, best first (Rocchio)."""

    def phrases(self, texts: Sequence[str], count: int, against: Sequence[str] = ()) -> list[str]:
        """Return up to `count` distinctive phrases of the texts as a person would write them, best first.

        Phrases are 1 to 5 words, no stop word at either end, never a number or a url word alone. `against`
        are texts that the phrases should tell these apart from.
        """

    def groups(self, texts: Sequence[str], count: int) -> list[int]:
        """Return a group number for each text: at most `count` groups about the same thing, 0 the largest."""
