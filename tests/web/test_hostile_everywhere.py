"""Every text of a session is hostile: the page shows it as text, the terminal without its sequences."""

import asyncio
import io
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from rich.console import Console

from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session
from roundtable.terminal.live import LiveView
from roundtable.terminal.plain_view import plain_lines
from roundtable.terminal.repl import Typed
from roundtable.terminal.seat import TerminalSeat
from tests.web.conftest import CHROMIUM, Server
from tests.web.poison import POISON, hostile_session

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[hl]|\x1b\[\d*[AKG]|\x1b\]8;[^\x1b]*\x1b\\|\r")
"""What the program's own drawing writes: colours, the cursor's moves, and links to pages of the web."""


def past(home: Path, identity: str) -> list[Recorded]:
    with Journal(home / "journal.db", SystemClock()) as journal:
        return journal.read(identity)


async def test_the_terminal_shows_no_sequence_of_anybody_else(tmp_path: Path, documents: Path) -> None:
    home = tmp_path / "home"
    identity = await hostile_session(home, documents)
    events = past(home, identity)
    assert POISON in events[0].event.topic
    shown = "\n".join(plain_lines(events))
    assert "window.broken" in shown, "what is harmless in a terminal stays readable"
    assert not _CONTROL.search(shown)
    drawn = io.StringIO()
    shape = {"width": 100, "height": 40, "_environ": {"TERM": "xterm"}}
    view = LiveView(Console(file=drawn, force_terminal=True, **shape))
    for recorded in events:
        view.show(recorded)
    view.say(f"an error{POISON}", error=True)
    view.close()
    assert not _CONTROL.search(_OWN.sub("", drawn.getvalue()))
    targets = re.findall(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b", drawn.getvalue())
    assert all(urlsplit(target).scheme in {"http", "https", "file"} for target in targets)


async def test_what_is_looked_up_at_the_table_is_clean(
    tmp_path: Path, documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    identity = await hostile_session(home, documents)
    session = await resume_session(identity, around=Runtime(home=home, environment={}))
    typed = Typed(session)
    looks = (
        "/map",
        "/map n0",
        "/map n1",
        "/sources",
        "/source 1",
        "/source p1",
        "/experts",
        "/agenda",
        "/report",
    )
    for line in looks:
        for text in typed.do(line).lines:
            assert not _CONTROL.search(text), (line, text)
    seat = TerminalSeat(colours=False)
    for recorded in past(home, identity):
        seat.show(recorded)
    shown = capsys.readouterr().out
    assert "window.broken" in shown
    assert not _CONTROL.search(shown)
    assert not _CONTROL.search(seat.status(session))
    await session.close()


@pytest.mark.browser
@pytest.mark.loopback
@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (apt install chromium)")
def test_the_page_shows_it_as_text_wherever_it_is(
    page: Any, serve: Callable[..., Server], tmp_path: Path, documents: Path
) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    home = tmp_path / "served"
    # The page's fixture runs a loop of its own in this thread, so the session gets another.
    with ThreadPoolExecutor(1) as apart:
        identity = apart.submit(asyncio.run, hostile_session(home, documents)).result()
    server = serve()
    page.goto(server.url)
    expect(page.locator(".rows li:not(.collection)")).to_contain_text("<script>")
    page.goto(f"{server.base}/#/session/{identity}")
    expect(page.locator(".turn.person").first).to_contain_text("<img src=x")
    page.locator(".cite").first.click()
    expect(page.locator(".passage mark").first).to_be_visible()
    page.get_by_role("tab", name="Map").click()
    page.get_by_role("treeitem").first.click()
    expect(page.locator(".branch h2")).to_contain_text("<script>")
    page.get_by_label("Search the map").fill("Mine")
    page.get_by_label("Search the map").press("Enter")
    for tab, seen in (("Table", ".seat"), ("Sources", ".sources li"), ("Report", ".report")):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(seen).first).to_contain_text("window.broken")
    # Words that a person sends, and the error that comes back, are shown too.
    page.locator("#words").fill("/etc/<img src=x onerror=window.broken=1>")
    page.get_by_label("What this is").select_option("read")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Send").last.click()
    assert page.evaluate("window.broken") is None
    assert page.locator("a[href^='javascript' i]").count() == 0
    assert (
        page.locator("#page script, #page img:not([src^='/static/']), #page svg[onload], base").count() == 0
    )
