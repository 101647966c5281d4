"""The sections that a page's units stand in, those that answer a question best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from library.passages import AskedSection, rank_pages, rank_sections
from library.text import titled_text
from models import Statistics
from reports.extract.page_units import (
    OpeningPassage,
    PageUnit,
    entries_of,
    entry_of,
    headings_of,
    named_item,
    page_units,
    sections_of,
)

_BESIDE, _LESS = 0.7, 0.5
"""How well a section must fit that is told beside the best one, as a share of its fit: beyond, a report is
full of what only shares a word with the question; and one that is about the same."""
_SAME, _ONE = 1.2, 1.35
"""What that share and the likeness to the best one (a cosine) must be together: for what fits less, and for
what is told as one answer with it."""
_ENTRIES, _APART = 3, 0.75
"""Entries of a section from which on some may stay untold, and how well one that is told must fit, as a share
of the best one's fit: kinds of one thing fit alike, names that only stand together do not."""


@dataclass(frozen=True, slots=True)
class RankedSection:
    """A section of a page with how well it fits."""

    places: tuple[int, ...]
    """Of its units, in order."""
    page: str
    """Its source's sha256."""
    passages: frozenset[str]
    """The ids of those that it stands in."""
    fit: float
    """As `rank_sections` tells it; 0 for nothing."""


@dataclass(frozen=True, slots=True)
class BestSection:
    """The section that fits a question best: what others are measured by."""

    fit: float = 0.0
    """0 for none."""
    begins: str = ""
    """Its name and first lines, which tell what it is about."""


def sections_ranked(
    question: str, passages: Sequence[OpeningPassage], statistics: Statistics
) -> tuple[list[RankedSection], Sequence[PageUnit]]:
    """Return the sections of all pages that some passages are of, the one that answers a question best first.

    Beside them the units that their places are of.

    Args:
        question: What is asked.
        passages: In the order in which they were found.
        statistics: Knows what texts mean, or weighs their words.
    """
    pages, units = rank_pages(question, passages, statistics), page_units(passages, statistics)
    return ranked_sections(question, units, statistics, pages), units


def ranked_sections(
    question: str, units: Sequence[PageUnit], statistics: Statistics, pages: Mapping[str, float]
) -> list[RankedSection]:
    """Return the sections that units stand in, the one that answers a question best first.

    Args:
        question: What is asked.
        units: Of any pages, in the order of their pages.
        statistics: Knows what texts mean, or weighs their words.
        pages: How well whole pages (sha256) fit; 0 for others.
    """
    runs = sections_of(units)
    texts = [_text([units[i] for i in run], pages) for run in runs]
    held = [frozenset(units[i].passage.id for i in run) for run in runs]
    return [
        RankedSection(tuple(runs[n]), units[runs[n][0]].passage.sha256, held[n], fit)
        for n, fit in rank_sections(question, texts, statistics)
    ]


def asked_entries(
    question: str, section: RankedSection, units: Sequence[PageUnit], statistics: Statistics
) -> RankedSection:
    """Return a section without the entries that fit a question far less than its best one does.

    It fits as well as that one.
    """
    entries = entries_of([units[i] for i in section.places])
    if len(entries) < _ENTRIES:
        return section
    texts = [_text([units[section.places[n]] for n in entry], {}) for entry in entries]
    ranked = rank_sections(question, texts, statistics)
    told = [n for entry, fit in ranked if fit >= _APART * ranked[0][1] for n in entries[entry]]
    places = tuple(section.places[n] for n in sorted(told))
    return replace(section, places=places, fit=max(section.fit, ranked[0][1]))


def _text(units: Sequence[PageUnit], pages: Mapping[str, float]) -> AskedSection:
    held = {unit.passage.id: unit.passage for unit in units}
    items = {named_item(unit) for unit in units}
    item = items.pop() if len(items) == 1 else ""
    return AskedSection(
        ". ".join(filter(None, [headings_of(units[0]), item])),
        item or entry_of(units[0]),
        " ".join(unit.told.asked for unit in units),
        [titled_text(passage) for passage in held.values()],
        pages.get(units[0].passage.sha256, 0.0),
    )


def best_section(ranked: Sequence[RankedSection], units: Sequence[PageUnit]) -> BestSection:
    """Return the first of ranked sections as what others are measured by."""
    return BestSection(ranked[0].fit, _asked(ranked[0], units).begins) if ranked else BestSection()


def told_beside(
    sections: Sequence[RankedSection], best: BestSection, units: Sequence[PageUnit], statistics: Statistics
) -> list[RankedSection]:
    """Return the sections that fit nearly as well as the best, or less well and are about the same.

    What is said there in other words than the question's is often the answer.

    Args:
        sections: In any order, which is kept.
        best: The one that fits best of all pages.
        units: That their places are of.
        statistics: Knows what texts mean; where it does not, how well they fit decides alone.
    """
    fitting = [each for each in sections if each.fit > 0 and each.fit >= _LESS * best.fit]
    return [
        each
        for each, like in zip(fitting, _likeness(fitting, best, units, statistics), strict=True)
        if each.fit >= _BESIDE * best.fit or each.fit / best.fit + (like or 0.0) >= _SAME
    ]


def one_answer(
    question: str, sections: Sequence[RankedSection], units: Sequence[PageUnit], statistics: Statistics
) -> list[RankedSection]:
    """Return ranked sections without those that are about something else than the first.

    One that shares the question's words may be a stranger beside what answers it; one whose heading is nearer
    to the question than the first's is another answer.

    Args:
        question: What is asked.
        sections: The best first.
        units: That their places are of.
        statistics: Knows what texts mean; where it does not, all are returned.
    """
    best = best_section(sections, units)
    near = _likeness(sections, best, units, statistics)
    called = statistics.meaning(question, [_asked(each, units).name for each in sections])
    if called is None:
        return list(sections)
    return [
        each
        for each, like, named in zip(sections, near, called, strict=True)
        if like is None or each.fit + like * best.fit >= _ONE * best.fit or named > called[0]
    ]


def _likeness(
    sections: Sequence[RankedSection], best: BestSection, units: Sequence[PageUnit], statistics: Statistics
) -> Sequence[float | None]:
    """Return how near each is to the best by what it is about (a cosine); None where that is not known."""
    near = statistics.meaning(best.begins, [_asked(each, units).begins for each in sections])
    return [None] * len(sections) if near is None else near


def _asked(section: RankedSection, units: Sequence[PageUnit]) -> AskedSection:
    return _text([units[i] for i in section.places], {})
