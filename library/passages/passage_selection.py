"""Choosing passages to show: relevant above a threshold, none twice, no source flooding the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from library.evidence import Passage
from library.text import tokenize as analysis
from models import Statistics

_SHINGLE = 3
_SAME = 0.6
"""Share of the smaller passage's shingles that another one repeats."""
_CROWDING = 0.85
"""What a further passage of a source that was chosen already counts for, for each of them."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage with its relevance, 0 to 1."""

    passage: Passage
    score: float


def select(
    query: str,
    candidates: Sequence[Passage],
    statistics: Statistics,
    *,
    limit: int,
    threshold: float,
    seen: Sequence[Passage] = (),
) -> list[Scored]:
    """Return the passages worth showing, best first.

    Args:
        query: What is asked.
        candidates: Passages to choose from, in any order; equal scores keep their order.
        statistics: Weighs the words.
        limit: The most passages.
        threshold: The least relevance (cosine, 0 to 1) a passage must have.
        seen: Passages that were shown before: neither they nor near copies of them are chosen.
    """
    scores = statistics.relevance(query, [f"{p.title}\n{p.text}" for p in candidates])
    relevant = [Scored(p, s) for p, s in zip(candidates, scores, strict=True) if s >= threshold and s > 0]
    known = {passage.key for passage in seen}
    shingles = [shingle_set(passage.text) for passage in seen]
    crowd: dict[str, int] = {}
    chosen: list[Scored] = []
    waiting = [item for item in relevant if item.passage.key not in known]
    while waiting and len(chosen) < limit:
        best = max(range(len(waiting)), key=lambda i: (_worth(waiting[i], crowd), -i))
        item = waiting.pop(best)
        mine = shingle_set(item.passage.text)
        if any(repeats(mine, other) for other in shingles):
            continue
        shingles.append(mine)
        chosen.append(item)
        crowd[item.passage.sha256] = crowd.get(item.passage.sha256, 0) + 1
    return sorted(chosen, key=lambda item: -item.score)


def _worth(item: Scored, crowd: dict[str, int]) -> float:
    return item.score * float(_CROWDING ** sqrt(crowd.get(item.passage.sha256, 0)))


def shingle_set(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of three index terms of a text (its terms as one, when it has fewer)."""
    terms = analysis.terms(text)
    if len(terms) < _SHINGLE:
        return frozenset([tuple(terms)]) if terms else frozenset()
    return frozenset(zip(terms, terms[1:], terms[2:], strict=False))


def repeats(first: frozenset[tuple[str, ...]], second: frozenset[tuple[str, ...]]) -> bool:
    """Whether one of two passages says mostly what the other says, word for word."""
    smaller = min(len(first), len(second))
    return smaller > 0 and len(first & second) >= _SAME * smaller
