"""A process that runs sessions for a batch: jobs come in as JSON lines, what came of them goes out as such.

The end of its input means that nobody waits any more: the process that gave the jobs is gone, or wants it so.
It then leaves at once, whatever it was at; the journal has what was committed.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TextIO

from models import Spent
from roundtable.batch.session_job import JobRunner, SessionJob
from roundtable.output.clean import clean
from roundtable.session.factory import Runtime
from roundtable.session.steady_loop import run_steadily


def main() -> None:
    """Work until the input ends."""
    if not os.environ.get("ROUNDTABLE_DEBUG"):
        warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # whatever a library prints is no answer
    run_steadily(_work(answers))


async def _work(answers: TextIO) -> None:
    runner, loop, ended = JobRunner(Runtime(untold=_warn)), asyncio.get_running_loop(), asyncio.Event()
    at_work: set[asyncio.Task[None]] = set()

    async def perform(job: SessionJob) -> None:
        result = await runner.run(job, _teller(job.session, answers))
        _send(answers, {"done": result.model_dump(mode="json")})

    def take(message: dict[str, Any]) -> None:
        if "stop" in message:
            runner.stop()
            return
        task = asyncio.create_task(perform(SessionJob.model_validate(message["run"])))
        at_work.add(task)
        task.add_done_callback(at_work.discard)

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(take, json.loads(line))
        if at_work:
            os._exit(1)
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=listen, daemon=True).start()
    await ended.wait()


def _warn(line: str) -> None:
    logging.getLogger(__name__).warning("roundtable: %s", clean(line))


def _teller(session: str, answers: TextIO) -> Callable[[Spent], None]:
    return lambda spent: _send(answers, {"session": session, "spent": asdict(spent)})


def _send(answers: TextIO, message: dict[str, Any]) -> None:
    try:
        answers.write(json.dumps(message) + "\n")
    except OSError:
        os._exit(1)  # nobody reads it any more


if __name__ == "__main__":
    main()
