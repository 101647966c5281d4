"""A session that waits for a person goes on waiting when the process that ran it dies."""

import asyncio
import contextlib

import psycopg
import pytest

from roundtable.batch.session_job import SessionJob
from roundtable.session.factory import Runtime
from roundtable.web.hosting import shared_sessions
from roundtable.web.hosting.session_thread import SessionThread
from tests.roundtable.queue.test_queue import kinds, until, working
from tests.roundtable.queue.test_queue_faults import address, around, job, ordered  # noqa: F401 - fixtures

pytest.importorskip("procrastinate", reason="Procrastinate is not installed: pip install 'roundtable[queue]'")
pytestmark = [pytest.mark.loopback, pytest.mark.slow]


def worker(around: Runtime, there: bool) -> contextlib.AbstractAsyncContextManager[None]:  # noqa: F811
    return working(around) if there else contextlib.nullcontext()


@pytest.mark.parametrize("queued", [True, False])
async def test_a_session_that_waits_goes_on_waiting_when_who_ran_it_died(
    around: Runtime,  # noqa: F811
    job: SessionJob,  # noqa: F811
    address: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    queued: bool,
) -> None:
    monkeypatch.setattr(shared_sessions, "_RESCUE", 0.2)
    order = ordered(job, turns=3, wait=True)
    before = SessionThread(around, hand_over=queued)
    async with worker(around, queued):
        one = await before.below(before.manager.begin(order))
        await until(lambda: "table_waits" in kinds(around, one))
    await before.close()
    told = len(kinds(around, one))
    with psycopg.connect(address, autocommit=True) as database:  # as if it had been killed
        died = "INSERT INTO roundtable.owners VALUES (%s, 'gone', clock_timestamp() - interval '1 hour')"
        database.execute(died, (one,))
        left = "SELECT 1 FROM roundtable.owners WHERE holder = 'gone'"

        after = SessionThread(around, hand_over=queued)
        async with worker(around, queued):
            await until(lambda: database.execute(left).fetchone() is None)
            await asyncio.sleep(0.5)
            assert kinds(around, one)[told:] == []
            assert after.standing(one)["state"] == "running"
            await after.perform(one, "say", {"text": "What of the sewers?"})
            await until(lambda: "turn_taken" in kinds(around, one)[told:])
        await after.close()
