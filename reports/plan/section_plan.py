"""The outline of a report that answers a question: planned for the question, not read off the map.

A subject ("The Orrin lighthouse") is laid out as the map is (`reports.plan.outline`). A question wants other
sections than the map has: what carries its answer, in the order of the argument, background short and last.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from library import Evidence, TextFrequencies, TextStatistics, cite, keep_citations, strip_citations
from library.passages import combined_relevance
from library.text import one_line, titled_text
from models import Statistics
from reports.brief import Brief
from reports.plan.beside_sections import beside_sections
from reports.plan.map_reader import Branch, Map, branch
from reports.plan.outline import ReportPlan
from reports.plan.outline_task import PlannedSection, PlanSections, SectionOutline
from reports.plan.question_parts import with_parts
from reports.settings import ReportSettings
from reports.tasks.prompt_texts import cited_by, sources_of, unit_of_length
from reports.visible_text import capitalised, plain

_PASSAGES, _NEAREST, _BESIDE, _FACTS = 100, 16, 10, 40
"""How many the planner sees at most: of those that the discussion rests on, of others near to all that was
said, of others near to one answer each, of facts."""
_LEAST_WORDS = 40
"""Words of a section at least."""
_AGAIN = 4
"""Sections beside the first in which a passage may stand: one account may bear the answer to every part."""


def planning(
    brief: Brief,
    tree: Map,
    evidence: Evidence,
    resting: Sequence[str],
    settings: ReportSettings,
    statistics: Statistics,
) -> PlanSections:
    """Return the task of planning a report's sections.

    It is shown what the discussion rests on, and what else is near: what was admitted and nobody used is
    mostly noise.
    """
    root = branch(tree, tree.root, evidence)
    known = evidence.passages
    answers = " ".join(strip_citations(given.answer) for given in brief.answers)
    told = [one_line(known[i].text) for i in resting]
    others = [i for i in known if i not in set(resting)]
    others = [i for i in others if not any(one_line(known[i].text) in text for text in told)]
    near = _near([f"{brief.topic} {answers}", brief.topic, *brief.parts], others, evidence, statistics)
    order = sorted(range(len(others)), key=lambda n: (-round(near[n], 6), n))
    nearest = [others[n] for n in order[:_NEAREST] if near[n] > 0]
    nearest += _beside_answers(brief, [i for i in others if i not in set(nearest)], evidence)
    # What is near stands behind all that the discussion rests on; each in the order of its page.
    pages = {sha: n for n, sha in enumerate(dict.fromkeys(p.sha256 for p in known.values()))}
    parts = [list(resting)[:_PASSAGES], nearest]
    shown = [
        i for part in parts for i in sorted(part, key=lambda i: (pages[known[i].sha256], known[i].start))
    ]
    return PlanSections(
        topic=brief.topic,
        parts=brief.parts,
        directions=brief.directions,
        language=brief.language,
        words=settings.words,
        most=settings.max_sections,
        branches=_outlined(root, 0, set(shown)),
        answers=[(q, keep_citations(a, evidence.passages)[0]) for q, a in brief.given],
        facts=brief.facts[-_FACTS:],
        disagreements=[
            f"{point.about}: {' / '.join(f'{side.claim} {cite(side.citations)}' for side in point.sides)}"
            for point in brief.contradictions
        ],
        passages=[(i, evidence.passages[i].text) for i in shown],
        sources=sources_of(shown, evidence),
        resting=[i for i in resting if i in set(shown)],
    )


def _near(
    asked: Sequence[str], ids: Sequence[str], evidence: Evidence, statistics: Statistics
) -> list[float]:
    """Return how near passages are, by words and by meaning, to that of some texts to which each is nearest.

    What answers one part of a question has little of all that was said.
    """
    held = [evidence.passages[i] for i in ids]
    texts = [titled_text(p) for p in held]
    by_each = [combined_relevance(text, texts, statistics) for text in dict.fromkeys(asked)] if ids else []
    return [max(fits) for fits in zip(*by_each, strict=True)]


def _beside_answers(brief: Brief, others: Sequence[str], evidence: Evidence) -> list[str]:
    """Return the passages nearest to one answer each, of each the nearest first, as many as may be shown.

    Words count by how few of the admitted passages hold them: what all answers share brings what is general.
    """
    texts = [evidence.passages[i].text for i in others]
    statistics = TextStatistics(TextFrequencies([p.text for p in evidence.passages.values()]))
    ranked: list[list[str]] = []
    for question, answer in brief.given:
        near = statistics.relevance(f"{question} {strip_citations(answer)}", texts)
        order = sorted(range(len(others)), key=lambda n: (-round(near[n], 6), n))[:_BESIDE]
        ranked.append([others[n] for n in order if near[n] > 0])
    found = dict.fromkeys(i for each in zip_longest(*ranked) for i in each if i is not None)
    return list(found)[:_BESIDE]


def _outlined(part: Branch, level: int, shown: Collection[str]) -> list[tuple[str, list[str]]]:
    """Return a line for each node that holds something shown, or stands above such a node."""
    below = [line for child in part.children for line in _outlined(child, level + 1, shown)]
    held = [i for i in part.passages if i in shown]
    own = [(f"{'  ' * (level - 1)}- {part.title}", held)] if level and (held or below) else []
    return own + below


@dataclass(frozen=True, slots=True)
class PlannedReport:
    """The sections of a report that answers a question."""

    plans: list[ReportPlan]
    aside: dict[str, str]
    """Passages that it is planned without, each with the reason."""
    differ: tuple[int, ...] = ()
    """Which of the discussion's contradictions are some, from 0."""


