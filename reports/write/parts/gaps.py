"""What the sources do not say: checked against all that was admitted, at most five, each once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, Field

from library import Evidence, TextFrequencies, TextStatistics, citations, cite, strip_citations
from library.passages import WHOLE, combined_relevance, only_lists, tells_of_release
from library.text import sentences, terms
from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block
from reports.brief import Brief
from reports.cite.cited_sentences import cited_sentences
from reports.document import Section
from reports.tasks.prompt_texts import PromptPassage, show, shown
from reports.tasks.prompt_texts import points as listed
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing
from reports.write.parts.kept_draft import stands

MOST = 5
"""Gaps that a report names: of a longer list nobody reads the end."""
_POINTS = 12
"""Points that are checked at most."""
_NEAREST, _SHOWN = 3, 20
"""Passages that are shown for each point, and for all together, at most."""
_CITED, _ANSWERING, _TOLD = 2, 1, 0.3
"""Passages that an answer cites beside a point, of those; sentences of answers that are told for one; share
(0 to 1) of the room that these have."""
_SINGLED_OUT = 1
"""Of those for a point, beside the nearest."""
_AROUND = 20
"""Tokens of a passage's tag."""
_SAME = 0.6
"""Likeness (0 to 1) from which on two points are one."""
_HELD = 0.75
"""Share (0 to 1) of a point's terms that stand in what tells it elsewhere: of two halves one may be new."""
_SAID_AGAIN = 0.9
"""Likeness from which on of points that a model has told apart one is left out."""
_IDS = re.compile(r"\b[pmqn]\d+\b")


