"""The page and its stream: words as they are written, reloads, a sleeping tab, a server that comes back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.model_server import ModelServer
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
ASLEEP = 3.0
"""Seconds that a tab sleeps here; what it misses is the same after a minute."""
pytestmark = IN_A_BROWSER
HOSTILE = "<img src=x onerror=window.broken=1><script>window.broken=1</script>"


def journalled(server: Server, identity: str) -> int:
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        return len(journal.texts(identity))


def has_everything_once(page: Any, server: Server, identity: str) -> None:
    """Every event of the journal was folded once: as many as there are, and the last of them is the last."""
    count = str(journalled(server, identity))
    expect(page.locator(".session")).to_have_attribute("data-last", count)
    expect(page.locator(".session")).to_have_attribute("data-count", count)
    turns = page.locator(".turn[data-turn]").evaluate_all("all => all.map((one) => Number(one.dataset.turn))")
    assert turns == list(range(1, len(turns) + 1))


def steer(server: Server, text: str) -> None:
    server.ask("/api/sessions/crowd/commands", {"command": "steer", "text": text})


def test_nothing_is_missing_and_nothing_twice_whatever_happens_to_the_connection(
    page: Any, serve: Callable[..., Server]
) -> None:
    server = serve()
    build(server.home, turns=12, nodes=30)
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    has_everything_once(page, server, "crowd")
    page.reload()
    steer(server, "one")
    has_everything_once(page, server, "crowd")
    # A frozen tab: its code stands still, and so does what it has.
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    steer(server, "two")
    page.wait_for_timeout(ASLEEP * 1000)
    steer(server, "three")
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    has_everything_once(page, server, "crowd")
    # A network that is gone, and comes back.
    page.context.set_offline(True)
    steer(server, "four")
    page.wait_for_timeout(ASLEEP * 1000)
    page.context.set_offline(False)
    has_everything_once(page, server, "crowd")
    # A server that ends, and another in its place.
    server.end()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    again = serve("--port", str(server.port))
    steer(again, "five")
    has_everything_once(page, again, "crowd")
    expect(page.locator(".turn.pending")).to_have_count(5)


def test_a_speaker_is_seen_writing_and_what_is_written_is_inert(
    page: Any, serve: Callable[..., Server], documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"Rain runs off paved ground {HOSTILE} and sewers overflow. " * 4
    with ModelServer(values={"answer": said, "actions": []}, per_token=0.02) as models:
        monkeypatch.setenv("OPENAI_BASE_URL", models.url)
        server = serve()
        identity = server.discuss(documents)
        page.goto(server.url)
        page.goto(f"{server.base}/#/session/{identity}")
        writing = page.locator(".turn.writing").first
        expect(writing).to_contain_text("Rain runs off paved ground <img")
        expect(page.locator(".turn[data-turn='1']")).to_be_visible()
        assert models.pieces > 20
        assert page.evaluate("window.broken") is None
        # What was seen being written is in no event: a page that comes later has the turns alone.
        page.reload()
        expect(page.locator(".turn[data-turn='1']")).to_be_visible()
        with Journal(server.home / "journal.db", SystemClock()) as journal:
            kinds = {one.event.kind for one in journal.read(identity)}
        assert "turn_taken" in kinds
        assert not any("writing" in kind for kind in kinds)
