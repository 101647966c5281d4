"""The list of sessions on the page, in a real Chromium, over a journal of recorded sessions."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roundtable.session.updating.watches import Watches
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect
RECORDED = Path(__file__).parents[2] / "journals" / "v1.db"


def test_sessions_are_searched_sorted_renamed_and_deleted(
    page: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    home = tmp_path / "served"
    home.mkdir()
    shutil.copy(RECORDED, home / "journal.db")
    server = serve()
    rows = server.ask("/api/sessions")
    ended, silent, nothing, failed = [row["id"] for row in rows if row["state"] == "ended"][:4]
    with sqlite3.connect(home / "journal.db") as database:
        counted = "UPDATE sessions SET turns = ?, sentences = ? WHERE id = ?"
        # Nothing was found: its report holds no sentence; stopped at once, with a report; over before a turn.
        database.executemany(counted, [(4, 0, ended), (0, 9, silent), (0, None, nothing), (0, None, failed)])
        # No model could be had, so nobody was seated: there is no plan.
        database.execute("UPDATE sessions SET state = 'stopped' WHERE id = ?", (failed,))
        database.execute("DELETE FROM events WHERE session = ? AND event LIKE '%panel_seated%'", (failed,))
    rows = server.ask("/api/sessions")
    empty = [row for row in rows if row["id"] in {ended, nothing, failed}]
    full = [row for row in rows if row not in empty]
    assert len(full) > 2
    page.goto(server.url)
    waits = page.locator(".rows > li:visible").filter(has=page.locator(".state.planned"))
    expect(waits).to_have_count(1)
    expect(waits.locator("a")).to_have_attribute("href", "#/session/planned")
    expect(page.locator(".rows > li:visible")).to_have_count(len(full))
    page.get_by_text(f"Ended without an answer: {len(empty)}").click()
    expect(page.locator(".rows > li:visible")).to_have_count(len(rows))
    british = re.compile(r" · \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d$")  # as the browser is
    expect(page.locator(".row-facts").first).to_have_text(british)

    page.set_viewport_size({"width": 320, "height": 700})
    for way in ("Audit a text", "Compare things", "Sessions"):
        page.get_by_role("navigation").get_by_role("link", name=way).click()
        expect(page.get_by_role("link", name=way)).to_have_attribute("aria-current", "page")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, way
    page.set_viewport_size({"width": 1400, "height": 900})

    bearer = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/json"}
    again = f"/api/sessions/{full[0]['id']}/report"
    status, _, refused = server.request("POST", again, {"language": "chinese"}, bearer)
    assert (status, b"near ones are zh (Chinese)" in refused) == (422, True), refused
    server.ask(f"/api/sessions/{full[0]['id']}/watch", {"every": "1d"})
    page.reload()
    watched = page.locator(".rows > li").filter(has=page.locator(f'a[href="#/session/{full[0]["id"]}"]'))
    expect(watched.locator(".row-facts")).to_contain_text("looked up again every day")
    expect(page.get_by_text("looked up again")).to_have_count(1)

    page.get_by_label("Sort by").select_option("longest")
    longest = max(full, key=lambda row: row["turns"])
    first = page.locator(".rows > li").first
    expect(first.locator("a")).to_have_attribute("href", f"#/session/{longest['id']}")
    first.get_by_role("button", name="Rename").click()
    first.get_by_label("Name", exact=True).fill("Quite another <b>name</b>")
    page.keyboard.press("Enter")
    expect(first.locator(".row-topic")).to_have_text("Quite another <b>name</b>")
    page.get_by_label("Search sessions").fill(longest["topic"])
    expect(page.locator(".row-topic:visible").filter(has_text="Quite another")).to_have_count(1)
    page.get_by_label("Search sessions").fill("nowhere to be found")
    expect(page.get_by_text("No session of these words.")).to_be_visible()
    page.get_by_label("Search sessions").fill("another QUITE")
    expect(page.locator(".rows > li:visible")).to_have_count(1)
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-sessions.png")

    server.ask(f"/api/sessions/{longest['id']}/name", {"name": "Another, quite (from turn 3)"})
    page.get_by_role("button", name="中文").click()
    expect(page.locator(".row-topic:visible")).to_have_text("Another, quite（自第 3 轮起）", timeout=60_000)
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="Delete")).to_be_focused()  # and the keyboard is where it was
    page.get_by_role("button", name="Delete").click()
    accessible(page)
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".rows > li:visible")).to_have_count(0)
    expect(page.locator("#content")).to_be_focused()
    assert longest["id"] not in {row["id"] for row in server.ask("/api/sessions")}
    page.get_by_label("Search sessions").fill("")
    expect(page.locator(".rows > li:visible")).to_have_count(len(full) - 1)
    assert not page.errors, page.errors

    first.get_by_role("button", name="Rename").click()
    first.get_by_label("Name", exact=True).fill("Walls")
    page.keyboard.press("Enter")
    expect(first.get_by_role("button", name="Rename")).to_be_focused()
    first.get_by_role("link", name="Walls").click()  # its texts are not here
    expect(page.get_by_role("heading", level=1)).to_have_text("Walls")
    # Somebody else deletes it: who looks at it is told, once its stream ends.
    server.ask(f"/api/sessions/{page.url.rpartition('/')[2]}/delete", {})
    expect(page.get_by_text("There is no such session.")).to_be_visible(timeout=30_000)


def test_a_session_that_is_deleted_is_told_so_and_its_files_are_gone(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    home = tmp_path / "served"
    home.mkdir()
    shutil.copy(RECORDED, home / "journal.db")
    server = serve()
    [identity, other] = [row["id"] for row in server.ask("/api/sessions") if row["turns"]][:2]
    brought = home / "uploads" / identity
    brought.mkdir(parents=True)
    (brought / "notes.txt").write_text("mine")
    server.ask(f"/api/sessions/{identity}/watch", {"every": "1d"})
    assert [one.session for one in Watches(home).all()] == [identity]
    assert server.ask(f"/api/sessions/{identity}/delete", {}) == {"done": "deleted"}
    assert not brought.exists()
    assert Watches(home).all() == []
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/json"}
    assert server.request("POST", f"/api/sessions/{identity}/delete", {}, headers)[0] == 404
    assert server.request("POST", f"/api/sessions/{other}/name", {"name": " "}, headers)[0] == 422
    assert server.ask(f"/api/sessions/{other}")["id"] == other
