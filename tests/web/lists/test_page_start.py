"""The form of a new session in a real Chromium: what it reads and may spend, and what leaves this machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


def test_a_folder_is_brought_read_and_discussed_with_what_was_set(
    page: Any, server: Server, documents: Path
) -> None:
    (documents / "broken.pdf").write_bytes(b"%PDF-1.4 not really")
    page.goto(server.url)
    expect(page.locator(".outgoing b")).to_have_text("Only searches leave this machine:")
    expect(page.locator(".outgoing p").nth(1)).to_have_text("To the web: words to search by.")
    expect(page.locator(".outgoing p").nth(2)).to_contain_text("Embedded: no language model")
    (documents / "nothing.txt").touch()
    page.locator("[data-brings=folder]").set_input_files(documents)
    expect(page.get_by_role("alert")).to_have_text("1 file was not taken:nothing.txt is empty")
    page.errors.clear()  # the browser's own word of it
    brought = page.locator(".pick").filter(has_text="floods")
    expect(brought).to_contain_text("12 documents")
    expect(brought.locator("input")).to_be_checked()
    expect(page.locator(".outgoing")).to_contain_text("Nothing leaves this machine.")
    page.get_by_text("More options").click()
    expect(page.get_by_label("Semantic Scholar")).to_be_visible()
    page.get_by_label("Wikipedia").check()
    expect(page.locator(".outgoing")).to_contain_text("none that only your documents have")
    expect(page.get_by_text("1 file was not read")).to_be_visible()
    page.get_by_role("button", name="Refresh: floods").click()
    expect(page.get_by_text("Up to date: nothing has changed")).to_be_visible()
    page.get_by_text("1 file was not read").click()
    expect(page.locator(".skipped li")).to_contain_text("broken.pdf")
    accessible(page)

    page.get_by_label("Stay offline").check()
    expect(page.locator(".outgoing")).to_contain_text("Nothing leaves this machine.")
    page.get_by_label("Topic").fill("Why do cities flood?")
    page.get_by_label("Turns", exact=True).fill("3")
    page.get_by_label("Style").select_option("faq")
    page.get_by_label("Words").fill("900")
    page.get_by_label("Requests").fill("40")
    page.get_by_label("Waits for me").check()
    page.get_by_role("textbox", name="Outline").fill("Rain\n  Storm drains\nRivers")
    page.get_by_text("Other models for some roles").click()
    page.get_by_label("Writes the report").fill("embedded")
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-start.png", full_page=True)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    # A picture of the whole page leaves the browser about to scroll back to the field that has the keyboard.
    page.get_by_role("button", name="Begin").focus()
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile("#/session/"))
    expect(page.locator(".facts .state")).to_have_text("Your turn")
    expect(page.get_by_role("treeitem").filter(has_text="Storm drains")).to_be_visible()
    page.locator(".told.yours button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".story:focus")).to_have_count(1)  # the button that had the keyboard is gone

    with Journal(server.home / "journal.db", SystemClock()) as journal:
        first = journal.read(str(page.url).rpartition("/")[2], 0, 1)[0].event
    assert first.docs == ["floods"]
    assert first.settings["reports"]["style"] == "faq"
    assert first.settings["reports"]["words"] == 900
    assert first.settings["moderator"]["budget"]["requests"] == 40
    assert first.settings["models"]["roles"] == {"writer": "embedded"}
    assert not page.errors, page.errors


def test_a_model_elsewhere_is_told_before_anything_begins(page: Any, server: Server, documents: Path) -> None:
    page.goto(server.url)
    page.get_by_label("Topic").fill("Why do cities flood?")
    page.locator("input[name=docs]").fill("no-such-notes")
    wrong = page.get_by_text("no collection of that name")
    expect(wrong).to_have_count(1)  # what leaves this machine cannot be said
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text("no collection of that name")
    expect(wrong).to_have_count(1)
    page.locator("input[name=docs]").fill("")
    expect(wrong).to_have_count(0)
    page.errors.clear()  # the browser tells of the answer, 422
    page.get_by_text("More options").click()
    page.locator("[name=model]").fill("openai:some-model")
    page.get_by_label("Address of a server").fill("https://models.example/v1")
    page.locator("input[name=docs]").fill(str(documents))
    expect(page.locator(".outgoing")).to_contain_text("To models.example: the topic")
    expect(page.locator(".outgoing")).to_contain_text("also of your documents")
    expect(page.locator(".outgoing b")).to_have_text("What leaves this machine:")
    expect(page.locator(".outgoing p").last).to_have_text("Model: openai:some-model")
    page.get_by_label("Stay offline").check()
    expect(page.locator(".outgoing")).to_contain_text("--offline does not allow")
    page.get_by_label("Address of a server").fill("http://127.0.0.1:9/v1")
    expect(page.locator(".outgoing")).to_contain_text("Nothing leaves this machine.")


def test_an_example_fills_the_form(page: Any, server: Server) -> None:
    page.goto(server.url)
    expect(page.locator(".pick").filter(has_text="python")).to_be_visible()
    page.get_by_role("button", name="with statement").click()
    expect(page.get_by_label("Topic")).to_have_value(re.compile("with statement"))
    expect(page.get_by_label("python")).to_be_checked()
    expect(page.locator(".outgoing")).to_contain_text("Nothing leaves this machine.")
    # It stays chosen when the list of collections is drawn again.
    let_fall(
        page,
        "textarea[name=topic]",
        {"rain.md": "# Rain\n\nIt rains on the town.\n", "snow.md": "# Snow\n\nNo.\n"},
    )
    brought = page.get_by_label("rain-and-1-more 2 documents")
    expect(brought).to_be_checked()
    expect(page.get_by_label("python")).to_be_checked()
    expect(page.get_by_label("Earlier sessions")).to_have_count(0)  # there are none yet

    page.get_by_label("python").uncheck()
    page.get_by_label("Topic").fill("Does it rain on the town?")
    page.get_by_role("button", name="Begin").click()
    read = page.locator(".map").get_by_role("button", name="Open the topic")  # so little grows no branch
    expect(page.locator(".facts .state")).to_have_text("Ended")
    assert {"P", "E", "S"} >= set(page.locator(".turn.expert .face").all_inner_texts())
    page.set_viewport_size({"width": 720, "height": 450})  # at 200 %: the words lie over no node
    page.get_by_role("tab", name="Map").click()
    expect(read).to_be_visible()
    told, node = (page.locator(one).bounding_box() for one in (".ground .empty", "[role=treeitem]"))
    assert node["y"] + node["height"] <= told["y"] < told["y"] + told["height"] <= 450
    page.set_viewport_size({"width": 1400, "height": 900})
    page.get_by_role("tab", name="Map").click()
    read.click()
    page.locator(".branch .cite").first.click()
    expect(page.locator(".branch .passage b").filter(has_text=re.compile("^Rain$"))).to_be_visible()
    page.keyboard.press("Escape")
    let_fall(page, "#panel", {"hail.md": "# Hail\n\nIt hails on the town.\n"})
    expect(page.locator(".turn.pending")).to_contain_text("hail.md")
    assert not page.errors, page.errors


def let_fall(page: Any, where: str, files: dict[str, str]) -> None:
    """Let files fall on a place of the page, as a person does who drags them there."""
    held = page.evaluate_handle(
        """files => {
            const held = new DataTransfer();
            for (const [name, text] of Object.entries(files)) held.items.add(new File([text], name));
            return held;
        }""",
        files,
    )
    for kind in ("dragover", "drop"):
        page.dispatch_event(where, kind, {"dataTransfer": held})


def test_a_collection_is_brought_up_to_date_and_removed(server: Server, documents: Path) -> None:
    for file in sorted(documents.iterdir()):
        body = file.read_bytes()
        headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/octet-stream"}
        path = f"/api/collections/rain/files/deep/{file.name}"
        assert server.request("POST", path, body, headers)[0] == 201
    server.ask("/api/collections/rain/refresh", {})
    rain = _read(server, "rain")
    assert rain["files"] == 12
    assert rain["news"] == {"added": 12, "changed": 0, "removed": 0}
    assert (server.home / "collections" / "rain" / "deep" / "01.md").exists()
    assert rain["description"].startswith("Documents in rain: Old sewers; Green roofs; ")
    words = {"description": "What was written on rain"}
    assert server.ask("/api/collections/rain/description", words) == {"done": "described"}
    server.ask("/api/collections/rain/refresh", {})
    assert _read(server, "rain")["description"] == words["description"], "what a person wrote stays"
    assert server.ask("/api/collections/rain/delete", {}) == {"done": "removed"}
    assert not (server.home / "collections" / "rain").exists()
    assert [one["name"] for one in server.ask("/api/collections")] == ["python", "sessions"]


@pytest.mark.parametrize("path", ["%2e%2e/%2e%2e/journal.db", "a/../../../journal.db", "..%2f..%2fx.db"])
def test_a_file_that_is_brought_stays_in_its_collection(server: Server, path: str) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/octet-stream"}
    server.request("POST", f"/api/collections/mine/files/{path}", b"# Rain\n\nIt rains.", headers)
    inside = server.home / "collections" / "mine"
    brought = [file for file in server.home.rglob("*") if file.is_file() and b"It rains" in file.read_bytes()]
    assert all(file.is_relative_to(inside) for file in brought)


def test_a_collection_that_cannot_be_is_told_in_one_line(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/json"}
    for name in ("python", "..", "a%20b"):
        status, _, told = server.request("POST", f"/api/collections/{name}/refresh", {}, headers)
        assert status in {404, 422}, (name, told)
    server.ask("/api/collections/nothing/refresh", {})
    assert "no collection" in _read(server, "nothing")["trouble"]
    status, _, told = server.request("POST", "/api/collections/other/delete", {}, headers)
    assert status == 422
    assert json.loads(told)["error"] == "there is no collection other"


def _read(server: Server, name: str) -> dict[str, Any]:
    """Look at a collection until nothing more is done with it."""
    while True:
        found: dict[str, Any] = next(one for one in server.ask("/api/collections") if one["name"] == name)
        if "work" not in found:
            return found


SHUT = """
    const entry = (fullPath, rest) => ({ fullPath, name: fullPath.split("/").at(-1), ...rest });
    const file = (path, text) => entry(path, { isFile: true, file: (done, failed) =>
        text ? done(new File([text], path.split("/").at(-1))) : failed(new Error("may not be read")) });
    const folder = (path, held) => entry(path, { isFile: false, createReader: () => ({
        readEntries: (done, failed) =>
            held ? done(held.splice(0)) : failed(new Error("may not be looked into")) }) });
    DataTransferItem.prototype.webkitGetAsEntry = () => folder("/pumps", [
        file("/pumps/shut.md"), folder("/pumps/cellar"),
        file("/pumps/open.md", "# Pumps\\n\\nA pump lifts water.")]);
