"""Several tasks in one request, journalled as if each had been asked alone."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from models import Task, Usage
from models.events import ModelReplied
from models.joint import PIECE, joint
from models.prompts import inputs_hash

Reply = Callable[[Task[Any], str], Awaitable[ModelReplied]]
"""Asks for one task; the event is not journalled yet."""


def key_of(task: Task[Any]) -> str:
    """Return what makes two tasks the same in a session."""
    return f"{task.role}:{task.name}:{inputs_hash(task)}"


async def replied_jointly(tasks: Sequence[Task[Any]], reply: Reply) -> list[ModelReplied]:
    """Ask for tasks of one role in one request.

    What the request cost stands with the first of them. A model that cannot give several replies at once is
    asked for each alone.
    """
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
