"""What a worker tells of its work."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from roundtable import worker_lines
from roundtable.batch.session_job import JobResult, SessionJob
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime
from roundtable.session_worker import SessionWorker
from roundtable.worker_lines import WorkerLines
from tests.faults.town import THINGS, write_documents
from tests.postgres_server import PostgresServer
from tests.roundtable.queue.test_queue import deaf, queue_of, until


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(worker_lines, "_IDLE", 0.0)
    return []


async def test_each_session_is_told_as_it_comes_and_goes(said: list[str]):
    lines = WorkerLines(said.append)
    lines.waiting_soon()
    await asyncio.sleep(0.01)
    lines.taken("a1", "Why do cities\x1b[31m flood?")
    lines.taken("b2", "")
    lines.done(JobResult(session="a1", status="ended"))
    await asyncio.sleep(0.01)
    lines.done(JobResult(session="b2", status="failed", error="no key\nof the model"))
    await asyncio.sleep(0.01)
    assert said == [
        "waiting for sessions", "taken: Why do cities flood? (a1)", "taken: b2",
        "ended after 0 s: Why do cities flood? (a1)", "failed after 0 s: b2: no key of the model",
        "waiting for sessions",
    ]  # fmt: skip


async def test_what_another_process_runs_is_told_once_however_often_it_is_looked_at(said: list[str]):
    lines = WorkerLines(said.append)
    for _ in range(3):
        lines.taken("a1", "Floods")
        lines.later("a1", "another process is running it")
    lines.taken("a1", "Floods")
    lines.done(JobResult(session="a1", status="stopped", waits=True))
    lines.taken("a1", "Floods")
    lines.left("a1")
    assert said == [
        "taken: Floods (a1)", "later: Floods (a1): another process is running it",
        "waits for a person after 0 s: Floods (a1)", "taken: Floods (a1)", "left where it is: Floods (a1)",
    ]  # fmt: skip


@pytest.mark.loopback
@pytest.mark.slow
async def test_a_worker_tells_which_session_it_takes(
    tmp_path: Path, postgres: PostgresServer, said: list[str]
):
    around = Runtime(home=tmp_path / "home", environment={"ROUNDTABLE_DATABASE": postgres.database()})
    documents = write_documents(tmp_path / "documents", THINGS[:2])
    given = {"docs": [str(documents)], "offline": True, "moderator": {"turns": 1}}
    job = SessionJob(
        session="asterby", topic="What happened?", folder=str(tmp_path / "out"),
        settings=load_settings(given).model_dump(mode="json"),
    )  # fmt: skip
    async with queue_of(around) as queue:
        worker = asyncio.create_task(SessionWorker(around, 1, WorkerLines(said.append)).run())
        assert (await queue.run(job, deaf)).status == "ended"
        await until(lambda: len(said) == 4)
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker
    waits, taken, ended, again = said
    assert waits == again == "waiting for sessions"
    assert taken == "taken: What happened? (asterby)"
    assert ended.startswith("ended after ")
    assert ended.endswith(" s: What happened? (asterby)")
