"""What a plan says that a session will need, and what it then really used: within a factor of two."""

from pathlib import Path
from typing import Any

import pytest

from roundtable.session.context.spending import spent
from roundtable.session.factory import Runtime, start_session
from tests.journeys.research.test_research_bounds import long_text
from tests.journeys.session.test_embedded import play, settings_for
from tests.model_server import ModelServer

PRICES = {"openai:test-model": {"prompt": 2.0, "completion": 8.0}}


def further(filler: Any) -> bool:
    """Tell whether an expert searches once more before it answers."""
    return "Round 2." not in filler.prompt


FURTHER = {
    "actions": lambda f: [{"kind": "search", "query": f.words[len(f.prompt) % 9]}] if further(f) else [],
    "answer": lambda f: "" if further(f) else " ".join(f.cited() for _ in range(3)),
}


@pytest.mark.loopback
@pytest.mark.parametrize("values", [{}, FURTHER], ids=["answering at once", "searching further"])
@pytest.mark.parametrize("turns", [6, 15])
async def test_a_plan_s_estimate_is_within_a_factor_of_two_of_what_is_used(
    around: Runtime, tmp_path: Path, turns: int, values: dict[str, Any]
) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(12):
        (tmp_path / "docs" / f"{number}.md").write_text(long_text(number)[:9000], encoding="utf-8")
    with ModelServer(values=values) as server:
        models = {"model": "openai:test-model", "base_url": server.url, "prices": PRICES}
        moderator = {"turns": turns, "dry_answers": 50, "dry_novelty": 0}
        settings = settings_for(tmp_path / "docs", models=models, moderator=moderator)
        session = await start_session("The harbour of Asterby", settings, around=around)
        plan = await session.plan()
        await play(session)
    state = session.state
    used, meant = spent(state, state.started), plan.estimate
    said = f"{meant} for {len(state.turns)} turns; used {used}"
    assert 0.5 <= meant.requests / used.requests <= 2, said
    assert 0.5 <= meant.tokens / used.tokens <= 2, said
    assert meant.cost is not None
    assert 0.5 <= meant.cost / used.money <= 2, said
