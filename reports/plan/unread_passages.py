"""What is read of a page before its section is told: the rest of it, where a search gave a part."""

from library import Evidence, Passage
from library.passages import cut, section_around
from models import Statistics
from reports.extract.page_units import opening_passages
from reports.extract.ranked_sections import sections_ranked
from reports.plan.pages import answering_passages

_SECTIONS, _NEARLY = 3, 0.75
"""Sections that are read whole, at most, and how well one must fit, as a share of the best one's fit."""
_TOKENS = 1_200
"""Of a section that are read beside what is known of it."""


def unread_passages(question: str, evidence: Evidence, statistics: Statistics) -> list[Passage]:
    """Return what was not admitted of the sections that answer a question best, in their order.

    A search gives the passages that share words with a question; the command, the next step or the way out of
    an error stands behind them, in other words.

    Args:
        question: What is asked.
        evidence: All that was admitted, with its sources.
        statistics: Knows what texts mean, or weighs their words.
    """
    held = answering_passages(question, evidence)
    known = {passage.key for passage in evidence.passages.values()}
    ranked, _ = sections_ranked(question, opening_passages(held, evidence), statistics)
    found: dict[tuple[str, int, int], Passage] = {}
    for section in ranked[:_SECTIONS]:
        source = evidence.sources.get(section.page)
        if source is None or section.fit <= 0 or section.fit < _NEARLY * ranked[0].fit:
            continue
        keys = {held[i].key for i in section.passages}
        around = section_around(cut(source), keys, _TOKENS)
        found |= {passage.key: passage for passage in around if passage.key not in known}
    return list(found.values())
