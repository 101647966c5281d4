"""However many collections are brought up to date, or sessions looked at, at once, a server answers."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from library import SyncReport
from roundtable.config.errors import InputError, SessionUnknown
from roundtable.journal.fold.state import State
from roundtable.session.document_collections import BROUGHT, update_collection
from roundtable.session.factory import Runtime
from roundtable.web.files import collections_page
from roundtable.web.files.collections_page import CollectionsPage
from roundtable.web.hosting.replayed_sessions import ReplayedSessions


async def test_sites_wait_for_others_and_too_many_are_refused(tmp_path: Path) -> None:
    page, reading, most, going_on = CollectionsPage(tmp_path, named_only=True), 0, 0, asyncio.Event()
    four = asyncio.Event()

    async def read(*_: Any, **__: Any) -> SyncReport:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        if reading == 4:
            four.set()
        await going_on.wait()
        reading -= 1
        return SyncReport()

    for n in range(40):
        page.refresh(f"site-{n}", read)
    with pytest.raises(InputError, match="40 of these are made or wait already"):
        page.refresh("one-more", read)
    assert not page.holds("one-more")
    await four.wait()
    going_on.set()
    await asyncio.gather(*page._tasks)
    assert most == 4
    assert [row["news"] for row in page.listed() if "news" in row] == [
        {"added": 0, "changed": 0, "removed": 0}
    ] * 40


async def test_one_account_s_sites_keep_no_other_account_waiting(tmp_path: Path) -> None:
    page, going_on, reading = CollectionsPage(tmp_path, named_only=True), asyncio.Event(), list[str]()
    other = asyncio.Event()

    async def read(_home: Path, name: str, *_: Any, **__: Any) -> SyncReport:
        reading.append(name)
        if name.startswith("many"):
            await going_on.wait()
        elif name == "other":
            other.set()
        return SyncReport()

    for n in range(10):
        page.refresh(f"many-{n}", read, "one account")
    with pytest.raises(InputError, match="10 of these are made or wait already"):
        page.refresh("one-more", read, "one account")
    page.refresh("other", read, "another account")
    async with asyncio.timeout(300):
        await other.wait()
    going_on.set()
    await asyncio.gather(*page._tasks)
    assert len(reading) == 11
    page.refresh("one-more", read, "one account")  # it has room again
    await asyncio.gather(*page._tasks)


async def test_a_site_that_answers_slowly_for_days_gives_its_turn_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections_page, "_MINUTES", 0.2 / 60)
    page, reading = CollectionsPage(tmp_path, named_only=True), list[str]()

    async def read(_home: Path, name: str, *_: Any, **__: Any) -> SyncReport:
        reading.append(name)
        if name.startswith("slow"):
            await asyncio.Event().wait()
        return SyncReport()

    for n in range(4):
        page.refresh(f"slow-{n}", read, f"account {n % 2}")
    page.refresh("other", read, "another account")
    async with asyncio.timeout(60):
        await asyncio.gather(*page._tasks)
    assert reading[-1] == "other"
    told = {row["name"]: row.get("trouble", "") for row in page.listed()}
    assert told["other"] == ""
    assert all("it goes on from there" in told[f"slow-{n}"] for n in range(4))


async def test_files_without_end_give_their_turn_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections_page, "_MINUTES", 0.0)
    page, folder = CollectionsPage(tmp_path, named_only=True), tmp_path / BROUGHT / "dikes"
    folder.mkdir(parents=True)
    for n in range(3):
        (folder / f"dike-{n}.md").write_text(f"Dike {n} is told of in this sentence alone.")
    page.refresh("dikes", whose="an account")
    await asyncio.gather(*page._tasks)
    [dikes] = [row for row in page.listed() if row["name"] == "dikes"]
    assert "it goes on from there" in dikes["trouble"]
    page.refresh("dikes")  # where nobody waits
    await asyncio.gather(*page._tasks)
    assert [row["files"] for row in page.listed() if row["name"] == "dikes"] == [3]


async def test_reading_files_leaves_the_server_threads_to_answer_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, lock = CollectionsPage(tmp_path, named_only=True), threading.Lock()
    going_on, reading, most = threading.Event(), 0, 0
    two, loop = asyncio.Event(), asyncio.get_running_loop()

    def held(*given: Any, **named: Any) -> SyncReport:
        nonlocal reading, most
        with lock:
            reading += 1
            most = max(most, reading)
            if reading == 2:
                loop.call_soon_threadsafe(two.set)
        going_on.wait(60)
        with lock:
            reading -= 1
        return update_collection(*given, **named)

    monkeypatch.setattr(collections_page, "update_collection", held)
    for n in range(35):  # more than the threads that a loop has
        folder = tmp_path / BROUGHT / f"dikes-{n}"
        folder.mkdir(parents=True)
        (folder / "dike.md").write_text(f"Dike {n} is told of in this sentence alone.")
        page.refresh(f"dikes-{n}")
    await two.wait()
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "answered"), 300) == "answered"
    going_on.set()
    await asyncio.gather(*page._tasks)
    assert most == 2
    assert {row["files"] for row in page.listed() if row["name"].startswith("dikes")} == {1}


async def test_sessions_that_are_looked_at_leave_threads_for_those_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, going_on, replaying = ReplayedSessions(Runtime(home=tmp_path)), threading.Event(), asyncio.Event()
    loop, replay = asyncio.get_running_loop(), ReplayedSessions.replay

    def held(self: ReplayedSessions, identity: str) -> State:
        loop.call_soon_threadsafe(replaying.set)
        going_on.wait(60)
        return replay(self, identity)

    monkeypatch.setattr(ReplayedSessions, "replay", held)
    looks = [asyncio.create_task(looked.at_rest(f"{n:08x}")) for n in range(35)]  # more than its threads
    await replaying.wait()
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "answered"), 300) == "answered"
    going_on.set()
    came = await asyncio.gather(*looks, return_exceptions=True)
    assert {type(one) for one in came} == {SessionUnknown}
