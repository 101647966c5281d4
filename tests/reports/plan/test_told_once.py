"""What one part of a report says, no other says again; what a writer was shown, it may cite."""

from typing import Any

import pytest

from library.evidence import Evidence
from mindmap.tree import MindMap
from reports.document import Section, Sentence
from reports.extract.quotations import key
from reports.plan.layout import restated, told
from reports.tasks.editing_tasks import numbered
from reports.write.parts.left_out import near_to
from tests.reports.extract.test_answer import SCRIPT, written


async def test_a_writer_s_citation_of_a_section_beside_that_it_writes_too_stands(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    heads = {"The reef": "p2", "Money": "p1", "Masons": "p3", "Diary": "p4"}
    outline = [{"heading": h, "purpose": "", "words": 80, "passages": [i]} for h, i in heads.items()]
    told = "The masons could work only while the tide was out"

    def write(task: Any) -> Any:
        seen = {i for part in task.parts for i in part.shown}
        # The last request holds the last two sections.
        cited = f"{told} [p3]. They waited [p4]." if {"p3", "p4"} <= seen else "It cost 62,000 pounds [p9]."
        return {"sections": [{"n": n, "paragraphs": [cited]} for n, _ in enumerate(task.parts, 1)]}

    script = {**SCRIPT, "plan_sections": {"outline": outline}, "write_sections": write}
    report = await written(tree, evidence, scripted(script))
    masons = next(section for section in report.sections if section.heading == "Masons")
    assert [(s.text, s.citations) for s in masons.sentences] == [
        (f"{told}.", ["p3"]), ("They waited.", ["p4"]),
    ]  # fmt: skip
    assert "p9" not in {i for section in report.sections for s in section.sentences for i in s.citations}


def test_of_a_long_report_whoever_takes_up_what_it_left_out_sees_the_sections_near_to_that() -> None:
    about = {"Reef": "wrecks of ships there", "Tolls": "what each barge paid", "Choir": "songs of Easter"}
    sections = [
        Section(heading=h, level=1, node=None, sentences=[
            Sentence(text=f"Of {what} the book of {1800 + n} tells a good deal.", citations=["p2"])
            for n in range(40)
        ])
        for h, what in about.items()
    ]  # fmt: skip
    shown = near_to(told(sections), ["The barge paid no tolls on ships."])
    assert [section.aside for section in shown] == [False, False, True]
    lines = numbered(shown).splitlines()
    assert lines[41].startswith("## Tolls")
    assert lines[42].startswith("41. Of what each barge paid")
    assert lines[-1] == "(81 to 120: of something else)"
    assert not any(section.aside for section in near_to(told(sections[:1]), ["The choir sang."]))


def test_a_section_restates_no_section_before_and_tells_in_full_what_the_opening_sums_up() -> None:
    def section(heading: str, *texts: str) -> Section:
        return Section(heading=heading, level=1, node=None, sentences=[
            Sentence(text=text, citations=["p1"]) for text in texts
        ])  # fmt: skip

    closed = "The bank was closed by the state on 10 March after a run of its depositors."
    first = section(
        "Run",
        closed,
        "Two days before, it had sold bonds at a loss of 1.8 billion.",
        "Depositors asked for 42 billion within a day.",
        "The bank was closed by the state on 10 March at 11:15 after a run of its depositors.",
    )  # fmt: skip
    second = section(
        "Rates", "It had sold bonds at a loss of 1.8 billion two days before.", "Rates had risen.",
        "Nobody had hedged.", "The bonds were long.",
    )  # fmt: skip
    assert restated([first, second]) == {key(second.sentences[0].text)}


def _retold(heading: str, *texts: str) -> set[str]:
    """Return what of a section goes that a section before says: all that it says of the toll."""
    told = [Sentence(text=text, citations=["p1"]) for text in texts]
    before = ["Each barge paid the toll in salt.", "The tower had no door.", "The gate was of oak."]
    return restated([
        Section(heading="Tolls", level=1, node=None, sentences=[
            Sentence(text=text, citations=["p1"]) for text in before
        ]),
        Section(heading=heading, level=1, node=None, sentences=told),
    ])  # fmt: skip


def test_the_sentence_that_tells_what_a_heading_promises_stays_though_others_have_its_words_too() -> None:
    apart = ["One barge sank in 1801.", "A toll was never refused.", "The piers were of oak."]
    assert _retold("The barge and its toll", TOLL, *apart) == set()
    together = ["One barge sank for its toll.", *apart[1:]]
    assert _retold("The barge and its toll", TOLL, *together) == {key(TOLL)}


TOLL = "The toll each barge paid in salt."


@pytest.mark.parametrize(
    ("heading", "behind", "goes"),
    [
        ("The river", "The bridge stood until 1801.", True),
        ("The river", "The council had no mill, so this salt was sold.", False),
        ("The river", "It was weighed at the gate.", False),
        ("The river", "There is no record of a flood.", True),
        ("The river", "This bridge stood until 1801.", False),
        ("The river", "The bridge burned, and this bridge was never mended.", True),
        ("The river", "To be sure, it was weighed by Ann, Joan or Kate.", False),
        ("How the toll was paid", "The bridge stood until 1801.", False),
    ],
)
def test_what_a_section_before_says_stays_where_the_next_sentence_or_the_heading_speaks_of_it(
    heading: str, behind: str, goes: bool
) -> None:
    gone = _retold(heading, TOLL, behind, "Nobody lived there.", "The piers were of oak.")
    assert gone == ({key(TOLL)} if goes else set())
