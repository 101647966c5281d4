"""The embedded model: every task done by its own `extract`, with text statistics alone."""

import asyncio
import time
from collections.abc import Callable

from models.prompting.prompts import inputs_hash
from models.task import OutputT, Reply, Task, Usage
from models.text_statistics import Statistics


class ExtractiveModel:
    """Does tasks without a language model. It quotes and arranges; it never makes up."""

    name = "embedded"

    def __init__(self, statistics: Statistics, timer: Callable[[], float] = time.perf_counter) -> None:
        self._statistics = statistics
        self._timer = timer

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Do the task by its `extract`, in a thread: other sessions of the process go on meanwhile."""
        started = self._timer()
        output = await asyncio.to_thread(task.extract, self._statistics)
        return Reply(output, Usage(model=self.name, seconds=self._timer() - started), inputs_hash(task))

    async def close(self) -> None:
        """Hold nothing, release nothing."""
