"""The report's page in a browser: on a phone, a laptop and a wide screen, in the dark, and on paper."""

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from library.evidence import Evidence
from reports import export_report
from tests.reports.export.test_other_programs import PDFTOTEXT, whole

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"
]  # fmt: skip

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.fixture
def file(evidence: Evidence, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_bytes(export_report("html", whole(), evidence).data)
    return path


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Any]:
    """A browser, begun once; each page of it has a context of its own."""
    from playwright.async_api import async_playwright

    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


async def seen(browser: Any, file: Path, width: int, scheme: str) -> dict[str, Any]:
    """Return what stands where on the page, and what each citation shows."""
    page = await browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    await page.goto(file.as_uri())
    shown = []
    for cite in await page.locator("p .cite").all():
        await cite.locator("a").focus()
        passage = cite.locator(".passage")
        assert await passage.is_visible()
        shown.append((await passage.inner_text(), await passage.bounding_box()))
    colors = await page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    wide = await page.evaluate("document.documentElement.scrollWidth")
    boxes = [await page.locator(name).first.bounding_box() for name in ("nav", "h1", "img.chart", "table")]
    await page.close()
    return {"shown": shown, "colors": colors, "wide": wide, "boxes": boxes}


def read(printed: Path) -> str:
    """Return the text of a PDF."""
    assert PDFTOTEXT is not None
    return subprocess.run([PDFTOTEXT, printed, "-"], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("width", [390, 1280, 1920])
async def test_all_fits_and_each_citation_shows_its_passage(
    width: int, browser: Any, file: Path, evidence: Evidence
) -> None:
    found = await seen(browser, file, width, "light")
    assert found["wide"] <= width, "nothing to scroll sideways"
    assert len(found["shown"]) == 5
    for text, box in found["shown"]:
        assert any(passage.text[:60] in " ".join(text.split()) for passage in evidence.passages.values())
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    nav, title, picture, table = found["boxes"]
    assert (nav["x"] + nav["width"] <= title["x"]) is (width > 960), "the map stands beside the text"
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in (title, picture, table))


async def test_in_the_dark_the_page_is_dark(browser: Any, file: Path) -> None:
    light, dark = [await seen(browser, file, 1280, scheme) for scheme in ("light", "dark")]

    def weight(color: str) -> int:
        return sum(int(part) for part in color.strip("rgb()").split(","))

    (ink, paper), (chalk, board) = light["colors"], dark["colors"]
    assert weight(paper) - weight(ink) > 500
    assert weight(chalk) - weight(board) > 500


@pytest.mark.skipif(PDFTOTEXT is None, reason="poppler is not installed")
async def test_on_paper_text_and_sources_stand_without_the_screen_parts(
    browser: Any, file: Path, tmp_path: Path
) -> None:
    printed = tmp_path / "printed.pdf"
    page = await browser.new_page()
    await page.goto(file.as_uri())
    await page.pdf(path=str(printed), format="A4")
    await page.close()
    text = read(printed)
    assert text.split("\n", 1)[0] == "The Orrin lighthouse", "the list of sections is for the screen"
    for words in ("It was built in 1871.", "What the sources do not say", "https://engineers.example/orrin"):
        assert words in text
    assert "Masons could work on the reef" not in text, "passages are for the screen"


async def test_the_archived_passage_is_one_click_away(browser: Any, file: Path, evidence: Evidence) -> None:
    page = await browser.new_page()
    await page.goto(file.as_uri())
    entry = page.locator("#source-1")
    assert not await entry.locator("blockquote").nth(1).is_visible()
    await entry.locator("summary").nth(1).click()
    assert await entry.locator("blockquote").nth(1).inner_text() == evidence.passages["p2"].text
    live = await entry.locator("details[open] a").get_attribute("href")
    await page.close()
    assert live is not None
    assert live.startswith("https://harbour.example/history#:~:text=Before%20the")
