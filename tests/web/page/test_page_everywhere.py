"""The map, the composer and what the server says, on a phone, on a desk, and in Chinese."""

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
LINES = """e => [...e.childNodes].filter(n => n.data).map(n => {
    const range = document.createRange();
    range.selectNode(n);
    return new Set([...range.getClientRects()].map(box => box.top)).size;
})"""
"""On how many lines each text in an element stands."""
PHONE, DESK = (390, 844), (1440, 900)


@pytest.fixture
def crowd(serve: Callable[..., Server], tmp_path: Path) -> Server:
    build(tmp_path / "served", turns=12, nodes=60)
    return serve()


def opened(browser: Any, url: str, size: tuple[int, int], locale: str = "en-GB") -> Any:
    width, height = size
    look = {"viewport": {"width": width, "height": height}, "locale": locale, "reduced_motion": "reduce"}
    page = browser.new_page(**look)
    page.goto(url)
    expect(page.locator("h1").first).to_be_visible()
    return page


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_map_is_read_at_once(browser: Any, crowd: Server, size: tuple[int, int]) -> None:
    """Letters keep a size that can be read, titles and the root are whole, and nothing is beyond the edge."""
    page = opened(browser, crowd.url, size)
    page.goto(f"{crowd.base}/#/session/crowd")
    page.locator("#tab-map").click()
    expect(page.get_by_role("treeitem").nth(3)).to_be_visible()
    expect(page.get_by_role("button", name="中文")).to_be_visible()
    page.wait_for_timeout(300)
    ground = page.locator(".ground").bounding_box()
    for leaf in page.get_by_role("treeitem").all():
        box = leaf.bounding_box()
        assert box["x"] >= ground["x"], leaf.inner_text()
        assert box["x"] + box["width"] <= ground["x"] + ground["width"], leaf.inner_text()
    scale = page.evaluate("document.querySelector('.leaf').getScreenCTM().a")
    assert scale * 13.5 >= 10.5, "pixels of a letter"
    root = "".join(page.locator(".leaf.depth-0 tspan").all_text_contents())
    assert root.replace(" ", "") == "Howdorivertownslivewithrain?"
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / f"page-map-{size[0]}.png")
    # What is opened by hand is drawn below its parent, and stays when another grows.
    page.get_by_role("treeitem").nth(1).focus()
    before = page.get_by_role("treeitem").count()
    page.keyboard.press("Space")
    expect(page.get_by_role("treeitem")).not_to_have_count(before)
    accessible(page)


def test_on_a_phone_every_choice_of_the_composer_is_whole(browser: Any, crowd: Server) -> None:
    page = opened(browser, crowd.url, PHONE)
    page.goto(f"{crowd.base}/#/session/crowd")
    expect(page.locator(".composer select").first).to_be_visible()
    cut = page.evaluate(
        "() => { const pen = document.createElement('canvas').getContext('2d');"
        " return [...document.querySelectorAll('.composer select')].filter(box => {"
        " pen.font = getComputedStyle(box).font; const words = box.selectedOptions[0].textContent;"
        " return pen.measureText(words).width + 20 > box.clientWidth; }).map(box => box.value); }"
    )
    assert not cut


def test_what_the_server_refuses_is_told_in_the_language_of_the_page(browser: Any, crowd: Server) -> None:
    page = opened(browser, crowd.url, DESK, "zh-CN")
    page.locator("[name=docs]").fill("/there/is/no/such")
    expect(page.locator(".outgoing")).to_contain_text("没有这个文件、文件夹或文集")
    page.locator("[name=topic]").fill("城市")
    page.get_by_role("button", name="开始", exact=True).click()
    expect(page.locator("form.new > .failure")).to_contain_text("/there/is/no/such：没有这个文件")
    crowd.ask("/api/sessions/crowd/name", {"name": "沿河的城市在多雨的年份应该怎样防止地下室被水淹没"})
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{crowd.base}/#/session/crowd")
    expect(page.locator("h1")).to_contain_text("沿河")
    words = page.locator("h1").evaluate(LINES)
    assert len(words) > 8
    assert set(words) <= {0, 1}, "a word of the heading is broken"
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(crowd.base)
    page.locator("[name=docs]").fill("/there/is/no/such")
    page.locator("[name=topic]").fill("城市")
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("form.new > .failure")).not_to_contain_text("--docs")
    expect(page.locator("form.new > .failure")).to_contain_text("/there/is/no/such: no file")
