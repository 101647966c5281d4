"""A report that rests on a retracted paper, from a catalogue to the sign on the page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.library.conftest import Website
from tests.web.conftest import IN_A_BROWSER, Server, run_command
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect
ABSTRACT = (
    "Dikes break by seepage, and not by height. We measured four hundred dikes along the river. "
    "A dike of sand breaks after three days of high water. A dike of clay holds for two weeks. "
    "Why dikes break is decided in their foot, where water that seeps through carries the sand away."
)


@pytest.fixture
def catalogue() -> Iterator[Website]:
    """Crossref on loopback, which knows one paper; its page is closed."""
    site = Website()
    work = {
        "DOI": "10.1234/dikes.7", "URL": site.add("/closed", "no", 403), "title": ["Why dikes break"],
        "type": "journal-article", "container-title": ["Journal of Dikes"], "abstract": ABSTRACT,
        "issued": {"date-parts": [[2021, 5]]}, "author": [{"given": "Ana", "family": "Merrow"}],
        "updated-by": [{"type": "retraction", "DOI": "10.1234/r", "source": "retraction-watch"}],
    }  # fmt: skip
    site.add("/works", json.dumps({"message": {"items": [work]}}), Content_Type="application/json")
    yield site
    site.close()


def test_a_sentence_on_a_retracted_paper_bears_a_sign_that_says_so(
    page: Any, catalogue: Website, serve: Callable[..., Server], tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(
        f'[library.fetch]\nallow = ["{catalogue.host}"]\nrobots = false\n'
        f'[library.search.addresses]\ncrossref = "{catalogue.url}"\n'
    )
    home, out = tmp_path / "served", tmp_path / "out"
    ran = run_command(
        home, "run", "Why do dikes break?", "--search", "crossref", "--model", "embedded", "--turns", "3",
        "--config", str(settings), "--out", str(out), "--plain",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "rests on a retracted source" in (out / "report.md").read_text(encoding="utf-8")
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    told = [sentence["became"] for section in report["sections"] for sentence in section["sentences"]]
    assert set(told) == {"retracted"}
    assert report["summary"]["retracted"] == len(told)

    server = serve()
    identity = server.ask("/api/sessions")[0]["id"]
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{identity}")
    page.get_by_role("tab", name="Report").click()
    sign = page.locator(".report .section button.mark.retracted").first
    expect(sign).to_be_visible()
    sign.click()
    expect(page.locator(".why")).to_contain_text("those who published it hold it no longer")
    expect(page.locator(".checks summary")).to_contain_text("retracted")
    accessible(page)
    page.screenshot(path=OUTPUT / "page-report-retracted.png")
