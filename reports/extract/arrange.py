"""Chosen quotations put into an order that reads well, and into paragraphs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models import Statistics
from reports.extract.quotations import Quote

_LONGEST = 4
"""Sentences in a paragraph of quotations."""
_MORE = 2
"""Sentences by which a paragraph may be longer, so that the next does not open with what points back."""
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

    Sentences of one source stay together, as they follow each other there. Sources that tell years go
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
    return _cut([runs[first], *runs[:first], *runs[first + 1 :]] if runs else [])


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
    return int(published[:4]) if published and published[:4].isdigit() else None


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


def _cut(runs: Sequence[list[Quote]]) -> list[list[Quote]]:
    """Cut runs into paragraphs; none opens with what points back, where that can be helped."""
    cut: list[list[Quote]] = []
    for run in runs:
        most = _LONGEST + (_MORE if _dependent(run[0]) else 0)
        if cut and len(cut[-1]) + len(run) <= most:
            cut[-1] += run
            continue
        pieces = -(-len(run) // _LONGEST)  # a long run is cut into even pieces
        ends = [_end(run, round(len(run) * n / pieces)) for n in range(pieces + 1)]
        cut += [list(run[a:b]) for a, b in pairwise(ends) if a < b]
    if len(cut) > 1 and len(cut[-1]) == 1:  # a last sentence does not stand alone
        last = cut.pop()
        cut[-1] += last
    return cut


def _end(run: Sequence[Quote], at: int) -> int:
    """Return the place nearest to one, from it on, at which a paragraph may open; else the place itself."""
    near = [i for i in range(at, min(at + _MORE, len(run)) + 1) if i == len(run) or not _dependent(run[i])]
    return near[0] if at and near else at


def _dependent(quote: Quote) -> bool:
    return quote.leans or quote.hints
