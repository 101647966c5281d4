"""From the map to sections, and an outline that a person edits."""

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.changes import AddNode, PlacePassage
from mindmap.tree import MindMap
from reports.plan.outline import ReportPlan, kind, plan_report
from reports.plan.outline_file import (
    OutlineUnreadable,
    outline_text,
    read_outline,
    with_marks,
    without_marks,
)
from reports.report_phrases import phrases_for
from tests.reports.conftest import make_evidence, make_map


def planned(tree: MindMap, evidence: Evidence, most: int = 12) -> list[ReportPlan]:
    return plan_report(tree, evidence, TextStatistics(), phrases_for("en"), most)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("History", "Reception"), ("Overview", "Causes"), ("Causes of the flood", "Effects"),
        ("Effects", "Response"), ("Background", "Anything"), ("Anything", "Outlook"),
        ("历史", "影响"), ("原因", "应对"),
    ],
)  # fmt: skip
def test_kinds_of_sections_have_an_order(first: str, second: str) -> None:
    assert kind(first) < kind(second)


def test_old_sections_come_before_new_ones() -> None:
    texts = ["In 2010 and 2012 it was new.", "In 1871 and 1875 it was old.", "It has no year at all."]
    pages = {f"https://a.example/{n}": ("t", None, [text, text + " Indeed."]) for n, text in enumerate(texts)}
    tree = make_map("t", [("New", ["p1", "p2"]), ("Old", ["p3", "p4"]), ("Timeless", ["p5", "p6"])])
    headings = [p.heading for p in planned(tree, make_evidence(pages))]
    assert headings == ["Old", "Timeless", "New"], "what has no year stands between"


def test_little_branches_join_what_they_are_like_or_share_one(evidence: Evidence) -> None:
    tree = make_map(
        "t", [("Birds", ["p5"]), ("Deaths of birds", ["p6"]), ("Stone", ["p3", "p4"]), ("Reef", ["p1", "p2"])]
    )
    plans = planned(tree, evidence)
    assert sorted(p for plan in plans for p in plan.passages()) == ["p1", "p2", "p3", "p4", "p5", "p6"]
    assert len(plans) < 4


def test_no_more_sections_than_asked_for(evidence: Evidence) -> None:
    tree = make_map("t", [(f"Branch {n}", [f"p{n}"]) for n in range(1, 10)])
    plans = planned(tree, evidence, 4)
    assert len(plans) <= 5
    assert sorted(p for plan in plans for p in plan.passages()) == [f"p{n}" for n in range(1, 10)]


def test_what_fitted_nowhere_comes_last_under_a_name_of_ours(evidence: Evidence) -> None:
    tree = make_map("t", [("Tower", ["p1", "p3"])])
    tree.apply_all(
        [AddNode(id="unsorted", title="Unsorted", parent="n0"), PlacePassage(passage="p5", node="unsorted")]
    )
    tree.apply(PlacePassage(passage="p7", node="n0"))
    assert [(p.heading, p.passages()) for p in planned(tree, evidence)] == [
        ("Tower", ["p1", "p3"]), ("Further findings", ["p7", "p5"])
    ]  # fmt: skip


@pytest.fixture
def deep(evidence: Evidence) -> MindMap:
    tree = make_map("t", [("Tower", ["p9"]), ("Birds", ["p5", "p6"])])
    tree.apply_all(
        [
            AddNode(id="n3", title="building", parent="n1"),
            AddNode(id="n4", title="keeping", parent="n1"),
            *[PlacePassage(passage=p, node="n3") for p in ("p1", "p2", "p3", "p4")],
            *[PlacePassage(passage=p, node="n4") for p in ("p7", "p8")],
        ]
    )
    return tree


def test_an_outline_is_printed_and_read_back(deep: MindMap, evidence: Evidence) -> None:
    plans = planned(deep, evidence)
    again = read_outline(outline_text(plans), deep, evidence)
    assert outline_text(again) == outline_text(plans)
    assert [p.passages() for p in again] == [p.passages() for p in plans]


def test_a_person_renames_moves_joins_and_leaves_out(deep: MindMap, evidence: Evidence) -> None:
    text = "notes are ignored\n# First things <!-- n3 -->\n"
    text += "# The rest <!-- n1, n2 -->\n## Last keepers <!-- n4 -->\n"
    plans = read_outline(text, deep, evidence)
    told = [(p.level, p.heading, p.passages()) for top in plans for p in top.flat()]
    assert told == [
        (1, "First things", ["p1", "p2", "p3", "p4"]),
        (1, "The rest", ["p9", "p5", "p6"]),
        (2, "Last keepers", ["p7", "p8"]),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# A <!-- n77 -->", "line 1 of the outline: the map has no node n77"),
        ("\n# A", "line 2 of the outline: write the nodes after it"),
        ("# A <!-- n1 -->\n# B <!-- n1 -->", "two headings of the outline name n1"),
        # Of thousands, each from the same passages, the writing held a server's sessions up for minutes.
        ("# A <!-- p1 -->\n" * 201, "the outline has more than 200 headings"),
    ],
)
def test_an_outline_that_cannot_be_followed_says_where(
    text: str, message: str, deep: MindMap, evidence: Evidence
) -> None:
    with pytest.raises(OutlineUnreadable, match=message):
        read_outline(text, deep, evidence)


def test_a_person_edits_an_outline_without_what_a_machine_needs() -> None:
    kept = (
        "# Birds <!-- p18 p27, 90 words -->\nWhy they came.\n## Autumn <!-- n5 -->\n# Stones <!-- n3 n4 -->\n"
    )
    assert without_marks(kept) == "# Birds\nWhy they came.\n## Autumn\n# Stones\n"
    assert with_marks(without_marks(kept), kept) == kept
    assert with_marks("# Stones\n# Birds at sea\nWhy they came.", kept) == (
        "# Stones <!-- n3 n4 -->\n# Birds at sea <!-- p18 p27, 90 words -->\nWhy they came.\n"
    )
    assert with_marks("# Birds <!-- n9 -->\n# Stones\n", kept).startswith("# Birds <!-- n9 -->\n")
    between = with_marks("# Birds\n## When the leaves fall\n# Stones\n", kept)
    assert "## When the leaves fall <!-- n5 -->" in between, "it stands between headings that stayed"
    assert "<!--" not in with_marks("# Sand\n# Water\n# Fire\n", kept), "nothing of it was there before"


def test_plain_lines_are_an_outline_and_a_new_heading_finds_what_it_is_written_from(
    deep: MindMap, evidence: Evidence
) -> None:
    lines = with_marks("Keepers\n  - The birds that died\nStone\n", "# Birds <!-- n2 -->\n")
    assert lines == "# Keepers\n## The birds that died <!-- n2 -->\n# Stone\n"
    plans = read_outline("Stone\n  Birds\n", deep, evidence, TextStatistics())
    assert [(p.level, p.heading) for top in plans for p in top.flat()] == [(1, "Stone"), (2, "Birds")]
    for plan, word in zip((plans[0], plans[0].parts[0]), ("stone", "bird"), strict=True):
        assert plan.chosen
        assert all(word in evidence.passages[i].text.casefold() for i in plan.chosen[:1])
    with pytest.raises(OutlineUnreadable, match="nothing that was read tells of “Xylophones”"):
        read_outline("Xylophones", MindMap("t"), Evidence(), TextStatistics())
