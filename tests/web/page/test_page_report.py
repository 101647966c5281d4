"""The report and the map as they are read on the page, in a real Chromium."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import IN_A_BROWSER, Server, run_command, write_floods
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = IN_A_BROWSER
expect = playwright.expect


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of a session that has its report."""
    folder = tmp_path_factory.mktemp("ended")
    documents = write_floods(folder / "floods")
    done = run_command(
        folder / "home", "run", "Why do cities flood?", "--docs", str(documents), "--offline", "--turns", "6",
        "--model", "embedded", "--plain", "--out", str(folder / "out"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "home"


@pytest.fixture
def server(ended: Path, tmp_path: Path, serve: Callable[..., Server]) -> Server:
    """A server of its own, on a copy of that home."""
    shutil.copytree(ended, tmp_path / "served")
    return serve()


@pytest.fixture
def report(page: Any, server: Server) -> Any:
    """The page with the session's report open; its `identity` is the session's."""
    page.identity = server.ask("/api/sessions")[0]["id"]
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{page.identity}")
    page.get_by_role("tab", name="Report").click()
    expect(page.locator(".report-title")).to_be_visible()
    return page


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_report_ends_where_it_ends(report: Any, width: int, height: int) -> None:
    report.set_viewport_size({"width": width, "height": height})
    assert report.evaluate("document.documentElement.scrollHeight") == height
    box = report.locator(".report")
    # Below it branches are offered once they are known: it ends where its last words do, then too.
    report.wait_for_function("""() => {
        const box = document.querySelector(".report"), bottom = (e) => e.getBoundingClientRect().bottom;
        box.scrollTo(0, box.scrollHeight);
        const under = bottom(box) - bottom(box.lastElementChild);
        return 0 <= under && under < 100;
    }""")
    # A program's long line, quoted, is read whole, and what stands around it is no wider for it.
    report.locator(".quotation blockquote").first.evaluate(
        "quote => { const code = document.createElement('pre');"
        " code.textContent = 'x=1 '.repeat(60); quote.append(code); }"
    )
    # So it is while the report is written, when such a line stands among sentences.
    report.locator(".section").first.evaluate(
        "section => { const code = document.createElement('div'); code.className = 'reading';"
        " section.append(code);"
        " code.innerHTML = '<p class=written><span class=sentence><code class=block></code></span></p>';"
        " code.querySelector('code').textContent = 'x=1 '.repeat(60); }"
    )
    pieces = report.evaluate(
        "import('/static/text.js').then(text => text.unbroken('Use (--keep-X) or -v.'))"
        ".then(all => all.map(piece => piece.props?.children ?? piece))"
    )
    assert pieces == ["Use (", "--keep-X", ") or ", "-v", "."]
    # So it is in the discussion.
    whole = report.evaluate(
        "import('/static/text.js').then(text => text.Cited({ text: 'Use --keep-X [p1].', open: null }))"
        ".then(cited => cited.props.children.flat().map(piece => piece.props?.class))"
    )
    assert "whole" in whole
    assert box.locator(".written").evaluate("written => written.getBoundingClientRect().right <= innerWidth")
    beyond = "all => all.filter(e => e.getBoundingClientRect().right > innerWidth).length"
    assert not box.locator("*").evaluate_all(beyond)
    assert not box.locator("pre").evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth).length")


def test_contents_follow_the_reading_and_lead_to_sections(report: Any) -> None:
    headings = report.locator(".section > :first-child").all_text_contents()
    assert len(headings) > 1
    report.set_viewport_size({"width": 1000, "height": 420})
    report.get_by_text("Contents", exact=True).click()
    report.locator(".contents").get_by_role("button", name=headings[-1], exact=True).click()
    expect(report.locator(".section > :first-child").nth(len(headings) - 1)).to_be_in_viewport()
    expect(report.locator(".section > :first-child").nth(len(headings) - 1)).to_be_focused()
    report.locator(".report").evaluate("box => box.scrollTo(0, box.scrollHeight)")
    expect(report.locator(".contents summary .faint")).not_to_have_text(headings[0])
    expect(report.locator(".contents summary")).to_be_in_viewport()
    report.locator(".report").evaluate("box => box.scrollTo(0, 0)")
    expect(report.locator(".contents summary .faint")).to_have_text(headings[0])


def test_citations_of_a_paragraph_are_one_stop_and_the_arrows_reach_each(report: Any) -> None:
    stops = report.locator(".report .reading").evaluate_all(
        "boxes => boxes.map(box => [...box.querySelectorAll('button')]"
        ".filter(one => one.checkVisibility()).map(one => one.tabIndex))"
    )
    assert len(stops) > 2
    assert all(one.count(0) == 1 for one in stops), "a stop each"
    most = max(range(len(stops)), key=lambda n: len(stops[n]))
    buttons = report.locator(".report .reading").nth(most).locator("button:visible")
    buttons.first.focus()
    n = 0
    for n in range(1, buttons.count()):
        report.keyboard.press("ArrowRight")
        expect(buttons.nth(n)).to_be_focused()
        expect(buttons.nth(n)).to_have_css("outline-style", "solid")  # where the keyboard is, is seen
    report.keyboard.press("Enter")
    expect(buttons.nth(n)).to_have_attribute("aria-expanded", "true")
    expect(buttons.nth(n)).to_have_attribute("tabindex", "0")
    accessible(report)


def test_what_comes_late_moves_nothing_and_finds_the_pointer_at_rest(page: Any, server: Server) -> None:
    late: list[Any] = []
    page.route(re.compile(r"/static/later/(contents|copying|hover)\.js"), lambda route: late.append(route))
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/{server.ask('/api/sessions')[0]['id']}")
    page.get_by_role("tab", name="Report").click()
    cite = page.locator(".report .cite").first
    cite.hover()
    before = cite.bounding_box()
    expect(page.get_by_role("button", name="Copy with sources")).to_have_count(0)
    for route in late:
        route.continue_()
    assert len(late) == 3
    expect(page.locator(".hover .passage mark")).not_to_be_empty()
    expect(page.get_by_role("button", name="Copy with sources")).to_be_enabled()
    expect(page.get_by_role("navigation", name="Contents")).to_be_visible()
    assert cite.bounding_box() == before


def test_a_citation_shows_its_passage_under_the_pointer_and_a_sign_tells_what_it_means(report: Any) -> None:
    cite = report.locator(".report .cite").first
    cite.hover()
    shown = report.locator(".hover .passage mark")
    expect(shown).not_to_be_empty()
    # Behind a long text: what stands before it is seen by whole lines, or not at all.
    cut = report.locator(".hover .passage blockquote").evaluate("""async quote => {
        const line = parseFloat(getComputedStyle(quote).lineHeight), mark = quote.querySelector("mark");
        mark.previousSibling.textContent = mark.nextSibling.textContent = "x\\n".repeat(20);
        const { toMark } = await import("/static/text.js");
        toMark(quote);
        const over = mark.getBoundingClientRect().top - quote.getBoundingClientRect().top;
        return [quote.scrollTop % line, over / line, line];
    }""")
    # The browser takes whole pixels.
    assert min(cut[0], cut[2] - cut[0]) < 1, cut
    assert 0.8 < cut[1] < 2.2, cut
    shown.hover()
    report.wait_for_timeout(400)
    expect(shown).to_be_visible()
    accessible(report)
    report.screenshot(path=OUTPUT / "page-report-hover.png")
    report.keyboard.press("Escape")
    expect(report.locator(".hover")).to_have_count(0)
    report.mouse.move(5, 5)
    cite.click()
    expect(report.locator(".report .passage mark")).not_to_be_empty()
    report.locator(".report .passage").get_by_role("button", name="Close").click()
    report.set_viewport_size({"width": 700, "height": 460})
    assert not report.evaluate("document.documentElement.scrollWidth > innerWidth"), "a long topic is cut"
    report.locator(".report").evaluate("box => box.scrollTo(0, 0)")
    cite.evaluate("cite => cite.scrollIntoView({ block: 'end' })")
    report.mouse.move(5, 5)
    cite.click()
    expect(report.locator(".report .passage .origin")).to_be_in_viewport()
    report.keyboard.press("Escape")
    expect(report.locator(".report .passage")).to_have_count(0)
    expect(report.locator(".quotation figcaption").first).to_contain_text("Flood plains")
    sign = report.locator(".section button.mark.quoted").first
    expect(sign).to_be_hidden()  # what the sources carry needs none, until somebody asks
    report.locator(".checks summary").click()
    expect(report.locator(".checks dd").first).to_be_visible()
    sign.click()
    expect(report.locator(".why")).to_contain_text("The words stand in the source as they stand here")
    accessible(report)
    assert not report.errors, report.errors


def test_what_can_be_taken_away_begins_with_the_report(report: Any) -> None:
    # On a slow line the menu is drawn before the session's events are there.
    held: list[Any] = []
    report.route("**/events?*", lambda route: held.append(route))
    report.reload()
    expect(report.locator(".menu-body h2").first).to_be_attached()
    while held:
        held.pop(0).continue_()
    report.unroute("**/events?*")
    expect(report.locator(".report-title")).to_be_attached()
    report.locator(".menu summary").click()
    expect(report.locator(".menu-body h2").first).to_have_text("Report")
    first = report.locator(".menu-body ul").first
    link = first.get_by_role("link", name="Markdown", exact=True)
    expect(link).to_have_attribute("href", re.compile("report/md$"))
    expect(report.locator(".menu-body h2").filter(has_text="For reference managers")).to_have_count(1)


def test_what_is_copied_keeps_its_sources(report: Any, server: Server) -> None:
    report.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.base)
    report.get_by_role("button", name="Copy with sources").click()
    expect(report.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    whole = report.evaluate("() => navigator.clipboard.readText()")
    assert "# Why do cities flood?" in whole
    assert "## Sources" in whole
    report.locator(".section").first.evaluate("one => getSelection().selectAllChildren(one)")
    report.keyboard.press("Control+c")
    chosen = report.evaluate("() => navigator.clipboard.readText()")
    sources = server.ask(f"/api/sessions/{report.identity}/sources")
    number = int(report.locator(".section .cite").first.text_content().partition(".")[0])
    assert f"[{number}]" in chosen.splitlines()[1] + chosen
    file = "/".join(sources[number - 1]["url"].split("/")[-2:])
    assert f"[{number}] {sources[number - 1]['title']}. {file}" in chosen
    assert "“”" not in chosen


def test_a_source_has_one_number_on_the_page_in_files_and_in_the_terminal(
    report: Any, server: Server
) -> None:
    """The report's own: from 1 as it first cites them; what it does not cite comes after (decision 28)."""
    sources = server.ask(f"/api/sessions/{report.identity}/sources")
    assert [one["number"] for one in sources] == list(range(1, len(sources) + 1))
    headers = {"Authorization": f"Bearer {server.bearer}"}

    def listed(path: str) -> tuple[str, dict[int, str]]:
        _, _, data = server.request("GET", f"/api/sessions/{report.identity}/{path}", headers=headers)
        text = data.decode()
        lines = re.findall(r'^- \\\[(\d+)\\\] <a id="source-(\d+)"></a>\*\*(.+?)\*\*', text, re.MULTILINE)
        assert lines
        assert all(number == anchor for number, anchor, _ in lines), path
        return text, {int(number): title for number, _, title in lines}

    _, discussed = listed("files/transcript.md")
    text, cited = listed("files/report.md")
    for number, title in {*discussed.items(), *cited.items()}:
        assert sources[number - 1]["title"] == title
    first = list(dict.fromkeys(int(number) for number in re.findall(r"\(#source-(\d+)\)", text)))
    assert first == list(cited) == list(range(1, len(cited) + 1)), "from 1, as they are first cited"
    shown = report.locator(".section .cite").evaluate_all("all => all.map(one => one.firstChild.textContent)")
    assert list(dict.fromkeys(map(int, shown))) == first
    told = run_command(server.home, "show", report.identity).stdout
    found = re.findall(r"^    \[(\d+)\.\d+\] (.+?) — ", told, re.MULTILINE)
    assert found
    for number, title in found:
        assert sources[int(number) - 1]["title"] == title
    report.get_by_role("tab", name="Map").click()
    report.get_by_role("treeitem").last.click()
    passage = report.locator(".branch .excerpts .cite").first
    number = int(passage.evaluate("one => one.firstChild.textContent"))
    passage.click()
    expect(report.locator(".branch .passage header")).to_contain_text(sources[number - 1]["title"])
    report.get_by_role("tab", name="Sources").click()
    for number, one in enumerate(sources, 1):
        expect(report.locator(".sources > li").nth(number - 1)).to_contain_text(f"{number} {one['title']}")
        first_of = report.locator(".sources > li").nth(number - 1).locator(".cite").first
        expect(first_of).to_have_text(f"{number}.1")


def test_a_node_opens_to_its_own_text_and_the_map_fits_on_a_phone(report: Any) -> None:
    report.get_by_role("tab", name="Map").click()
    root = report.get_by_role("treeitem").first
    shown = "".join(root.locator("tspan").all_text_contents()).replace(" ", "")
    assert shown == "Whydocitiesflood?"
    report.get_by_role("treeitem").last.click()
    excerpt = report.locator(".branch .excerpt").first
    expect(excerpt).not_to_contain_text("Loading")
    assert len(excerpt.text_content().split()) > 4, "words, not a number"
    arrange = report.locator(".branch .arrange")
    assert "# " not in excerpt.text_content()
    assert excerpt.bounding_box()["y"] < arrange.bounding_box()["y"]
    accessible(report)
    report.locator(".branch .excerpts .cite").first.click()
    expect(report.locator(".branch .passage mark")).not_to_be_empty()
    report.set_viewport_size({"width": 390, "height": 844})
    report.reload()
    expect(report.locator("#tab-report")).to_have_attribute("aria-selected", "true")  # it is over: the report
    report.get_by_role("tab", name="Map").click()
    expect(root).to_be_visible()
    for item in report.get_by_role("treeitem").all():
        box = item.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390, item.text_content()


def test_a_view_stays_as_it_was_left(report: Any) -> None:
    report.set_viewport_size({"width": 390, "height": 844})
    expect(report.locator(".report .copy")).to_be_visible()  # it comes after the page, above the text
    report.locator(".report").evaluate("box => box.scrollTo(0, 400)")
    report.get_by_role("tab", name="Discussion").click()
    report.locator("#words").fill("And what of")
    report.get_by_role("tab", name="Map").click()
    expect(report.locator("#words, .report-title").filter(visible=True)).to_have_count(0)
    report.get_by_role("tab", name="Report").click()
    assert report.locator(".report").evaluate("box => box.scrollTop") == 400
    report.get_by_role("tab", name="Discussion").click()
    expect(report.locator("#words")).to_have_value("And what of")
    accessible(report)


def test_the_reports_numbers_come_to_the_discussion_too(report: Any) -> None:
    """Nobody sees one number for two sources: what is drawn already is numbered anew with the report."""
    shown = """() => [...document.querySelectorAll(".discussion .cite, .discussion .source-number")]
        .map(one => `${one.dataset.passage ?? ""} ${one.textContent}`)"""
    before = report.evaluate(shown)
    report.reload()
    expect(report.get_by_text("The report is ready")).to_be_visible()
    report.wait_for_function(f"count => ({shown})().length >= count", arg=len(before))
    assert report.evaluate(shown) == before
