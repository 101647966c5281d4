"""How a session stands, told on the page: run elsewhere, over with nothing found, and by the keyboard."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports import Report, ReportWritten
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionEnded, SessionResumed, TableWaits
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build
from tests.web.looking import accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


def test_the_page_says_what_can_be_done_with_a_session(
    page: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    build(tmp_path / "served", turns=12, nodes=30)
    server = serve()
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    expect(page.locator(".turn").last).to_be_visible()
    # Two presses lead to the views; the citations of a turn are one stop, the arrows go from one to the next.
    page.locator(".skip").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#tab-map")).to_be_focused()
    reading = page.locator(".turn .reading").last
    assert reading.locator(".cite").count() > 2
    expect(reading.locator(".cite[tabindex='0']")).to_have_count(1)
    reading.locator(".cite").first.focus()
    page.keyboard.press("ArrowRight")
    expect(reading.locator(".cite").nth(1)).to_be_focused()
    expect(reading.locator(".cite[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(reading.locator(".passage")).to_be_visible()
    page.keyboard.press("Escape")

    with Journal(server.home / "journal.db", SystemClock()) as journal:
        with journal.lock("crowd"):  # this process runs it, and the server does not
            journal.append("crowd", [SessionResumed()])
            expect(page.get_by_text("Another program on this machine runs this session")).to_be_visible()
            for name in ("Send", "Pause", "Resume"):
                expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
            accessible(page)
            journal.append("crowd", [TableWaits(turn=12)])
            expect(page.locator(".facts .state")).to_have_text("Waits for a person")
            expect(page.get_by_text("The table waits for a person to speak.")).to_be_visible()
        nothing = Report(title="T", topic="Rain", sections=[])
        journal.append("crowd", [ReportWritten(report=nothing), SessionEnded(reason="turns")])
    page.reload()
    expect(page.locator(".told.done")).to_contain_text("Nothing was found")
    expect(page.get_by_text("The report is ready")).to_have_count(0)
    page.get_by_role("tab", name="Report").click()
    expect(page.locator("#panel .empty")).to_contain_text("Nothing was found")
    assert not page.errors, page.errors


def test_an_empty_map_of_a_session_that_ended_does_not_promise_to_grow(
    page: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    build(tmp_path / "served", turns=1, nodes=1)
    with Journal(tmp_path / "served" / "journal.db", SystemClock()) as journal:
        begun = [recorded.event for recorded in journal.read("crowd", 0, 2)]
        nothing = Report(title="T", topic="Rain", sections=[])
        journal.create("dry", [*begun, ReportWritten(report=nothing), SessionEnded(reason="dry")])
    server = serve()
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/dry")
    page.get_by_role("tab", name="Map").click()
    expect(page.locator("#panel p.empty")).to_have_text(
        "The map is empty: the session ended without a passage for it."
    )
    assert not page.errors, page.errors
