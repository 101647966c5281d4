"""Who asks whether to use a thing is told by whoever documents it what that is not meant for."""

from pathlib import Path
from typing import Any

import pytest

from agents.research import told_by_headings
from agents.research.headed_limits import tells_limits
from agents.research.moves.actions import Action, Found, Observation
from library import Passage
from tests.journeys.research.research_world import World, answers

pytestmark = pytest.mark.usefixtures("each_mode")

ASKED = "Should I use the Corley pump to drain the mine below the chapel?"
PARTS = ("valve", "hose", "filter", "engine", "gauge", "handle", "cover", "wheel", "belt", "piston", "seal")
HOW = {
    part: f"# The {part} of the pump\n\nTo use the Corley pump to drain a mine or a chapel, the {part} "
    f"of it is mounted first. Then the {part} is tightened and the mine is drained with the pump."
    for part in PARTS
}
LIMITS = (
    "# Limitations\n\nThe Corley pump is made for gardens and cellars. It lifts water ten metres and "
    "no higher, so it is of no use in deep shafts."
)
OTHER = "# Limitations of tenors\n\nA tenor sings no bass part; operas know that, and write no bass for him."


async def test_what_a_thing_is_not_meant_for_is_found_before_the_panel_is_planned(tmp_path: Path) -> None:
    world = World(tmp_path, folders={"manual": {**HOW, "about": LIMITS, "opera": OTHER}})
    await world.play(
        {"respond": lambda task: answers(f"So it is [{task.passages[0].id}].")}, topic=ASKED, background=4
    )
    [plan] = world.model.tasks("plan_panel")
    told = [passage.text for passage in plan.background]
    assert any("no higher" in text for text in told)
    assert not any("tenor" in text for text in told)
    admitted = [p for event in world.of("passages_admitted") for p in event.passages]
    assert len({p.id for p in admitted}) == len(admitted)


async def test_a_subject_is_not_searched_for_limits(tmp_path: Path) -> None:
    world = World(tmp_path, folders={"manual": {**HOW, "about": LIMITS}})
    await world.play(
        {"respond": lambda task: answers(f"So it is [{task.passages[0].id}].")}, topic="The Corley pump"
    )
    assert not [e for e in world.of("searched") if "caveats" in e.query]


async def test_where_no_page_has_headings_limits_are_not_searched_for(tmp_path: Path) -> None:
    news = {name: text.partition("\n\n")[2] for name, text in HOW.items()}
    world = World(tmp_path, folders={"news": news})
    await world.play(
        {"respond": lambda task: answers(f"So it is [{task.passages[0].id}].")}, topic=ASKED, background=4
    )
    assert not [e for e in world.of("searched") if "caveats" in e.query]


def passage(title: str, text: str = "It stands there.", page: str = "0") -> Passage:
    return Passage(page * 64, 0, len(text), text, f"file:{page}", title, None)


@pytest.mark.parametrize(
    ("title", "text", "tells"),
    [
        ("When to use the pump | Manual", "x", True),
        ("The pump", "# What the pump is not\n\nIt is no lift.", True),
        ("泵的适用场景", "x", True),
        ("Setting the limiter", "It limits the flow.", False),
        ("The pump", "Its limits are told elsewhere.", False),
    ],
)
def test_headings_tell_what_a_page_is_on(title: str, text: str, tells: bool) -> None:
    assert tells_limits(passage(title, text)) is tells


def test_few_results_of_a_page_are_taken_and_none_without_such_a_heading() -> None:
    given: list[Any] = [passage("Limitations", page="1")] * 4
    given += [passage("The valve", page="2"), passage("Caveats", page="3"), passage("Pitfalls", page="4")]
    found = tuple(Found(p.url, p.title, "", "manual", 1.0, p) for p in given)
    kept = told_by_headings(Observation(Action(kind="search", query="pump"), found)).found
    assert [f.title for f in kept] == ["Limitations", "Limitations", "Caveats"]
