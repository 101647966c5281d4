"""Conclusions of the discussion whose premises stand in several sections: each is told in one of them."""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from library import cite, is_inference
from library.text import sentences
from models import Statistics
from reports.cite.cited_sentences import CitedSentence, cited_sentences
from reports.plan.outline import ReportPlan

_MOST = 2
"""Conclusions that a section is given at most."""
_SAME = 0.6
"""Likeness (0 to 1) from which on two conclusions are one."""


def across_sections(
    plans: Sequence[ReportPlan], answers: Sequence[str], known: Collection[str], statistics: Statistics
) -> list[list[str]]:
    """Return for each section the conclusions that are told there though it has a part of their premises.

    Each goes to the first section by whose end all is told that it rests on: a reader who comes to it knows
    what it speaks of. Where some of that is told in no section, it goes to the one that has most of it; of
    those with as much, to the one whose heading and purpose it is most like. What a section has all premises
    of is in its notes already.

    Args:
        plans: The sections.
        answers: What the discussion said, with citations: of what is concluded again, the last word counts.
        known: Ids of the passages that there are: what rests on others too is not told.
        statistics: Compares texts.
    """
    found: list[list[str]] = [[] for _ in plans]
    held = [set(plan.passages()) for plan in plans]
    purposes = [f"{plan.heading} {plan.purpose}" for plan in plans]
    for drawn in _last_drawn(answers, statistics):
        premises = set(drawn.citations)
        shares = [len(premises & own) for own in held]
        if not premises <= set(known) or max(shares, default=0) in (0, len(premises)):
            continue
        near = statistics.relevance(drawn.text, purposes)
        free = [n for n, texts in enumerate(found) if len(texts) < _MOST]
        told = _told_by(premises, held)
        home = max(free, key=lambda n: (n == told, shares[n], round(near[n], 6), -n), default=None)
        if home is not None and shares[home]:
            found[home].append(f"{drawn.text} {cite(drawn.citations)}")
    return found


def _told_by(premises: AbstractSet[str], held: Sequence[AbstractSet[str]]) -> int | None:
    """Return the place of the first section by whose end all premises are told; None: not all are."""
    left = set(premises)
    for place, own in enumerate(held):
        left -= own
        if not left:
            return place
    return None


def _last_drawn(answers: Sequence[str], statistics: Statistics) -> list[CitedSentence]:
    """Return the conclusions of answers that cite something, each as it was drawn last."""
    said = [sentence for answer in answers for sentence in cited_sentences(answer, sentences)]
    drawn = [sentence for sentence in said if is_inference(sentence.text) and sentence.citations]
    alike = statistics.similarity([s.text for s in drawn])
    later = [any(alike[n, m] >= _SAME for m in range(n + 1, len(drawn))) for n in range(len(drawn))]
    return [s for s, again in zip(drawn, later, strict=True) if not again]
