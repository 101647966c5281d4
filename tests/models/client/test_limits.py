"""Requests under way at one server are bounded for all sessions of a process together."""

import asyncio

import pytest

from library.web.fetch_settings import FetchSettings
from library.web.rate_limit import RateLimit, throttle_for
from models.client.limits import Turns, turns_at
from tests.model_server import ModelServer
from tests.models.conftest import Ask


class Worker:
    """Takes turns, and notes how many do so at the same time."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.inside = self.most_inside = 0
        self.order: list[str] = []
        self.go = asyncio.Event()

    async def work(self, name: str, most: int) -> None:
        async with self.turns.turn(most):
            self.order.append(name)
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
            await self.go.wait()
            self.inside -= 1


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_as_many_as_may_and_in_the_order_they_came():
    worker = Worker(Turns())
    async with asyncio.TaskGroup() as group:
        for name in "abcdef":
            group.create_task(worker.work(name, 2))
        await settled()
        assert worker.order == ["a", "b"]
        worker.go.set()
    assert worker.order == list("abcdef")
    assert worker.most_inside == 2


async def test_who_gives_up_waiting_holds_nobody_up():
    worker = Worker(Turns())
    first = asyncio.create_task(worker.work("first", 1))
    await settled()
    given_up = [asyncio.create_task(worker.work(f"gone{n}", 1)) for n in range(3)]
    last = asyncio.create_task(worker.work("last", 1))
    await settled()
    given_up[0].cancel()
    given_up[2].cancel()
    await settled()
    worker.go.set()
    given_up[1].cancel()
    await asyncio.gather(first, last, *given_up, return_exceptions=True)
    assert worker.order == ["first", "last"]
    async with worker.turns.turn(1):
        pass


async def test_a_turn_that_comes_as_its_waiter_gives_up_is_passed_on():
    turns = Turns()
    waiting: list[asyncio.Task[None]] = []

    async def take() -> None:
        async with turns.turn(1):
            pass

    async with turns.turn(1):
        waiting = [asyncio.create_task(take()) for _ in range(2)]
        await settled()
    waiting[0].cancel()  # it was handed the turn a moment ago
    await asyncio.gather(*waiting, return_exceptions=True)
    assert waiting[1].exception() is None


async def test_who_allows_more_need_not_wait_for_who_allows_less_to_end():
    worker = Worker(Turns())
    async with asyncio.TaskGroup() as group:
        for name, most in (("a", 3), ("b", 3), ("c", 3)):
            group.create_task(worker.work(name, most))
        await settled()
        assert worker.order == ["a", "b", "c"]
        worker.go.set()


async def test_one_server_one_line_and_each_loop_its_own():
    assert turns_at("http://a") is turns_at("http://a")
    assert turns_at("http://a") is not turns_at("http://b")
    mine = turns_at("http://a")

    async def elsewhere() -> Turns:
        return turns_at("http://a")

    assert await asyncio.to_thread(asyncio.run, elsewhere()) is not mine


@pytest.mark.loopback
async def test_two_sessions_together_keep_to_the_limit_of_one(ask_of):
    with ModelServer(latency=0.05) as server:
        models = [ask_of(server.url, concurrency=3) for _ in range(2)]
        tasks = [Ask(question=f"What do {n} bees do?") for n in range(10)]
        await asyncio.gather(*(model.ask(task) for model in models for task in tasks))
        assert server.requests == 20
        assert server.most_in_flight == 3


async def test_sessions_of_one_process_share_their_patience_with_a_host():
    settings = FetchSettings(per_host=1, pause=0.0)
    one, two = (throttle_for(settings, *_clock()) for _ in range(2))
    assert one is two
    assert throttle_for(FetchSettings(per_host=2, pause=0.0), *_clock()) is not one
    inside = most = 0

    async def visit(throttle: RateLimit) -> None:
        nonlocal inside, most
        async with throttle.turn("a.example"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(visit(throttle) for throttle in (one, two) * 4))
    assert most == 1


def _clock():
    from time import monotonic

    return monotonic, asyncio.sleep


def test_outside_of_a_loop_a_throttle_is_made_all_the_same():
    assert throttle_for(FetchSettings(), *_clock()) is not throttle_for(FetchSettings(), *_clock())
