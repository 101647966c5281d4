"""The page on a session of many turns and nodes, in a real Chromium: counts, not seconds.

Seconds are measured by `python -m benchmarks.speed.page`.
"""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
pytestmark = IN_A_BROWSER


@pytest.fixture
def crowd(server: Server, page: Any) -> Server:
    """A server that holds such a session, with the page open on it."""
    build(server.home, turns=500, nodes=2000)
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    expect(page.locator(".session")).to_have_attribute("data-count", "3006")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    return server


def reached(page: Any, there: Callable[[], bool]) -> None:
    """Wait for what no locator tells; the page's own policy lets no string be run in it."""
    end = time.monotonic() + 300
    while not there():
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def command(server: Server, name: str, **values: object) -> None:
    server.ask("/api/sessions/crowd/commands", {"command": name, **values})


def test_what_nobody_looks_at_is_not_drawn_and_the_scroll_is_the_readers(page: Any, crowd: Server) -> None:
    expect(page.locator(".session")).to_have_attribute("data-last", "3006")
    assert page.locator(".turn").count() <= 60
    assert page.get_by_role("treeitem").count() < 40, "large branches start collapsed"
    assert page.evaluate("document.querySelectorAll('*').length") < 4000
    story = page.locator(".story")

    def left() -> float:
        return float(story.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight"))

    assert left() <= 40, "it begins at the end"
    # Within 40 px of the end it follows; further up it does not move, and says that there is more.
    story.evaluate("box => { box.scrollTop -= 30; }")
    command(crowd, "steer", text="stay on pumps")
    expect(page.locator(".turn.pending")).to_have_count(1)
    reached(page, lambda: left() <= 1)
    story.hover()
    page.mouse.wheel(0, -400)
    reached(page, lambda: left() >= 399)
    before = story.evaluate("box => box.scrollTop")
    command(crowd, "steer", text="stay on sewers")
    expect(page.locator(".turn.pending")).to_have_count(2)
    expect(page.get_by_role("button", name="New turns")).to_be_visible()
    assert story.evaluate("box => box.scrollTop") == before
    page.get_by_role("button", name="New turns").click()
    reached(page, lambda: left() <= 1)
    # Earlier turns come as a reader gets near to them, and what is read stays where it is.
    first = page.locator(".turn").first
    number = int(first.get_attribute("data-turn"))
    story.evaluate("box => { box.scrollTop = 0; }")
    expect(page.locator(f".turn[data-turn='{number - 5}']")).to_have_count(1)
    assert page.locator(f".turn[data-turn='{number}']").count() == 1
    assert not page.errors, page.errors


def test_all_of_a_large_map_can_be_reached(page: Any, crowd: Server) -> None:
    page.get_by_role("button", name="Expand all").click()
    expect(page.get_by_role("treeitem", level=3).first).to_be_attached()
    assert page.get_by_role("treeitem").count() < 200, "only what is in sight is drawn"
    page.get_by_label("Search the map").fill("polder")
    found = page.locator(".tools [role=status]")
    expect(found).not_to_have_text("0 found")
    page.get_by_label("Search the map").press("Enter")
    expect(page.locator(".leaf.hit").first).to_be_visible()
    page.get_by_role("button", name="Collapse all").click()
    expect(page.get_by_role("treeitem")).to_have_count(8)
    command(crowd, "map_add", parent="n0", title="One more branch")
    expect(page.get_by_role("treeitem")).to_have_count(9)
    assert not page.errors, page.errors


def test_what_is_searched_for_comes_into_sight_as_it_is_typed(page: Any, crowd: Server) -> None:
    command(crowd, "map_add", parent="n1999", title="Zuiderzee works")
    box, found = page.get_by_label("Search the map"), page.locator(".tools [role=status]")
    for state in ("Collapse all", "Expand all"):  # folded away, and far outside of what is seen
        page.get_by_role("button", name=state).click()
        expect(page.locator(".leaf.hit")).to_have_count(0)
        box.fill("zuiderzee")
        expect(found).to_have_text("1 found")
        expect(page.locator(".leaf.hit")).to_be_in_viewport()
        expect(box).to_be_focused()
        page.get_by_role("button", name="Collapse all").click()
        expect(page.locator(".leaf.hit")).to_have_count(0)  # what a person folds stays so
        box.fill("")
    assert not page.errors, page.errors
