"""Questions with what is to be made of their answers, so that several go out together.

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
    """Return a request that asks nothing."""
    return BatchedRequest([], lambda _: result)


async def together(asks: Asks, *requests: BatchedRequest[Any], jointly: bool = False) -> list[Any]:
    """Run requests at the same time; their results come in the order of the requests.

    Args:
        asks: Whom to ask.
        requests: What to ask.
        jointly: In one request for each role; for requests that ask little.
    """
    tasks = [task for request in requests for task in request.tasks]
    outputs = await (asks.ask_jointly(tasks) if jointly else asks.ask_all(tasks)) if tasks else []
    results, at = [], 0
    for request in requests:
        results.append(request.read(outputs[at : at + len(request.tasks)]))
        at += len(request.tasks)
    return results
