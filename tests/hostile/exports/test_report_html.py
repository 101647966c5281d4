"""A hostile report in a real browser: nothing runs, nothing is fetched, everything can be read."""

import re
import shutil
from pathlib import Path
from typing import Any

import html5lib
import nh3
import pytest

from reports.export.html import report_html

from .report_attacks import ATTACKS, hostile

CHROMIUM = shutil.which("chromium")


def test_a_sanitizer_finds_nothing_to_remove() -> None:
    page = report_html(*hostile())
    body = re.search(r"<main>(.*)</main>", page, re.DOTALL)[1]  # type: ignore[index]
    names = "a b blockquote br caption code details em h1 h2 h3 h4 li ol p span summary"
    tags = {*names.split(), *["table", "tbody", "td", "th", "thead", "tr", "ul"]}
    plain = {"id", "class", "dir", "role", "value", "scope", "href", "rel", "aria-describedby"}
    cleaned = nh3.clean(
        body, tags=tags, attributes=dict.fromkeys(tags, plain), url_schemes={"https", "http"}, link_rel=None
    )

    def parsed(text: str) -> Any:
        tree = html5lib.parseFragment(text)
        return [
            (e.tag, sorted(e.attrib.items()), e.text, e.tail) for e in tree.iter() if isinstance(e.tag, str)
        ]

    assert parsed(cleaned) == parsed(body)


def test_the_page_is_valid_html() -> None:
    page = report_html(*hostile())
    html5lib.HTMLParser(strict=True).parse(page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for target in re.findall(r'href="#([^"]+)"|aria-describedby="([^"]+)"', page):
        assert next(filter(None, target)) in ids


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
async def test_in_a_browser_nothing_runs_and_nothing_is_fetched(tmp_path: Path) -> None:
    from playwright.async_api import async_playwright

    file = tmp_path / "report.html"
    file.write_text(report_html(*hostile()), encoding="utf-8")
    asked: list[str] = []
    wrong: list[str] = []
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = await browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        await page.goto(file.as_uri())
        assert await page.locator("script, img, iframe, object, embed, form, svg").count() == 0
        assert "alert(1)" in await page.locator("main").inner_text()
        cite = page.locator(".cite").first
        assert not await cite.locator(".passage").is_visible()
        await cite.hover()
        assert await cite.locator(".passage").is_visible()
        await page.locator(".cite a").nth(1).focus()
        assert await page.locator(".cite").nth(1).locator(".passage").is_visible()
        for link in await page.locator(".cite a").all():
            target = await link.get_attribute("href")
            assert await page.locator(str(target)).count() == 1
        await browser.close()
    assert asked == [file.as_uri()]
    assert wrong == []
    assert len(ATTACKS) == 10
