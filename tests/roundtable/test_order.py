"""The turnstile: whoever comes back first, the order is the same."""

import asyncio

import pytest

from roundtable.order import Turnstile


async def work(order: Turnstile, member: str, delays: list[int], seen: list[str]) -> None:
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
    order, seen = Turnstile(), list[str]()
    order.enter(["a", "b"])
    await asyncio.gather(work(order, "b", delays[1], seen), work(order, "a", delays[0], seen))
    assert seen == ["0a", "0b", "1a", "1b"]


async def test_a_member_that_leaves_holds_nobody_up() -> None:
    order, seen = Turnstile(), list[str]()
    order.enter(["a", "b"])
    await asyncio.gather(work(order, "a", [0], seen), work(order, "b", [0, 0, 0], seen))
    assert seen == ["0a", "0b", "1b", "2b"]


async def test_a_cancelled_member_holds_nobody_up() -> None:
    order, seen = Turnstile(), list[str]()
    order.enter(["a", "b"])
    waiting = asyncio.create_task(work(order, "a", [10_000], seen))
    other = asyncio.create_task(work(order, "b", [0], seen))
    await asyncio.sleep(0)
    waiting.cancel()
    await other
    assert seen == ["0b"]


async def test_who_is_no_member_passes() -> None:
    await asyncio.wait_for(Turnstile().arrive("a"), 1)


async def test_who_stands_aside_waits_for_another_and_keeps_its_place() -> None:
    order, seen, ready = Turnstile(), list[str](), asyncio.Event()

    async def first() -> None:
        await order.arrive("map")
        seen.append("placed")
        ready.set()
        await order.arrive("map")
        seen.append("grown")
        order.leave("map")

    async def second() -> None:
        await order.arrive("expert")
        seen.append("read")
        order.step_aside("expert")
        await ready.wait()
        order.step_in("expert")
        await order.arrive("expert")
        seen.append("answered")
        order.leave("expert")

    order.enter(["map", "expert"])
    await asyncio.wait_for(asyncio.gather(second(), first()), 1)
    assert seen == ["placed", "read", "grown", "answered"]
