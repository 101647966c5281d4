"""Where sources disagree is told once, with who says it when, not again where a section tells it."""

from dataclasses import replace
from typing import Any

import pytest

from library.evidence import Evidence
from mindmap.tree import MindMap
from reports import Report, ReportedContradiction, Side, report_markdown
from tests.reports.extract.test_answer import BRIEF, OUTLINE, SCRIPT, in_sections, written

HEADING = "Where sources disagree"
POINT = ReportedContradiction(
    about="granite tower",
    sides=[
        Side(claim="“It is 44 m high.”", citations=["p1"], value="44 m"),
        Side(claim="“It is 41 m high.”", citations=["p9"], value="41 m"),
    ],
)


async def reported(
    tree: MindMap, evidence: Evidence, scripted: Any, told: str, *others: ReportedContradiction
) -> Report:
    first = {**OUTLINE["outline"][0], "passages": ["p1", "p2", "p9"]}  # type: ignore[index]
    plan = {**OUTLINE, "outline": [first], "aside": [], "differ": [1, *range(2, 2 + len(others))]}
    script = {**SCRIPT, "plan_sections": plan, "write_sections": in_sections(told)}
    return await written(
        tree, evidence, scripted(script), BRIEF.model_copy(update={"contradictions": [POINT, *others]})
    )


@pytest.mark.parametrize(
    ("told", "apart"),
    [
        ("The tower stands 44 m high [p1]. A survey put it at 41 m [p9].", False),
        ("The tower stands 44 m high, a survey says 41 m [p1][p9].", False),
        ("The tower stands 44 m high [p1]. The worst wreck drowned 112 [p2]. It is granite [p9].", True),
        ("The tower stands 44 m high [p1].", True),
        ("The tower is granite [p1][p9].", True),
        ("The tower stands 44 m high [p1]. It is granite [p9].", True),
        # Sides that differ in figures are told in one paragraph, whatever stands between them.
        ("The tower stands 44 m high [p1]. It drowned 112 [p2]. A survey says 41 m [p9].", False),
        ("The tower stands 44 m high [p1].\n\nIt drowned 112 [p2]. A survey says 41 m [p9].", True),
    ],
)
async def test_what_a_section_sets_side_by_side_is_not_told_again(
    tree: MindMap, evidence: Evidence, scripted: Any, told: str, apart: bool
) -> None:
    report = await reported(tree, evidence, scripted, told)
    assert (HEADING in [section.heading for section in report.sections]) is apart


async def test_the_table_has_its_heading_once_and_the_date_that_the_sources_have(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    sha = evidence.passages["p9"].sha256
    own = replace(evidence.sources[sha], url="file:///a/heights.txt", published=None, private=True)
    evidence.sources[sha] = own
    report = await reported(tree, evidence, scripted, "The tower stands 44 m high [p1].")
    text = report_markdown(report, evidence)
    assert text.count(HEADING) == 1
    assert "Heights of towers, file of 2026-01-02" in text
    assert "no date" not in text


async def test_what_is_left_to_tell_is_said_to_be_left(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    other = ReportedContradiction(
        about="wreck",
        sides=[
            Side(claim="“The worst drowned 112.”", citations=["p2"]),
            Side(claim="“It drowned 98.”", citations=["p9"]),
        ],
    )
    for told, opening in [
        ("It is 44 m high [p1]. A survey: 41 m [p9].",
         "Beside what is told above, the sources differ on the following."),
        ("It is of granite [p1].", "The sources differ on the following points."),
    ]:
        report = await reported(tree, evidence, scripted, told, other)
        (apart,) = [section for section in report.sections if section.heading == HEADING]
        assert apart.opening == opening
        assert "wreck" in [row[0].text for row in apart.tables[0].rows]
