"""The choice of a whole report's quotations: maximal marginal relevance over many places at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from library.passages import rank_pages, word_count
from models import Statistics
from reports.extract.quotations import Quote

_CORE = 8
"""Passages that are taken to be what the topic is about, at first: those most relevant to its words."""
_WIDER = 20
"""Passages like those, of which the same is taken to be so then."""
_FLOOR = 0.35
"""A passage less like these (1 for the most like) is taken to be about something else."""
_SAYS_MUCH = 12
"""Words from which on a sentence is taken to say enough."""
_SAME = 0.8
"""Quotations more alike than this say the same."""
_LOST = 1.0
"""What a quotation loses that means little alone and whose sentence before cannot be quoted."""


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
    titles: Mapping[str, str] = field(default_factory=dict)
    """The title of the source of each passage id."""
    asks: bool = False
    """The topic is a question: what answers it counts, not what the whole is mostly about."""


def choose(found: Sequence[Quote], most: int, least: int, wish: Wish, statistics: Statistics) -> list[Quote]:
    """Choose up to `most` quotations: worth saying, unlike each other, from many places. In given order.

    Of those beyond the `least`, only what is still about the topic is taken. One that means nothing without
    the sentence before it is taken with that one; where that one cannot be quoted, late or not at all.
    """
    if not found or most < 1:
        return []
    worth, focus = scores(found, wish, statistics)
    alike = statistics.similarity([quote.text for quote in found])
    before = _before(found)
    worth = worth - _LOST * np.array([quote.leans and i not in before for i, quote in enumerate(found)])
    nearest = np.zeros(len(found))
    free = np.ones(len(found), dtype=bool)
    paragraphs = {place: n for n, place in enumerate(dict.fromkeys(quote.paragraph for quote in found))}
    paragraph = [paragraphs[quote.paragraph] for quote in found]
    sources = dict.fromkeys(wish.sources[passage] for quote in found for passage in quote.passages)
    number_of = {name: n for n, name in enumerate(sources)}
    source = np.array([number_of[wish.sources[quote.passages[0]]] for quote in found])
    of_paragraph, of_source = np.zeros(len(found)), np.zeros(len(number_of))
    chosen: list[int] = []
    while len(chosen) < min(most, len(found)):
        open_to = free & (nearest <= _SAME) & ((focus >= _FLOOR) | (len(chosen) < least))
        spent = 0.8 * of_paragraph[paragraph] + 0.15 * np.minimum(of_source[source], 4)
        value = np.where(open_to, worth - nearest - spent, -np.inf)
        best = int(value.argmax())
        if value[best] == -np.inf:
            break
        chain = _chain(best, found, before, chosen)
        free[best] = False
        if len(chosen) + len(chain) > most or any(not free[i] and i != best for i in chain):
            continue
        for i in chain:
            chosen.append(i)
            free[i] = False
            nearest = np.maximum(nearest, alike[i])
            of_paragraph[paragraph[i]] += 1
            for passage in found[i].passages:
                of_source[number_of[wish.sources[passage]]] += 1
    return [found[i] for i in sorted(chosen)]


def _before(found: Sequence[Quote]) -> dict[int, int]:
    """Return for each quotation the place of the one that it follows at once, where there is one."""
    places = {quote.key: i for i, quote in enumerate(found)}
    return {
        i: places[quote.after]
        for i, quote in enumerate(found)
        if quote.after in places and found[places[quote.after]].passages[0] == quote.passages[0]
    }


def _chain(i: int, found: Sequence[Quote], before: Mapping[int, int], chosen: Sequence[int]) -> list[int]:
    """Return a quotation with those that it needs before it and that are not chosen yet, in order."""
    chain = [i]
    while found[chain[0]].leans and chain[0] in before and before[chain[0]] not in chosen:
        chain.insert(0, before[chain[0]])
    return chain


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
    near = _pages_of(wish, statistics) if wish.asks else focus_of(wish, statistics)
    focus = np.array([max(near[passage] for passage in quote.passages) for quote in found])
    if wish.asks:
        total = _scaled(relevance) + 0.3 * _scaled(under) + focus
    else:
        total = _scaled(relevance) + 0.5 * _scaled(under) + 0.6 * _scaled(central) + np.minimum(focus, 0.5)
    for i, quote in enumerate(found):
        total[i] += 0.35 * quote.first - 0.6 * quote.leans - 0.3 * quote.hints
        total[i] += 0.25 * min(len(quote.passages) - 1, 2)
        total[i] += 0.2 * (12 <= word_count(quote.text) <= 40)
    return total, focus


def focus_of(wish: Wish, statistics: Statistics) -> dict[str, float]:
    """Return for each passage how much it is about the topic (1: like the passages that are most so).

    Found in steps: what is most relevant to the topic's words, what is like that, what is like this. The
    best passage of its source counts half.
    """
    ids = list(wish.texts)
    if len(ids) <= _CORE:
        return dict.fromkeys(ids, 1.0)  # too few to tell
    texts = [f"{wish.titles.get(i, '')}. {wish.texts[i]}" for i in ids]
    relevance = np.asarray(statistics.relevance(wish.topic, texts))
    alike = statistics.similarity(texts).copy()
    np.fill_diagonal(alike, 0.0)
    near = alike[:, _largest(relevance, _CORE)].mean(axis=1)
    for _ in range(2):
        near = alike[:, _largest(near, _WIDER)].mean(axis=1)
    near = near / max(float(np.sort(near)[-5:].mean()), 1e-9)
    best: dict[str, float] = {}
    for i, passage in enumerate(ids):
        source = wish.sources[passage]
        best[source] = max(best.get(source, 0.0), float(near[i]))
    return {p: 0.5 * float(near[i]) + 0.5 * best[wish.sources[p]] for i, p in enumerate(ids)}


def _pages_of(wish: Wish, statistics: Statistics) -> dict[str, float]:
    """Return for each passage how well its page fits the question (1: the best page)."""
    held = {i: _Held(wish.sources[i], text, wish.titles.get(i, "")) for i, text in wish.texts.items()}
    fits = rank_pages(wish.topic, list(held.values()), statistics)
    best = max(fits.values(), default=0.0)
    return {i: fits[passage.sha256] / best if best else 0.0 for i, passage in held.items()}


@dataclass(frozen=True, slots=True)
class _Held:
    sha256: str
    text: str
    title: str


def _largest(values: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    return np.argsort(-values, kind="stable")[:most]


def _full(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return 1 for sentences of some length, less for shorter ones, which a cosine favours."""
    return np.array([min(word_count(text) / _SAYS_MUCH, 1.0) for text in texts])


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    top = float(values.max()) if values.size else 0.0
    return values / top if top > 0 else values
