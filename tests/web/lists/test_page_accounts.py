"""Who is signed in, and sharing, on the page in a real Chromium."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import Turn, TurnTaken
from roundtable.journal.commands.table_commands import Say
from roundtable.journal.events import Commanded
from tests.roundtable.output.told import session
from tests.web.access.accounts_server import AccountsServer
from tests.web.conftest import IN_A_BROWSER
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect
SHARED, OTHER = "5ec2e700", "0b5e55ed"
LATER = "Taken in when the report is written again or the table goes on"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AccountsServer]:
    served = AccountsServer.at(tmp_path / "home")
    for identity, owner in ((SHARED, "owner"), (OTHER, "reader")):
        served.journal.adopt(identity, session(f"Session of {owner}"))
        served.journal.sharing().own("session", identity, served.people[owner])
    with sqlite3.connect(tmp_path / "home" / "journal.db") as database:  # else they are folded away
        database.execute("UPDATE sessions SET sentences = 1")
    served.start()
    yield served
    served.end()


def visit(page: Any, server: AccountsServer, who: str) -> None:
    """Open the page as somebody."""
    link = f"http://127.0.0.1:{server.port}/"
    page.context.clear_cookies()
    page.goto(f"{link}?token={server.keys.invite(server.people[who].id)}")
    expect(page.locator("header")).to_contain_text(who.title())


def test_an_owner_shares_and_others_see_what_they_may(page: Any, server: AccountsServer) -> None:
    visit(page, server, "owner")
    rows = page.locator(".rows > li")
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("form", name="Share")
    dialog.get_by_label("Share with").select_option("Reader")
    expect(dialog.get_by_role("combobox", name="Reader", exact=True)).to_have_value("reader")
    dialog.get_by_label("Everybody with an account").select_option("reader")
    expect(dialog.get_by_label("Everybody with an account")).to_have_value("reader")
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-share.png")
    assert server.journal.sharing().role(server.people["stranger"], "session", SHARED) == "reader"
    dialog.get_by_label("Everybody with an account").select_option("")
    expect(dialog.get_by_label("Everybody with an account")).to_have_value("")

    visit(page, server, "reader")
    expect(rows).to_have_count(2)
    page.get_by_label("Whose sessions").select_option("sharedSessions")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("may read")
    expect(rows.get_by_role("button")).to_have_count(0)
    page.get_by_label("Whose sessions").select_option("mineSessions")
    expect(rows.get_by_role("button", name="Share")).to_have_count(1)

    visit(page, server, "stranger")
    expect(page.locator(".empty")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("This browser is not signed in")).to_be_visible()
    assert [told for told in page.errors if "401" not in told] == []


def test_who_may_read_a_session_is_offered_nothing_that_changes_it(page: Any, server: AccountsServer) -> None:
    server.journal.sharing().share("session", SHARED, server.people["reader"], "reader")
    visit(page, server, "reader")
    page.get_by_role("link", name="Session of owner").click()
    expect(page.get_by_text("This session is shared with you to be read")).to_be_visible()
    for tab in ("Table", "Map", "Report"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        for name in ("more turns", "Ask", "Rename", "Dismiss", "Delete", "Pin", "Send", "Go on", "Write it"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.get_by_role("tab", name="Map").click()
    page.get_by_role("treeitem").first.click()
    expect(page.locator(".branch h2")).to_be_visible()
    expect(page.get_by_text("Arrange")).to_have_count(0)

    server.journal.sharing().share("session", SHARED, server.people["reader"], "editor")
    page.reload()
    expect(page.locator("#words")).to_be_visible()
    expect(page.get_by_role("button", name="4 more turns")).to_be_visible()


def test_each_sees_who_of_several_people_spoke(page: Any, server: AccountsServer) -> None:
    asks = Turn(
        n=2, speaker="person", name="You", role="person", act="question", text="What does it cost?",
        citations=[], at="2026-01-01T00:00:00Z", seconds=0.0,
    )  # fmt: skip
    turns = [asks.model_copy(update={"n": n, "person": w}) for n, w in ((2, "Owner"), (3, "Editor"), (4, ""))]
    waits = Commanded(id="c9", person="Editor", command=Say(text="And tomorrow?"))
    sharing = server.journal.sharing()
    server.journal.append(SHARED, [*(TurnTaken(turn=turn) for turn in turns), waits])
    for who in ("editor", "reader"):
        sharing.share("session", SHARED, server.people[who], who)  # type: ignore[arg-type]
    for who, seen, pending in (
        ("owner", ["You ask", "Editor asks", "You ask"], "Editor · "),
        ("editor", ["Owner asks", "You ask", "Somebody asks"], ""),
        ("reader", ["Owner asks", "Editor asks", "Somebody asks"], "Editor · "),
    ):
        visit(page, server, who)
        page.get_by_role("link", name="Session of owner").click()
        theirs = page.locator(".turn.person:not(.pending)")
        expect(theirs).to_have_count(3)
        for place, told in enumerate(seen):
            expect(theirs.nth(place).locator("header")).to_contain_text(told)
        expect(theirs.nth(1)).to_have_attribute("aria-label", seen[1].rpartition(" ")[0])
        expect(page.locator(".turn.pending .faint")).to_have_text(f"{pending}{LATER}")
    accessible(page)
    page.screenshot(path=OUTPUT / "page-people.png")
