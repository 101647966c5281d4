"""The parts of a question among a report's sections: each has a section, as long as its evidence is."""

from collections.abc import Collection, Sequence

from library import Evidence
from models import Statistics
from reports.plan.outline_task import PlannedSection

_FAIR = 0.7
"""Share of the words that a part's evidence would give it, which its sections have at least."""
_BACKGROUND = 0.2
"""Words of what answers no part, at most, as a share of the words of what does."""


def with_parts(
    sections: Sequence[PlannedSection],
    parts: Sequence[str],
    unsaid: Collection[int],
    held: Sequence[Sequence[str]],
    evidence: Evidence,
    resting: Collection[str],
    statistics: Statistics,
) -> list[PlannedSection]:
    """Return planned sections so that each part of the question is answered by one.

    What answers no part is background, and kept short. A part that the plan forgot goes to the section that
    is most like it, whose purpose then names it. Where the sections of a part have much fewer words than its
    evidence would give them, they get more.

    Args:
        sections: As planned.
        parts: Of the question; with fewer than two nothing is changed.
        unsaid: Numbers (from 1) of the parts on which no passage bears.
        held: The passages of each section.
        evidence: All that was admitted.
        resting: The passages that the discussion's answers rest on.
        statistics: Compares texts.
    """
    filled = [n for n, ids in enumerate(held) if ids]
    if len(parts) < 2 or not filled:
        return list(sections)
    served = [{p for p in section.parts if 1 <= p <= len(parts)} for section in sections]
    made = list(sections)
    answered = set[int]().union(*(served[n] for n in filled))
    for part in sorted(set(range(1, len(parts) + 1)) - answered - set(unsaid)):
        nearest = _nearest(parts[part - 1], made, held, filled, evidence, statistics)
        served[nearest].add(part)
        purpose = f"{made[nearest].purpose} {parts[part - 1]}".strip()
        made[nearest] = made[nearest].model_copy(update={"purpose": purpose})
    return _shared(made, served, held, set(resting))


def _nearest(
    part: str,
    sections: Sequence[PlannedSection],
    held: Sequence[Sequence[str]],
    filled: Sequence[int],
    evidence: Evidence,
    statistics: Statistics,
) -> int:
    texts = [
        "\n".join([sections[n].heading, sections[n].purpose, *(evidence.passages[i].text for i in held[n])])
        for n in filled
    ]
    alike = statistics.similarity([part, *texts])
    return max(filled, key=lambda n: (float(alike[0, 1 + filled.index(n)]), -n))


def _shared(
    sections: Sequence[PlannedSection],
    served: Sequence[Collection[int]],
    held: Sequence[Sequence[str]],
    resting: Collection[str],
) -> list[PlannedSection]:
    """Return the sections with words for each part by how much of what answers rest on bears on it."""
    owned: dict[int, set[str]] = {}
    words: dict[int, float] = {}
    for n, parts in enumerate(served):
        for part in parts:
            owned.setdefault(part, set()).update(i for i in held[n] if i in resting)
            words[part] = words.get(part, 0.0) + sections[n].words / len(parts)
    whole, all_words = sum(map(len, owned.values())), sum(words.values())
    if not whole or not all_words:
        return list(sections)
    fair = {part: _FAIR * all_words * len(ids) / whole for part, ids in owned.items()}
    more = {part: fair[part] / words[part] if words[part] else 1.0 for part in owned}
    # Who names parts for no section has not told background from the rest.
    named = any(section.parts for section in sections)
    beside = sum(section.words for n, section in enumerate(sections) if held[n] and not served[n])
    less = min(1.0, _BACKGROUND * all_words / beside) if beside and named else 1.0
    rates = [max([1.0, *(more[p] for p in parts)]) if parts else less for parts in served]
    return [
        section.model_copy(update={"words": int(section.words * rate)})
        for section, rate in zip(sections, rates, strict=True)
    ]
