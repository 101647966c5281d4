"""Several tasks in one request, journalled as if each had been asked alone."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from models import Asks, ModelReplied, OutputT, Task, Usage, estimate
from models.prompting import ENVELOPE, PIECE, inputs_hash, joint, render, shape_size

Reply = Callable[[Task[Any], str], Awaitable[ModelReplied]]
"""Asks for one task; the event is not journalled yet."""


def groups_that_fit(tasks: Sequence[Task[Any]], room: int) -> list[list[Task[Any]]]:
    """Return tasks of one role in groups whose joint prompts need no cutting, each with its own in order.

    A task joins the first group that has room for it; one that is too long by itself is asked for alone.

    Args:
        tasks: At least one.
        room: Tokens of one prompt; 0: as many as there are.
    """
    groups: list[list[Task[Any]]] = []
    left: list[int] = []
    for task in tasks:
        size = size_of(task)
        place = next((n for n, free in enumerate(left) if not room or size <= free), None)
        if place is None:
            groups.append([task])
            left.append(room - size)
        else:
            groups[place].append(task)
            left[place] -= size
    return groups


def size_of(task: Task[Any]) -> int:
    """Return about how many tokens a task takes of a prompt, with the shape of its reply."""
    prompt = render(task)
    return estimate(prompt.system) + estimate(prompt.user) + shape_size(task.output) + ENVELOPE


def key_of(task: Task[Any]) -> str:
    """Return what makes two tasks the same in a session."""
    return f"{task.role}:{task.name}:{inputs_hash(task)}"


async def replied_jointly(tasks: Sequence[Task[Any]], reply: Reply) -> list[ModelReplied]:
    """Ask for tasks of one role in one request.

    What the request cost stands with the first of them. A model that cannot give several replies at once is
    asked for each alone.
    """
    if len(tasks) == 1:
        return [await reply(tasks[0], key_of(tasks[0]))]
    whole = await reply(joint(tasks), "")
    if whole.fallback is not None:
        spent = whole.usage
        alone = [await reply(task, key_of(task)) for task in tasks]
        return [alone[0].model_copy(update={"usage": _sum(spent, alone[0].usage)}), *alone[1:]]
    free = Usage(model=whole.usage.model)
    return [
        ModelReplied(
            task=task.name, speaker=whole.speaker, key=key_of(task), prompt_hash=whole.prompt_hash,
            output=whole.output[f"{PIECE}{n}"], usage=whole.usage if n == 1 else free,
        )
        for n, task in enumerate(tasks, 1)
    ]  # fmt: skip


class AskedAlong:
    """Asks for one's tasks, and for some others along with the first of them."""

    def __init__(self, asks: Asks, others: Sequence[Task[Any]]) -> None:
        self._asks = asks
        self._others = list(others)
        self._outputs: list[Any] | None = None

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task."""
        if self._outputs is not None or any(other.role != task.role for other in self._others):
            return await self._asks.ask(task)
        output: OutputT
        output, *self._outputs = await self._asks.ask_jointly([task, *self._others])
        return output

    async def ask_all(self, tasks: Sequence[Task[OutputT]]) -> list[OutputT]:
        """Do several tasks at the same time; the others are not asked along."""
        return await self._asks.ask_all(tasks)

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several tasks in one request for each role; the others are not asked along."""
        return await self._asks.ask_jointly(tasks)

    async def outputs(self) -> list[Any]:
        """Return what came of the others, asked for by themselves where there was nothing to go with."""
        if self._outputs is None:
            self._outputs = await self._asks.ask_jointly(self._others)
        return self._outputs


def _sum(one: Usage, other: Usage) -> Usage:
    cost = None if one.cost is None and other.cost is None else (one.cost or 0.0) + (other.cost or 0.0)
    return other.model_copy(
        update={
            "requests": one.requests + other.requests,
            "prompt_tokens": one.prompt_tokens + other.prompt_tokens,
            "completion_tokens": one.completion_tokens + other.completion_tokens,
            "seconds": one.seconds + other.seconds,
            "cost": cost,
        }
    )
