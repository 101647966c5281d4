"""The queue when things go wrong: workers that hang or die, jobs put twice, a database that goes away."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from models import Spent
from roundtable import session_worker
from roundtable.__main__ import run as main
from roundtable.batch.session_job import SessionJob
from roundtable.batch.work_queue import WorkQueue
from roundtable.config.config import load_settings
from roundtable.config.errors import JournalError, SessionLocked
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.queue import session_queue as queue_module
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.journal.storage.queue.queued_work import QueuedWork
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.schemas import NewSession
from tests.faults.town import THINGS, write_documents
from tests.postgres_server import PostgresServer
from tests.roundtable.queue.test_queue import kinds, until, working

pytest.importorskip("procrastinate", reason="Procrastinate is not installed: pip install 'roundtable[queue]'")
pytestmark = [pytest.mark.loopback, pytest.mark.slow]

Perform = Callable[[str, Mapping[str, Any]], Awaitable[str]]


@pytest.fixture
def address(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> str:
    given = {"SILENT": 1.0, "_RESCUE": 0.2, "_GLANCE": 0.2, "_BEAT": 0.2, "_LATER": 0, "AGAIN": 0.2}
    for name, value in given.items():
        monkeypatch.setattr(queue_module, name, value)
    address = postgres.database()
    monkeypatch.setenv("ROUNDTABLE_DATABASE", address)
    return address


@pytest.fixture
def around(address: str, tmp_path: Path) -> Runtime:
    return Runtime(home=tmp_path / "home", environment={"ROUNDTABLE_DATABASE": address})


@pytest.fixture
def job(tmp_path: Path) -> SessionJob:
    documents = write_documents(tmp_path / "documents", THINGS[:3])
    given = {"docs": [str(documents)], "offline": True, "moderator": {"turns": 1}}
    topic = f"What happened to the {THINGS[0]} of Asterby?"
    return SessionJob(
        session="asterby", topic=topic, folder=str(tmp_path / "out"),
        settings=load_settings(given).model_dump(mode="json"),
    )  # fmt: skip


@contextlib.contextmanager
def queued_at(address: str) -> Iterator[QueuedWork]:
    with Journal(address, SystemClock()) as journal:
        queued = journal.queued()
        assert queued is not None
        yield queued


@contextlib.asynccontextmanager
async def performing(address: str, perform: Perform) -> AsyncIterator[None]:
    async with session_queue(address, perform) as queue:
        work = asyncio.create_task(queue.work(1))
        try:
            yield
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work


class Worked:
    """What is done with sessions: it waits until it is told what comes of them."""

    def __init__(self, queued: QueuedWork) -> None:
        self.begun = 0
        self.came: asyncio.Queue[str | Exception] = asyncio.Queue()
        self._queued = queued

    async def __call__(self, session: str, work: Mapping[str, Any]) -> str:
        self.begun += 1
        came = await self.came.get()
        if isinstance(came, Exception):
            raise came
        return came

    def told(self, session: str) -> str | None:
        return self._queued.found([session])[session].outcome

    def left(self) -> tuple[int, int]:
        lengths = self._queued.lengths()
        return lengths.waiting, lengths.at_work


async def test_what_is_put_again_while_another_process_runs_it_is_done_once_it_can_be(address: str):
    with queued_at(address) as queued:
        worked = Worked(queued)
        async with session_queue(address) as queue, performing(address, worked):
            await queue.put("s1", {})
            await until(lambda: worked.begun == 1)
            await queue.put("s1", {})
            worked.came.put_nowait(SessionLocked("another process runs it"))
            await until(lambda: worked.begun == 2)
            worked.came.put_nowait('"done"')
            await until(lambda: worked.told("s1") == '"done"')
            await until(lambda: worked.left() == (0, 0))


async def test_a_worker_that_hung_tells_nothing_of_what_another_was_given_meanwhile(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    with queued_at(address) as queued:
        hung, other = Worked(queued), Worked(queued)
        monkeypatch.setattr(queue_module, "_BEAT", 600.0)
        async with session_queue(address) as queue, performing(address, hung):
            await queue.put("s1", {})
            await until(lambda: hung.begun == 1)
            monkeypatch.setattr(queue_module, "_BEAT", 0.2)
            async with performing(address, other):
                await until(lambda: other.begun == 1)
                hung.came.put_nowait('"of the past"')
                await asyncio.sleep(0.5)
                assert other.told("s1") is None
                assert other.left() == (0, 1)
                other.came.put_nowait('"done"')
                await until(lambda: other.told("s1") == '"done"')
                await until(lambda: other.left() == (0, 0))


async def test_a_session_that_ends_worker_after_worker_is_left_whoever_counts(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(queue_module, "_BEAT", 600.0)
    monkeypatch.setattr(queue_module, "_MOST_DEATHS", 2)
    silent = "UPDATE roundtable.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"
    async with contextlib.AsyncExitStack() as running:
        queued = running.enter_context(queued_at(address))
        worked = Worked(queued)
        look = running.enter_context(psycopg.connect(address, autocommit=True))
        queue = await running.enter_async_context(session_queue(address))
        await queue.put("s1", {})
        for n in range(1, 4):
            await running.enter_async_context(performing(address, worked))
            await until(lambda n=n: worked.begun == n)
            look.execute(silent)
        await until(lambda: worked.told("s1") is not None)
        assert "3 workers ended while they were at it" in json.loads(worked.told("s1") or "")["error"]
        await until(lambda: worked.left() == (0, 0))


async def test_what_cannot_be_put_into_the_queue_is_not_noted_as_waiting(address: str):
    with queued_at(address) as queued:
        async with session_queue(address) as queue:
            with psycopg.connect(address, autocommit=True) as other:
                other.execute("DROP FUNCTION roundtable.procrastinate_defer_jobs_v1 CASCADE")
            with pytest.raises(JournalError, match="cannot write the queue"):
                await queue.put("s1", {})
        assert queued.pending() == set()


async def test_of_many_that_are_put_at_once_none_waits_too_long_for_a_connection(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    put = queue_module.SessionQueue._put

    async def slowly(self: queue_module.SessionQueue, session: str, *given: Any) -> None:
        async with self._alone(f"a busy machine, {session}"):
            await asyncio.sleep(0.2)
        await put(self, session, *given)

    monkeypatch.setattr(queue_module.SessionQueue, "_put", slowly)
    async with session_queue(address) as queue:
        queue._connector.pool.timeout = 2.0
        await asyncio.gather(*(queue.put(f"s{number}", {"topic": "Any?"}) for number in range(60)))
    with queued_at(address) as queued:
        assert queued.lengths().waiting == 60


async def test_a_worker_waits_for_a_database_that_goes_away_and_goes_on_with_what_it_was_at(
    address: str, postgres: PostgresServer
):
    with queued_at(address) as queued:
        worked = Worked(queued)
        async with session_queue(address) as queue, performing(address, worked):
            await queue.put("s1", {})
            await until(lambda: worked.begun == 1)
            postgres.stop()
            worked.came.put_nowait('"done"')
            await asyncio.sleep(0.3)
            postgres.start()
            await until(lambda: worked.told("s1") == '"done"' or worked.begun == 2)
            worked.came.put_nowait('"done"')
            await until(lambda: worked.told("s1") == '"done"')
            # It may be begun once more where its end could not be noted: that takes what was put for it.
            await until(lambda: worked.left() == (0, 0))
            worked.came = asyncio.Queue()
            await queue.put("s2", {})
            worked.came.put_nowait('"done as well"')
            await until(lambda: worked.told("s2") == '"done as well"')
            await until(lambda: worked.left() == (0, 0))


def test_a_queue_of_another_version_is_one_line_for_workers_and_for_doctor(
    address: str, capsys: pytest.CaptureFixture[str]
):
    async def opened() -> None:
        async with session_queue(address):
            pass

    asyncio.run(opened())
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("DROP FUNCTION roundtable.procrastinate_fetch_job_v2")
    assert main(["worker"]) == 1
    told = capsys.readouterr().err
    assert "another version of Procrastinate than 3." in told
    assert "(no procrastinate_fetch_job_v2)" in told
    assert told.count("\n") == 1
    assert main(["doctor", "--offline"]) == 1
    assert "another version of Procrastinate" in capsys.readouterr().out


# Batches


async def test_what_came_of_a_session_is_told_with_what_it_used(around: Runtime, job: SessionJob):
    heard: list[Spent] = []
    queue = WorkQueue(10, around)
    with around.journal() as journal:
        queued = journal.queued()
        assert queued is not None
        running = asyncio.create_task(queue.run(job, heard.append))
        await until(lambda: queued.lengths().waiting == 1)
        queued.tell_spent(job.session, '{"searches": 3}')
        queued.finish(job.session, '{"session": "asterby", "status": "stopped"}')
        assert (await running).status == "stopped"
    await queue.close()
    assert [spent.searches for spent in heard] == [3]


@pytest.mark.parametrize(
    ("spent", "outcome"),
    [("", '{"session": "asterby", "status": "ended", "later": 1}'), ('{"later": 1}', None)],
)
async def test_what_a_worker_of_another_version_tells_ends_its_session_and_no_batch(
    around: Runtime, job: SessionJob, spent: str, outcome: str | None
):
    queue = WorkQueue(10, around)
    with around.journal() as journal:
        queued = journal.queued()
        assert queued is not None
        first = asyncio.create_task(queue.run(job, lambda _: None))
        other = job.model_copy(update={"session": "other", "folder": job.folder + "2"})
        second = asyncio.create_task(queue.run(other, lambda _: None))
        await until(lambda: queued.lengths().waiting == 2)
        queued.tell_spent(job.session, spent)
        if outcome is not None:
            queued.finish(job.session, outcome)
        result = await asyncio.wait_for(first, 300)
        assert (result.status, "another version" in (result.error or "")) == ("failed", True)
        queued.finish("other", '{"session": "other", "status": "stopped"}')
        assert (await asyncio.wait_for(second, 300)).status == "stopped"
    await queue.close()


async def test_a_batch_that_begins_nothing_more_takes_out_what_waits(around: Runtime, job: SessionJob):
    queue = WorkQueue(10, around)
    running = asyncio.create_task(queue.run(job, lambda _: None))
    await until(lambda: queue.lengths().waiting == 1)
    await queue.withdraw()
    assert (await running).status == "stopped"
    later = await queue.run(job.model_copy(update={"session": "later", "folder": job.folder + "2"}), print)
    assert later.status == "stopped"
    assert queue.lengths().waiting == 0
    await queue.close()


async def test_a_session_told_to_stop_before_a_worker_has_it_is_not_begun(around: Runtime, job: SessionJob):
    queue = WorkQueue(10, around)
    running = asyncio.create_task(queue.run(job, lambda _: None))
    with around.journal() as journal:
        queued = journal.queued()
        assert queued is not None
        await until(lambda: queued.lengths().waiting == 1)
        queued.stop([job.session])
        async with working(around):
            assert (await running).status == "stopped"
        assert journal.sessions() == []
    await queue.close()


def test_an_address_with_a_password_is_not_put_into_the_queue(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "topics.txt").write_text("What is a mill?\n")
    model = ["--model", "openai:any", "--base-url", "http://ann:sesame0pen@127.0.0.1:9/v1"]
    words = ["batch", str(tmp_path / "topics.txt"), "--out", str(tmp_path / "out"), "--on", "queue"]
    words += [*model, "--docs", "python"]
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "would stand in the database" in told
    assert "sesame0pen" not in told


# Servers


@contextlib.asynccontextmanager
async def handing_over(around: Runtime) -> AsyncIterator[SessionThread]:
    server = SessionThread(around, hand_over=True)
    try:
        yield server
    finally:
        await server.close()


def ordered(job: SessionJob, *, turns: int, wait: bool = False) -> NewSession:
    docs = list(job.settings["docs"])
    return NewSession(topic=job.topic, docs=docs, offline=True, turns=turns, wait=wait)


async def test_what_is_said_to_a_session_that_waits_changes_nothing_of_what_it_waits_for(
    around: Runtime, job: SessionJob
):
    async with handing_over(around) as server:
        order = ordered(job, turns=1, wait=True)
        identity = await server.below(server.manager.begin(order))
        assert [row.state for row in server.rows()] == ["running"]
        await server.perform(identity, "say", {"text": "What of the sewers?"})
        with around.journal() as journal:
            queued = journal.queued()
            assert queued is not None
            assert queued.lengths().waiting == 1
        async with working(around):
            await until(lambda: "table_waits" in kinds(around, identity))
            assert "session_ended" not in kinds(around, identity)


async def test_a_person_who_wants_no_waiting_any_more_is_not_waited_for_by_the_next_worker(
    around: Runtime, job: SessionJob
):
    async with handing_over(around) as server:
        order = ordered(job, turns=1, wait=True)
        identity = await server.below(server.manager.begin(order))
        await server.perform(identity, "mode", {"mode": "passive"})
        async with working(around):
            await until(lambda: "session_ended" in kinds(around, identity))
        assert "table_waits" not in kinds(around, identity)


async def test_a_session_that_waits_for_a_person_gives_its_place_to_others_and_waits_on(
    around: Runtime, job: SessionJob, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(session_worker, "_STANDING", 0.5)
    monkeypatch.setattr(session_worker, "_GLANCE", 0.1)
    async with handing_over(around) as server, working(around):
        order = ordered(job, turns=3, wait=True)
        with around.journal() as journal:
            waits = lambda identity: len(journal.of_kinds(("table_waits",), identity))  # noqa: E731
            one = await server.below(server.manager.begin(order))
            await until(lambda: waits(one) == 1)
            other = await server.below(server.manager.begin(order))
            await until(lambda: waits(other) == 1)
            assert server.row(one).state == "stopped"
            assert (server.standing(one)["state"], "queued" in server.standing(one)) == ("running", False)

            before = len(journal.read(one))
            async with session_queue(around.environment["ROUNDTABLE_DATABASE"]) as queue:
                await queue.put(one, {"wait": True, "stood": 0})  # as if a worker had ended at it
                await until(lambda: "queued" not in server.standing(one))
            assert len(journal.read(one)) == before

            await server.perform(one, "say", {"text": "What of the sewers?"})
            await until(lambda: waits(one) == 2)


async def test_turns_that_a_worker_gave_a_session_before_it_ended_are_not_given_again(
    around: Runtime, job: SessionJob
):
    async with handing_over(around) as server, working(around):
        order = ordered(job, turns=1)
        identity = await server.below(server.manager.begin(order))
        await until(lambda: server.row(identity).state == "ended")
        await until(lambda: "queued" not in server.standing(identity))
        await server.perform(identity, "go_on", {"turns": 1})
        await until(lambda: "queued" not in server.standing(identity))
        await until(lambda: server.row(identity).state == "ended")
        with around.journal() as journal:
            before = len(journal.read(identity))
            queued = journal.queued()
            assert queued is not None
            async with session_queue(around.environment["ROUNDTABLE_DATABASE"]) as queue:
                await queue.put(identity, {"turns": 1, "granted": 0})
                await until(lambda: identity not in queued.pending())
            assert len(journal.read(identity)) == before
