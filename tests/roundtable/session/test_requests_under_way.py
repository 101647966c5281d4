"""What is asked at the same moment keeps to a budget as well."""

import asyncio
from typing import Any

import pytest

from models import Budget, ModelUnavailable, Reply, ReplyUnusable, Spent, Usage
from roundtable.session.context.requests_under_way import RequestsUnderWay
from roundtable.session.context.spending import added, cost_of

COSTS = Usage(model="scripted", requests=1, prompt_tokens=900, completion_tokens=100, cost=0.01)


class Asking:
    """Asks within a budget; nothing is journalled before all have their answers, as at a round's end."""

    def __init__(self, **limits: Any) -> None:
        self.budget = Budget(**limits)
        self.under_way = RequestsUnderWay()
        self.journal = Spent()
        self.sent: list[Usage] = []
        self.at_once = self.most_at_once = 0

    async def request(self) -> Reply[Any]:
        self.sent.append(COSTS)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return Reply(None, COSTS, "")

    async def ask(self, number: int) -> list[Any]:
        """Ask so often at one moment; return what came, errors among it, and journal what it cost."""
        before = len(self.sent)
        exhausted = lambda beside: self.budget.exhausted(added(self.journal, beside))  # noqa: E731
        send = self.under_way.send
        came = await asyncio.gather(
            *(send(self.request, lambda: self.journal, exhausted) for _ in range(number)),
            return_exceptions=True,
        )
        self.journal = added(self.journal, cost_of(self.sent[before:]))
        return came


@pytest.mark.parametrize("limit", [{"requests": 5}, {"tokens": 5_000}, {"money": 0.05}])
async def test_many_at_one_moment_stay_within_what_is_left(limit: dict[str, Any]) -> None:
    asking = Asking(**limit)
    await asking.ask(1)
    came = await asking.ask(9)
    assert len(asking.sent) == 5
    refused = [error for error in came if isinstance(error, ReplyUnusable)]
    assert {str(error) for error in refused} == {f"the budget is spent: {next(iter(limit))}"}
    assert len(refused) == 5


async def test_with_room_all_go_at_once() -> None:
    for limits in ({}, {"requests": 100, "tokens": 1_000_000}):
        asking = Asking(**limits)
        await asking.ask(6)
        assert asking.most_at_once == 6


async def test_one_that_fails_makes_room_and_counts_what_it_cost() -> None:
    asking, fails = Asking(requests=3), [Usage(model="scripted"), COSTS]

    async def failing() -> Reply[Any]:
        if not fails:
            return await asking.request()
        error = ModelUnavailable("no server")
        error.usage = fails.pop(0)
        await asyncio.sleep(0)
        raise error

    exhausted = lambda beside: asking.budget.exhausted(beside)  # noqa: E731
    came = await asyncio.gather(
        *(asking.under_way.send(failing, Spent, exhausted) for _ in range(6)), return_exceptions=True
    )
    assert [type(each) for each in came].count(ModelUnavailable) == 2
    assert len(asking.sent) == 2
    assert [type(each) for each in came].count(ReplyUnusable) == 2


async def test_one_that_is_cancelled_makes_room() -> None:
    asking = Asking(requests=1)
    never = asyncio.Event()

    async def hanging() -> Reply[Any]:
        await never.wait()
        return await asking.request()

    exhausted = asking.budget.exhausted
    hung = asyncio.create_task(asking.under_way.send(hanging, Spent, exhausted))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(asking.under_way.send(asking.request, Spent, exhausted))
    await asyncio.sleep(0)
    assert not waiting.done()
    hung.cancel()
    assert (await waiting).usage == COSTS
