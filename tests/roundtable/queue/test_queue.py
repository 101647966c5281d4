"""Sessions in a queue of a real PostgreSQL: workers take them, die, are told to stop, find them locked."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from models import Spent
from roundtable.__main__ import run as main
from roundtable.batch.session_job import JobResult, SessionJob
from roundtable.batch.work_queue import WorkQueue
from roundtable.config.config import load_settings
from roundtable.journal.storage.people.quotas import Quota
from roundtable.journal.storage.queue import session_queue as queue_module
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.session.document_collections import update_collection
from roundtable.session.factory import Runtime
from roundtable.session_worker import SessionWorker
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.schemas import NewSession
from tests.command_process import Command
from tests.faults.town import THINGS, write_documents
from tests.postgres_server import PostgresServer

pytest.importorskip("procrastinate", reason="Procrastinate is not installed: pip install 'roundtable[queue]'")
pytestmark = [pytest.mark.loopback, pytest.mark.slow]


@pytest.fixture
def around(tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    monkeypatch.setenv("ROUNDTABLE_DATABASE", postgres.database())
    monkeypatch.setattr(queue_module, "SILENT", 1.0)
    monkeypatch.setattr(queue_module, "_RESCUE", 0.2)
    monkeypatch.setattr(queue_module, "_GLANCE", 0.2)
    monkeypatch.setattr(queue_module, "_BEAT", 0.2)
    monkeypatch.setattr(queue_module, "_LATER", 0)
    return Runtime(home=tmp_path / "home")


@pytest.fixture
def job(tmp_path: Path) -> Callable[[int], SessionJob]:
    documents = write_documents(tmp_path / "documents", THINGS[:3])

    def made(n: int) -> SessionJob:
        given = {"docs": [str(documents)], "offline": True, "moderator": {"turns": 2}}
        return SessionJob(
            session=f"asterby-{n}", topic=f"What happened to the {THINGS[n]} of Asterby?",
            folder=str(tmp_path / "out" / str(n)), settings=load_settings(given).model_dump(mode="json"),
        )  # fmt: skip

    return made


def begun_worker(around: Runtime) -> Command:
    environment = {**os.environ, "ROUNDTABLE_HOME": str(around.home)}
    return Command("worker", "--sessions", "1", env=environment, stdout=subprocess.DEVNULL)


@contextlib.asynccontextmanager
async def working(around: Runtime, sessions: int = 1) -> AsyncIterator[None]:
    worker = asyncio.create_task(SessionWorker(around, sessions).run())
    try:
        yield
    finally:
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker


@contextlib.asynccontextmanager
async def queue_of(around: Runtime) -> AsyncIterator[WorkQueue]:
    queue = WorkQueue(10, around)
    yield queue
    await queue.close()


def kinds(around: Runtime, session: str) -> list[str]:
    with around.journal() as journal:
        return [item.event.kind for item in journal.read(session)]


async def until(true: Callable[[], bool]) -> None:
    due = time.monotonic() + 300
    while not true():
        assert time.monotonic() < due, "it did not come to be"
        await asyncio.sleep(0.05)


def deaf(_: Spent) -> None:
    """Hear nothing."""


async def test_what_a_killed_worker_was_at_goes_on_in_another_and_ends_once(
    around: Runtime, job: Callable[[int], SessionJob]
):
    process = begun_worker(around)
    async with queue_of(around) as queue:
        done = asyncio.create_task(queue.run(job(0), deaf))
        with around.journal() as journal:
            await until(lambda: len(journal.sessions()) == 1)
        again = asyncio.create_task(queue.run(job(1), deaf))
        await until(lambda: "speaker_called" in kinds(around, "asterby-0"))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert "session_ended" not in kinds(around, "asterby-0")
        async with working(around):
            results = await asyncio.gather(done, again)
    assert [result.status for result in results] == ["ended", "ended"]
    told = kinds(around, "asterby-0")
    assert [told.count(f"session_{kind}") for kind in ("started", "ended")] == [1, 1]
    assert kinds(around, "asterby-1").count("session_started") == 1
    assert (Path(job(0).folder) / "report.html").exists()
    with around.journal() as journal:
        queued = journal.queued()
        assert queued is not None
        assert (queued.pending(), queued.lengths().waiting) == (set(), 0)


async def test_what_ended_is_left_and_what_another_runs_is_done_later(
    around: Runtime, job: Callable[[int], SessionJob]
):
    async with queue_of(around) as queue, working(around):
        with around.journal() as journal, journal.lock("asterby-0"):
            done = asyncio.create_task(queue.run(job(0), deaf))
            await asyncio.sleep(1.0)
            assert not done.done()
        assert (await done).status == "ended"
        before = kinds(around, "asterby-0")
        assert (await queue.run(job(0), deaf)).status == "ended"
        assert kinds(around, "asterby-0") == before


async def test_a_batch_that_stops_takes_out_what_waits_and_has_the_rest_come_to_an_end(
    around: Runtime, job: Callable[[int], SessionJob]
):
    heard: list[Spent] = []
    async with queue_of(around) as queue, working(around):
        long = job(0).settings | {"moderator": {"turns": 60}}
        first = job(0).model_copy(update={"settings": long})
        at_work = asyncio.create_task(queue.run(first, heard.append))
        with around.journal() as journal:
            await until(lambda: any(row.turns for row in journal.sessions()))
        waits = asyncio.create_task(queue.run(job(1), deaf))
        await until(lambda: queue.lengths().waiting == 1)
        await queue.stop()
        assert await waits == JobResult(session="asterby-1", status="stopped")
        result = await at_work
        assert result.status == "ended"
        assert 0 < result.figures["turns"] < 60
    assert heard[-1].searches


async def test_a_batch_that_is_stopped_at_once_leaves_its_sessions_where_they_are(
    around: Runtime, job: Callable[[int], SessionJob]
):
    async with working(around):
        async with queue_of(around) as queue:
            begun = [asyncio.create_task(queue.run(job(n), deaf)) for n in range(2)]
            with around.journal() as journal:
                await until(lambda: any(row.turns for row in journal.sessions()))
            for task in begun:
                task.cancel()
            await asyncio.gather(*begun, return_exceptions=True)
        with around.journal() as journal:
            await until(lambda: [row.state for row in journal.sessions()] == ["stopped"])
            queued = journal.queued()
            assert queued is not None
            await until(lambda: queued.lengths().at_work == 0)
            assert queued.lengths().waiting == 0


async def test_a_server_hands_sessions_over_and_its_page_steers_them(
    around: Runtime, job: Callable[[int], SessionJob]
):
    server = SessionThread(around, hand_over=True)
    try:
        docs = list(job(0).settings["docs"])
        order = NewSession(topic=job(0).topic, docs=docs, offline=True, turns=2, wait=True)
        identity = await server.below(server.manager.begin(order))
        assert (server.standing(identity)["state"], server.standing(identity)["queued"]) == ("running", True)
        async with working(around):
            await until(lambda: "table_waits" in kinds(around, identity))
            assert not server.running_here()
            await server.perform(identity, "say", {"text": "What of the sewers?"})
            await server.perform(identity, "stop", {})
            await until(lambda: server.row(identity).state == "ended")
            await until(lambda: "queued" not in server.standing(identity))
            await server.perform(identity, "go_on", {"turns": 1})
            await until(lambda: kinds(around, identity).count("table_waits") == 2)
    finally:
        await server.close()


async def test_sessions_that_are_handed_over_at_once_are_all_counted(
    around: Runtime, job: Callable[[int], SessionJob]
):
    server = SessionThread(around, hand_over=True)
    try:
        owner, identities = server.accounts().add("Owner"), [f"5e5510b{n}" for n in range(4)]
        server.quotas().limit(owner, Quota(sessions=1))
        for identity in identities:
            server.sharing().own("session", identity, owner)
        order = NewSession(topic=job(0).topic, docs=list(job(0).settings["docs"]), offline=True, turns=2)
        begun = [server.below(server.manager.begin(order, identity)) for identity in identities]
        came = await asyncio.gather(*begun, return_exceptions=True)
        assert sorted(type(one).__name__ for one in came) == [*["QuotaReached"] * 3, "str"]
    finally:
        await server.close()


async def test_a_worker_stops_a_session_whose_owner_may_search_its_collection_no_longer(
    around: Runtime, tmp_path: Path
):
    update_collection(around.home, "lent", [write_documents(tmp_path / "lent", THINGS[:3])])
    server = SessionThread(around, hand_over=True)
    try:
        people, sharing = server.accounts(), server.sharing()
        lender, owner = people.add("Lender"), people.add("Owner")
        sharing.own("collection", "lent", lender)
        sharing.share("collection", "lent", owner, "reader")
        sharing.own("session", "5e5510a1", owner)
        order = NewSession(topic="What of Asterby?", docs=["lent"], offline=True, turns=6, wait=True)
        identity = await server.below(server.manager.begin(order, "5e5510a1"))
        async with working(around):
            await until(lambda: "table_waits" in kinds(around, identity))
            before = kinds(around, identity).count("speaker_called")
            sharing.share("collection", "lent", owner, None)
            await server.perform(identity, "say", {"text": "What of the sewers?"})
            await until(lambda: server.row(identity).state == "stopped")
            await until(lambda: "may no longer be searched" in server.standing(identity)["trouble"])
            assert kinds(around, identity).count("speaker_called") == before
            sharing.share("collection", "lent", owner, "reader")
            await server.perform(identity, "go_on", {})
            await until(lambda: kinds(around, identity).count("table_waits") == 2)
            assert kinds(around, identity).count("speaker_called") > before
    finally:
        await server.close()


async def test_who_comes_first_makes_the_tables_once(postgres: PostgresServer):
    address = postgres.database()

    async def opened() -> None:
        async with session_queue(address):
            pass

    await asyncio.gather(opened(), opened())


def test_a_queue_needs_a_database(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "topics.txt").write_text("What is a mill?\n")
    batch = ["batch", str(tmp_path / "topics.txt"), "--out", str(tmp_path / "out"), "--on", "queue"]
    for words in (["worker"], batch, ["serve", "--workers", "--port", "0"]):
        assert main(words) == 2
        assert "set ROUNDTABLE_DATABASE" in capsys.readouterr().err