"""
"""A browser to which a folder is let fall of which it may not open one file and one folder."""


def test_what_the_browser_cannot_read_keeps_nothing_else_out(page: Any, server: Server) -> None:
    page.add_init_script(f"{{{SHUT}}}")
    page.goto(server.url)
    let_fall(page, "fieldset.documents", {"pumps": "-"})
    told = page.get_by_role("alert")
    expect(told).to_have_text(
        "2 files were not taken:pumps/shut.md cannot be readpumps/cellar cannot be read"
    )
    expect(page.locator(".pick").filter(has_text="pumps")).to_contain_text("1 document")


def test_more_files_than_are_taken_at_once_are_said_to_be_left_out(page: Any, server: Server) -> None:
    page.add_init_script("""
        const real = window.fetch;
        window.sent = 0;
        window.fetch = (path, order) => String(path).includes("/files/")
            ? Promise.resolve(Response.json({ sent: (window.sent += 1) })) : real(path, order);
    """)
    page.goto(server.url)
    page.locator("[data-brings=files]").evaluate("""(box) => {
        const many = new DataTransfer();
        for (let n = 0; n < 2003; n += 1) many.items.add(new File(["a"], `${n}.txt`));
        box.files = many.files;
        box.dispatchEvent(new Event("change"));
    }""")
    expect(page.get_by_role("alert").first).to_contain_text("At most 2,000 files at once")
    expect(page.get_by_role("status").filter(has_text="2,000 of 2,000")).to_have_count(0)
    expect(page.get_by_role("button", name="Add files")).to_be_enabled()
    assert page.evaluate("window.sent") == 2000


SHIFTS = """
    window.shifted = [];
    new PerformanceObserver((list) => window.shifted.push(...list.getEntries().map((one) => one.value)))
        .observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_nothing_moves_while_the_form_comes_in(page: Any, server: Server, width: int, height: int) -> None:
    headers = {"Authorization": f"Bearer {server.bearer}", "Content-Type": "application/octet-stream"}
    for name in ("a-kiln-of-the-village", "pumps-and-3-more", "minutes-of-the-board", "letters", "harbour"):
        path = f"/api/collections/{name}/files/one.md"
        assert server.request("POST", path, b"# One\n\nA pump lifts water.\n", headers)[0] == 201
        server.ask(f"/api/collections/{name}/refresh", {})
        _read(server, name)
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(f"{{{SHIFTS}}}")
    page.goto(server.url)
    expect(page.locator(".outgoing b")).to_be_visible()
    expect(page.locator(".options fieldset").first).to_be_attached()
    expect(page.locator(".collections .rows")).to_be_attached()
    assert sum(page.evaluate("window.shifted")) < 0.001
