"""The page in a real Chromium. Screenshots are kept in tests/output."""

import contextlib
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
HERE = Path(__file__).parents[1]
pytestmark = IN_A_BROWSER
expect = playwright.expect


PYTHON = "How do exceptions and context managers work in Python?"


def begin(page: Any, server: Server, documents: Path | str, topic: str = PYTHON, turns: int = 6) -> str:
    order(page, server, documents, topic, turns)
    expect(page.locator(".turn").first).to_be_visible()
    return str(page.url).rpartition("/")[2]


def order(page: Any, server: Server, documents: Path | str, topic: str, turns: int) -> None:
    page.goto(server.url)
    page.get_by_label("Topic").fill(topic)
    page.locator("input[name=docs]").fill(str(documents))
    page.get_by_label("Stay offline").check()
    page.get_by_text("More options").click()
    page.get_by_label("Turns").fill(str(turns))
    page.get_by_role("button", name="Begin").click()


@pytest.fixture
def indexed(tmp_path: Path, python_indexed: Callable[[Path], Path]) -> None:
    """What is talked about is indexed before the server begins."""
    python_indexed(tmp_path / "served")


def round_by_round(page: Any) -> None:
    """Have the table wait for the person after each round, and let it do one: nobody has to be faster."""
    page.get_by_role("tab", name="Table").click()
    page.get_by_text("Waits for me").click()
    expect(page.locator(".facts .state")).to_have_text("Your turn")
    page.locator(".head").get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator(".head .acts :focus")).to_have_count(1)  # the button is gone, the keyboard is not
    expect(page.locator(".turn.expert .cite").first).to_be_visible()


def drop_what_is_cited_first(page: Any, server: Server, identity: str) -> str:
    """Drop the source that the first citation of the discussion is from; return its address."""
    cited = page.locator(".turn.expert .cite").first
    number, passage = cited.text_content(), cited.get_attribute("data-passage")
    page.get_by_role("tab", name="Sources").click()
    here = page.get_by_role("button", name=f"Passage {number}", exact=True)
    source = page.locator(".sources > li").filter(has=here)
    expect(source).to_have_count(1)
    source.get_by_role("button", name=re.compile("^Drop: ")).click()
    expect(source.locator(".state", has_text="dropped")).to_be_visible()
    told = server.ask(f"/api/sessions/{identity}/sources")
    return next(str(one["url"]) for one in told if passage in one["passages"])


def cited_by_the_report(server: Server, identity: str) -> set[str]:
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        events = [one.event for one in journal.read(identity)]
    written = next(event for event in reversed(events) if event.kind == "report_written")
    told = server.ask(f"/api/sessions/{identity}/sources")
    urls = {passage: str(one["url"]) for one in told for passage in one["passages"]}
    sections = written.report.sections
    return {urls[i] for section in sections for one in section.sentences for i in one.citations}


