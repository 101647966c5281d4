"""An expert looks at a page: what a model that sees writes down of it is a source like any other."""

from pathlib import Path
from typing import Any

import pytest

from library import Library, look_url
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import described, read_line
from roundtable.journal.commands.table_commands import ReadSource
from tests.journeys.research.research_world import Pages, World, acts, answers, search

PAGE = "https://lake.example/levels"
pytestmark = pytest.mark.usefixtures("each_mode")


def looks(task: Any) -> Any:
    """Look at the source of the first passage of the web, then cite what was seen."""
    seen = [p for p in task.passages if p.url == look_url(PAGE)]
    if seen:
        return answers(f"It fell to 3.6 m [{seen[0].id}].")
    if task.rounds_left == 0 or any("named 'look'" in notice for notice in task.notices):
        return answers(f"Nobody knows [{task.passages[0].id}].")
    if not any(PAGE in line for line in [*task.pages, *(p.url for p in task.passages)]):
        return acts(search("level of the lake"))
    return acts({"kind": "look", "url": PAGE, "query": "the level in 2024"})


def world(home: Path) -> World:
    made = World(home, Pages([PAGE], snippet="The level of the lake, drawn."))
    made.keep(PAGE, "Levels of the lake, drawn. " * 3)
    made.keep(look_url(PAGE), "A chart of the level of the lake: 4.2 m in 2020, 3.6 m in 2024.")
    return made


async def test_what_was_seen_is_cited_from_an_address_of_its_own(tmp_path: Path, monkeypatch: Any):
    monkeypatch.setattr(Library, "looks", property(lambda _: True))
    made = world(tmp_path)
    await made.play({"respond": looks}, topic="How high is the level of the lake?")
    assert look_url(PAGE) in [page.url for page in made.of("page_read")]
    [turn] = [event.turn for event in made.of("turn_taken")]
    assert made.session is not None
    evidence = made.session.state.evidence
    assert [evidence.passages[i].url for i in turn.citations] == [look_url(PAGE)]
    assert made.asked[0].looks


async def test_without_a_browser_or_a_model_that_sees_it_is_refused_by_name(tmp_path: Path):
    made = world(tmp_path)
    await made.play({"respond": looks}, topic="How high is the level of the lake?", rounds=3)
    assert look_url(PAGE) not in [page.url for page in made.of("page_read")]
    told = [notice for task in made.asked for notice in task.notices]
    assert any("no action named 'look'; there are search, read and compute" in notice for notice in told)
    assert "look (" not in made.asked[0].fields()["kinds"]


def test_a_person_s_look_is_journalled_as_a_reading():
    assert read_line(f"/look {PAGE}#part") == ReadSource(place=f"{PAGE}#as-it-looks")
    with pytest.raises(CommandError, match="/look: name a page by its address"):
        read_line("/look notes.md")
    assert "look" not in {each["name"] for each in described()}
