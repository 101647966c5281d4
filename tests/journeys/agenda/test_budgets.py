"""Each budget: from 85 % experts answer with what they have, also within a turn; then comes the report."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from models import Usage
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.session.context.spending import spent
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session
from tests.journeys.research.research_world import Pages, World, acts, answers, read, search

COSTS = Usage(model="scripted", requests=1, prompt_tokens=90, completion_tokens=10, cost=0.01)
LIMITS = {
    "tokens": {"tokens": 1_500}, "money": {"money": 0.15}, "requests": {"requests": 15},
    "searches": {"searches": 14}, "pages": {"pages": 14}, "seconds": {"seconds": 200},
}  # fmt: skip
SOUNDS = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu")


def digging(urls: list[str]) -> Any:
    """Search and read further and further, until the answer is due."""
    left, number = list(urls), iter(range(10**6))

    def move(task: Any) -> Any:
        if task.rounds_left == 0:
            return answers(f"It was rebuilt [{task.passages[0].id}]." if task.passages else "Nothing.")
        here = [read(left.pop())] if left else []
        word = "".join(SOUNDS[int(digit)] for digit in f"{next(number):03d}")
        return acts(search(f"{word} of Asterby"), *here, more=20)

    return move


@pytest.mark.parametrize("name", LIMITS)
async def test_a_budget_acts_within_a_turn_and_ends_the_talk_with_a_report(tmp_path: Path, name: str) -> None:
    urls = [f"https://asterby.example/{a}{b}" for a in SOUNDS for b in SOUNDS[:4]]
    world = World(tmp_path, Pages(urls))
    for number, url in enumerate(urls):
        text = f"The {url[-4:]} of the harbour of Asterby was rebuilt by hands {url[-4:]}. " * 5
        world.keep(url, text + str(number))
    if name == "seconds":
        world.step = timedelta(seconds=1)
    await world.play(
        {"respond": digging(urls)}, turns=60, budget=LIMITS[name], usage=COSTS, rounds=20, most_rounds=20,
    )  # fmt: skip
    hurried = world.of("turn_hurried")
    assert [event.turn for event in hurried] == [1]
    asked = [task.rounds_left for task in world.asked]
    first = asked.index(0)
    assert 2 < first < 19
    assert hurried[0].round == first + 1
    assert world.of("turn_taken")[0].turn.citations
    # What is asked after that is answered at once.
    assert set(asked[first:]) == {0}
    assert world.session is not None
    state = world.session.state
    assert state.status == "ended"
    assert state.report is not None
    if name != "pages":  # answers that are due read nothing more
        assert state.reason == f"budget spent: {name}"
        assert "budget" in state.report.model_dump_json()


async def test_what_is_spent_stays_within_the_limit_and_the_report_is_finished_without_a_model(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    await world.play({"respond": digging([])}, turns=60, budget={"requests": 8}, usage=COSTS)
    assert world.session is not None
    state = world.session.state
    assert spent(state, state.started).requests == 8
    assert any(cost.fallback == "the budget is spent: requests" for cost in state.usage)
    assert state.report is not None
    assert state.report.sections


async def test_what_others_use_up_meanwhile_ends_the_talk_with_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, run = World(tmp_path), Session.run

    def bounded(session: Session) -> Any:
        session.before_requests(lambda: "tokens" if len(world.asked) >= 4 else None)
        return run(session)

    monkeypatch.setattr(Session, "run", bounded)
    await world.play({"respond": digging([])}, turns=60, usage=COSTS, rounds=2)
    assert world.session is not None
    state = world.session.state
    assert len(world.asked) == 4
    assert (state.reason, state.report is not None) == ("budget spent: tokens", True)


async def test_with_a_budget_that_is_wide_nothing_hurries(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": digging([])}, budget={"requests": 1000}, usage=COSTS, rounds=4)
    assert world.of("turn_hurried") == []
    assert {task.rounds_left for task in world.asked} >= {0, 3}


UNPRICED = {"model": "openai:own", "base_url": "http://127.0.0.1:9/v1"}


async def test_a_budget_in_money_needs_a_price(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "bridge.md").write_text("The bridge over the Aster is 900 m long.")
    documents = [str(tmp_path / "docs")]
    budget = {"moderator": {"budget": {"money": 1}}, "offline": True, "docs": documents}
    refused = Settings.model_validate({"models": UNPRICED, **budget})
    said = r"\$1 cannot be held: no price is known for openai:own; set models\.prices"
    with pytest.raises(InputError, match=said):
        await start_session("Bridges", refused, around=Runtime(home=tmp_path, environment={}))
    assert not (tmp_path / "journal.db").exists()
    prices = {"openai:own": {"prompt": 0, "completion": 0}}
    priced = Settings.model_validate({"models": {**UNPRICED, "prices": prices}, **budget})
    session = await start_session("Bridges", priced, around=Runtime(home=tmp_path, environment={}))
    await session.close()
