"""However long a research goes on and whatever a model replies: prompts stay bounded, sessions end."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library import Passage
from library.text.similarity.tfidf import TextStatistics
from models import estimate
from tests.journeys.conftest import MODES
from tests.journeys.research import research_world
from tests.journeys.research.research_world import Pages, World, acts, answers, prompt_size, read, search
from tests.journeys.research.spoken_model import SpokenModel
from tests.model_server import Mode

CONTEXT = 6_000
SOUNDS = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu")


def name(number: int) -> str:
    """Return an invented word for a number: no figures, of which some could seem to disagree."""
    return "".join(SOUNDS[int(digit)] for digit in f"{number:03d}")


def long_text(number: int) -> str:
    """Return a page of more than 10,000 characters, no sentence like another."""
    words = iter(name(number * 7 + step * 13) for step in range(10**6))
    lines = [
        f"The {next(words)} harbour of Asterby takes {next(words)} and {next(words)} by {next(words)} ferry. "
        for _ in range(150)
    ]
    text = "".join(lines)
    assert len(text) > 10_000
    return text


def sent(model: SpokenModel) -> list[int]:
    """Return the tokens of everything that each request held: messages, tools and formats."""
    return [
        sum(estimate(str(m["content"])) for m in asked.messages)
        + estimate(json.dumps([asked.body.get("tools", ""), asked.body.get("response_format", "")]))
        for asked in model.prompts
    ]


@pytest.mark.slow
@pytest.mark.loopback
@pytest.mark.parametrize("mode", MODES)
async def test_forty_rounds_of_long_results_keep_every_prompt_under_the_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: Mode
) -> None:
    monkeypatch.setattr(research_world, "SPEAKING", mode)
    # How long prompts are is asked, not which passages are best: to read all for their meaning takes long.
    monkeypatch.setattr(TextStatistics, "meaning", lambda *_: None)
    urls = [f"https://asterby.example/{name(n)}" for n in range(30)]
    world = World(tmp_path, Pages(urls))
    for n, url in enumerate(urls):
        world.keep(url, long_text(n))
    left = list(urls)

    def digs(task: Any) -> Any:
        if task.rounds_left == 0:
            return answers(f"It carried salt [{task.passages[0].id}].")
        here = [left.pop()] if left else []
        notes = [
            {"kind": kind, "text": f"{kind} {len(left)} " + "salt and rope " * 60,
             "passages": [task.passages[0].id]}
            for kind in ("fact", "lead", "gap", "done")
        ]  # fmt: skip
        thought = f"Looking further at {len(left)}. " * 80
        words = f"{name(len(task.passages))} {name(900 + len(left))} of Asterby {name(7 * len(left))}"
        return acts(search(words), *map(read, here), thought=thought, notes=notes, more=20)

    await world.play(
        {"respond": digs}, turns=3, extracts=False,
        rounds=20, most_rounds=40, context=CONTEXT, pages=1, passages=4,
    )  # fmt: skip
    rounds = len(world.asked)
    assert rounds >= 40
    own = [*world.asked, *world.model.tasks("digest_rounds")]
    assert max(prompt_size(task) for task in own) <= CONTEXT
    # The other rooms' prompts are cut where they are sent.
    assert isinstance(world.model, SpokenModel)
    assert {task.name for task in world.model.asked} >= {"judge_answer", "place_notes", "name_nodes"}
    assert any(task.name.startswith("write_") for task in world.model.asked)
    assert len(sent(world.model)) > rounds
    assert max(sent(world.model)) <= CONTEXT
    assert world.model.tasks("digest_rounds")
    assert any("Tried:" in task.rounds for task in world.asked)
    assert world.session is not None
    assert world.session.state.report is not None


WORDS = st.text(max_size=40)
IDS = st.sampled_from(["p1", "p2", "p999", "m1", "", "https://evil.example/"])
ACTION = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["search", "read", "compute", "note", "fly", ""]),
        "query": WORDS,
        "where": st.lists(WORDS, max_size=2),
        "url": IDS,
        "code": st.sampled_from(["1+1", "while True: pass", "open('/etc/passwd')", "(", ""]),
        "passages": st.lists(IDS, max_size=2),
    }
)
NOTE = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["fact", "gap", "lead", "x"]),
        "text": WORDS,
        "passages": st.lists(IDS, max_size=2),
    }
)
MOVE = st.fixed_dictionaries(
    {
        "thought": WORDS,
        "actions": st.lists(ACTION, max_size=5),
        "notes": st.lists(NOTE, max_size=3),
        "drop": st.lists(IDS, max_size=3),
        "ask": st.one_of(st.lists(WORDS, max_size=3), st.just([f"What of number {n}?" for n in range(3000)])),
        "more": st.integers(-(10**6), 10**6),
        "answer": st.one_of(st.just(""), WORDS, st.just("It was so [p1][p999].")),
    }
)
REPLY = st.one_of(MOVE, st.text(max_size=80), MOVE.map(lambda move: json.dumps(move)[:-7]))


@pytest.mark.loopback
@pytest.mark.parametrize("mode", ["tools", "text"])
@given(replies=st.lists(REPLY, min_size=1, max_size=6))
@settings(max_examples=3)
async def test_whatever_a_model_on_a_server_replies_a_session_ends_and_leaves_a_report(
    mode: Mode, replies: list[Any]
) -> None:
    number = iter(range(10**6))
    before, research_world.SPEAKING = research_world.SPEAKING, mode
    try:
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), folders={"harbour": {"ferry": "The ferry of Asterby is old. " * 30}})
            await world.play(
                {"respond": lambda _: replies[next(number) % len(replies)]}, turns=2, rounds=3, most_rounds=4
            )
            assert world.session is not None
            assert world.session.state.status == "ended"
            assert world.session.state.report is not None
    finally:
        research_world.SPEAKING = before


@given(replies=st.lists(REPLY, min_size=1, max_size=6), judged=st.text(max_size=40))
@settings(max_examples=12)
async def test_whatever_the_model_replies_a_session_ends_within_its_limits_and_leaves_a_report(
    replies: list[Any], judged: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), folders={"harbour": {"ferry": "The ferry of Asterby is old. " * 30}})
        number = iter(range(10**6))

        def reply(task: Any) -> Any:
            del task
            return replies[next(number) % len(replies)]

        await world.play(
            {"respond": reply, "ask_question": judged}, turns=3, rounds=3, most_rounds=4, compute=True
        )
        assert world.session is not None
        state = world.session.state
        assert state.status == "ended"
        assert state.taken <= 4
        assert len(world.asked) <= 3 * 4 + 3
        assert len(state.agenda.questions) <= 40
        assert state.report is not None
        assert all(set(turn.citations) <= set(state.evidence.passages) for turn in state.turns)


def test_a_prompt_size_counts_more_than_its_passages() -> None:
    from agents.token_budget import fit_passages

    passages = [
        Passage("a" * 64, n, n + 400, "<" * 400, "file:x", "<<<<", None, False, None, f"p{n}")
        for n in range(50)
    ]
    shown = fit_passages(passages, 2_000, 50)
    assert 0 < len(shown) < 50
