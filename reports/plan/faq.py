"""Headings as questions: those that the table asked, else one made of the heading."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reports.plan.outline import ReportPlan
from reports.report_phrases import ReportPhrases
from reports.visible_text import plain

_LONGEST = 120
"""Characters of a question that can stand as a heading."""
_MORE = re.compile(r"^(?:what else|what more|anything else|还有|除此)", re.IGNORECASE)
"""Asks on about something said before: no heading for a reader who begins here."""
_NAMED = re.compile(r"“([^“”]+)”")
_QUESTION = re.compile(r"[?？]\s*$")


def asked(plans: Sequence[ReportPlan], words: ReportPhrases, *, given: bool = False) -> list[ReportPlan]:
    """Return the sections with questions for headings, none of them twice.

    Args:
        plans: The sections.
        words: What a report says in its language.
        given: A person wrote the headings: each is made a question as it stands, none is taken for it.
    """
    found: list[ReportPlan] = []
    taken: set[str] = set()
    for plan in plans:
        heading = None if given else next((q for q in _questions(plan) if q not in taken), None)
        if heading is None:
            heading = plain(plan.heading)
            if not _QUESTION.search(heading):
                heading = words.asked.format(title=heading)
        taken.add(heading)
        found.append(replace(plan, heading=heading))
    return found


def _questions(plan: ReportPlan) -> list[str]:
    """Return what was asked and answered at the section's own node and fits a heading."""
    if _QUESTION.search(plan.heading):
        return [plain(plan.heading)]
    parts = [part for top in plan.branches[:1] for part in top.walk()]
    notes = [note for part in parts for note in part.notes if note.answer]
    questions = [plain(note.question) for note in notes]
    found = [q for q in questions if _QUESTION.search(q) and not _MORE.match(q) and len(q) <= _LONGEST]
    return [q for q in found if belongs(q, plan.heading)]


def belongs(question: str, heading: str) -> bool:
    """Tell whether a question that names a branch names this one: one answer may stand in several."""
    named = _NAMED.findall(question)
    return all(name.casefold() in heading.casefold() for name in named)