def planned(
    outline: SectionOutline,
    tree: Map,
    evidence: Evidence,
    resting: Sequence[str],
    statistics: Statistics,
    brief: Brief,
    beside: int = 0,
) -> PlannedReport | None:
    """Return an outline as sections to be written; None where it names no passage that there is.

    A passage stands in one section, in several where several things were asked: what was done, who
    answers for it, and where that is disputed may rest on one passage.
    What answers rest on and the outline forgot joins the section that it is most like: nothing is lost by
    an oversight. What nobody cited and fits a section is offered to its writer beside that, in up to `beside`
    tokens for all sections.
    """
    parts = brief.parts
    known = evidence.passages
    homes: dict[str, int] = {}
    again: dict[str, list[int]] = {}
    kept = [section for section in outline.outline if plain(section.heading)]
    for n, section in enumerate(kept):
        for passage in section.passages:
            if passage in known and homes.setdefault(passage, n) != n and parts:
                again.setdefault(passage, []).append(n)
    if not homes:
        return None
    aside = {
        passage: plain(apart.reason)
        for apart in outline.aside
        for passage in apart.passages
        if passage in known and passage not in homes and plain(apart.reason)
    }
    forgotten = [i for i in resting if i in known and i not in homes and i not in aside]
    _settle(forgotten, kept, homes, evidence, statistics)
    held = [
        [i for i, home in homes.items() if n in (home, *again.get(i, ())[:_AGAIN])] for n in range(len(kept))
    ]
    kept = with_parts(kept, parts, outline.unsaid, held, evidence, resting, statistics)
    told = [f"{section.heading} {section.purpose}" for section in kept]
    more = beside_sections(list(zip(told, held, strict=True)), brief, evidence, aside, beside)
    root = branch(tree, tree.root, evidence)
    plans = [
        section_from(
            _headed(section.heading),
            section.purpose,
            max(section.words // unit_of_length(brief.language)[1], _LEAST_WORDS),
            [*held[n], *more[n]] if held[n] else [],
            root,
        )
        for n, section in enumerate(kept)
        if held[n]
    ]
    nodes = [plan.node for plan in plans]
    return PlannedReport(
        [replace(p, node=None) if nodes.count(p.node) > 1 else p for p in plans],
        aside,
        tuple(sorted({n - 1 for n in outline.differ})),
    )


def _headed(heading: str) -> str:
    return capitalised(plain(heading))


def _settle(
    forgotten: Sequence[str],
    sections: Sequence[PlannedSection],
    homes: dict[str, int],
    evidence: Evidence,
    statistics: Statistics,
) -> None:
    if not forgotten:
        return
    known = evidence.passages
    texts = [
        "\n".join([s.heading, s.purpose, *(known[i].text for i, home in homes.items() if home == n)])
        for n, s in enumerate(sections)
    ]
    alike = statistics.similarity([*texts, *(known[i].text for i in forgotten)])
    filled = sorted(set(homes.values()))
    for row, passage in enumerate(forgotten, start=len(texts)):
        homes[passage] = max(filled, key=lambda n: (float(alike[row, n]), -n))


def section_from(
    heading: str, purpose: str, words: int, passages: Sequence[str], root: Branch, level: int = 1
) -> ReportPlan:
    """Return a section that is written from passages chosen one by one, with the notes that rest on them.

    Args:
        heading: As planned.
        purpose: What it must make clear.
        words: How much it contributes.
        passages: Their ids; all are known.
        root: The map, for its notes.
        level: 1 for a top section.
    """
    held = set(passages)
    noted = [note for part in root.walk() for note in part.notes if held & set(cited_by([note.answer]))]
    # The map's order is not the discussion's: of what is said twice the later word counts.
    notes = tuple(sorted(dict.fromkeys(noted), key=lambda note: note.turn))
    home = max(root.walk(), key=lambda part: len(held & set(part.passages)))
    most = len(held & set(home.passages))
    node = home.node if 2 * most > len(held) and home.node != root.node else None
    heading = plain(heading)
    return ReportPlan(
        heading=heading,
        branches=(Branch(node or root.node, heading, notes, tuple(passages)),),
        node=node,
        level=level,
        purpose=plain(purpose),
        words=words,
        chosen=tuple(passages),
    )
