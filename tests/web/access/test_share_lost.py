"""A session at work stops where its owner loses what it searches, and goes on once he has it again."""

import asyncio
import http.client
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from agents import Contribution
from roundtable.journal.events import SessionStopped
from roundtable.session.context.speaker_call import SpeakerCall
from roundtable.session.document_collections import remove_collection, update_collection
from roundtable.session.factory import Runtime
from roundtable.session.session_loop import Discussion
from tests.faults.town import THINGS, write_documents
from tests.web.access.accounts_server import AccountsServer
from tests.web.hosting.test_session_manager import ended, order
from tests.web.hosting.watched import WatchedManager

pytestmark = [pytest.mark.loopback]
TOLD = "lent may no longer be searched by this session: it can go on once its owner may search that again"


class Door:
    """Holds the second call of speakers until it is open."""

    def __init__(self) -> None:
        self.reached, self.open, self.calls = threading.Event(), threading.Event(), 0


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    door, said = Door(), Discussion._said

    async def held(self: Discussion, calls: Sequence[SpeakerCall]) -> list[Contribution | str] | None:
        door.calls += 1
        if door.calls == 2:
            door.reached.set()
            await asyncio.to_thread(door.open.wait, 60)
        return await said(self, calls)

    monkeypatch.setattr(Discussion, "_said", held)
    yield door
    door.open.set()


def until(true: Callable[[], bool]) -> None:
    due = time.monotonic() + 300
    while not true():
        assert time.monotonic() < due, "it did not come to be"
        time.sleep(0.02)


def lend(home: Path, documents: Path) -> None:
    update_collection(home, "lent", [write_documents(documents, THINGS[:3])])


def lines_of(server: AccountsServer, who: str, identity: str) -> Iterator[str]:
    """Follow a session from its beginning, as the page does."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    try:
        connection.request("GET", f"/api/sessions/{identity}/events", headers=server.token(who))
        stream = connection.getresponse()
        while line := stream.readline():
            yield line.decode()
    finally:
        connection.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AccountsServer]:
    served = AccountsServer.at(tmp_path / "home")
    lend(served.home, tmp_path / "documents")
    served.journal.sharing(served.home).own("collection", "lent", served.people["owner"])
    served.start()
    yield served
    served.end()


@pytest.mark.parametrize("lost", ["taken back", "removed"])
def test_a_session_at_work_stops_at_the_next_turn_and_goes_on_once_shared_again(
    server: AccountsServer, door: Door, tmp_path: Path, lost: str
) -> None:
    sharing, editor = server.journal.sharing(server.home), server.people["editor"]
    mine = server.token("editor")
    sharing.share("collection", "lent", editor, "reader")
    topic = f"What happened to the {THINGS[0]} of Asterby?"
    wanted = {"topic": topic, "docs": ["lent"], "offline": True, "turns": 9}
    begun = server.ask(mine, "/api/sessions", wanted)
    assert begun.status == 201, begun.text
    identity = begun.told["id"]
    assert door.reached.wait(60)
    if lost == "removed":
        assert server.ask(server.token("owner"), "/api/collections/lent/delete", {}).status == 200
    else:
        taken_back = {"person": "Editor", "role": ""}
        told = server.ask(server.token("owner"), "/api/collections/lent/sharing", taken_back)
        assert told.status == 200, told.text
    door.open.set()
    assert any(TOLD in line for line in lines_of(server, "editor", identity))
    until(lambda: server.journal.session(identity).state == "stopped")
    before = server.journal.read(identity)
    last = before[-1].event
    assert isinstance(last, SessionStopped)
    assert (last.reason, door.calls) == (TOLD, 2), "the turn under way ended, and none began"
    go_on = f"/api/sessions/{identity}/commands", {"command": "go_on"}
    until(lambda: server.ask(mine, *go_on).status == 422)  # once what ran it has let go of it
    if lost == "removed":
        lend(server.home, tmp_path / "documents")
        sharing.own("collection", "lent", server.people["owner"])
    sharing.share("collection", "lent", editor, "reader")
    told = server.ask(mine, *go_on)
    assert told.status == 200, told.text
    until(lambda: server.journal.session(identity).state == "ended")
    after = server.journal.read(identity)
    assert after[: len(before)] == before
    assert [recorded.n for recorded in after] == list(range(1, len(after) + 1))
    turns = [r.event.turn.n for r in after if r.event.kind == "turn_taken"]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 3


def test_what_is_said_to_a_table_that_waits_brings_no_search_any_more(server: AccountsServer) -> None:
    sharing, editor = server.journal.sharing(server.home), server.people["editor"]
    mine = server.token("editor")
    sharing.share("collection", "lent", editor, "reader")
    wanted = {"topic": "What of the sewers of Asterby?", "docs": ["lent"], "offline": True, "turns": 9}
    identity = server.ask(mine, "/api/sessions", {**wanted, "wait": True}).told["id"]

    def kinds() -> list[str]:
        return [recorded.event.kind for recorded in server.journal.read(identity)]

    until(lambda: "table_waits" in kinds())
    sharing.share("collection", "lent", editor, None)
    searched = kinds().count("speaker_called")
    say = {"command": "say", "text": "What of the bridge?"}
    assert server.ask(mine, f"/api/sessions/{identity}/commands", say).status == 200
    until(lambda: server.journal.session(identity).state == "stopped")
    assert (kinds()[-1], kinds().count("speaker_called")) == ("session_stopped", searched)
    sharing.share("collection", "lent", editor, "reader")
    assert server.ask(mine, f"/api/sessions/{identity}/commands", {"command": "go_on"}).status == 200
    until(lambda: kinds().count("speaker_called") > searched)
    said = [r.event.turn.text for r in server.journal.read(identity) if r.event.kind == "turn_taken"]
    assert said.count("What of the bridge?") == 1, "what was said is kept, and answered"


async def test_without_accounts_a_session_ends_though_its_collection_was_removed(
    tmp_path: Path, door: Door
) -> None:
    lend(tmp_path / "home", tmp_path / "documents")
    manager = WatchedManager(Runtime(home=tmp_path / "home", environment={}))
    identity = await manager.begin(order(tmp_path, docs=["lent"]))
    assert await asyncio.to_thread(door.reached.wait, 60)
    remove_collection(tmp_path / "home", "lent")
    door.open.set()
    await ended(manager, identity)
    await manager.close()
