"""Errands: questions with what is to be made of their answers, so that several go out together.

What has to be asked one after the other decides how long a report takes: everything that may go out at the
same time does, in one batch whose order does not depend on what comes back first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models import Asks, Task

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
    outputs = await (asks.ask_jointly(tasks) if jointly else asks.ask_all(tasks)) if tasks else []
    results, at = [], 0
    for errand in errands:
        results.append(errand.read(outputs[at : at + len(errand.tasks)]))
        at += len(errand.tasks)
    return results
