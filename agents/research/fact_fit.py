"""How well noted facts fit what is asked: by what a note says, and by the passages that it rests on.

A note is short, and often in other words than the question: of prompts that a program raises it says what
they ask, not that they are warnings. Its passages hold both.
"""

from collections.abc import Mapping, Sequence

from agents.memory.memory import MemoryBlock
from library import Passage
from library.passages import combined_relevance
from library.text import titled_text
from models import Statistics

_LEAST_MEANT = 0.35
"""Cosine to the question of a note, or of one of its passages, from which it may tell about it."""


def fact_fits(
    wordings: Sequence[str],
    facts: Sequence[MemoryBlock],
    held: Mapping[str, Passage],
    statistics: Statistics,
) -> dict[MemoryBlock, float]:
    """Return how well each fact fits the nearest of some wordings, 0 to 1: comparable among these alone.

    Args:
        wordings: What is asked or searched for.
        facts: The notes.
        held: The passages that they may rest on, by id; of others the note's words alone count.
        statistics: Weighs words and meanings.
    """
    resting = _resting(facts, held)
    fits = dict.fromkeys(facts, 0.0)
    for wording in dict.fromkeys(wordings) if facts else ():
        said = _shares(wording, [fact.text for fact in facts], statistics)
        shown = dict(zip(resting, _shares(wording, list(resting.values()), statistics), strict=True))
        for fact, share in zip(facts, said, strict=True):
            own = [shown[i] for i in fact.passages if i in shown]
            fits[fact] = max(fits[fact], (share + max(own)) / 2 if own else share)
    return fits


def meant_by(
    question: str, facts: Sequence[MemoryBlock], held: Mapping[str, Passage], statistics: Statistics
) -> set[str]:
    """Return the ids of the facts that mean something near to a question, or whose passages do."""
    resting = _resting(facts, held)
    near = statistics.meaning(question, [*(fact.text for fact in facts), *resting.values()])
    if near is None:
        return set()
    told, shown = near[: len(facts)], dict(zip(resting, near[len(facts) :], strict=True))
    return {
        fact.id
        for fact, said in zip(facts, told, strict=True)
        if max([said, *(shown[i] for i in fact.passages if i in shown)]) >= _LEAST_MEANT
    }


def _resting(facts: Sequence[MemoryBlock], held: Mapping[str, Passage]) -> dict[str, str]:
    """Return by id what the passages say that some facts rest on, as searches read it."""
    ids = dict.fromkeys(i for fact in facts for i in fact.passages if i in held)
    return {i: titled_text(held[i]) for i in ids}


def _shares(wording: str, texts: Sequence[str], statistics: Statistics) -> list[float]:
    """Return the fit of each text as a share of the best one's."""
    worth = combined_relevance(wording, texts, statistics) if texts else []
    best = max(worth, default=0.0)
    return [each / best if best > 0 else 0.0 for each in worth]
