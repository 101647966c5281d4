"""How much of a question a text would hold by chance: below that, sharing words with it says nothing.

A search always gives something, best first, also where nothing fits. What a text shares with a question is
worth the information of the shared words, -log of the share of texts that hold each. Were words spread
independently, so many texts of a collection would hold as much of the question as this one, whichever words
it were: the tail of a sum of independent weighted choices, times the number of texts. Where that is one or
more, the text is what any question would find; and where another text tells much more, so little is not
enough. No language and no corpus is fitted; texts are short, so that their lengths are left aside.
"""

from collections.abc import Collection, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from library.text.similarity.tfidf import TextStatistics
from library.text.tokenize import is_cjk

_STEP = 0.1
"""Information is counted in steps of so much (natural logarithm)."""
_OF_BEST = 0.4
"""Of what the best of the texts tells beyond chance (as a logarithm), what each must tell at least."""
_MOST = 2 / 3
"""Share of a question's words that is most of them."""
_FEW = 8
"""Texts up to which nothing can be told of chance: a word of the question that counts is enough."""
_NEVER = 1e-300
_OVERLAPPING = 0.5
"""What a term counts that shares a character with the one before it, for they come together."""


def beyond_chance(
    question: str,
    texts: Sequence[str],
    statistics: TextStatistics,
    count: int,
    *,
    most: float = 1.0,
    beside: Collection[str] = (),
) -> list[bool]:
    """Tell for each text whether it holds more of a question than texts do by chance.

    One that holds most of a question's words does, however common they are: where a few documents are all on
    one matter, its words stand everywhere. So does every text where the question has no words that count.

    Args:
        question: What is asked or searched for; its own words count, however often.
        texts: Passages, with the titles of their sources.
        statistics: Knows in how many of them each word stands.
        count: How many texts were searched.
        most: As many texts as this may be expected to hold as much.
        beside: Index terms that alone are not enough: a text must hold another of the question's. Ignored
            where the question has no other.
    """
    terms = list(dict.fromkeys(statistics.terms(question)))
    own = {term for term in terms if term not in beside} or set(terms)
    shares = statistics.shares(terms)
    steps = [
        round(-log(share) / _STEP * (_OVERLAPPING if _overlaps(before, term) else 1.0))
        for before, term, share in zip(["", *terms], terms, shares, strict=False)
    ]
    every = [set(statistics.terms(text)) for text in texts]
    if count <= _FEW:
        return [not terms or bool(held & own) for held in every]
    tail = _tail(shares, steps)
    told = [
        -log(max(float(tail[sum(step for t, step in zip(terms, steps, strict=True) if t in held)]), _NEVER))
        for held in every
    ]
    least = max(log(count / most), _OF_BEST * max(told, default=0.0))
    return [
        not terms or (bool(held & own) and (len(held & set(terms)) >= _MOST * len(terms) or worth > least))
        for held, worth in zip(every, told, strict=True)
    ]


def _overlaps(before: str, term: str) -> bool:
    if is_cjk(term):
        return before[-1:] == term[:1]
    return bool(before) and term.startswith(before)


def _tail(chances: Sequence[float], steps: Sequence[int]) -> NDArray[np.float64]:
    """Return the chance that a sum is at least 0, 1, … steps, each term with its own chance to count."""
    sums = np.ones(1)
    for chance, step in zip(chances, steps, strict=True):
        wider = np.zeros(len(sums) + step)
        wider[: len(sums)] += sums * (1 - chance)
        wider[step:] += sums * chance
        sums = wider
    return np.cumsum(sums[::-1])[::-1]
