"""Files that are brought to the page and are gone, or too many, when they are sent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
pytestmark = IN_A_BROWSER


def _held(page: Any, where: str, then: Callable[[], None]) -> None:
    """Have something happen between the first file that is sent and those behind it."""

    def meanwhile(route: Any) -> None:
        then()
        route.continue_()

    page.route(where, meanwhile, times=1)


def _two(folder: Path) -> list[Path]:
    folder.mkdir()
    files = [folder / "pumps.md", folder / "seals.md"]
    for file in files:
        file.write_text(f"# {file.stem}\n\nA hand pump lifts water with a leather seal.\n")
    return files


def test_a_file_that_is_gone_when_it_is_sent_is_told_as_that(
    page: Any, server: Server, tmp_path: Path
) -> None:
    kept, gone = _two(tmp_path / "village")
    page.goto(server.url)
    _held(page, "**/files/**", gone.unlink)
    page.locator("[data-brings=files]").set_input_files([kept, gone])
    gone_since = "seals.md is not there any more: it was moved, renamed or deleted after it was chosen"
    expect(page.get_by_role("alert")).to_have_text(f"1 file was not taken:{gone_since}")
    expect(page.locator(".pick").filter(has_text="pumps")).to_contain_text("1 document")


def test_a_file_of_an_audit_that_changed_since_it_was_chosen_is_told_as_that(
    page: Any, server: Server, tmp_path: Path
) -> None:
    [text, _] = _two(tmp_path / "village")
    page.goto(server.url)
    page.get_by_role("link", name="Audit a text").click()
    page.locator("input[name=file]").set_input_files([text])
    assert page.locator("input[name=file]").evaluate("box => box.files[0].size") > 0
    text.write_text("Another text.\n")
    page.get_by_role("button", name="Audit", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("pumps.md cannot be read: it was changed after")


def test_what_is_attached_beside_a_session_is_told_in_the_same_words(
    page: Any, server: Server, tmp_path: Path
) -> None:
    build(server.home, turns=12, nodes=30)
    kept, gone = _two(tmp_path / "village")
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    _held(page, "**/uploads/**", gone.unlink)
    page.locator("input[type=file]").set_input_files([kept, gone])
    expect(page.locator(".composer [role=alert]")).to_contain_text("seals.md is not there any more")
    expect(page.locator(".turn.pending")).to_have_count(1)
    page.evaluate("""() => {
        const real = window.fetch;
        window.sent = 0;
        window.fetch = (path, order) => String(path).includes("/uploads/")
            ? Promise.resolve(Response.json({ sent: (window.sent += 1) })) : real(path, order);
    }""")
    page.locator("input[type=file]").evaluate("""(box) => {
        const many = new DataTransfer();
        for (let n = 0; n < 2003; n += 1) many.items.add(new File(["a"], `${n}.txt`));
        box.files = many.files;
        box.dispatchEvent(new Event("change"));
    }""")
    expect(page.locator(".composer [role=alert]")).to_have_text(
        "At most 2,000 files at once: the others were left out."
    )
    assert page.evaluate("window.sent") == 2000
