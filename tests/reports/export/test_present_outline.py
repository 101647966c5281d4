"""The outline that is offered for another writing is the report's own, as it stands."""

from reports import Report, Section, Sentence, present_outline
from reports.document import Answer
from reports.report_phrases import phrases_for


def section(heading: str, node: str | None, *cited: str, level: int = 1, **more: bool) -> Section:
    said = [Sentence(text="It is so.", citations=list(cited), support="supported")]
    return Section(heading=heading, level=level, node=node, sentences=said, **more)  # type: ignore[arg-type]


def report(*sections: Section) -> Report:
    return Report(title="T", topic="T", sections=list(sections), answer=Answer(sentences=1))


def test_it_has_the_reports_sections_in_their_order_and_nothing_beside_them() -> None:
    written = report(
        section("In brief", None, "p1"), section("How it was built", "n3", "p2"),
        section("The light", "n5", "p3", level=2), section("More", None, "p4", "p5"),
        section(phrases_for("en").disagree, None, "p6"), section("Compared", None, "p6", compared=True),
    )  # fmt: skip
    assert present_outline(written, "") == (
        "# How it was built <!-- n3 -->\n## The light <!-- n5 -->\n# More <!-- p4 p5 -->\n"
    )


def test_what_a_heading_was_planned_from_stays_and_what_was_left_out_is_gone() -> None:
    planned = "# Why <!-- p1 p2 p9, 200 words -->\nWhat it cost.\n# Gone <!-- p3 -->\n"
    written = report(section("In brief", None, "p1"), section("Why", None, "p1"))
    assert present_outline(written, planned) == "# Why <!-- p1 p2 p9, 200 words -->\nWhat it cost.\n"


def test_a_node_stands_once() -> None:
    twice = report(section("In brief", None), section("A", "n3", "p1"), section("B", "n3", "p2"))
    assert present_outline(twice, "") == "# A <!-- n3 -->\n# B <!-- p2 -->\n"
