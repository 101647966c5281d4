"""A person at the table, in a real Chromium: pauses, breaks in, asks about a node, asks one expert, drops."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library.evidence import without_citations
from library.text import sentences
from mindmap import Note
from mindmap.changes import AddNote, DropPassage
from mindmap.events import MapEdited, MapPlaced
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from tests.model_server import Asked, ModelServer
from tests.web.conftest import IN_A_BROWSER, Server
from tests.web.crowd import build

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
pytestmark = IN_A_BROWSER


def recorded(server: Server, identity: str) -> list[Recorded]:
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        return journal.read(identity)


def send(page: Any, words: str) -> None:
    page.locator("#words").press("End")
    page.locator("#words").type(words)
    page.locator("#words").press("Enter")


def test_a_person_pauses_breaks_in_asks_about_a_node_and_asks_one_expert(
    page: Any, serve: Callable[..., Server], documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, asked_for = threading.Event(), threading.Event()
    held.set()

    def troubles(_number: int, asked: Asked) -> str | None:
        """Let no expert's answer come while the first turns are to last."""
        if not held.is_set() or "answer" not in (asked.schema or {}).get("properties", {}):
            return None
        asked_for.set()
        return "slow"

    with ModelServer(values={"actions": []}, troubles=troubles) as models:
        monkeypatch.setenv("OPENAI_BASE_URL", models.url)
        server = serve()
        identity = server.discuss(documents)
        page.goto(server.url)
        page.goto(f"{server.base}/#/session/{identity}")
        assert asked_for.wait(60), "no expert was asked"
        state = page.locator(".facts .state")
        page.get_by_role("button", name="Pause", exact=True).click()
        expect(state).to_have_text("Paused")
        # The turn under way lasts for ever; breaking in ends it, and the table still stands still.
        page.get_by_label("What this is").select_option("break_in")
        held.clear()
        send(page, "What do trees do?")
        said = page.locator(".turn.person:not(.pending)")
        expect(said).to_have_count(1)
        expect(page.locator(".told.work")).to_have_count(0)
        expect(state).to_have_text("Paused")
        # About a node: its title stands in the line before one's own words.
        expect(page.get_by_text("The map grows with the first answers")).to_be_visible()
        page.get_by_role("treeitem").first.click()
        page.locator(".branch").get_by_role("button", name="Ask about this").click()
        expect(page.locator("#words")).to_have_value("About “Why do cities flood?”: ")
        send(page, "what of basements?")
        expect(said).to_have_count(2)
        expect(said.last).to_contain_text("About “Why do cities flood?”: what of basements?")
        # One expert.
        page.get_by_role("tab", name="Table").click()
        seat = page.locator(".people .seat").nth(1)
        name = seat.locator(".seat-name b").text_content()
        seat.get_by_role("button", name=f"Ask: {name}", exact=True).click()
        expect(page.get_by_label("To", exact=True).locator("option:checked")).to_have_text(name)
        send(page, "Who pays for sewers?")
        expect(said).to_have_count(3)
        expect(state).to_have_text("Paused")
        assert not any(one.event.kind == "turn_taken" and one.event.turn.role == "expert"
                       for one in recorded(server, identity))  # fmt: skip
        page.get_by_role("button", name="Resume", exact=True).click()
        expect(page.get_by_text("The report is ready")).to_be_visible()
    events = [one.event for one in recorded(server, identity)]
    broken = [event for event in events if event.kind == "turn_failed"]
    assert broken
    assert {event.reason for event in broken} == {"a person broke in"}
    mine = [event for event in events if event.kind == "question_raised" and event.by == "person"]
    turns = [event.turn for event in events if event.kind == "turn_taken" and event.turn.act == "answer"]
    first_answers = [next(turn for turn in turns if turn.question == question.id) for question in mine]
    assert len(first_answers) == 3
    assert first_answers[2].name == name
    assert not page.errors, page.errors


def _numbered(text: str) -> str:
    """Return a text with its citations as they are shown: passages of the first source."""
    return text.replace("[p", "1.").replace("]", "")


