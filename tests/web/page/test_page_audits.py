"""Audits and comparisons in a real Chromium: a text is brought, a table is asked for, both are looked at."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.texts.test_audit import PAGES, manuscript
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for n, one in enumerate(PAGES):
        (folder / f"{n}.md").write_text(one.markdown())
    (tmp_path / "alder.md").write_text(manuscript())
    (tmp_path / "empty.md").write_text("# Only a heading\n")
    return folder


def test_a_text_is_brought_audited_looked_at_and_deleted(page: Any, server: Server, papers: Path) -> None:
    page.goto(server.url)
    page.get_by_role("link", name="Audit a text").click()
    page.locator("input[name=file]").set_input_files(papers.parent / "alder.md")
    page.locator("input[name=docs]").fill(str(papers))
    page.get_by_label("Stay offline").check()
    page.route("**/api/audits/*?language*", lambda route: route.abort(), times=1)  # it looks again
    page.get_by_role("button", name="Audit", exact=True).click()
    expect(page.locator(".audit-told")).to_contain_text("References: 4")
    expect(page.get_by_role("heading", name="What to look at (4)")).to_be_visible()
    page.errors.clear()
    wrong = page.get_by_role("button", name="four of the arches")
    wrong.focus()
    page.keyboard.press("Enter")
    expect(wrong).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".audit-text blockquote")).to_contain_text("two of the arches were carried away")
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-audit.png", full_page=True)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    with page.expect_download() as saved:
        page.get_by_role("link", name="JSON").click()
    assert json.loads(saved.value.path().read_text())["counts"]["faulty"] == 3

    page.goto(f"{server.base}/#/audit")
    row = page.locator("li.row").filter(has_text="alder.md")
    expect(row).to_contain_text("4 things to look at")
    row.get_by_role("button", name="Delete: alder.md").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    assert not list((server.home / "audits").iterdir())

    page.locator("input[name=file]").set_input_files(papers.parent / "empty.md")
    page.locator("input[name=docs]").fill(str(papers))
    page.get_by_label("Stay offline").check()
    page.get_by_role("button", name="Audit", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("neither claims nor references")
    assert page.errors == []


def test_things_are_compared_and_a_cell_leads_to_its_words(page: Any, server: Server, papers: Path) -> None:
    page.goto(server.url)
    page.get_by_role("link", name="Compare things").click()
    page.locator("input[name=of]").fill("bridge, mills")
    page.locator("input[name=by]").fill("cost, year of closing")
    page.locator("input[name=docs]").fill(str(papers))
    page.get_by_label("Stay offline").check()
    page.get_by_role("button", name="Compare", exact=True).click()
    cell = page.get_by_role("button", name="cost 41,000 pounds")
    cell.click()
    expect(page.locator("blockquote")).to_contain_text("The old bridge of Aldermoor and its builders")
    accessible(page)
    page.screenshot(path=OUTPUT / "page-comparison.png", full_page=True)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    table = page.locator(".compared")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth"), "no column lies outside a phone"
    asked = "cell => getComputedStyle(cell, '::before').content"
    assert table.locator("tbody td").nth(1).evaluate(asked) == '"year of closing"'
    expect(page.get_by_role("columnheader", name="year of closing")).to_have_count(1)
    accessible(page)
    page.set_viewport_size({"width": 390, "height": 320})
    page.evaluate("scrollTo(0, 0)")
    cell.click()
    cell.click()
    expect(page.locator("blockquote")).to_be_in_viewport()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Excel").click()
    assert saved.value.path().read_bytes()[:2] == b"PK"
    assert page.errors == []


def test_fields_of_documents_are_taken_into_a_table_that_is_listed_with_comparisons(
    page: Any, server: Server, tmp_path: Path
) -> None:
    bills = tmp_path / "bills"
    bills.mkdir()
    for name, total in (("a", "119.00 EUR"), ("b", "240.50 EUR")):
        (bills / f"{name}.md").write_text(f"# Bill {name}\n\nCustomer: Alder Mills\n\nTotal: {total}\n")
    page.goto(f"{server.url}")
    page.get_by_role("link", name="Compare things").click()
    page.get_by_label("document or page").check()
    page.locator("input[name=fields]").fill("total, colour of the paper")
    page.locator("input[name=docs]").fill(str(bills))
    page.get_by_label("Stay offline").check()
    page.get_by_role("button", name="Take the fields").click()
    page.get_by_role("button", name="119.00 EUR").click()
    expect(page.locator("blockquote")).to_contain_text("Total: 119.00 EUR")
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-fields.png", full_page=True)
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert saved.value.suggested_filename == "fields.csv"
    assert "240.50 EUR" in saved.value.path().read_text()
    page.get_by_role("link", name="Compare things").click()
    expect(page.locator("main li.row").last).to_contain_text("a.md, b.md: total, colour of the paper")
    assert page.errors == []


def test_scripts_are_told_what_is_wrong(server: Server, papers: Path) -> None:
    bearer = {"Authorization": f"Bearer {server.bearer}"}
    asked = [
        ("POST", "/api/audits?offline=1", 422, "name the text"),
        ("POST", "/api/audits?name=a.md&offline=1", 422, "nothing to search"),
        ("POST", "/api/comparisons?of=A&offline=1", 422, "name what is compared"),
        ("POST", "/api/comparisons?fields=total&page=/etc/passwd", 422, "no address of a page"),
        ("POST", "/api/comparisons?fields=total&page=http://[::1", 422, "no address of a page"),
        ("GET", "/api/audits/..%2f..", 404, ""),
        ("GET", "/api/audits/abcd/audit.json", 404, "nothing of that id"),
        ("GET", "/api/audits/abcd/kept.json", 404, "no such file"),
    ]
    for method, path, status, says in asked:
        body = b"A claim of some words." if method == "POST" else None
        kind = {"Content-Type": "application/octet-stream"} if body else {}
        told = server.request(method, path, body, {**bearer, **kind})
        assert (told[0], says in told[2].decode()) == (status, True), (path, told)
    assert server.request("GET", "/api/audits")[0] == 401
