"""The page by keyboard alone, at 200 % zoom, without motion, in Chinese and in the dark."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


@pytest.fixture
def crowd(serve: Callable[..., Server], tmp_path: Path) -> Server:
    build(tmp_path / "served", turns=12, nodes=30)
    return serve()


def test_a_session_is_read_and_changed_with_the_keyboard_alone(page: Any, crowd: Server) -> None:
    page.goto(crowd.url)
    expect(page.locator(".rows a").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    reach(page, ".rows a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    reach(page, "#tab-map")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-people")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    reach(page, "[role=treeitem]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".branch h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[role=treeitem]:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".branch h2")).to_be_focused()
    reach(page, ".branch .acts button:last-child")
    page.keyboard.press("Enter")
    undo = page.locator(".notice").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(page.locator("[role=treeitem]:focus")).to_have_count(1)  # what had the keyboard is gone
    nodes = page.get_by_role("treeitem").count()
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("treeitem")).not_to_have_count(nodes)
    expect(page.locator(".notice")).to_contain_text("Undone: deleted “")
    expect(page.locator("[role=treeitem]:focus")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".branch h2")).to_be_focused()
    reach(page, ".branch summary")
    if not page.locator(".branch .arrange[open]").count():
        page.keyboard.press("Enter")
    reach(page, ".branch .arrange input")
    page.keyboard.press("Control+A")
    page.keyboard.type("Called by hand")
    page.keyboard.press("Enter")
    expect(page.locator(".branch h2")).to_have_text("Called by hand")
    expect(page.locator(".branch h2")).to_be_focused()
    # A menu opens, shuts by Escape, and gives the keyboard back.
    page.locator(".menu summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".menu-body")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".menu summary")).to_be_focused()


def test_a_screen_reader_is_taken_to_what_is_new_and_hears_it_once(page: Any, crowd: Server) -> None:
    page.goto(crowd.url)
    page.locator(".rows a").first.click()
    expect(page.locator("#content")).to_be_focused()
    log = page.get_by_role("log", name="Discussion")
    # What was said before is no news: the log is busy until all of it is there.
    expect(log).to_have_attribute("aria-busy", "false")
    expect(log.get_by_role("heading", level=2)).to_have_count(12)
    # What a tab counts is a word of its own, and nothing is told twice, as a name and as what describes it.
    expect(page.get_by_role("tab", name=re.compile(r"^(Table|Sources) \d+$"))).to_have_count(2)
    expect(log.get_by_role("button", name="Turn 12: begin another session from here")).to_have_count(1)
    told = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    described = [node for node in told if node.get("description", {}).get("value")]
    assert not [n for n in described if n["description"]["value"] == n["name"]["value"]], described
    expect(page.locator("h1")).to_have_attribute("lang", "en")
    expect(log.locator(".reading").first).to_have_attribute("lang", "en")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator("h1")).to_have_attribute("lang", "en")
    expect(page.locator("[role=tree]")).to_have_attribute("lang", "en")


def reach(page: Any, selector: str) -> None:
    """Press Tab until something has the keyboard; every stop on the way is seen and has a name."""
    for _ in range(120):
        page.keyboard.press("Tab")
        here = page.evaluate(
            "() => { const e = document.activeElement, b = e.getBoundingClientRect();"
            " return [e.tagName, e.getAttribute('aria-label') || e.textContent || e.labels?.length"
            " || e.title || e.placeholder || '', b.width * b.height]; }"
        )
        assert here[1], here
        assert here[2] > 0, here
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"{selector} is not reached")


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_at_200_percent_and_without_motion_nothing_is_lost(
    browser: Any, crowd: Server, language: str
) -> None:
    """A window of 1280 x 900 at 200 % has 640 x 450 of the page's own pixels."""
    OUTPUT.mkdir(exist_ok=True)
    context = browser.new_context(
        viewport={"width": 640, "height": 450}, device_scale_factor=2, locale=language,
        reduced_motion="reduce", color_scheme="dark",
    )  # fmt: skip
    page = context.new_page()
    page.goto(crowd.url)
    expect(page.locator(".rows a").first).to_be_visible()
    page.locator(".options > summary").click()
    whole(page)
    page.screenshot(path=OUTPUT / f"page-zoomed-start-{language}.png")
    page.goto(f"{crowd.base}/#/session/crowd")
    for tab in ("discussion", "map", "people", "sources", "report"):
        page.locator(f"#tab-{tab}").click()
        whole(page)
    assert page.locator(".head").bounding_box()["height"] < 90, "half of a low window stood above the words"
    moving = page.evaluate(
        "document.getAnimations().filter(one => one.effect.getTiming().duration > 0).length"
    )
    assert not moving
    words = page.locator(".tabs").inner_text()
    assert ("讨论" in words) == language.startswith("zh")


def whole(page: Any) -> None:
    """Nothing goes beyond the width, what is pressed can be hit, and axe finds nothing."""
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    boxes = "[...document.querySelectorAll('[type=checkbox]')]"
    wide = f"{boxes}.filter(e => e.getBoundingClientRect().width > 30)"
    assert not page.evaluate(f"{wide}.length"), "a box to tick is as wide as a field"
    small = page.evaluate(
        "[...document.querySelectorAll('button, summary, select, input:not([type=checkbox], [type=radio])')]"
        ".filter(e => !e.matches('.visually-hidden, .cite, .mark, .fork-turn'))"
        ".map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])"
        ".filter(([, b]) => b.width && b.height && b.height < 20).map(([text]) => text)"
    )
    assert not small, small
    accessible(page)
