"""The map on the page: what is chosen stays in sight, and what fits is whole, in a real Chromium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents import Turn, TurnTaken
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build
from tests.web.looking import OUTPUT

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


LINES = """title => import('/static/layout.js').then(({ layout }) => {
    const node = { id: "n1", title, marks: [], children: [], passages: [] };
    const item = { node, depth: 1, inner: 0, open: false };
    layout([item], new Map([["n1", node]]), false);
    return item.lines;
})"""
"""The lines in which a node's title is drawn."""


CUT = """() => import('/static/camera.js').then(({ whole }) => {
    const cut = [];
    for (let height = 500; height < 900; height += 1)
        for (const high of [700, 776, 811]) {
            const drawn = { width: 700, height: high, top: -8, at: new Map([["root", { y: 0.6 * high }]]) };
            const { k, y } = whole(drawn, { width: 900, height }, "root", 0);
            const top = y + drawn.top * k;
            if (top < 0 || top + high * k > height) cut.push([height, high]);
        }
    return cut;
})"""
"""Heights of the ground and of a map that would fit, at which it is cut off."""


def boxes(page: Any) -> list[dict[str, float]]:
    return [leaf.bounding_box() for leaf in page.get_by_role("treeitem").all()]


def is_whole(page: Any) -> bool:
    """Tell whether every node that is drawn stands within the ground."""
    ground = page.locator(".ground").bounding_box()
    return all(
        box["y"] >= ground["y"] and box["y"] + box["height"] <= ground["y"] + ground["height"]
        for box in boxes(page)
    )


def in_sight(page: Any) -> bool:
    """Tell whether the chosen node stands on the ground, beside the panel and not under it."""
    node = page.locator(".leaf.chosen").bounding_box()
    panel, ground = page.locator(".branch").bounding_box(), page.locator(".ground").bounding_box()
    beside = node["x"] + node["width"] <= panel["x"] or node["y"] + node["height"] <= panel["y"]
    return bool(beside and node["x"] >= ground["x"] and node["y"] >= ground["y"])


def test_what_is_chosen_stays_in_sight_and_what_fits_is_whole(
    page: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    build(tmp_path / "served", turns=12, nodes=26)
    words = Turn(
        n=13, speaker="person", name="You", role="person", act="note", text="It rained.", citations=[],
        at="2026-01-01T00:00:00.000Z", seconds=0.0,
    )  # fmt: skip
    with Journal(tmp_path / "served" / "journal.db", SystemClock()) as journal:
        journal.append("crowd", [TurnTaken(turn=words, shown=0)])
    server = serve()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    deepest = page.get_by_role("treeitem", level=3)
    expect(deepest.first).to_be_visible()
    before = page.get_by_role("treeitem").count()
    deepest.nth(4).click()
    expect(page.locator(".leaf.chosen")).to_have_count(1)
    page.wait_for_timeout(300)
    assert page.get_by_role("treeitem").count() == before, "opening a node folds nothing away"
    assert in_sight(page)
    page.locator(".branch").get_by_role("button", name="Close").click()
    page.wait_for_timeout(300)
    assert page.get_by_role("treeitem").count() == before
    assert is_whole(page)

    broken = page.evaluate(LINES, "河道管理办法与防洪标准的修订意见")
    assert broken == ["河道管理办法与防洪标准的", "修订意见"], "words stay whole"
    page.get_by_role("button", name="Expand all").click()
    page.wait_for_timeout(300)
    assert is_whole(page)
    unfolded = page.get_by_role("treeitem").count()
    assert page.evaluate(CUT) == []
    page.get_by_role("tab", name="Table").click()
    expect(page.get_by_role("treeitem")).to_have_count(0)
    page.get_by_role("tab", name="Map").click()
    expect(page.get_by_role("treeitem")).to_have_count(unfolded)
    # At 200 % of such a screen: whole at first; what the keyboard chooses is not under the panel.
    page.set_viewport_size({"width": 720, "height": 450})
    page.reload()
    # What a person said is no turn of the table's.
    expect(page.locator("#tab-discussion .badge")).to_have_text("12")
    page.get_by_role("tab", name="Map").click()
    expect(page.get_by_role("treeitem").nth(3)).to_be_visible()
    page.wait_for_timeout(300)
    assert is_whole(page)
    page.get_by_role("treeitem").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".branch")).to_be_visible()
    page.wait_for_timeout(300)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-map-720.png")
    assert in_sight(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fit").click()
    page.wait_for_timeout(300)
    assert is_whole(page)
    assert not page.errors, page.errors
