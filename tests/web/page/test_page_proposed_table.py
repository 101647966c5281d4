"""The table that the moderator proposes, filled with one click on the page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import IN_A_BROWSER, Server

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER


def test_a_proposed_table_is_filled_with_a_click(
    page: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    documents = tmp_path / "kept"
    documents.mkdir()
    (documents / "walls.md").write_text("# Stone walls\n\nA stone wall costs 90 euros a metre. It lasts.\n")
    (documents / "hedges.md").write_text("# Willow hedges\n\nA willow hedge costs 12 euros a metre.\n")
    server = serve()
    identity = server.ask("/api/sessions", {
        "topic": "Should a village plant stone walls or willow hedges?", "docs": [str(documents)],
        "offline": True, "turns": 3, "model": "embedded",
    })["id"]  # fmt: skip
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{identity}")
    proposed = page.locator(".proposed")
    playwright.expect(proposed).to_contain_text("stone walls, willow hedges: purpose, cost")
    proposed.get_by_role("button", name="Fill this table").click()
    story = page.locator(".story")
    playwright.expect(story).to_contain_text("A willow hedge costs 12 euros a metre.")
    playwright.expect(proposed).to_have_count(0)
