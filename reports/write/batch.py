"""Errands: questions with what is to be made of their answers, so that several go out together.

What has to be asked one after the other decides how long a report takes: everything that may go out at the
same time does, in one batch whose order does not depend on what comes back first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from models import Asks, Task
from models.prompting import JointTask, joint

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class BatchedRequest(Generic[ResultT]):
    """Some tasks, and a function that reads their outputs (in the order of the tasks)."""

    tasks: list[Task[Any]]
    read: Callable[[list[Any]], ResultT]


def nothing(result: ResultT) -> BatchedRequest[ResultT]:
    """Return an errand that asks nothing."""
    return BatchedRequest([], lambda _: result)


async def together(asks: Asks, *errands: BatchedRequest[Any], jointly: bool = False) -> list[Any]:
    """Run errands at the same time; their results come in the order of the errands.

    Args:
        asks: Whom to ask.
        errands: What to ask.
        jointly: In one request for each role; for errands that ask little.
    """
    tasks = [task for errand in errands for task in errand.tasks]
    outputs = await (_jointly(asks, tasks) if jointly else asks.ask_all(tasks)) if tasks else []
    results, at = [], 0
    for errand in errands:
        results.append(errand.read(outputs[at : at + len(errand.tasks)]))
        at += len(errand.tasks)
    return results


@runtime_checkable
class AsksJointly(Protocol):
    """Asks for several tasks in one request, and for each alone where a model cannot do that."""

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several tasks of one role in one request."""
        ...


async def _jointly(asks: Asks, tasks: Sequence[Task[Any]]) -> list[Any]:
    roles = list(dict.fromkeys(task.role for task in tasks))
    groups = [[n for n, task in enumerate(tasks) if task.role == role] for role in roles]
    if len(groups) == 1 and isinstance(asks, AsksJointly):
        return await asks.ask_jointly(tasks)
    wanted = [joint([tasks[n] for n in own]) if len(own) > 1 else tasks[own[0]] for own in groups]
    found: dict[int, Any] = {}
    for own, task, reply in zip(groups, wanted, await asks.ask_all(wanted), strict=True):
        found |= zip(own, task.outputs(reply) if isinstance(task, JointTask) else [reply], strict=True)
    return [found[n] for n in range(len(tasks))]
