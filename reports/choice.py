"""The choice of a whole report's quotations: maximal marginal relevance over many places at once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library.quotable import word_count
from models.statistics import Statistics
from reports.quotations import Quote

_CORE = 12
"""Passages that are taken to be what the topic is about: those most relevant to its words."""
_FLOOR = 0.1
"""A passage less like the core than this (1 for the core itself) is taken to be about something else."""
_SAYS_MUCH = 12
"""Words from which on a sentence is taken to say enough."""
_SAME = 0.8
"""Quotations more alike than this say the same."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the quotations of a report should be about."""

    topic: str
    headings: Mapping[str, str]
    """For each passage id, the titles and questions of what it stands under."""
    sources: Mapping[str, str]
    """The source of each passage id."""
    texts: Mapping[str, str]
    """The text of each passage id."""


def choose(found: Sequence[Quote], most: int, least: int, wish: Wish, statistics: Statistics) -> list[Quote]:
    """Choose up to `most` quotations: worth saying, unlike each other, from many places. In given order.

    Of those beyond the `least`, only what is still about the topic is taken.
    """
    if not found or most < 1:
        return []
    worth, focus = scores(found, wish, statistics)
    alike = statistics.similarity([quote.text for quote in found])
    nearest = np.zeros(len(found))
    free = np.ones(len(found), dtype=bool)
    paragraphs: Counter[tuple[str, int]] = Counter()
    sources: Counter[str] = Counter()
    chosen: list[int] = []

    def spent(quote: Quote) -> float:
        return 0.8 * paragraphs[quote.paragraph] + 0.15 * min(sources[wish.sources[quote.passages[0]]], 4)

    while len(chosen) < min(most, len(found)):
        open_to = free & (nearest <= _SAME) & ((focus >= _FLOOR) | (len(chosen) < least))
        value = np.where(open_to, worth - nearest - np.array([spent(quote) for quote in found]), -np.inf)
        best = int(value.argmax())
        if value[best] == -np.inf:
            break
        chosen.append(best)
        free[best] = False
        nearest = np.maximum(nearest, alike[best])
        paragraphs[found[best].paragraph] += 1
        sources.update(wish.sources[passage] for passage in found[best].passages)
    return [found[i] for i in sorted(chosen)]


def scores(
    found: Sequence[Quote], wish: Wish, statistics: Statistics
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how much each quote is worth on its own, and how near its passage is to the topic."""
    texts = [quote.text for quote in found]
    relevance = np.asarray(statistics.relevance(wish.topic, texts)) * _full(texts)
    under = np.zeros(len(found))
    about = [wish.headings[quote.passages[0]] for quote in found]
    for heading in dict.fromkeys(about):
        at = [i for i, mine in enumerate(about) if mine == heading]
        under[at] = statistics.relevance(heading, [texts[i] for i in at])
    alike = statistics.similarity(texts)
    central = (alike.sum(axis=1) - alike.diagonal()) / max(len(found) - 1, 1)
    near = _focus(wish, statistics)
    focus = np.array([max(near[passage] for passage in quote.passages) for quote in found])
    total = _scaled(relevance) + 0.5 * _scaled(under) + 0.6 * _scaled(central) + np.minimum(focus, 0.5)
    for i, quote in enumerate(found):
        total[i] += 0.35 * quote.first - 0.6 * quote.leans + 0.25 * min(len(quote.passages) - 1, 2)
        total[i] += 0.2 * (12 <= word_count(quote.text) <= 40)
    return total, focus


def _focus(wish: Wish, statistics: Statistics) -> dict[str, float]:
    """Return for each passage how like the core it is (1: as the core itself); its source counts half."""
    ids = list(wish.texts)
    texts = [wish.texts[i] for i in ids]
    relevance = np.asarray(statistics.relevance(wish.topic, texts))
    core = np.argsort(-relevance, kind="stable")[:_CORE]
    alike = statistics.similarity(texts)
    np.fill_diagonal(alike, 0.0)
    near = alike[:, core].mean(axis=1)
    near = near / max(float(np.sort(near)[-5:].mean()), 1e-9)
    best: dict[str, float] = {}
    for i, passage in enumerate(ids):
        source = wish.sources[passage]
        best[source] = max(best.get(source, 0.0), float(near[i]))
    return {p: 0.5 * float(near[i]) + 0.5 * best[wish.sources[p]] for i, p in enumerate(ids)}


def _full(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return 1 for sentences of some length, less for shorter ones, which a cosine favours."""
    return np.array([min(word_count(text) / _SAYS_MUCH, 1.0) for text in texts])


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    top = float(values.max()) if values.size else 0.0
    return values / top if top > 0 else values