@pytest.mark.usefixtures("indexed")
def test_a_session_from_its_beginning_to_its_report(page: Any, server: Server) -> None:
    OUTPUT.mkdir(exist_ok=True)
    order(page, server, "python", PYTHON, turns=6)
    round_by_round(page)
    identity = str(page.url).rpartition("/")[2]
    assert page.url.startswith(server.base + "/#/session/"), "no token stays in the address"
    dropped = drop_what_is_cited_first(page, server, identity)
    page.get_by_role("tab", name="Table").click()
    page.get_by_text("By itself").click()
    page.get_by_role("tab", name="Map").click()
    expect(page.get_by_text("The report is ready")).to_be_visible()
    expect(page.get_by_role("treeitem").nth(2)).to_be_visible()
    report = cited_by_the_report(server, identity)
    assert report
    assert dropped not in report

    before = page.locator(".turn").count()
    page.locator("#words").fill("What does contextlib.suppress do?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn.person")).to_contain_text("suppress")
    expect(page.locator(".turn")).to_have_count(before + 2)
    expect(page.locator(".state").first).to_have_text("Ended")

    page.locator(".turn.expert .cite").last.click()
    expect(page.locator(".turn .passage mark")).not_to_be_empty()
    expect(page.locator(".turn .passage mark")).to_be_in_viewport()
    page.locator(".turn .passage").get_by_role("button", name="Close").click()

    page.get_by_role("treeitem").nth(1).click()
    if not page.locator(".branch .arrange").evaluate("box => box.open"):
        page.get_by_text("Arrange").click()
    page.locator(".branch").get_by_label("Rename").fill("My <b>own</b> title")
    page.locator(".branch").get_by_label("Rename").press("Enter")
    expect(page.locator(".branch h2")).to_have_text("My <b>own</b> title")
    for name, width, height in (("wide", 1400, 900), ("tablet", 820, 1100), ("phone", 390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for tab in page.get_by_role("tab").all_text_contents():
            page.get_by_role("tab", name=re.sub(r"[\d✓]+$", "", tab)).click()
            page.screenshot(path=OUTPUT / f"page-{name}-{re.sub(r'[^A-Za-z]', '', tab).lower()}.png")
            overflowing = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not overflowing, (name, tab)
            accessible(page)
    page.set_viewport_size({"width": 1400, "height": 900})
    page.get_by_role("tab", name="Sources").click()
    page.get_by_role("button", name="Drop").first.click()
    expect(page.locator(".turn.pending")).to_contain_text("when the report is written again")
    page.get_by_role("button", name="Write the report again").click()
    expect(page.locator(".turn.pending")).to_have_count(0)
    expect(page.locator(".state").first).to_have_text("Ended")
    expect(page.get_by_role("button", name="Write the report again")).to_have_count(0)
    expect(page.locator(".turn.person").last).to_contain_text("You ask")
    page.get_by_role("tab", name="Report").click()
    expect(page.locator(".report-title")).to_be_visible()
    page.locator(".menu summary").click()
    with page.expect_download() as saved:
        page.locator(".menu-body ul").first.get_by_role("link", name="Markdown", exact=True).click()
    assert "context manager" in Path(saved.value.path()).read_text().lower()
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("Escape")
    for tab in ("Table", "Sources", "Report", "Map"):
        page.get_by_role("tab", name=tab).click()
        accessible(page)
        page.screenshot(path=OUTPUT / f"page-dark-{tab.lower()}.png")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("tab", name="报告")).to_be_visible()
    often = "import('/static/words.js').then((words) => [words.often('1d'), words.often('2d')])"
    assert page.evaluate(often) == ["每天", "每 2 天"]
    page.get_by_role("tab", name="席位").click()
    accessible(page)
    page.screenshot(path=OUTPUT / "page-zh.png")
    page.goto(server.base + "/#/")
    expect(page.locator(".rows li:visible")).to_have_count(1)  # collections are folded away
    page.screenshot(path=OUTPUT / "page-home-zh.png")
    accessible(page)
    assert not page.errors, page.errors


def shown(page: Any) -> list[str]:
    return list(page.locator(".turn .said p:first-of-type").all_text_contents())


def test_a_reload_and_a_restart_of_the_server_lose_and_double_nothing(
    page: Any, serve: Callable[..., Server], documents: Path
) -> None:
    server = serve()
    identity = begin(page, server, documents, topic="Why do cities flood?", turns=5)
    page.reload()
    expect(page.get_by_text("The report is ready")).to_be_visible()
    whole = shown(page)
    page.reload()
    expect(page.get_by_text("The report is ready")).to_be_visible()
    assert shown(page) == whole
    server.end()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    page.get_by_role("button", name="4 more turns").click()
    # Whatever else the page asked for just then may have a notice of its own.
    head = page.get_by_role("banner")
    expect(head.get_by_text("Nothing was done: the server cannot be reached")).to_be_visible()
    again = serve("--port", str(server.port))
    again.ask(f"/api/sessions/{identity}/commands", {"command": "say", "text": "And trees?"})
    expect(page.locator(".turn.person")).to_have_count(1)
    expect(page.locator(".turn.person ~ .turn").first).to_be_visible()
    assert shown(page)[: len(whole)] == whole
    assert page.locator(".turn.person").count() == 1


HOSTILE = (
    "</script><script>fetch('/api/sessions',{method:'POST'});window.broken=1</script>"
    "<img src=x onerror=window.broken=1><svg onload=window.broken=1>[x](javascript:window.broken=1)"
)


def test_hostile_texts_are_inert_wherever_they_are_shown(page: Any, server: Server, documents: Path) -> None:
    for path in sorted(documents.iterdir()):
        title, _, text = path.read_text().partition("\n\n")
        hostile = f"{title[2:]} {HOSTILE}".replace("'", "")
        path.write_text(
            f"---\nurl: 'https://x.example/{path.stem}?{hostile}'\ntitle: '{hostile}'\n---\n"
            f"{text.replace('. ', f' {HOSTILE}. ')} Cities flood, {HOSTILE} says this paper.\n"
        )
    scheme = "---\nurl: 'javascript:window.broken=1'\n---\n"
    (documents / "local.md").write_text(f"{scheme}Why do cities flood? Rain.\n")
    begin(page, server, documents, topic=f"Why do cities flood? {HOSTILE}", turns=4)
    expect(page.get_by_text("The report is ready")).to_be_visible()
    page.locator("#words").fill(f"Floods {HOSTILE}")
    page.keyboard.press("Enter")
    expect(page.locator(".turn.person")).to_be_visible()
    page.locator(".cite").first.click()
    expect(page.locator(".passage mark")).to_be_visible()
    for tab in ("Sources", "Report", "Map"):
        page.get_by_role("tab", name=tab).click()
        if tab == "Sources":
            expect(page.locator(".sources li").first).to_be_visible()
    page.get_by_role("treeitem").first.click()
    expect(page.locator(".branch h2")).to_be_visible()
    assert page.evaluate("window.broken") is None
    assert page.locator("a[href^='javascript']").count() == 0
    assert page.locator("#page script, #page img:not([src^='/static/']), #page svg[onload]").count() == 0


@contextlib.contextmanager
def other_origin(html: str) -> Iterator[str]:
    """Another server on this machine: another port, and so another origin of the same site."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    evil = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=evil.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{evil.server_address[1]}/"
    evil.shutdown()
    evil.server_close()


def test_another_port_of_this_machine_is_refused(page: Any, server: Server) -> None:
    page.goto(server.url)
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    attack = (HERE / "attack.html").read_text().replace("BASE", server.base)
    with other_origin(attack) as url:
        page.goto(url)
        told = page.evaluate(
            (HERE / "attack.js").read_text(),
            server.base,
        )
        assert told["json"] == told["read"] == told["stream"] == told["socket"] == "refused", told
        framed = [frame for frame in page.frames if frame.url.startswith(server.base)]
        assert all(not frame.locator("form.new").count() for frame in framed)
    page.goto(server.base)
    expect(page.get_by_text("No sessions yet")).to_be_visible()
    assert server.ask("/api/sessions") == []


@pytest.mark.usefixtures("indexed")
def test_the_map_is_walked_with_the_keyboard(page: Any, server: Server) -> None:
    begin(page, server, "python")
    expect(page.get_by_text("The report is ready")).to_be_visible()
    root = page.get_by_role("treeitem").first
    root.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[role=treeitem]:focus")).to_have_attribute("aria-level", "2")
    page.keyboard.press("Home")
    expect(root).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("treeitem")).to_have_count(1)
    expect(root).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Space")
    expect(root).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".branch h2")).to_contain_text("exceptions")
    page.get_by_label("Search the map").fill("zzzz")
    expect(page.locator(".tools [role=status]")).to_have_text("0 found")
