"""When two questions are the same question, and how much of one an answer takes up: by words alone.

The same in every language.
"""

from collections import Counter
from functools import lru_cache
from math import sqrt

from library.text import terms
from models import Statistics

SAME = 0.86
"""Likeness (0 to 1) from which a question counts as asked before."""


_LEAST_PART, _HELD_PART = 3, 0.75
"""Terms that a part of what was asked must have, and share (0 to 1) of them that a question must hold, for
that question to ask it too."""


def alike(a: str, b: str) -> bool:
    """Tell whether two questions are the same but for spacing, case, order and words that say nothing."""
    return _folded(a) == _folded(b) or likeness(a, b) >= SAME


def holds_part(part: str, question: str) -> bool:
    """Tell whether a question asks a part of what was asked, in its words, beside whatever else it asks."""
    own = set(_counts(part))
    held = own & set(_counts(question))
    return alike(part, question) or (len(own) >= _LEAST_PART and len(held) >= _HELD_PART * len(own))


def likeness(a: str, b: str) -> float:
    """Return how like (cosine of their terms, 0 to 1) two questions are."""
    one, other = _counts(a), _counts(b)
    both = sum(count * other[term] for term, count in one.items())
    length = sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return both / length if length else 0.0


def taken_up_share(question: str, answer: str, topic: str, statistics: Statistics) -> float:
    """Return how much of what a question's own words tell an answer holds, 0 to 1.

    Words count by their weight (inverse document frequency); those of the topic stand in every answer.
    """
    own = set(statistics.terms(question)) - set(statistics.terms(topic))
    whole = sum(statistics.weight(term) for term in sorted(own))
    held = own & set(statistics.terms(answer))
    return sum(statistics.weight(term) for term in sorted(held)) / whole if whole else 0.0


@lru_cache(maxsize=4096)
def _counts(text: str) -> Counter[str]:
    return Counter(terms(text))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？ ")
