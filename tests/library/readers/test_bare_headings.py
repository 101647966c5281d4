"""Headings of plain text that nothing underlines: questions and bare lines; and comments, which are none."""

import pytest

from library.readers.reader import Reader
from library.readers.text_files.bare_headings import with_bare_headings, with_comments_as_code
from library.readers.text_files.markdown_marks import without_own_marks
from library.readers.text_files.underlined_headings import marked_headings


def told(text: str) -> list[str]:
    return [line for line in with_bare_headings(text).split("\n") if line.startswith("#")]


def test_bare_lines_above_paragraphs_are_headings():
    text = (
        "Packing\n\nTake a warm bag. The hut has blankets.\n\nGetting there\n\n"
        "The bus leaves at eight from the station.\n"
    )
    assert with_bare_headings(text) == text.replace("Packing", "## Packing").replace(
        "Getting there", "## Getting there"
    )


def test_numbers_say_how_deep_a_bare_line_stands():
    text = (
        "# Gauge\n\n1 Setting up\n\nIt wants a wall.\n\n1.1 Wiring\n\nRed is plus.\n\n"
        "2 Care\n\nRinse it in spring."
    )
    assert told(text) == ["# Gauge", "## 1 Setting up", "### 1.1 Wiring", "## 2 Care"]


def test_numbers_of_several_levels_make_headings_wherever_they_stand():
    text = (
        "     7.  Objects\n\n     Walk over it.\n\n  7.1.  hide_marks\n\n  It hides.\n\n  7.1.1. at_once\n\n"
        "  Now.\n\n  7.2.  Throwing\n\n  Use t.\n\n3. Wait for it"
    )
    assert told(text) == ["## 7. Objects", "### 7.1. hide_marks", "#### 7.1.1. at_once", "### 7.2. Throwing"]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (
            "Q: Why is the gauge\n   dry?\n\nA: It is blocked.\n\n   Clear it.\n\nQ: It ticks!\n\nA: Oil it.",
            ["## Q: Why is the gauge dry?", "## Q: It ticks!"],
        ),
        ("问：为什么？\n\n答：因为。\n\n问：多久？\n\n答：三天。", ["## 问：为什么？", "## 问：多久？"]),
        (
            "1. Why is it dry?\n\n\tIts pipe is blocked.\n\n2. How do I\n   oil it? It ticks.\n\n\tA drop.",
            ["## 1. Why is it dry?", "## 2. How do I oil it? It ticks."],
        ),
        (
            "Why is it dry?\n\nIts pipe is blocked.\n\nDoes it tick?\n\nOil it.",
            ["## Why is it dry?", "## Does it tick?"],
        ),
    ],
)
def test_questions_above_their_answers_are_headings(text: str, headings: list[str]):
    assert told(text) == headings


@pytest.mark.parametrize(
    "text",
    [
        "Packing\n\nTake a warm bag.",  # one alone may be anything
        "Dear Anna,\n\nThe gauge is dry.\n\nYours,\n\nBoris came by on Monday.",
        "Turn it off.\n\nWait for a minute.\n\nTurn it on.",
        "1. Turn it off\n\n2. Wait for a minute or so\n\n3. Turn it on and see what it does now",
        "Gauge\n\nBucket\n\nRope\n\nLamp",  # a list
        "GAUGE=4 ./read\n\nIt reads the sea.\n\nMake install\n\nls -l /usr/share/doc shows nothing at all",
        "Why?\n\n```\nBecause it is.\n\nWho?\n\nIt is me.\n```",
    ],
)
def test_what_only_looks_like_a_heading_stays_as_it_is(text: str):
    assert with_bare_headings(text) == text


def test_comments_of_a_shell_are_no_headings():
    text = "Run:\n\n# switch to the folder\n# and remove the link\nrm x\n\n# Packing\nTake a bag."
    assert with_comments_as_code(text) == (
        "Run:\n\n```\n# switch to the folder\n# and remove the link\nrm x\n```\n\n# Packing\nTake a bag."
    )
    assert with_comments_as_code("#!/bin/sh\necho x") == "```\n#!/bin/sh\necho x\n```"


def test_a_heading_in_a_box_and_one_set_far_from_its_letter():
    assert marked_headings("-------\n-- Questions --\n-------\n\nNone.") == "# Questions\n\nNone."
    assert marked_headings("----------\nA.      OVERVIEW\n----------\n\nIt is.") == "# A. OVERVIEW\n\nIt is."


def test_a_plain_file_is_read_with_its_bare_headings(tmp_path):
    file = tmp_path / "trip.txt"
    file.write_text("Packing\n\nTake a bag.\n\nFood\n\nWe cook together.\n")
    with Reader() as reader:
        assert reader.read_file(file).text == "## Packing\n\nTake a bag.\n\n## Food\n\nWe cook together."


def test_a_title_in_a_box_is_told_without_it(tmp_path):
    file = tmp_path / "FAQ.txt"
    file.write_text("-------------\n-- Answers --\n-------------\n\n1. Why?\n\nBecause.\n")
    with Reader() as reader:
        assert reader.read_file(file).title == "Answers"


def test_markdown_s_other_mark_of_emphasis_is_the_usual_one_and_breaks_are_ends_of_lines():
    text = "Hit __^T X__<br>\nor `__init__`, a__b__c.\n\n    __kept__\n\n```\n__kept__ <br>\n```"
    told = "Hit **^T X**\nor `__init__`, a__b__c.\n\n    __kept__\n\n```\n__kept__ <br>\n```"
    assert without_own_marks(text) == told
