"""What sections were written from, so that only those whose node or order changed are written again."""

import hashlib
import json
import re
from collections.abc import Collection
from typing import Literal

from library import citations, keep_citations, strip_citations
from models import Event
from reports.brief import Brief
from reports.plan.outline import ReportPlan
from reports.settings import ReportSettings
from reports.tasks.section_task import SectionText

Drafts = dict[str, SectionText]
"""Sections as they were written before, by what they were written from (`draft_key`)."""
_QUOTATION = re.compile(r"“[^“”]*”")


class SectionsDrafted(Event):
    """Sections were written in words of their own; each under what it was written from."""

    kind: Literal["sections_drafted"] = "sections_drafted"
    drafts: dict[str, SectionText]


def draft_key(plan: ReportPlan, brief: Brief, settings: ReportSettings) -> str:
    """Return the key of a section's text: its order and its part of the map.

    Left out is what follows from other sections (their headings, this one's share of the words, which of its
    passages are the most telling of all): a change there is no reason to write this one again.
    """
    parts = [
        [part.title, list(part.passages), [[note.question, note.answer] for note in part.notes]]
        for top in plan.branches
        for part in top.walk()
    ]
    order = [brief.topic, brief.language, settings.style, settings.audience, settings.words, plan.heading]
    order += brief.directions
    order += [plan.purpose, plan.words] if plan.words else []
    return hashlib.sha256(json.dumps([order, parts]).encode()).hexdigest()[:24]


def only_shown(text: SectionText, shown: Collection[str]) -> SectionText:
    """Return a text without citations of passages that its writer was not shown, and without such tables."""
    cells = [[i for row in table.rows for cell in row for i in citations(cell)] for table in text.tables]
    return text.model_copy(
        update={
            "paragraphs": [keep_citations(paragraph, shown)[0] for paragraph in text.paragraphs],
            "tables": [t for t, ids in zip(text.tables, cells, strict=True) if set(ids) <= set(shown)],
        }
    )


def in_own_words(text: SectionText) -> bool:
    """Tell whether a text holds more than quotations, which cost nothing to choose again."""
    said = (_QUOTATION.sub("", strip_citations(paragraph)) for paragraph in text.paragraphs)
    return bool(text.tables) or any(re.search(r"\w", words) for words in said)
