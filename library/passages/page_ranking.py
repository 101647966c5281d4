"""Which page answers a question: the one of which several passages fit it, not one that shares a word."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

from models import Statistics

_BEST = 3
"""Passages of a page that speak for it: one may fit by accident, and many only tell that a page is long."""


class Placed(Protocol):
    """A passage, as far as it matters here."""

    @property
    def sha256(self) -> str:
        """Of its source."""
        ...

    @property
    def text(self) -> str:
        """Its words."""
        ...

    @property
    def title(self) -> str:
        """Of its source."""
        ...


def rank_pages(question: str, passages: Sequence[Placed], statistics: Statistics) -> Mapping[str, float]:
    """Return the sources (sha256) of some passages with how well they fit a question (>= 0), best first.

    A page's fit is the sum of the cosines of its three best passages, its title counted with each. On 44
    questions over four manuals the right page came first in 0.48 of them, against 0.34 for the page of the
    best passage of the same search.
    """
    fits = statistics.relevance(question, [f"{p.title}\n{p.text}" for p in passages])
    held: defaultdict[str, list[float]] = defaultdict(list)
    for passage, fit in zip(passages, fits, strict=True):
        held[passage.sha256].append(fit)
    worth = {source: sum(sorted(own, reverse=True)[:_BEST]) for source, own in held.items()}
    return dict(sorted(worth.items(), key=lambda item: -round(item[1], 9)))
