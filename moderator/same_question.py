"""When two questions are the same question: by their words alone, the same in every language."""

from collections import Counter
from functools import lru_cache
from math import sqrt

from library.text import terms

SAME = 0.86
"""Likeness (0 to 1) from which a question counts as asked before."""


def alike(a: str, b: str) -> bool:
    """Tell whether two questions are the same but for spacing, case, order and words that say nothing."""
    return _folded(a) == _folded(b) or likeness(a, b) >= SAME


def likeness(a: str, b: str) -> float:
    """Return how like (cosine of their terms, 0 to 1) two questions are."""
    one, other = _counts(a), _counts(b)
    both = sum(count * other[term] for term, count in one.items())
    length = sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return both / length if length else 0.0


@lru_cache(maxsize=4096)
def _counts(text: str) -> Counter[str]:
    return Counter(terms(text))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？ ")
