"""Sessions in processes of this machine, several in each. A process that dies costs its sessions a resume."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from models import Spent
from roundtable.batch.session_job import JobResult, SessionJob
from roundtable.config.own_process import own_module

_LONGEST_LINE = 16_000_000
"""Bytes."""
_LAST_WORDS = 5.0
"""Seconds that a process has to leave by itself."""

Told = Callable[[Spent], None]


class ProcessLost(Exception):
    """The process that ran a session is gone; another can go on with it."""


class _Process:
    """One process at work."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.jobs: dict[str, tuple[asyncio.Future[JobResult], Told]] = {}
        self._said = ""
        self._listening = asyncio.gather(self._listen(), self._keep_last_words())

    @classmethod
    async def begun(cls) -> "_Process":
        process = await asyncio.create_subprocess_exec(
            *own_module("roundtable.batch.batch_worker"),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for the command, which says what becomes of the sessions
        )  # fmt: skip
        return cls(process)

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None and not self._listening.done()

    async def perform(self, job: SessionJob, told: Told) -> JobResult:
        result: asyncio.Future[JobResult] = asyncio.get_running_loop().create_future()
        self.jobs[job.session] = (result, told)
        try:
            await self.send({"run": job.model_dump(mode="json")})
            return await result
        finally:
            self.jobs.pop(job.session, None)

    async def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):  # it is gone: whoever waits for it is told by `_listen`
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            await self._process.stdin.drain()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            message = json.loads(line)
            if "done" in message:
                done = JobResult.model_validate(message["done"])
                if (job := self.jobs.get(done.session)) and not job[0].done():
                    job[0].set_result(done)
            elif job := self.jobs.get(message["session"]):
                job[1](Spent(**message["spent"]))
        code = await self._process.wait()
        for result, _ in self.jobs.values():
            if not result.done():
                result.set_exception(ProcessLost(_farewell(code, self._said)))

    async def _keep_last_words(self) -> None:
        assert self._process.stderr is not None
        debug = bool(os.environ.get("ROUNDTABLE_DEBUG"))
        async for line in self._process.stderr:
            self._said = line.decode(errors="replace").strip() or self._said
            if debug:
                sys.stderr.buffer.write(line)

    async def close(self) -> None:
        """End it: by itself where it has nothing to do, else at once."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._listening, _LAST_WORDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


def _farewell(code: int, said: str) -> str:
    if code < 0:
        hint = "; is there memory enough for so many at once?" if code == -signal.SIGKILL else ""
        return f"its process was ended by {signal.Signals(-code).name}{hint}"
    return f"its process ended with exit code {code}{f': {said}' if said else ''}"[:400]


class LocalProcesses:
    """So many processes, each with so many sessions at once; one is begun when there is work for it."""

    def __init__(self, processes: int, sessions: int) -> None:
        self._most, self._each = processes, sessions
        self._processes: list[_Process] = []
        self._beginning = asyncio.Lock()

    @property
    def room(self) -> int:
        """How many sessions it runs at once."""
        return self._most * self._each

    async def run(self, job: SessionJob, told: Told) -> JobResult:
        """Do a job in the process that has least to do.

        Raises:
            ProcessLost: the process is gone; the session is where it was.
        """
        async with self._beginning:
            self._processes = [process for process in self._processes if process.is_alive]
            process = min(self._processes, key=lambda each: len(each.jobs), default=None)
            if process is None or (process.jobs and len(self._processes) < self._most):
                process = await _Process.begun()
                self._processes.append(process)
            work = asyncio.ensure_future(process.perform(job, told))
            await asyncio.sleep(0)  # its job is counted before the next one is placed
        return await work

    async def withdraw(self) -> None:
        """Take nothing back: what is given is begun."""

    async def stop(self) -> None:
        """Have all sessions close their tables and write their reports."""
        await asyncio.gather(*(process.send({"stop": True}) for process in self._processes))

    async def close(self) -> None:
        """End all processes; sessions under way are left where they are."""
        await asyncio.gather(*(process.close() for process in self._processes))
