"""Headings of plain text: which lines are some, how deep they stand, and what only looks like one."""

import pytest

from library.readers.text_files.underlined_headings import marked_headings

MANUAL = """\
**********
Tide gauge
**********

Reads the sea.

Setting up
==========
It wants a wall.

Special Attributes
******************

None.

Wiring
^^^^^^

Red is plus.

Care
====

Rinse it."""


def test_the_first_sign_that_a_text_uses_is_its_highest_level():
    told = [line for line in marked_headings(MANUAL).split("\n") if line.startswith("#")]
    assert told == ["# Tide gauge", "## Setting up", "### Special Attributes", "#### Wiring", "## Care"]
    assert "## Setting up\n\nIt wants a wall." in marked_headings(MANUAL)
    assert "*" not in marked_headings(MANUAL)


def test_headings_stand_under_the_one_that_is_named_and_never_deeper_than_the_sixth():
    told = marked_headings(MANUAL, below=4)
    assert [line for line in told.split("\n") if line.startswith("#")][::3] == [
        "##### Tide gauge", "###### Wiring",
    ]  # fmt: skip


def test_between_equals_signs_a_line_of_its_own_is_a_heading():
    assert marked_headings("== Wiring ==\n\nRed.\n\n=== Of steel\n\nBlue.") == (
        "## Wiring\n\nRed.\n\n### Of steel\n\nBlue."
    )
    assert marked_headings("== Wiring ==\nRed is plus.") == "## Wiring\n\nRed is plus."
    assert marked_headings("== Wiring\nRed is plus.") == "== Wiring\nRed is plus."


@pytest.mark.parametrize(
    "text",
    [
        "Name   Price\n------------\nGauge  12",  # the heads of a table
        "It was read.\n------------\n",  # a sentence, and a rule
        "The sea rises, and\nfalls twice a day\n-----------------",  # the last line of a paragraph
        "A heading that has more than a few signs below it\n---",
        "- an item\n---------",
        "a == b\n\nc",
        "----\n\nText.",
        "=====\n=====",
    ],
)
def test_what_only_looks_like_a_heading_stays(text):
    assert marked_headings(text) == text


def test_markdown_underlines_with_two_signs_and_fences_code_with_another():
    text = "Tides\n===\n\nTwice a day.\n\nCare\n----\n\n~~~\nLow\n===\n~~~\n\nHigh\n****"
    told = "# Tides\n\nTwice a day.\n\n## Care\n\n~~~\nLow\n===\n~~~\n\nHigh\n****"
    assert marked_headings(text, markdown=True) == told