class _AnsweredPoint(TaskOutput):
    n: int
    passages: list[str] = Field(default_factory=list)
    says: str = ""


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
    told: list[str] = Field(default_factory=list)
    """What the discussion's answers say that comes nearest to them, with citations."""
    passages: list[PromptPassage]
    near: dict[str, list[int]] = Field(default_factory=dict)
    """By a passage's id, the numbers of the points that it was chosen for: what of it is shown."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        lines = "\n".join(f"{n}. {point}" for n, point in enumerate(self.points, 1))
        about = {i: [self.points[n - 1] for n in numbers] for i, numbers in self.near.items()}
        told = f"{data_block('told', listed(self.told))}\n" if self.told else ""
        return {
            "topic": self.topic,
            "language": self.language,
            "points": data_block("points", lines),
            "passages": told + show(self.passages, about),
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
    found: list[tuple[str, str]] = field(default_factory=list)
    """Points noted as missing that a sentence answers, with that sentence and its citations."""


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
    told = _told(points, brief, statistics, int(tokens * _TOLD))
    left = tokens - sum(estimate(claim) for claims in told for claim in claims)
    near = _nearest(points, told, evidence, statistics, left)
    nearest = [i for i in evidence.passages if i in near]
    task = CheckGaps(
        topic=brief.topic, language=brief.language, points=points,
        told=list(dict.fromkeys(claim for claims in told for claim in claims)),
        passages=shown(nearest, evidence), near=near,
    )  # fmt: skip

    def read(replies: list[CheckedGaps]) -> Gaps:
        answering = [i for said in replies[0].answered if 1 <= said.n <= len(points) for i in said.passages]
        gaps = [plain(gap).strip(" .。") for gap in replies[0].gaps]
        clean = [gap for gap in gaps if gap and not _IDS.search(gap)]
        allowed = set(nearest)
        found = [
            (points[said.n - 1], f"{plain(strip_citations(said.says))} {cite(ids)}")
            for said in replies[0].answered
            if 1 <= said.n <= len(points) and said.says.strip()
            and (ids := [i for i in said.passages if i in allowed])
        ]  # fmt: skip
        unsaid = apart(clean, statistics, same=_SAID_AGAIN)
        return Gaps(unsaid, [i for i in dict.fromkeys(answering) if i in allowed], found)

    return BatchedRequest([task], read)


def points_missed(brief: Brief, statistics: Statistics, most: int = _POINTS) -> list[str]:
    """Return what a discussion left open and did not find, in plain words, each once.

    Questions come first, then what its last answers say the sources do not tell, then what was noted.
    """
    points = [plain(strip_citations(point)) for point in (*brief.open_questions, *brief.gaps)]
    points = [point for point in dict.fromkeys(points) if point and point != plain(brief.topic)]
    return points[:most] if brief.embedded else apart(points, statistics, most)


def _told(points: Sequence[str], brief: Brief, statistics: Statistics, tokens: int) -> list[list[str]]:
    """Return for each point what the answers say that comes nearest to it, with citations, within a room."""
    said = [
        f"{s.text} {cite(s.citations)}"
        for _question, answer in brief.given
        for s in cited_sentences(answer, sentences)
        if s.citations
    ]
    ranked = [_best(combined_relevance(point, said, statistics)) if said else [] for point in points]
    found: list[list[str]] = [[] for _ in points]
    taken = set[int]()
    for place in range(_ANSWERING):
        for n, order in enumerate(ranked):
            if place < len(order) and (order[place] in taken or estimate(said[order[place]]) <= tokens):
                tokens -= 0 if order[place] in taken else estimate(said[order[place]])
                taken.add(order[place])
                found[n].append(said[order[place]])
    return found


def _nearest(
    points: Sequence[str],
    told: Sequence[Sequence[str]],
    evidence: Evidence,
    statistics: Statistics,
    tokens: int,
) -> dict[str, list[int]]:
    """Return the passages that could say what is missing, each with the numbers of its points.

    Of each point in turn, as long as there is room: what the answers cite beside it, the nearest by words
    and meaning, one that its rarest word singles out, be it in the title alone: who reads the sources
    sees what that tells. Contents and release notes only point elsewhere.

    Args:
        points: What is missing.
        told: For each, what answers say that comes near to it.
        evidence: All that was admitted.
        statistics: Knows what texts mean.
        tokens: For all of them, about.
    """
    ids = list(evidence.passages)
    texts = [evidence.passages[i].text for i in ids]
    titled = [f"{evidence.passages[i].title}\n{text}" for i, text in zip(ids, texts, strict=True)]
    words = [set(terms(text)) for text in titled]
    # Words count by how few of the admitted passages hold them: all of these are about the topic.
    held = TextFrequencies(titled)
    local = TextStatistics(held)
    lists = {n for n, text in enumerate(texts) if only_lists(text)}
    wanted: list[list[str]] = []
    for point, claims in zip(points, told, strict=True):
        notes = {n for n, i in enumerate(ids) if tells_of_release(evidence.passages[i].title, point)}
        by_words, by_both = local.relevance(point, titled), combined_relevance(point, texts, statistics)
        order = [n for n in _best(by_both) if n not in lists | notes]
        known = {term: count for term, count in held.document_frequency(terms(point)).items() if count}
        rarest = {term for term, count in known.items() if count == min(known.values())}
        single = [n for n in _best(by_words) if rarest & words[n] and n not in lists | notes][:_SINGLED_OUT]
        cited = [i for claim in claims[:1] for i in citations(claim) if i in evidence.passages]
        near = [ids[n] for n in order]
        wanted.append(list(dict.fromkeys([*near[:1], *cited[:_CITED], *(ids[n] for n in single), *near[1:]])))
    found: dict[str, list[int]] = {}
    for place in range(_NEAREST + _CITED + _SINGLED_OUT):
        for n, own in enumerate(wanted, 1):
            if place >= len(own) or (own[place] not in found and len(found) == _SHOWN):
                continue
            shown_of_it = min(estimate(evidence.passages[own[place]].text), WHOLE) + _AROUND
            size = 0 if own[place] in found else shown_of_it
            if size <= tokens or not found:
                tokens -= size
                found.setdefault(own[place], []).append(n)
    return found


def _best(fits: Sequence[float]) -> list[int]:
    """Return the places of what fits at all, the best first."""
    return [n for n in sorted(range(len(fits)), key=lambda n: (-round(fits[n], 6), n)) if fits[n] > 0]


def beside(points: Sequence[str], told: Sequence[str], statistics: Statistics) -> list[str]:
    """Return the points that are unlike all that was told elsewhere, or say more than that."""
    if not points or not told:
        return list(points)
    alike = statistics.similarity([*told, *points])
    words = [set(terms(text)) for text in [*told, *points]]

    def is_told(n: int, other: int) -> bool:
        held = len(words[n] & words[other])
        return bool(alike[n, other] >= _SAME) and held >= _HELD * len(words[n])

    return [
        point
        for n, point in enumerate(points, len(told))
        if not any(is_told(n, other) for other in range(len(told)))
    ]


def nearest_told(points: Sequence[str], sections: Sequence[Section], statistics: Statistics) -> list[str]:
    """Return the sentence of a report that comes nearest to each point, with citations; each one once."""
    told = [s for section in sections for s in section.sentences if stands(s)]
    texts = [f"{s.text} {cite(s.citations)}" for s in told]
    ranked = [_best(combined_relevance(point, texts, statistics)) for point in points] if texts else []
    return list(dict.fromkeys(texts[order[0]] for order in ranked if order))


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
