"""The report on the page: written another way, checked again, and what could be asked next."""

from pathlib import Path
from typing import Any

import pytest

from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.journeys.commands.test_source_update import KEEPER, TOWER, VISITS
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


def test_a_report_is_written_another_way_checked_and_asked_on(
    page: Any, server: Server, documents: Path
) -> None:
    order = {
        "topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 4,
        "model": "embedded",
    }  # fmt: skip
    identity = server.ask("/api/sessions", order)["id"]
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{identity}")
    expect(page.get_by_text("The report is ready")).to_be_visible()
    page.get_by_role("tab", name="Report").click()

    page.get_by_role("button", name="Check again").click()
    expect(page.locator(".check [role=status]")).to_contain_text("nothing is unsupported")
    page.get_by_text("Write it another way").click()
    outline = page.locator(".again textarea")
    expect(outline).not_to_be_empty()
    given = outline.input_value().splitlines()
    outline.fill("# Nowhere <!-- n999 -->")
    page.get_by_role("button", name="Write the report", exact=True).click()
    expect(page.locator(".again .failure")).to_contain_text("n999")
    # The last one: what the first ones rest on is told in the opening, and told once.
    assert "<!--" not in "".join(given), "what a machine needs is not shown to a person"
    outline.fill("\n".join([*given[:-1], "# What rain does"]))
    page.locator(".again").get_by_label("Style").select_option("outline")
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-again.png")
    page.get_by_role("button", name="Write the report", exact=True).click()
    heading = page.locator(".report .section").get_by_text("What rain does", exact=True)
    expect(heading).to_be_visible()
    expect(page.locator(".again details")).not_to_have_attribute("open", "")
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        kinds = [recorded.event.kind for recorded in journal.read(identity)]
    assert kinds.count("report_written") == 2
    assert kinds.count("session_resumed") == 0, "nobody was asked to talk again"

    next_questions = page.locator(".suggestions button")
    if next_questions.count():
        words = next_questions.first.text_content()
        next_questions.first.click()
        expect(page.locator("#words")).to_have_value(words)
        expect(page.locator("#words")).to_be_focused()
    assert [told for told in page.errors if "422" not in told] == [], "the outline that could not be followed"


def test_what_is_new_is_looked_for_watched_and_gone_on_from(
    page: Any, server: Server, tmp_path: Path
) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        (folder / f"{name}.txt").write_text(text)
    order = {
        "topic": "The lighthouse of Orrin", "docs": [str(folder)], "offline": True, "turns": 4,
        "model": "embedded",
    }  # fmt: skip
    identity = server.ask("/api/sessions", order)["id"]
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{identity}")
    expect(page.get_by_text("The report is ready")).to_be_visible()
    page.get_by_role("tab", name="Report").click()
    page.get_by_role("button", name="Look for what is new").click()
    expect(page.locator(".update [role=status]")).to_contain_text("nothing new")
    (folder / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
    page.get_by_role("button", name="Look for what is new").click()
    changed = page.locator(".report .section").filter(has_text="What changed since")
    expect(changed.get_by_text("15 pounds")).to_be_visible()
    expect(changed.get_by_text("12 pounds")).to_be_visible()
    page.get_by_label("By itself:").select_option("1d")
    expect(page.get_by_label("By itself:")).to_have_value("1d")
    assert server.ask(f"/api/sessions/{identity}")["watched"] == "1d"
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    changed.scroll_into_view_if_needed()
    page.screenshot(path=OUTPUT / "page-changes.png")
    page.locator(".update").scroll_into_view_if_needed()
    page.screenshot(path=OUTPUT / "page-update.png")
    page.get_by_label("A new session from this one:").fill("How is the lighthouse visited?")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url(lambda url: identity not in url)
    expect(page.get_by_text("The report is ready")).to_be_visible()
