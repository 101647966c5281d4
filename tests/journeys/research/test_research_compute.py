"""Figures are computed in a closed sandbox; the code and its result are a source that can be cited."""

from pathlib import Path
from typing import Any

import pytest

from tests.journeys.research.research_world import World, acts, answers

pytestmark = pytest.mark.usefixtures("each_mode")


def computes(code: str) -> Any:
    """Compute with the first passage, then cite what was computed."""

    def script(task: Any) -> Any:
        made = [p for p in task.passages if p.url.startswith("computation:")]
        if made:
            return answers(f"It grew by 50 percent [{made[0].id}][{task.passages[0].id}].")
        if task.rounds_left == 0 or any("not computed" in n for n in task.notices):
            return answers(f"Nobody knows [{task.passages[0].id}].")
        action = {"kind": "compute", "query": "growth", "code": code, "passages": [task.passages[0].id]}
        return acts(action)

    return script


async def test_a_computation_becomes_a_source_that_is_cited_and_names_its_passages(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play(
        {"respond": computes("before, after = 701, 1051.5\nround((after - before) / before * 100)")}
    )
    [computed] = world.of("computed")
    assert computed.error is None
    [turn] = [e.turn for e in world.of("turn_taken")]
    assert world.session is not None
    evidence = world.session.state.evidence
    cited = [evidence.passages[i] for i in turn.citations]
    [source] = [evidence.sources[p.sha256] for p in cited if p.url.startswith("computation:")]
    assert "Result: 50" in source.text
    assert f"Numbers from: {computed.passages[0]} (" in source.text
    strange = source.text.partition("Numbers that stand in none of these: ")[2]
    assert "1051.5" in strange.split("\n")[0]
    assert world.asked[0].computes


async def test_code_that_fails_or_reaches_out_is_an_observation(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": computes("open('/etc/passwd').read()")})
    [computed] = world.of("computed")
    assert computed.sha256 is None
    assert any("not computed" in notice for notice in world.asked[-1].notices)
    assert world.of("turn_taken")


async def test_without_the_sandbox_computing_is_refused_by_name(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": computes("1 + 1")}, compute=False, rounds=2)
    assert world.of("computed") == []
    assert any("no action named 'compute'" in notice for notice in world.asked[1].notices)
