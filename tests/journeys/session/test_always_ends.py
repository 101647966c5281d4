"""No state of a session goes round: a step takes a turn, changes the status, consumes a command, or waits."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moderator import (
    AnswerStep,
    AskStep,
    CloseStep,
    ModeratorSettings,
    Question,
    RenewStep,
    Standing,
    next_step,
)
from roundtable.config import load_settings
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from tests.faults.town import still_clock

UNKNOWN = "Zyxwvq plonkertation brasmodical"
"""Nothing in the documents shares a word with it."""
ASKED: dict[str, Callable[[Session], Any]] = {
    "say": lambda s: s.say("What of the zyxwvq?"),
    "say twice": lambda s: (s.say("What of the zyxwvq?"), s.say("And the brasmodical?")),
    "steer": lambda s: s.do("/steer stay on costs"),
    "set aside": lambda s: s.do("/aside plonkertation"),
    "stop": lambda s: s.stop(),
    "say, stop": lambda s: (s.say("What of the zyxwvq?"), s.stop()),
    "drop": lambda s: s.do("/drop example.org"),
}


def around(home: Path) -> Runtime:
    return Runtime(home=home, environment={}, clock=still_clock())


def unknown(tmp_path: Path) -> Any:
    page = tmp_path / "tea.md"
    text = "# Tea\n\nTea is picked by hand in spring and dried in the shade for a day.\n"
    page.write_text(text, encoding="utf-8")
    flags = {"docs": [str(page)], "offline": True, "models": {"model": "embedded"}}
    return load_settings(flags, environment={})


async def kinds(session: Session, most: int = 60) -> list[str]:
    """Run a session; fail when it does not end."""
    seen: list[str] = []
    async with asyncio.timeout(300):
        async for recorded in session.run():
            seen.append(recorded.event.kind)
            assert len(seen) < most, f"it goes round: {seen[-12:]}"
    return seen


@pytest.mark.parametrize("asked", ASKED)
async def test_a_session_that_finds_nothing_ends_whatever_a_person_asks(asked: str, tmp_path: Path) -> None:
    session = await start_session(UNKNOWN, unknown(tmp_path), around=around(tmp_path / "home"))
    ASKED[asked](session)
    seen = await kinds(session)
    assert session.state.status == "ended"
    assert seen.count("session_ended") <= 2
    assert not session.state.controls.waiting
    await session.close()
    again = await resume_session(session.id, around=around(tmp_path / "home"))
    assert await kinds(again, most=10) in ([], ["warned"])
    await again.close()


async def test_what_is_said_after_such_an_end_is_taken_in_and_ends_again(tmp_path: Path) -> None:
    session = await start_session(UNKNOWN, unknown(tmp_path), around=around(tmp_path / "home"))
    await kinds(session)
    for words in ("What of the zyxwvq?", "And now?"):
        session.say(words)
        assert (await kinds(session)).count("report_written") == 1
        assert session.state.status == "ended"
    await session.close()


async def test_an_expert_invited_where_nothing_is_found_sits_down(tmp_path: Path) -> None:
    session = await start_session(UNKNOWN, unknown(tmp_path), around=around(tmp_path / "home"))
    session.do("/invite Tea grower: how tea is picked and dried")
    session.say("How is tea dried?")
    await kinds(session, most=300)
    assert session.state.status == "ended"
    assert any(turn.role == "expert" for turn in session.state.turns)
    await session.close()


def question(draw: Any, number: int) -> Question:
    return Question(
        id=f"q{number}", text=draw(st.sampled_from(["What?", "Why so?"])), search="",
        by=draw(st.sampled_from(["person", "moderator", "a"])),
        to=draw(st.sampled_from([None, "a", "b", "gone"])),
    )  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_the_policy_closes_every_table_after_finitely_many_steps(data: st.DataObject) -> None:
    draw = data.draw
    rules = ModeratorSettings()
    turns, limit = draw(st.integers(0, 6)), draw(st.integers(1, 12))
    waiting = [question(draw, n) for n in range(draw(st.integers(0, 4)))]
    panel = ["a", "b", "c"][: draw(st.integers(1, 3))]
    tail = draw(st.sampled_from([None, question(draw, 99)]))
    seated, answers = draw(st.integers(0, 30)), 0
    for _ in range(limit + 4 * len(waiting) + 40):
        near = [draw(st.floats(0, 1)) for _ in panel]
        person = any(q.by == "person" for q in waiting)
        standing = Standing(
            turns=turns, limit=max(limit, turns + 1) if person else limit, waiting=waiting, panel=panel,
            spoken=[0] * len(panel), nearness=near, reach=max(near),
            last_question=draw(st.sampled_from([None, *waiting])),
            answered_by=draw(st.sampled_from([(), tuple(panel)])), answers=answers,
            unused=draw(st.integers(0, 3)), dry=draw(st.integers(0, 9)), seated=seated,
            novelty=draw(st.floats(0, 1)), tail=tail, tried=draw(st.sampled_from([(), ("a",)])),
        )  # fmt: skip
        step = next_step(standing, rules)
        match step:
            case CloseStep():
                return
            case AnswerStep(asked):
                turns, seated, answers = turns + 1, seated + 1, answers + 1
                waiting = [q for q in waiting if q.id != asked.id]
                tail = None if tail and asked.id == tail.id else tail
            case AskStep():
                turns, seated, answers = turns + 1, seated + 1, 0
            case RenewStep():
                assert seated >= rules.renew_after, "a panel that was just seated is not renewed again"
                seated = 0
    raise AssertionError("the table never closed")
