"""What the sources do not say: checked against all that was admitted, at most five, each once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, Field

from library import Evidence, TextFrequencies, TextStatistics, strip_citations
from library.passages import WHOLE
from library.text import terms
from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block
from reports.brief import Brief
from reports.tasks.prompt_texts import PromptPassage, show, shown
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing

MOST = 5
"""Gaps that a report names: of a longer list nobody reads the end."""
_POINTS = 12
"""Points that are checked at most."""
_NEAREST, _SHOWN = 3, 20
"""Passages that are shown for each point, and for all together, at most."""
_SINGLED_OUT = 1
"""Of those for a point, beside the nearest."""
_AROUND = 20
"""Tokens of a passage's tag."""
_SAME = 0.6
"""Likeness (0 to 1) from which on two points are one."""
_SAID_AGAIN = 0.9
"""Likeness from which on of points that a model has told apart one is left out."""
_IDS = re.compile(r"\b[pmqn]\d+\b")


class _AnsweredPoint(TaskOutput):
    n: int
    passages: list[str] = Field(default_factory=list)


class CheckedGaps(TaskOutput):
    """What remains unsaid, and what was answered after all."""

    gaps: list[str] = Field(default_factory=list)
    answered: list[_AnsweredPoint] = Field(default_factory=list)


class CheckGaps(Task[CheckedGaps]):
    """Check what the discussion missed against the passages that come nearest to it."""

    name: ClassVar[str] = "check_gaps"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = CheckedGaps

    topic: str
    language: str
    points: list[str]
    passages: list[PromptPassage]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        lines = "\n".join(f"{n}. {point}" for n, point in enumerate(self.points, 1))
        return {
            "topic": self.topic,
            "language": self.language,
            "points": data_block("points", lines),
            "passages": show(self.passages, {p.id: [self.topic, *self.points] for p in self.passages}),
        }

    def extract(self, statistics: Statistics) -> CheckedGaps:
        """Keep the points that are unlike each other: no statistics of words can tell what answers them."""
        return CheckedGaps(gaps=apart(self.points, statistics))


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a report says is missing, and what the discussion took for missing by mistake."""

    unsaid: list[str] = field(default_factory=list)
    answering: list[str] = field(default_factory=list)
    """Passages that answer what was noted as missing: the report must tell them."""


def checking_gaps(
    brief: Brief, evidence: Evidence, statistics: Statistics, tokens: int
) -> BatchedRequest[Gaps]:
    """Ask which of the discussion's open questions and noted gaps are gaps of the sources.

    Args:
        brief: What was asked, and missed.
        evidence: All that was admitted.
        statistics: Weighs what is near.
        tokens: Of the passages that whoever checks is shown, about.
    """
    points = points_missed(brief, statistics)
    if not points:
        return nothing(Gaps())
    if brief.embedded:
        return nothing(Gaps(unsaid=apart(points, statistics)))
    nearest = _nearest(points, evidence, tokens)
    task = CheckGaps(
        topic=brief.topic, language=brief.language, points=points, passages=shown(nearest, evidence)
    )

    def read(replies: list[CheckedGaps]) -> Gaps:
        answering = [i for said in replies[0].answered if 1 <= said.n <= len(points) for i in said.passages]
        gaps = [plain(gap).strip(" .。") for gap in replies[0].gaps]
        clean = [gap for gap in gaps if gap and not _IDS.search(gap)]
        allowed = set(nearest)
        return Gaps(
            apart(clean, statistics, same=_SAID_AGAIN), [i for i in dict.fromkeys(answering) if i in allowed]
        )

    return BatchedRequest([task], read)


def points_missed(brief: Brief, statistics: Statistics, most: int = _POINTS) -> list[str]:
    """Return what a discussion left open and did not find, in plain words, each once.

    Questions come first, then what its last answers say the sources do not tell, then what was noted.
    """
    points = [plain(strip_citations(point)) for point in (*brief.open_questions, *brief.gaps)]
    points = [point for point in dict.fromkeys(points) if point and point != plain(brief.topic)]
    return points[:most] if brief.embedded else apart(points, statistics, most)


def _nearest(points: Sequence[str], evidence: Evidence, tokens: int) -> list[str]:
    """Return the passages nearest to each point, and those that its rarest word singles out.

    Words count by how few of the admitted passages hold them: all of these are about the topic, and what
    would single one out in its collection is in most of them.
    """
    ids = list(evidence.passages)
    texts = [evidence.passages[i].text for i in ids]
    words = [set(terms(text)) for text in texts]
    held = TextFrequencies(texts)
    statistics = TextStatistics(held)
    found: dict[str, float] = {}
    for point in points:
        near = statistics.relevance(point, texts)
        order = sorted(range(len(ids)), key=lambda n: (-round(near[n], 6), n))
        known = {term: count for term, count in held.document_frequency(terms(point)).items() if count}
        rarest = {term for term, count in known.items() if count == min(known.values())}
        single = [n for n in order if rarest & words[n]][:_SINGLED_OUT]
        for n in dict.fromkeys([*order[:_NEAREST], *single]):
            if near[n] > 0:
                found[ids[n]] = max(found.get(ids[n], 0.0), near[order[0]] if n in single else near[n])
    chosen: set[str] = set()
    for passage in sorted(found, key=lambda i: -round(found[i], 6))[:_SHOWN]:
        tokens -= min(estimate(evidence.passages[passage].text), WHOLE) + _AROUND
        if tokens >= 0 or not chosen:
            chosen.add(passage)
    return [i for i in ids if i in chosen]


def beside(points: Sequence[str], told: Sequence[str], statistics: Statistics) -> list[str]:
    """Return the points that are unlike all that was told elsewhere."""
    if not points or not told:
        return list(points)
    alike = statistics.similarity([*told, *points])
    return [
        point
        for n, point in enumerate(points, len(told))
        if all(alike[n, other] < _SAME for other in range(len(told)))
    ]


def apart(points: Sequence[str], statistics: Statistics, most: int = MOST, same: float = _SAME) -> list[str]:
    """Return the points that are unlike those before them, at most so many.

    Args:
        points: What is missing.
        statistics: Compares texts.
        most: How many.
        same: Likeness (0 to 1) from which on two are one. Whatever is asked of one topic is much alike: of
            points that a model has told apart only what it says twice is left out.
    """
    if not points:
        return []
    alike = statistics.similarity(list(points))
    kept: list[int] = []
    for n in range(len(points)):
        if len(kept) == most:
            break
        if all(alike[n, other] < same for other in kept):
            kept.append(n)
    return [points[n] for n in kept]
