"""One order out of several, by reciprocal ranks (Cormack, Clarke and Büttcher, 2009)."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

DEPTH = 60
"""What is added to a rank, as they chose it: how little the very first ones count above the next."""


def reciprocal_ranks(
    rankings: Iterable[Sequence[_Item]], worths: Iterable[float] | None = None, depth: int = DEPTH
) -> dict[_Item, float]:
    """Return what items are worth by all rankings together: the sum of 1 / (depth + rank), ranks from 1.

    Args:
        rankings: Each an order of some of the items, the best first; they must be hashable.
        worths: What each ranking counts, as many as there are rankings; None: 1 each.
        depth: What is added to a rank.
    """
    sums: dict[_Item, float] = {}
    pairs = ((each, 1.0) for each in rankings) if worths is None else zip(rankings, worths, strict=True)
    for ranking, worth in pairs:
        for rank, item in enumerate(ranking, 1):
            sums[item] = sums.get(item, 0.0) + worth / (depth + rank)
    return sums
