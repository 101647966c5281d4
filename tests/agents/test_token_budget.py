"""Sections of a prompt keep within their tokens, whatever is put in."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agents import AgentSettings
from agents.research.moves.respond import Respond
from agents.token_budget import FRAME, cut, fit_lines, fit_listed, room_for, room_in, size_of
from models import ModelSettings, estimate
from models.prompting.output_schemas import instruction
from models.prompting.prompts import render
from models.prompting.tools import parameters
from roundtable.config.config import Settings
from roundtable.session.factory import within_window


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
    assert sum(shares) + room.question + FRAME <= context


def test_lines_that_are_due_keep_within_what_the_other_sections_leave_of_the_whole() -> None:
    lines = [f"p{n} of Asterby harbour" for n in range(100)]
    assert fit_listed(lines, ["<a>x</a>"], 100_000) == tuple(lines)
    tight = fit_listed(lines, ["rope " * 400], FRAME + 600)
    assert 0 < len(tight) < len(lines)
    assert tight == tuple(lines[: len(tight)])
    assert sum(size_of(line) + 1 for line in tight) + estimate("rope " * 400) <= 600


def test_the_room_for_a_prompt_s_own_words_holds_an_expert_s_with_all_its_tools() -> None:
    task = Respond(
        topic="", language="en", expert="", places=(), discussion="", branch="", question="", passages=(),
        closing=True, computes=True, rounds_left=9,
    )  # fmt: skip
    prompt = render(task)
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": dict(parameters(tool))}
        for tool in task.toolbox.tools
    ]
    own = estimate(prompt.system) + estimate(prompt.user)
    assert own + estimate(task.toolbox.instruction) + estimate(json.dumps(tools)) <= FRAME
    assert own + estimate(instruction(task.output)) <= FRAME


def test_what_is_told_in_signs_has_more_room_than_what_is_told_in_letters() -> None:
    assert room_for(400, "How is a copy made with rsync?") == 400
    assert room_for(400, "怎样用 rsync 备份数据？") == 600


def test_a_closing_question_has_a_longer_prompt_unless_somebody_or_a_window_bounds_it() -> None:
    assert AgentSettings().longest_prompt == 26_000
    assert AgentSettings(context=8_000).longest_prompt == 8_000
    assert AgentSettings(context=40_000).longest_prompt == 40_000
    windows = {
        window: within_window(Settings(models=ModelSettings(context_window=window))).agents.longest_prompt
        for window in (8_000, 24_000, 128_000)
    }
    assert windows[8_000] < 8_000
    assert 16_000 < windows[24_000] < 24_000
    assert windows[128_000] == 26_000