def test_notes_let_go_of_what_rests_on_a_dropped_source(page: Any, server: Server) -> None:
    build(server.home, turns=3, nodes=5)
    answer = "Rain falls. [p1] Sewers fill [p1][p2]. Pumps run [p2]; weirs hold. Streets are paved."
    note = Note(turn=9, speaker="Expert on rains", question="What of rain?", answer=answer)
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        journal.append("crowd", [MapPlaced(turn=9, changes=[AddNote(node="n0", note=note)])])
    page.goto(server.url)
    page.goto(f"{server.base}/#/session/crowd")
    page.get_by_role("treeitem").first.click()
    shown = page.locator(".branch .note", has_text="What of rain?").locator(".cited")
    expect(shown).to_have_text(_numbered(answer))
    with Journal(server.home / "journal.db", SystemClock()) as journal:
        journal.append("crowd", [MapEdited(changes=[DropPassage(passage="p1")])])
    left = without_citations(answer, ["p1"], sentences)
    assert "Rain" not in left
    expect(shown).to_have_text(_numbered(left))
    assert not page.errors, page.errors


@pytest.mark.parametrize(
    ("docs", "where", "shown"),
    [
        (["/papers/tea notes"], "tea-notes-0a1b2c3d", "tea notes"),
        (["/a/tea", "/b/tea"], "tea-0a1b2c3d", "tea-0a1b2c3d"),
        (["/a/桥 1.md", "python"], "桥-1.md-0a1b2c3d", "桥 1.md"),
        (["notes-0a1b2c3d"], "notes-0a1b2c3d", "notes-0a1b2c3d"),
        (["/a/tea"], "web", "the web"),
    ],
)
def test_a_folder_that_is_searched_is_told_by_its_name(
    page: Any, server: Server, docs: list[str], where: str, shown: str
) -> None:
    page.goto(server.url)
    told = page.evaluate(
        """async ([docs, where]) => {
            const { blank, fold } = await import("/static/fold.js");
            const s = blank("x");
            const at = "2026-01-01T00:00:00Z";
            fold(s, { n: 1, at, event: { kind: "session_started", topic: "Tea", docs, settings: {} } });
            fold(s, { n: 2, at, event: { kind: "searched", speaker: "moderator", query: "Tea", where } });
            const { html, render } = await import("/static/vendor.js");
            const { Work } = await import("/static/discussion.js");
            const box = document.createElement("div");
            render(html`<${Work} s=${s} standing=${{ state: "running" }} hues=${new Map()} />`, box);
            return box.textContent;
        }""",
        [docs, where],
    )
    assert told == f"Moderator searches {shown}: Tea"


def test_what_the_terminal_takes_is_done_on_the_page_too(
    page: Any, serve: Callable[..., Server], documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(values={"actions": []}, latency=0.5) as models:
        monkeypatch.setenv("OPENAI_BASE_URL", models.url)
        server = serve()
        identity = server.discuss(documents)
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(server.url)
        page.goto(f"{server.base}/#/session/{identity}")
        expect(page.get_by_role("button", name="Write the report now").first).to_be_visible()
        # On a phone the three buttons of a table at work and the language leave room for what is said.
        where = "all => all.map(e => e.getBoundingClientRect().y)"
        places = page.locator(".head .acts > *").evaluate_all(where)
        assert len({round(y) for y in places[:-1]}) == 1, places
        assert places[-1] <= places[0], places
        page.get_by_role("tab", name="Discussion").click()
        expect(page.locator(".facts .state")).to_have_text("Ended", timeout=60_000)
        page.get_by_role("tab", name="Discussion").click()
        send(page, "/report")
        expect(page.locator(".composer .failure")).to_contain_text("/write")
        page.locator("#words").fill("")
        send(page, "/go 4")
        expect(page.locator(".facts")).to_contain_text("7 turns", timeout=60_000)
        expect(page.locator(".facts .state")).to_have_text("Ended", timeout=60_000)
        expect(page.locator(".turn.person")).to_have_count(0)
