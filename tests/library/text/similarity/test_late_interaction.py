"""A text is met by a question word by word: something on every part of it comes before much on one."""

import pytest

from library import TextStatistics
from library.text.similarity import late_interaction
from library.text.similarity.late_interaction import interaction

QUESTION = "How do I keep one package at its version while all the others are upgraded?"
HOLDS = "A package that is put on hold stays as it is; later upgrades of the system pass it by."
UPGRADES = (
    "An upgrade upgrades all packages. Upgraded packages are listed, and packages to upgrade are counted."
)
CATS = "The cats sleep on the warm stones behind the kitchen until the evening."
FILLER = "The cats sleep on the warm stones behind the kitchen. " * 14


def test_a_text_with_something_on_each_part_comes_first() -> None:
    holds, upgrades, cats = interaction(QUESTION, [HOLDS, UPGRADES, CATS])
    assert holds > upgrades > cats


def test_a_text_fits_the_same_whatever_stands_beside_it() -> None:
    [alone] = interaction(QUESTION, [HOLDS])
    late_interaction._kept.clear()
    assert interaction(QUESTION, [FILLER, HOLDS, CATS])[1] == alone


def test_what_a_long_text_says_later_counts_up_to_a_limit() -> None:
    [none, later, beyond] = interaction(QUESTION, [FILLER, FILLER + HOLDS, FILLER * 4 + HOLDS])
    assert later > none
    assert beyond == interaction(QUESTION, [FILLER * 5])[0]


def test_a_question_without_a_word_is_met_by_nothing_and_no_text_is_no_work() -> None:
    assert interaction("?!", [HOLDS, ""]) == [0.0, 0.0]
    assert interaction(QUESTION, []) == []


def test_what_was_worked_out_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = interaction(QUESTION, [HOLDS, CATS])

    def refused() -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr(late_interaction, "sentence_model", refused)
    assert interaction(QUESTION, [CATS, HOLDS]) == first[::-1]


def test_it_is_asked_of_english_alone() -> None:
    assert TextStatistics().interaction("暴风雨时怎么办？", ["暴风雨时渡轮停在港内。"]) is None
    assert TextStatistics().interaction(QUESTION, [HOLDS]) == interaction(QUESTION, [HOLDS])
