"""Turns at hosts and models' servers that processes take together, over a real PostgreSQL."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from library import FetchError
from library.web.rate_limit import RateLimit
from models.client.limits import SHARED_TURNS, Turns
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.shared_turns import DatabaseTurns
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.loopback


@pytest.fixture
def both(postgres: PostgresServer) -> Iterator[tuple[DatabaseTurns, DatabaseTurns]]:
    """What two sessions with connections of their own take."""
    address = postgres.database()
    with ExitStack() as opened:
        found = []
        for session in ("one", "other"):
            journal = opened.enter_context(Journal(address, SystemClock()))
            opened.enter_context(journal.lock(session))
            turns = journal.turns(session)
            assert turns is not None
            found.append(turns)
        yield found[0], found[1]


class UnderWay:
    """Counts what is under way at a time."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.starts: list[float] = []

    async def work(self, seconds: float) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        self.starts.append(time.monotonic())
        await asyncio.sleep(seconds)
        self.now -= 1


async def test_requests_to_a_model_are_no_more_in_all_processes_than_a_person_set(
    both: tuple[DatabaseTurns, DatabaseTurns],
):
    seen = UnderWay()

    async def process(shared: DatabaseTurns) -> None:
        SHARED_TURNS.set(shared)
        turns = Turns("https://model.example.org/v1")  # a process of its own has its own

        async def request() -> None:
            async with turns.turn(2):
                await seen.work(0.1)

        await asyncio.gather(*(request() for _ in range(3)))

    await asyncio.gather(*(asyncio.create_task(process(shared)) for shared in both))
    assert (seen.most, len(seen.starts), seen.now) == (2, 6, 0)


async def test_pages_of_a_host_are_asked_for_with_the_pause_that_one_process_keeps(
    both: tuple[DatabaseTurns, DatabaseTurns],
):
    seen = UnderWay()

    async def process(shared: DatabaseTurns) -> None:
        SHARED_TURNS.set(shared)
        limit = RateLimit(per_host=3, pause=0.3)
        for _ in range(2):
            async with limit.turn("example.org"):
                await seen.work(0)

    await asyncio.gather(*(asyncio.create_task(process(shared)) for shared in both))
    starts = sorted(seen.starts)
    assert all(later - before > 0.2 for before, later in zip(starts, starts[1:], strict=False))


async def test_a_host_that_asked_one_process_to_wait_is_left_alone_by_all(
    both: tuple[DatabaseTurns, DatabaseTurns],
):
    SHARED_TURNS.set(both[0])
    RateLimit().asked_to_wait("example.org", 200)
    SHARED_TURNS.set(both[1])
    with pytest.raises(FetchError, match="example.org asked for fewer requests"):
        async with RateLimit().turn("example.org"):
            pass
    async with RateLimit().turn("other.example.org"):
        pass


async def test_the_turns_of_a_process_that_died_are_free(postgres: PostgresServer):
    address = postgres.database()
    with Journal(address, SystemClock()) as living, living.lock("living"):
        turns = living.turns("living")
        assert turns is not None
        with Journal(address, SystemClock()) as dying:
            with dying.lock("dead"):
                lost = dying.turns("dead")
                assert lost is not None
                assert lost._take("server", 1) is not None
                assert turns._take("server", 1) is None
            assert turns._take("server", 1) is not None


async def test_a_turn_that_came_when_nobody_waited_any_more_is_given_back(
    both: tuple[DatabaseTurns, DatabaseTurns],
):
    async def waiting() -> None:
        async with both[0].turn("server", 1):
            await asyncio.sleep(60)

    for pause in (0, 0, 0.001, 0.002, 0.004):
        task = asyncio.create_task(waiting())
        await asyncio.sleep(pause)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(300), both[1].turn("server", 1) as rest:
        assert rest == 0


async def test_without_the_database_a_process_keeps_to_its_own_turns(
    both: tuple[DatabaseTurns, DatabaseTurns], caplog: pytest.LogCaptureFixture
):
    both[0]._tables.close()
    async with both[0].turn("server", 1) as rest:
        assert rest == 0
    both[0].rest("server", 5)
    assert caplog.text.count("turns of all processes") == 2
