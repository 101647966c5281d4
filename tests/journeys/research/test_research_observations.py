"""What goes wrong in a research is seen in its next round and never ends a session; leads outlive a turn."""

from pathlib import Path
from typing import Any

import pytest

from library import Source
from tests.journeys.research.research_world import TOPIC, Pages, World, acts, answers, document, read, search

pytestmark = pytest.mark.usefixtures("each_mode")


def cites(task: Any, **more: Any) -> dict[str, Any]:
    """Answer with the first passage shown."""
    return answers(f"So it was [{task.passages[0].id}]." if task.passages else "Nothing is known.", **more)


async def test_empty_searches_dead_pages_and_refused_reads_are_observations(tmp_path: Path) -> None:
    dead = "https://asterby.example/dead"
    world = World(tmp_path, Pages([dead], snippet="The ferry."))
    moves = iter([acts(search("zyzzyva qoph"), read(dead), read("https://evil.example/")), acts(read(dead))])
    await world.play({"respond": lambda task: next(moves, None) or cites(task)})
    seen = [" ".join(task.notices) for task in world.asked]
    assert any(dead in notice for notice in seen)
    assert any("no search and no page has given this url: https://evil.example/" in n for n in seen)
    assert [e.error for e in world.of("page_read") if e.url == dead][0]
    assert world.of("turn_taken")[0].turn.citations
    assert world.session is not None
    assert (world.session.state.status, world.session.state.report is not None) == ("ended", True)


async def test_where_nothing_at_all_is_found_the_session_ends_with_a_report_that_says_so(
    tmp_path: Path,
) -> None:
    world = World(tmp_path, Pages([]), folders={})
    await world.play({"respond": cites}, turns=2)
    assert world.session is not None
    assert world.session.state.status == "ended"
    assert world.session.state.report is not None


async def test_a_lead_that_was_not_followed_is_offered_again_in_a_later_turn(tmp_path: Path) -> None:
    world = World(tmp_path)
    lead = {"kind": "lead", "text": "lighthouse keepers", "passages": []}
    moves = iter([acts(search("dyke Asterby"), notes=[lead])])
    await world.play({"respond": lambda task: next(moves, None) or cites(task)}, turns=3)
    taken = {event.turn.n for event in world.of("turn_taken") if event.turn.act == "answer"}
    assert len(taken) >= 2
    assert any("lighthouse keepers (not followed yet)" in line for line in world.asked[-1].memory)


@pytest.mark.parametrize(
    ("published", "said"), [("2012-03-01", "2012-03-01"), (None, "may have changed"), ("2025-11-01", "")]
)
async def test_what_changes_is_not_answered_from_stale_or_undated_passages_without_saying_so(
    tmp_path: Path, published: str | None, said: str
) -> None:
    world = World(tmp_path, folders={})
    url, text = "https://asterby.example/ferry", document("ferry")
    world.store.add(
        Source("f" * 64, url, "ferry", text, published=published, retrieved="2026-01-01T00:00:00.000Z")
    )
    world.library.collections.append(Pages([url]))  # type: ignore[attr-defined]
    panel = {
        "experts": [
            {
                "name": "Purser", "role": "sells tickets", "focus": "prices", "terms": ["ferry"],
                "question": f"What is the current price of the ferry, {TOPIC}?",
            }
        ]
    }  # fmt: skip
    await world.play({"respond": cites, "plan_panel": panel})
    [turn] = [event.turn for event in world.of("turn_taken")][:1]
    assert turn.citations
    assert said in turn.age
    assert bool(said) == bool(turn.age)
    assert turn.text.rstrip() == f"So it was [{turn.citations[0]}]."
