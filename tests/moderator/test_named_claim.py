"""What a person says of an expert's claim is put to whoever made it."""

import pytest

from agents import Perspective, Turn
from library import TextStatistics
from moderator import claim_named

TOLL = "Each barge paid the toll in salt [p1]."
TOWER = "The tower was built by Ada Merrow, so it was hers (inference) [p2]."
PANEL = [
    Perspective(slug=name.casefold(), name=name, role="", focus="", terms=[]) for name in ("Mason", "Skipper")
]


def turn(n: int, name: str, text: str, role: str = "expert") -> Turn:
    return Turn(
        n=n, speaker=name.casefold(), name=name, role=role, act="answer", text=text, citations=[],  # type: ignore[arg-type]
        question="q1", at="2026-01-01T00:00:00.000Z", seconds=1.0,
    )  # fmt: skip


TURNS = [
    turn(1, "Skipper", f"{TOLL} It was weighed at the gate [p1]."),
    turn(2, "Mason", TOWER),
    turn(3, "Person", "The toll of each barge was paid in salt?", "person"),
]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("I dispute turn 1: no barge paid a toll in salt.", TOLL),
        ("Mason, why should the tower be hers? It was built by the town.", TOWER),
        ("第2轮：the tower was not built by Ada Merrow", TOWER),
        ("Turn 12: no barge paid a toll in salt.", None),
        ("In 1.2 it says that no barge paid the toll in salt.", None),
        ("Did no barge pay the toll in salt?", None),
        ("Turn 3 asks whether the toll of each barge was paid in salt.", None),
        ("In turn 1 I miss the winters.", None),
    ],
)
def test_words_name_a_claim_by_its_turn_or_its_speaker_and_by_what_it_says(
    words: str, named: str | None
) -> None:
    found = claim_named(words, TURNS, PANEL, TextStatistics())
    assert (found.text if found else None) == named


def test_who_has_left_the_table_is_asked_nothing() -> None:
    assert claim_named("Turn 1: no barge paid a toll in salt.", TURNS, PANEL[:1], TextStatistics()) is None
