"""The turnstile: whoever comes back first, the order is the same."""

import asyncio
import time
from types import SimpleNamespace
from typing import cast

import pytest

from roundtable.session.context.commit_barrier import CommitBarrier
from roundtable.session.context.journalled_actions import JournalledActions
from roundtable.session.context.shared_context import SharedContext


async def work(order: CommitBarrier, member: str, delays: list[int], seen: list[str]) -> None:
    try:
        for number, delay in enumerate(delays):
            for _ in range(delay):
                await asyncio.sleep(0)
            await order.arrive(member)
            seen.append(f"{number}{member}")
    finally:
        order.leave(member)


@pytest.mark.parametrize("delays", [([3, 0], [0, 5]), ([0, 0], [9, 9]), ([9, 1], [0, 0])])
async def test_rounds_are_taken_in_the_order_of_the_members(delays: tuple[list[int], list[int]]) -> None:
    order, seen = CommitBarrier(), list[str]()
    order.enter(["a", "b"])
    await asyncio.gather(work(order, "b", delays[1], seen), work(order, "a", delays[0], seen))
    assert seen == ["0a", "0b", "1a", "1b"]


async def test_a_member_that_leaves_holds_nobody_up() -> None:
    order, seen = CommitBarrier(), list[str]()
    order.enter(["a", "b"])
    await asyncio.gather(work(order, "a", [0], seen), work(order, "b", [0, 0, 0], seen))
    assert seen == ["0a", "0b", "1b", "2b"]


async def test_a_cancelled_member_holds_nobody_up() -> None:
    order, seen = CommitBarrier(), list[str]()
    order.enter(["a", "b"])
    waiting = asyncio.create_task(work(order, "a", [10_000], seen))
    other = asyncio.create_task(work(order, "b", [0], seen))
    await asyncio.sleep(0)
    waiting.cancel()
    await other
    assert seen == ["0b"]


@pytest.mark.parametrize("seconds", [(0.1, 0.0), (0.0, 0.1)])
async def test_what_is_worked_out_in_threads_keeps_the_order_of_the_members(
    seconds: tuple[float, float],
) -> None:
    order, seen = CommitBarrier(), list[str]()
    shared = cast("SharedContext", SimpleNamespace(barrier=order, record=SimpleNamespace(state=None)))
    order.enter(["a", "b"])

    async def think(member: str, takes: float) -> None:
        await JournalledActions(member, shared).aside(lambda: time.sleep(takes))
        seen.append(member)
        order.leave(member)

    await asyncio.gather(think("a", seconds[0]), think("b", seconds[1]))
    assert seen == ["a", "b"]


async def test_who_is_no_member_passes() -> None:
    await asyncio.wait_for(CommitBarrier().arrive("a"), 300)


@pytest.mark.parametrize("slow", [0, 20])
async def test_who_works_behind_the_speakers_is_journalled_at_two_points_alone(slow: int) -> None:
    order, seen = CommitBarrier(), list[str]()

    async def behind() -> None:
        for _ in range(slow):
            await asyncio.sleep(0)
        await order.arrive("map")
        seen.append("placed")
        order.go_on()
        await order.arrive("map")
        seen.append("grown")

    async def speaker(name: str) -> None:
        await order.arrive(name)
        seen.append(f"{name} read")
        await order.stand_still(name)
        await order.arrive(name)
        seen.append(f"{name} answered")
        order.leave(name)

    order.follow("map")
    order.enter(["a", "b"])
    following = asyncio.create_task(behind())
    await asyncio.wait_for(asyncio.gather(speaker("b"), speaker("a")), 300)
    seen.append("through")
    order.through()
    await asyncio.wait_for(following, 300)
    assert seen == ["a read", "b read", "placed", "a answered", "b answered", "through", "grown"]


async def test_who_never_stands_still_is_not_waited_for_until_all_are_through() -> None:
    order, seen = CommitBarrier(), list[str]()

    async def behind() -> None:
        await order.arrive("map")
        seen.append("placed")

    order.follow("map")
    following = asyncio.create_task(behind())
    order.enter(["moderator"])
    await order.arrive("moderator")
    order.leave("moderator")
    await asyncio.sleep(0)
    seen.append("asked")
    order.through()
    await asyncio.wait_for(following, 300)
    assert seen == ["asked", "placed"]


async def test_nobody_stands_still_when_nobody_follows() -> None:
    order = CommitBarrier()
    order.enter(["a"])
    await asyncio.wait_for(order.stand_still("a"), 300)
