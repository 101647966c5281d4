"""Chosen quotations put into an order that reads well, and into paragraphs of one source each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models import Statistics
from reports.extract.quotations import Quote

_YEAR = re.compile(r"(?<![\d.,])(1[0-9]{3}|20[0-9]{2})(?![\d,]|\.\d)")


@dataclass(frozen=True, slots=True)
class QuotePosition:
    """Where a passage stands."""

    source: str
    start: int
    published: str | None = None


def paragraphs(
    chosen: Sequence[Quote], heading: str, places: Mapping[str, QuotePosition], statistics: Statistics
) -> list[list[Quote]]:
    """Order the quotations of one node and cut them into paragraphs.

    Sentences of one source stay together, as they follow each other there; no paragraph holds two sources'
    words, and one ends where something is left out. Sources that tell years go
    from old to new; others begin with what says most of the heading, and go on to what is most like it.
    """
    runs = _runs(chosen, places)
    if len(runs) > 1:
        years = [_year(run, places) for run in runs]
        if len(runs) > 2 and sum(year is not None for year in years) >= 0.6 * len(runs):
            runs = _by_year(runs, years)
        else:
            runs = _by_likeness(runs, heading, statistics)
    # What opens must not point back to what is not there.
    first = next((i for i, run in enumerate(runs) if not _dependent(run[0])), 0)
    ordered = [runs[first], *runs[:first], *runs[first + 1 :]] if runs else []
    return [part for run in ordered for part in _cut(run)]


def _runs(chosen: Sequence[Quote], places: Mapping[str, QuotePosition]) -> list[list[Quote]]:
    runs: dict[str, list[Quote]] = {}
    for quote in chosen:
        runs.setdefault(places[quote.passages[0]].source, []).append(quote)
    return [
        sorted(run, key=lambda quote: (places[quote.passages[0]].start, quote.order)) for run in runs.values()
    ]


def _year(run: Sequence[Quote], places: Mapping[str, QuotePosition]) -> int | None:
    for quote in run:
        if found := _YEAR.search(quote.text):
            return int(found[1])
    published = places[run[0].passages[0]].published
    return int(published[:4]) if published and published[:4].isdecimal() else None


def _by_year(runs: Sequence[list[Quote]], years: Sequence[int | None]) -> list[list[Quote]]:
    known = [year for year in years if year is not None]
    last = max(known, default=0)
    return [
        runs[i]
        for i in sorted(range(len(runs)), key=lambda i: (years[i] if years[i] is not None else last, i))
    ]


def _by_likeness(runs: Sequence[list[Quote]], heading: str, statistics: Statistics) -> list[list[Quote]]:
    texts = [" ".join(quote.text for quote in run) for run in runs]
    alike = statistics.similarity(texts)
    relevance = statistics.relevance(heading, texts)
    starts = [i for i, run in enumerate(runs) if not _dependent(run[0])] or list(range(len(runs)))
    at = max(starts, key=lambda i: (relevance[i] + 0.5 * float(alike[i].mean()), -i))
    order, left = [at], [i for i in range(len(runs)) if i != at]
    while left:
        last = order[-1]
        nearest = max(left, key=lambda i: (float(alike[last, i]), -i))
        order.append(nearest)
        left.remove(nearest)
    return [runs[i] for i in order]


def _cut(run: Sequence[Quote]) -> list[list[Quote]]:
    """Cut the quotations of one source where something is left out between them.

    What points back stays with what stands before it.
    """
    cut: list[list[Quote]] = []
    for quote in run:
        if cut and (quote.after == cut[-1][-1].key or _dependent(quote)):
            cut[-1].append(quote)
        else:
            cut.append([quote])
    return cut


def _dependent(quote: Quote) -> bool:
    return quote.leans or quote.hints
