"""An expert that goes in circles is warned, redirected, or ended."""

from pathlib import Path
from typing import Any

import pytest

from tests.journeys.research.research_world import World, acts, answers, search

pytestmark = pytest.mark.usefixtures("each_mode")


def answer(task: Any) -> dict[str, Any]:
    return answers(f"So it was [{task.passages[0].id}]." if task.passages else "Nothing.")


async def test_a_looping_expert_is_warned_by_its_third_repeat_and_ended_by_the_fifth_round(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)

    def stubborn(task: Any) -> dict[str, Any]:
        return answer(task) if task.rounds_left == 0 else acts(search("cost of the ferry in Asterby"))

    await world.play({"respond": stubborn}, rounds=20)
    warned = world.of("loop_warned")
    assert warned[0].loop == "repeating"
    assert warned[0].round <= 4
    assert warned[-1].ended
    assert len([e for e in world.of("searched") if "cost of the ferry" in e.query]) == 1
    # The first search, and at most four rounds more; then the answer is due.
    assert [task.rounds_left for task in world.asked][-1] == 0
    assert len(world.asked) <= 6
    assert world.of("turn_taken")[0].turn.citations


async def test_a_warned_expert_that_takes_the_advice_is_not_ended(tmp_path: Path) -> None:
    world = World(tmp_path)

    def heeds(task: Any) -> dict[str, Any]:
        if task.rounds_left == 0 or any("lighthouse" in line for line in task.rounds.split("\n")):
            return answer(task)
        warned = any("three times in a row" in notice for notice in task.notices)
        return acts(search("lighthouse keepers" if warned else "cost of the ferry in Asterby"))

    await world.play({"respond": heeds}, rounds=20)
    assert [e.ended for e in world.of("loop_warned")] == [False]
    assert "lighthouse keepers" in [e.query for e in world.of("searched")]
    assert world.asked[-1].rounds_left > 0


async def test_hopping_between_two_subjects_is_noticed(tmp_path: Path) -> None:
    world = World(tmp_path)
    rounds: list[int] = []

    def hops(task: Any) -> dict[str, Any]:
        if task.rounds_left == 0:
            return answer(task)
        rounds.append(task.rounds_left)
        return acts(search("ferry crowns" if len(rounds) % 2 else "dyke council"))

    await world.play({"respond": hops}, rounds=20)
    assert "hopping" in {e.loop for e in world.of("loop_warned")}
    assert world.of("loop_warned")[-1].ended


async def test_digging_where_nothing_new_comes_is_noticed(tmp_path: Path) -> None:
    world = World(tmp_path)
    words = iter(["zebra", "quartz", "violin", "glacier", "comet", "tundra", "yogurt", "ketchup", "jigsaw"])

    def digs(task: Any) -> dict[str, Any]:
        return answer(task) if task.rounds_left == 0 else acts(search(next(words)))

    await world.play({"respond": digs}, rounds=20)
    assert [e.loop for e in world.of("loop_warned")][0] == "dry"
    assert world.of("loop_warned")[-1].ended
    assert len(world.asked) <= 9


async def test_advice_stands_before_the_next_round_and_two_ignored_warnings_end_the_research(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)

    def stubborn(task: Any) -> dict[str, Any]:
        return answer(task) if task.rounds_left == 0 else acts(search("cost of the ferry in Asterby"))

    await world.play({"respond": stubborn}, rounds=20)
    warned = world.of("loop_warned")
    # Warned once, then twice more without heed: the second time ignored is the end.
    assert [event.ended for event in warned] == [False, False, True]
    advised = [any(warned[0].advice in notice for notice in task.notices) for task in world.asked]
    assert advised[warned[0].round - 1] or advised[warned[0].round]
    assert world.asked[-1].rounds_left == 0
