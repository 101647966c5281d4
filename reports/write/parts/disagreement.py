"""Where sources disagree: both sides side by side, told there and nowhere else."""

from collections.abc import Sequence
from itertools import pairwise

from library import Evidence, Source, quote
from library.claims import missing_figures
from reports.brief import Brief, ReportedContradiction, Side
from reports.cite.source_names import kept_on
from reports.document import Cell, Section, Sentence, Table
from reports.plan.layout import paragraphs
from reports.plan.map_reader import Map
from reports.report_phrases import ReportPhrases
from reports.visible_text import dated, host, plain, web_address

_MOST = 20
"""Points that are shown: of a longer table nobody reads the end."""


def disagreement(
    brief: Brief,
    tree: Map | None,
    sections: Sequence[Section],
    evidence: Evidence,
    words: ReportPhrases,
    lead: Section | None = None,
) -> tuple[Section | None, list[Section]]:
    """Return the section on disagreements (None for none) and the other sections without its sentences.

    Its sentences are taken out of their sections; sides of which no sentence stands in the report are shown
    by their own words, in the table alone. What the map marks counts too, where a map is given. What a writer
    has told with both sides, in the sections or in their opening (`lead`), is not told again.
    """
    known = {i for point in brief.contradictions for side in point.sides for i in side.citations}
    marked = [] if tree is None else _marked(tree, sections, evidence)
    marked = [point for point in marked if not _cited(point) <= known]
    points = [*brief.contradictions, *marked]
    points = [point for point in points if _sides(point, evidence) >= 2]
    all_of_them = len(points)
    if not brief.embedded:  # a writer may have set both sides against each other where they belong
        written = [*([lead] if lead else []), *sections]
        points = [point for point in points if not _told_together(point, written)]
    further = len(points) < all_of_them
    points = points[:_MOST]
    if not points:
        return None, list(sections)
    cited = [{i for side in point.sides for i in side.citations} for point in points]
    claims = [side.claim for point in points for side in point.sides]
    told = {plain(claim) for claim in claims} | {quote(claim) for claim in claims}
    taken: list[Sentence] = []
    left: list[Section] = []
    for section in sections:
        mine = [
            s
            for s in section.sentences
            if plain(s.text) in told and any(set(s.citations) <= ids for ids in cited)
        ]
        taken += mine
        stays = [s for s in section.sentences if s not in mine]
        left.append(section.model_copy(update={"sentences": stays}))
    section = Section(
        heading=words.disagree,
        level=1,
        node=None,
        opening=words.disagree_further if further else words.disagree_opening,
        sentences=taken,
        tables=[_table(points, evidence, words)],
    )
    return section, left


def _told_together(point: ReportedContradiction, sections: Sequence[Section]) -> bool:
    """Tell whether sentences cite both sides of a point and tell of it.

    That is one sentence, or two that stand side by side; of sides that differ in figures, a paragraph, too.
    Passages on one thing have more in common than what they differ on: figures must be told.
    """
    sides = [set(side.citations) for side in point.sides]
    values = _values(point)
    for section in sections:
        together = _told_side_by_side(section.sentences, sides)
        if all(values):
            together += _told_in_paragraphs(section.sentences, sides)
        if any(not any(missing_figures(value, [text]) for value in values if value) for text in together):
            return True
    return False


def _values(point: ReportedContradiction) -> list[str]:
    """Return of each side its value, or the figures that the others do not tell; "" where it has none."""
    claims = [side.claim for side in point.sides]
    return [
        side.value or ", ".join(missing_figures(side.claim, [c for c in claims if c != side.claim]))
        for side in point.sides
    ]


def _told_side_by_side(sentences: Sequence[Sentence], sides: Sequence[set[str]]) -> list[str]:
    """Return what cites every side: sentences, and neighbours of which each cites another."""
    cited = [(s.text, set(s.citations)) for s in sentences]
    together = [text for text, ids in cited if all(ids & side for side in sides)]
    # Of two neighbours that both cite one side alone, or everything, nobody knows what they tell.
    for (text, one), (behind, other) in pairwise(cited):
        apart = [(bool(one & side), bool(other & side)) for side in sides]
        if sorted(apart) == [(False, True), (True, False)]:
            together.append(f"{text} {behind}")
    return together


def _told_in_paragraphs(sentences: Sequence[Sentence], sides: Sequence[set[str]]) -> list[str]:
    """Return the paragraphs that cite every side."""
    held = paragraphs(sentences)
    cited = [(" ".join(s.text for s in one), {i for s in one for i in s.citations}) for one in held]
    return [text for text, ids in cited if all(ids & side for side in sides)]


def _marked(tree: Map, sections: Sequence[Section], evidence: Evidence) -> list[ReportedContradiction]:
    """Read the nodes marked as contradictions: their sides are passages, told by the sentence citing them."""
    points = []
    stack = [tree.root]
    while stack:
        node = tree.node(stack.pop())
        stack += reversed(tree.children(node.id))
        sides = [i for i in node.sides if i in evidence.passages] if "contradiction" in node.marks else []
        told = [(i, _sentence(i, sections)) for i in sides]
        claims = [Side(claim=s.text, citations=[i]) for i, s in told if s is not None]
        if len(claims) >= 2:
            points.append(ReportedContradiction(about=node.title, sides=claims))
    return points


def _sentence(passage: str, sections: Sequence[Section]) -> Sentence | None:
    return next((s for section in sections for s in section.sentences if s.citations == [passage]), None)


def _cited(point: ReportedContradiction) -> set[str]:
    return {i for side in point.sides for i in side.citations}


def _sides(point: ReportedContradiction, evidence: Evidence) -> int:
    return sum(any(i in evidence.passages for i in side.citations) for side in point.sides)


def _table(points: Sequence[ReportedContradiction], evidence: Evidence, words: ReportPhrases) -> Table:
    """Return both sides of each point below each other: who says it and when, the value, the words."""
    valued = any(side.value for point in points for side in point.sides)
    rows = []
    for point in points:
        for n, side in enumerate(point.sides):
            ids = [i for i in side.citations if i in evidence.passages]
            if ids:
                cells = [
                    Cell(text=plain(point.about) if n == 0 else ""),
                    Cell(text=_source(evidence.source(ids[0]), words)),
                    *([Cell(text=plain(side.value))] if valued else []),
                    Cell(text=plain(side.claim), citations=ids),
                ]
                rows.append(cells)
    columns = [*words.disagree_columns[:2], *([words.value] if valued else []), words.disagree_columns[2]]
    return Table(title="", columns=columns, rows=rows)  # the section's heading says it


def _source(source: Source, words: ReportPhrases) -> str:
    """Return who says it, and when: a page by its host, a document of one's own by its title."""
    title = plain(source.title)
    named = host(source.url) if web_address(source.url) or not title else title
    kept = kept_on(source, words) if source.private else ""
    said = source.published or dated(source.url) or kept or words.undated
    return f"{named or title}{words.comma}{said}"
