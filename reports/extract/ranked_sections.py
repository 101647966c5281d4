"""The sections that a page's units stand in, those that answer a question best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from library.passages import AskedSection, rank_pages, rank_sections
from models import Statistics
from reports.extract.page_units import (
    OpeningPassage,
    PageUnit,
    entry_of,
    headings_of,
    page_units,
    sections_of,
)


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


def sections_ranked(
    question: str, passages: Sequence[OpeningPassage], statistics: Statistics
) -> list[RankedSection]:
    """Return the sections of all pages that some passages are of, the one that answers a question best first.

    Args:
        question: What is asked.
        passages: In the order in which they were found.
        statistics: Knows what texts mean, or weighs their words.
    """
    pages = rank_pages(question, passages, statistics)
    return ranked_sections(question, page_units(passages, statistics), statistics, pages)


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


def _text(units: Sequence[PageUnit], pages: Mapping[str, float]) -> AskedSection:
    held = {unit.passage.id: unit.passage for unit in units}
    return AskedSection(
        headings_of(units[0]),
        entry_of(units[0]),
        " ".join(unit.told.asked for unit in units),
        [f"{passage.title}. {passage.text}" for passage in held.values()],
        pages.get(units[0].passage.sha256, 0.0),
    )


def best_of(ranked: Sequence[RankedSection]) -> float:
    """Return how well the best section fits, 0 for none."""
    return ranked[0].fit if ranked else 0.0
