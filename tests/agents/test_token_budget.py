"""Sections of a prompt keep within their tokens, whatever is put in."""

from hypothesis import given
from hypothesis import strategies as st

from agents.token_budget import cut, fit_lines, room_in, size_of


@given(text=st.text(max_size=400), tokens=st.integers(1, 60))
def test_a_cut_text_fits(text: str, tokens: int) -> None:
    assert size_of(cut(text, tokens)) <= tokens or not cut(text, tokens)


@given(lines=st.lists(st.text(max_size=80), max_size=20), tokens=st.integers(0, 80), newest=st.booleans())
def test_lines_fit_together(lines: list[str], tokens: int, newest: bool) -> None:
    assert sum(size_of(line) + 1 for line in fit_lines(lines, tokens, newest=newest)) <= tokens


def test_the_newest_lines_win_when_asked_for() -> None:
    lines = [f"round {n}" for n in range(100)]
    assert fit_lines(lines, 30, newest=True)[-1] == "round 99"
    assert fit_lines(lines, 30)[0] == "round 0"


@given(context=st.integers(4_000, 200_000))
def test_the_shares_are_no_more_than_the_whole(context: int) -> None:
    room = room_in(context)
    shares = (room.passages, room.discussion, room.memory, room.rounds, room.map, room.pages, room.notices)
    assert sum(shares) + room.question + 1_700 <= context
