"""The page shows how much of the last answers was new."""

from collections.abc import Callable
from typing import Any

import pytest

from moderator import NoveltyMeasured
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import CHROMIUM, Server
from tests.web.crowd import build

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.loopback,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (apt install chromium)"),
]


def test_the_share_of_what_is_new_stands_in_the_head_of_a_session(
    page: Any, serve: Callable[..., Server]
) -> None:
    server = serve()
    build(server.home, turns=3, nodes=5)
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        journal.append("crowd", [NoveltyMeasured(turn=3, passages=0.25, terms=0.4)])
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    facts = page.locator(".facts")
    playwright.expect(facts).to_contain_text("40 % new")
    title = facts.locator("span", has_text="40 % new").get_attribute("title")
    assert title.startswith("How much of the last answers was new")
