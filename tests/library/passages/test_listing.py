"""What only points elsewhere, and what a release changed, is told by its form."""

import pytest

from library.passages import in_release_notes, is_glossary, only_lists, tells_of_release
from tests.library.passages.ship_terms import SHIP_TERMS

PARTS = ("gate", "spillway", "crest", "toe", "inlet", "lake")
INDEX = "\n".join(f"- {part}, The {part} of the dam" for part in PARTS)
CONTENTS = "\n".join(f"* 第{n}章 水库的管理" for n in "一二三四五六")
NUMBERED = "\n".join(f"- 9.{n}. 数据文件恢复和诊断分析软件包列表以及水库的管理" for n in range(6))
STEPS = "To open the gate:\n\n" + "\n".join(f"{n}. Turn wheel {n} left, then wait." for n in range(1, 7))
OPTIONS = "\n".join(f"- -{name}: opens the {name} gate of the dam." for name in "abcdef")
PROSE = "The dam broke because its spillway was blocked. It had six gates:\n\n- east\n- west"


@pytest.mark.parametrize(
    ("text", "lists"),
    [(INDEX, True), (CONTENTS, True), (NUMBERED, True), (STEPS, False), (OPTIONS, False), (PROSE, False)],
)
def test_an_index_is_told_from_steps_and_options(text: str, lists: bool) -> None:
    assert only_lists(text) is lists


@pytest.mark.parametrize(
    ("title", "question", "tells"),
    [
        ("Release 15.6", "How do I recover?", True),
        ("What's New in GIMP 2.4?", "How do I crop?", True),
        ("E.3. Release 15.12 (2025-02-20)", "How do I recover?", True),
        ("更新说明 3.2.1", "怎样恢复系统？", True),
        ("Release 15.6", "What did 15.6 change?", False),
        ("25.3. Continuous Archiving", "How do I recover?", False),
        ("The flood of 1954", "How high was it?", False),
        ("Chapter 4: The 2.5 tonne lorry", "How high was it?", False),
    ],
)
def test_notes_on_a_release_are_told_by_their_titles(title: str, question: str, tells: bool) -> None:
    assert tells_of_release(title, question) is tells


def test_a_release_that_has_a_name_stands_among_the_others() -> None:
    notes = "".join(f"## 3.3.{n}\n\nThe ferry calls earlier.\n\n" for n in range(3))
    named = f"{notes}## 3.0 beta 5 – “Carve Away the Stone”\n\n### Database\n\nLists of names were moved."
    place = named.index("Lists of names")
    assert in_release_notes(named, place, "How do I move my lists over?")
    assert not in_release_notes(named, place, "What was moved in 3.0?")
    chapters = "## 3.0 beta 5 of the boiler\n\n### Database\n\nLists of names were moved."
    assert not in_release_notes(chapters, chapters.index("Lists"), "How do I move my lists over?")


@pytest.mark.parametrize(
    ("entries", "glossary"),
    [
        ([f"{term}\n\n  What the {term.lower()} of a ship is." for term in SHIP_TERMS], True),
        ([f"{term}: what a {term.lower()} is." for term in SHIP_TERMS], True),
        ([f"{term}\n\n  What the {term.lower()} of a ship is." for term in reversed(SHIP_TERMS)], False),
        ([f"{term.lower()}_size\n\n  How large the {term.lower()} is." for term in SHIP_TERMS], False),
        ([f"{term.lower()}\n\n  How large the {term.lower()} is." for term in SHIP_TERMS], False),
        ([f"Note: the {term.lower()} is to be kept dry." for term in SHIP_TERMS], False),
        ([*(f"{term}: what it is." for term in SHIP_TERMS), *["It sails on calm days."] * 20], False),
    ],
)
def test_a_glossary_is_told_by_its_terms_in_order(entries: list[str], glossary: bool) -> None:
    assert is_glossary("\n\n".join(entries)) is glossary
