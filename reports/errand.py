"""Errands: questions with what is to be made of their answers, so that several go out together.

What has to be asked one after the other decides how long a report takes: everything that may go out at the
same time does, in one batch whose order does not depend on what comes back first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models.task import Asks, Task

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Errand(Generic[ResultT]):
    """Some tasks, and a function that reads their outputs (in the order of the tasks)."""

    tasks: list[Task[Any]]
    read: Callable[[list[Any]], ResultT]


def nothing(result: ResultT) -> Errand[ResultT]:
    """Return an errand that asks nothing."""
    return Errand([], lambda _: result)


async def together(asks: Asks, *errands: Errand[Any]) -> list[Any]:
    """Run errands at the same time; their results come in the order of the errands."""
    tasks = [task for errand in errands for task in errand.tasks]
    outputs = await asks.ask_all(tasks) if tasks else []
    results, at = [], 0
    for errand in errands:
        results.append(errand.read(outputs[at : at + len(errand.tasks)]))
        at += len(errand.tasks)
    return results
