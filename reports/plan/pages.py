"""A question's report without a language model: a section for each page that has something to say on it."""

from collections.abc import Mapping

from library import Evidence, Passage
from library.passages import copied_passages, in_release_notes, is_glossary
from library.text import asks_how, headline, without_number
from models import Statistics
from reports.extract.page_units import opening_passages
from reports.extract.ranked_sections import best_section, sections_ranked, told_beside
from reports.plan.map_reader import Branch
from reports.plan.outline import ReportPlan

_MOST = 5


def answering_passages(question: str, evidence: Evidence) -> dict[str, Passage]:
    """Return by id what may answer a question: no notes on releases nobody asked for, and nothing twice.

    Who asks how something is done is not told what words mean, where there is anything else.
    """
    texts = {sha: source.text for sha, source in evidence.sources.items()}
    found = {
        i: p
        for i, p in evidence.passages.items()
        if p.sha256 not in texts or not in_release_notes(texts[p.sha256], p.start, question)
    }
    if asks_how(question):
        told = {i: p for i, p in found.items() if p.sha256 not in texts or not is_glossary(texts[p.sha256])}
        found = told or found
    copies = copied_passages(list(found.values()))
    return {i: p for i, p in found.items() if p.key not in copies}


def plan_pages(
    question: str, evidence: Evidence, statistics: Statistics, max_sections: int = _MOST
) -> list[ReportPlan]:
    """Return a section for each page that fits a question, the best first, under the page's own title."""
    passages = answering_passages(question, evidence)
    plans: list[ReportPlan] = []
    taken: set[str] = set()
    for page in _pages(question, passages, evidence, statistics)[: min(_MOST, max_sections)]:
        own = sorted((p for p in passages.values() if p.sha256 == page), key=lambda p: p.start)
        title = headline(own[0].title) or without_number(own[0].title) or own[0].url
        # Another edition of the same page: “git-switch(1)” and “git-switch”.
        name = title.casefold().split("(")[0].strip()
        if name in taken:
            continue
        taken.add(name)
        held = Branch(node="", title=title, notes=(), passages=tuple(p.id for p in own))
        plans.append(ReportPlan(title, (held,), None, chosen=held.passages))
    return plans


def _pages(
    question: str, passages: Mapping[str, Passage], evidence: Evidence, statistics: Statistics
) -> list[str]:
    """Return the pages (sha256) of which a section is told beside the best one, the best first."""
    ranked, units = sections_ranked(question, opening_passages(passages, evidence), statistics)
    told = told_beside(ranked, best_section(ranked, units), units, statistics)
    return list(dict.fromkeys(each.page for each in told))
