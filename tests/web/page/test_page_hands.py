"""Everything that a person does with a session in the page, in a real Chromium."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build
from tests.web.looking import OUTPUT, accessible

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
pytestmark = IN_A_BROWSER


def recorded(server: Server, identity: str = "crowd") -> list[Recorded]:
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        return journal.read(identity)


def commands(server: Server) -> list[dict[str, Any]]:
    events = [one.event for one in recorded(server)]
    return [event.command.model_dump(mode="json") for event in events if event.kind == "commanded"]


@pytest.fixture
def crowd(server: Server, page: Any) -> Server:
    """A small session at rest, with the page open on it."""
    build(server.home, turns=12, nodes=30)
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    return server


def branch(page: Any, title: str) -> Any:
    """Find a node by its title, open it, and unfold what can be done with it."""
    page.get_by_label("Search the map").fill(title)
    page.get_by_label("Search the map").press("Enter")
    page.keyboard.press("Enter")
    shown = page.locator(".branch")
    expect(shown.locator("h2")).to_have_text(title)
    if not shown.locator(".arrange").evaluate("box => box.open"):
        shown.get_by_text("Arrange").click()
    return shown


def test_the_map_is_edited_by_hand(page: Any, crowd: Server) -> None:
    first = page.get_by_role("treeitem").nth(1)
    first.click()
    shown = page.locator(".branch")
    if not shown.locator(".arrange").evaluate("box => box.open"):
        shown.get_by_text("Arrange").click()
    shown.get_by_label("Rename").fill("Rain")
    shown.get_by_label("Rename").press("Enter")
    expect(shown.locator("h2")).to_have_text("Rain")
    for title in ("Drains", "Gutters"):
        shown.get_by_label("Add a branch").fill(title)
        shown.get_by_label("Add a branch").press("Enter")
        expect(page.get_by_role("treeitem", name=title)).to_be_visible()
    # A passage that stands here goes into one of them, another into a branch of its own.
    shown.get_by_role("button", name="Sort").click()
    expect(shown.locator(".choice .excerpt").first).to_contain_text(re.compile(r"\w+ \w+ \w+"))
    if shown.locator(".held .choice").count() > 1:
        shown.locator(".held .choice").first.click()
        shown.get_by_label("Put them into").fill("Drains")
        shown.get_by_label("Put them into").press("Enter")
        expect(shown.locator(".held-head")).to_contain_text("passages")
        expect(shown.locator(".below li").filter(has_text="Drains")).to_have_text("Drains 1 passage")
        expect(shown.locator(".choice input:focus")).to_have_count(1)  # the form that had it is gone
    before = shown.locator(".held .choice").count()
    shown.locator(".held .choice").first.click()
    shown.get_by_label("Or into a new branch named").fill("Cellars")
    shown.get_by_label("Or into a new branch named").press("Enter")
    expect(page.get_by_role("treeitem", name="Cellars")).to_be_visible()
    expect(shown.locator(".held .choice")).to_have_count(before - 1)
    expect(shown.locator(".choice input:focus" if before > 1 else "h2:focus")).to_have_count(1)
    # Merge, move (with the keyboard alone), pin, delete, undo.
    shown = branch(page, "Gutters")
    shown.get_by_label("Merge into").fill("Drains")
    shown.get_by_label("Merge into").press("Enter")
    expect(shown.locator("h2")).to_have_text("Drains")
    expect(page.get_by_role("treeitem", name="Gutters")).to_have_count(0)
    shown = branch(page, "Cellars")
    shown.get_by_label("Move to").fill("Drains")
    shown.get_by_label("Move to").press("Enter")
    expect(shown.locator(".trail")).to_contain_text("Drains")
    shown.get_by_role("button", name="Pin").click()
    expect(shown.locator(".state.pinned")).to_be_visible()
    shown.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("treeitem", name="Cellars")).to_have_count(0)
    # What was deleted is taken back where it is told, the edits before it step by step, also after a reload.
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("treeitem", name="Cellars")).to_have_count(1)
    expect(page.locator(".notice")).to_have_text(re.compile("Undone: .*Cellars"))
    page.reload()
    undo = page.locator(".map .tools").get_by_role("button", name="Undo")
    undo.click()
    expect(page.locator(".leaf.pinned")).to_have_count(0)
    undo.click()
    page.get_by_role("treeitem", name="Cellars").click()
    expect(page.locator(".branch .trail")).not_to_contain_text("Drains")
    undo.click()
    expect(page.get_by_role("treeitem", name="Gutters")).to_be_visible()
    assert not page.errors, page.errors


def test_an_undo_is_offered_for_what_was_done_last_alone(page: Any, crowd: Server) -> None:
    branch(page, "Culvert weir sewer").get_by_role("button", name="Delete").click()
    offered = page.locator(".notice").get_by_role("button", name="Undo")
    expect(offered).to_be_visible()
    page.locator(".map .tools").get_by_role("button", name="Undo").click()
    expect(page.locator(".notice")).to_contain_text("Undone: deleted “Culvert weir sewer”")
    expect(offered).to_have_count(0)
    branch(page, "Culvert weir sewer").get_by_role("button", name="Delete").click()
    expect(offered).to_be_visible()
    branch(page, "Polder valley weir").get_by_role("button", name="Pin").click()
    expect(offered).to_have_count(0, timeout=2_000)


def test_a_node_is_dragged_below_another(page: Any, crowd: Server) -> None:
    one, other = page.get_by_role("treeitem").nth(1), page.get_by_role("treeitem").last
    title = one.locator("title").text_content()
    here, there = one.bounding_box(), other.bounding_box()
    page.mouse.move(here["x"] + 30, here["y"] + 12)
    page.mouse.down()
    page.mouse.move(here["x"] + 60, here["y"] + 40, steps=4)
    page.mouse.move(there["x"] + 20, there["y"] + 12, steps=6)
    page.mouse.up()
    moved = f"[role=treeitem][aria-level='2'] title:text-is({json.dumps(title)})"
    expect(page.locator(moved)).to_have_count(0)


def test_somebody_who_is_late_is_told_of_a_conflict(page: Any, crowd: Server) -> None:
    page.get_by_role("treeitem").nth(1).click()
    shown = page.locator(".branch")
    if not shown.locator(".arrange").evaluate("box => box.open"):
        shown.get_by_text("Arrange").click()
    node = page.locator(".leaf.chosen").get_attribute("data-node")
    theirs = {"command": "map_rename", "node": node, "title": "Theirs"}

    def after_another(route: Any) -> None:
        """Let somebody else be faster by the length of a request."""
        crowd.ask("/api/sessions/crowd/commands", theirs)
        route.continue_()

    page.route("**/commands", after_another, times=1)
    shown.get_by_label("Rename").fill("Mine")
    shown.get_by_label("Rename").press("Enter")
    expect(page.get_by_text("somebody else named it “Theirs” meanwhile")).to_be_visible()
    expect(shown.locator("h2")).to_have_text("Theirs")


def test_the_table_is_arranged_and_directed(page: Any, crowd: Server) -> None:
    page.get_by_role("tab", name="Table").click()
    seats = page.locator(".people .seat")
    expect(seats).to_have_count(4)
    seats.first.get_by_role("button", name=re.compile("Rename")).click()
    seats.first.get_by_label("Name", exact=True).fill("Hydrologist")
    seats.first.get_by_label("Name", exact=True).press("Enter")
    expect(seats.first.get_by_label("Name", exact=True)).to_have_count(0)  # all below moves up as it closes
    seats.nth(3).get_by_role("button", name=re.compile("Dismiss")).click()
    page.locator(".newcomer summary").click()
    page.locator(".newcomer").get_by_label("Name").fill("Economist")
    page.locator(".newcomer").get_by_label("Looks at").fill("costs")
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_text("Waits for me").click()
    page.get_by_label("Steer", exact=True).fill("stay on costs")
    page.get_by_label("Steer", exact=True).press("Enter")
    page.get_by_label("Set aside", exact=True).fill("weather")
    page.get_by_label("Set aside", exact=True).press("Enter")
    expect(page.locator(".turn.pending")).to_have_count(5)
    page.get_by_role("tab", name="Sources").click()
    page.get_by_role("button", name="Drop all of towns.example").click()
    expect(page.locator(".turn.pending")).to_have_count(6)
    page.get_by_role("button", name=re.compile("^Drop: ")).first.click()
    expect(page.locator(".turn.pending")).to_have_count(7)
    kinds = [one["do"] for one in commands(crowd)]
    assert kinds == [
        "rename_expert", "dismiss_expert", "add_expert", "mode", "steer", "set_aside", "drop_host",
        "drop_source",
    ]  # fmt: skip
    page.get_by_role("tab", name="Table").click()
    page.get_by_label("Further turns").fill("2")
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(seats.filter(has_text="Economist")).to_have_count(1)
    expect(seats.filter(has_text="Hydrologist")).to_have_count(1)
    expect(page.locator(".chip", has_text="stay on costs")).to_be_visible()
    expect(page.locator(".chip.gone", has_text="weather")).to_be_visible()


def test_a_file_is_read_and_a_session_forked(page: Any, crowd: Server, tmp_path: Path) -> None:
    given = tmp_path / "pumps <b> & towns.md"
    given.write_text("# Pumps\n\nA pump moves rain from a basin into the river when storms fill sewers.\n")
    page.locator("input[type=file]").set_input_files(given)
    expect(page.locator(".turn.pending")).to_have_count(1)
    [asked] = commands(crowd)
    assert asked["do"] == "read"
    kept = Path(asked["place"])
    assert kept.is_relative_to(crowd.home / "uploads" / "crowd")
    assert kept.read_text() == given.read_text()
    page.get_by_role("button", name="Turn 5: begin another session from here").click()
    expect(page.locator(".session")).not_to_have_attribute("data-count", "0")
    expect(page.locator(".turn")).to_have_count(5)
    assert not page.url.endswith("/crowd")
    page.go_back()
    expect(page.locator(".turn[data-turn='12']")).to_have_count(1)


def test_the_plan_is_changed_before_the_start(page: Any, server: Server, documents: Path) -> None:
    page.goto(server.url)
    page.get_by_label("Topic").fill("Why do cities flood?")
    page.locator("input[name=docs]").fill(str(documents))
    page.get_by_label("Stay offline").check()
    page.get_by_role("button", name="Plan first").click()
    plan = page.locator("form.plan")
    expect(plan.locator(".seat")).to_have_count(3)
    expect(plan).to_contain_text("nothing to pay")
    OUTPUT.mkdir(exist_ok=True)
    accessible(page)
    page.screenshot(path=OUTPUT / "page-plan.png")
    plan.get_by_label("Name").first.fill("Sewer engineer")
    plan.get_by_label("First question").first.fill("What were old sewers sized for?")
    plan.get_by_role("button", name=re.compile("Dismiss")).last.click()
    plan.get_by_role("button", name="Add an expert").click()
    plan.get_by_label("Name").last.fill("Insurer")
    plan.get_by_label("Looks at").last.fill("insurance against floods")
    plan.get_by_label("First question").last.fill("What does insurance pay for?")
    plan.get_by_label("Turns").fill("4")
    page.reload()  # an edited plan is the page's own until it begins; the plan itself is kept
    expect(plan.locator(".seat")).to_have_count(3)
    plan.get_by_label("Name").first.fill("Sewer engineer")
    plan.get_by_label("First question").first.fill("What were old sewers sized for?")
    plan.get_by_role("button", name="Add an expert").click()
    plan.get_by_label("Name").last.fill("Insurer")
    plan.get_by_label("First question").last.fill("What does insurance pay for?")
    plan.get_by_label("Turns").fill("4")
    plan.get_by_role("button", name="Begin the discussion").click()
    expect(page.locator(".turn.expert").first).to_be_visible()
    expect(page.get_by_text("The report is ready")).to_be_visible()
    identity = page.url.rpartition("/")[2]
    events = [one.event for one in recorded(server, identity)]
    panel = next(event for event in reversed(events) if event.kind == "panel_seated").panel
    assert {"Sewer engineer", "Insurer"} <= {p.name for p in panel}
    asked = {event.text for event in events if event.kind in {"question_raised", "question_reworded"}}
    assert {"What were old sewers sized for?", "What does insurance pay for?"} <= asked
    assert sum(event.kind == "turn_taken" for event in events) == 4
    assert not page.errors, page.errors
