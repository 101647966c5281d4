"""A question's report without a language model: a section for each page that has something to say on it."""

from library import Evidence, Passage
from library.passages import copied_passages, in_release_notes, rank_pages
from library.text import headline, without_number
from models import Statistics
from reports.plan.map_reader import Branch
from reports.plan.outline import ReportPlan

_FITS = 0.45
"""How well a page must fit the question, as a share of the best page's fit."""
_MOST = 5


def answering_passages(question: str, evidence: Evidence) -> dict[str, Passage]:
    """Return by id what may answer a question: no notes on releases nobody asked for, and nothing twice."""
    texts = {sha: source.text for sha, source in evidence.sources.items()}
    found = {
        i: p
        for i, p in evidence.passages.items()
        if p.sha256 not in texts or not in_release_notes(texts[p.sha256], p.start, question)
    }
    copies = copied_passages(list(found.values()))
    return {i: p for i, p in found.items() if p.key not in copies}


def plan_pages(
    question: str, evidence: Evidence, statistics: Statistics, max_sections: int = _MOST
) -> list[ReportPlan]:
    """Return a section for each page that fits a question, the best first, under the page's own title."""
    passages = answering_passages(question, evidence)
    fits = rank_pages(question, list(passages.values()), statistics)
    best = max(fits.values(), default=0.0)
    pages = [page for page, fit in fits.items() if best and fit >= _FITS * best]
    plans: list[ReportPlan] = []
    taken: set[str] = set()
    for page in pages[: min(_MOST, max_sections)]:
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
