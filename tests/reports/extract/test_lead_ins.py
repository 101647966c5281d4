"""What leads to a list or to code is cited, stays and goes with it."""

import pytest

from library.text.similarity.tfidf import TextStatistics
from reports.cite.lead_ins import joined_in_vain, left_out
from reports.document import Section, Sentence
from reports.extract.quotations import key
from reports.plan.layout import IN_ORDER, without
from reports.verify.check import Checker
from reports.write.drafting.written_text import written
from tests.reports.conftest import make_evidence

CODE = "pg_basebackup -h db -D /data"


def told(*paragraphs: str) -> list[Sentence]:
    return written(paragraphs, ["p1", "p2", "p3"], TextStatistics(), points=False)


def texts(sentences: list[Sentence]) -> list[str]:
    return [s.text for s in sentences]


@pytest.mark.parametrize(
    ("lines", "citations"),
    [
        (["To copy the server:", f"```\n{CODE}\n``` [p1]"], ["p1"]),
        ([f"1. Run it:\n```\n{CODE}\n``` [p2]\n2. Wait. [p3]"], ["p2"]),
        (["What can be watched:", "- The archive [p1].\n- The log [p2].", "Then stop [p3]."], ["p1", "p2"]),
        (["选项如下：", "- 归档 [p2]。"], ["p2"]),
        (["He said this:", "Nothing followed [p1]."], []),
        (["The view has gaps. It lacks a date [p1]. Nor does it name files [p2]."], ["p1", "p2"]),
        (["It was a choice. He kept to the mill [p1]. Ships had sunk before [p2]."], ["p1"]),
        # The next one is what it leads to, whatever words another shares with it.
        (["Ships were a choice. He kept to the mill [p1]. It fell. Ships had sunk [p2]."], ["p1", "p2"]),
        (["So much for this. The rest is listed [p1]."], []),
        (["The view has 7 gaps. It lacks a date [p1]. Nor does it name files [p2]."], []),
        (["Set it [p3]:", f"```\n{CODE}\n``` [p1]"], ["p3"]),
    ],
)
def test_what_leads_to_something_cites_what_that_cites(lines: list[str], citations: list[str]) -> None:
    assert told(*lines)[0].citations == citations


@pytest.mark.parametrize(
    ("first", "support", "goes"),
    [
        ("Judges saw little amiss.", "partial", True),
        ("Judges saw little amiss.", "supported", False),
        ("Judges saw little amiss [p3].", "partial", False),
        ("In 1899 judges saw little amiss.", "partial", False),
    ],
)
def test_what_only_joined_and_is_borne_in_part_goes(first: str, support: str, goes: bool) -> None:
    sentences = told(f"{first} One praised the mill [p1]. Another called it sound [p2].")
    sentences[0] = sentences[0].model_copy(update={"support": support})
    assert joined_in_vain(sentences, 0) is goes


def test_it_goes_with_the_last_of_what_it_leads_to_and_not_before() -> None:
    listed = ("Two ways [p1].", "The ways are:", "- One [p1].\n- Two [p2].")
    sentences = told(*listed, "To copy:", f"```\n{CODE}\n``` [p1]")
    assert texts(sentences) == ["Two ways.", "The ways are:", "One.", "Two.", "To copy:", CODE]
    assert texts(left_out(sentences, {2})) == ["Two ways.", "The ways are:", "Two.", "To copy:", CODE]
    assert texts(left_out(sentences, {2, 3})) == ["Two ways.", "To copy:", CODE]
    assert texts(left_out(sentences, {5})) == ["Two ways.", "The ways are:", "One.", "Two."]


def test_what_a_step_leads_to_may_be_points_of_its_own() -> None:
    steps = "1. Choose the cut [p1]. The choices are:\n- `Clip` [p2].\n- `Crop` [p3].\n2. Save it [p1]."
    sentences = told(steps)
    assert [s.citations for s in sentences if s.text.startswith("The choices")] == [["p2", "p3"]]
    assert "The choices are:" not in texts(left_out(sentences, {2, 3}))
    assert "Save it." in texts(left_out(sentences, {2, 3}))


def test_a_step_whose_code_goes_keeps_its_words() -> None:
    sentences = told(f"1. Run the copy: [p1]\n```\n{CODE}\n``` [p1]\n2. Wait. [p3]")
    assert texts(left_out(sentences, {1})) == ["Run the copy.", "Wait."]


def test_it_stays_with_code_that_the_opening_has_too() -> None:
    section = Section(heading="A", level=1, node=None, sentences=told("To copy:", f"```\n{CODE}\n``` [p1]"))
    [rest] = without([section], {key("To copy:"), key(CODE)}, keep=IN_ORDER)
    assert texts(rest.sentences) == ["To copy:", CODE]


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("Run `pg_basebackup` for it.", "unchecked"),
        ("Run `app-pgbasebackup` for it.", "unchecked"),
        ("Run `pg_dump` for it.", "unsupported"),
    ],
)
def test_a_sentence_may_name_what_its_page_is_called(text: str, support: str) -> None:
    page = {"https://docs.example/app-pgbasebackup.html": ("pg_basebackup", "2020", ["It copies a server."])}
    assert Checker(make_evidence(page)).sentence(Sentence(text=text, citations=["p1"])).support == support
