"""A few worker processes that read what might crash, hang or eat memory; one bad file costs itself alone.

Starting one takes a fifth of a second. So when a library is closed, its idle workers rest, for the next
library of the same program; without a job for two minutes they end.
"""

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from library.errors import ReadError
from library.readers.workers.parser_worker import LONGEST_REST, OWN, receive, send

_ROOT = str(Path(__file__).resolve().parents[3])
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from library.readers.workers.parser_worker import main; main(sys.argv[1], int(sys.argv[2]))"
)
# Keys of models are in the environment: a worker gets none of it but what Python needs to start.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_MOST_JOBS = 300
_LARGE = 50_000
"""Bytes of a file that count like a job more."""
_MOST_RESTING, _MOST_BEFORE_REST = 2, 60
"""How many rest, and after how many jobs none does: a worker keeps the memory that it grew to."""


class _Worker:
    """One process, doing one job at a time."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module  # nosec B603
            [sys.executable, "-I", "-c", _START, _ROOT, str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment | {"PYTHONUTF8": "1"},
            start_new_session=True,  # Ctrl-C is for the program, which may want to read on until a turn's end
        )
        self._jobs = 0
        self._rests_since = time.monotonic()

    @property
    def is_ready(self) -> bool:
        """Whether the process still runs, and will for as long as a job needs to reach it."""
        return self._process.poll() is None and time.monotonic() - self._rests_since < LONGEST_REST

    @property
    def may_rest(self) -> bool:
        """Whether it is of use to another library: what it has done left little behind."""
        return self.is_ready and self._jobs < _MOST_BEFORE_REST

    @property
    def is_spent(self) -> bool:
        """Whether it has done so much that what it has not given back would soon count against its bound."""
        return self._jobs >= _MOST_JOBS

    def perform(self, header: dict[str, Any], data: bytes, seconds: float) -> dict[str, Any]:
        """Do one job; where the process died of it, or was too slow, the reply names the bound."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if header["kind"] != OWN:  # what no parser was at leaves nothing behind
            self._jobs += 1 + len(data) // _LARGE
        slow = threading.Event()
        late = threading.Timer(seconds, self._kill, [slow])
        late.daemon = True
        late.start()
        try:
            send(self._process.stdin, header, data)
            reply = receive(self._process.stdout)
        except (BrokenPipeError, OSError, ValueError):
            reply = None
        finally:
            late.cancel()
            self._rests_since = time.monotonic()
        if reply is not None:
            return reply[0]
        if slow.is_set():
            return _broken(f"reading it takes longer than {seconds:g} s (read.worker_seconds)")
        return _broken(
            f"reading it crashes its worker process, or takes more than the {self.megabytes} MB of memory "
            "that it may (read.worker_megabytes)"
        )

    def _kill(self, slow: threading.Event) -> None:
        slow.set()
        self._process.kill()

    def end(self) -> int:
        """End the process; returns how it ended."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue  # it had died with a job half sent
        return self._process.wait()


def _broken(error: str) -> dict[str, Any]:
    return {"error": error, "broken": True}


class Workers:
    """Worker processes, started when needed and used again."""

    def __init__(self, count: int = 2, megabytes: int = 512, seconds: float = 30.0) -> None:
        """Bound the workers.

        Args:
            count: How many run at once.
            megabytes: The address space each may use.
            seconds: For one job.
        """
        self._megabytes = megabytes
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(count)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def perform(self, kind: str, data: bytes, **options: Any) -> dict[str, Any]:
        """Read a file of one kind, waiting for a free worker. Raises ReadError when it cannot be read."""
        with self._places:
            worker = self._take()
            healthy = False
            try:
                reply = worker.perform(
                    {"kind": kind, "seconds": self._seconds, **options}, data, self._seconds
                )
                healthy = not reply.keys() & {"broken", "grown"} and not worker.is_spent
            finally:
                if healthy:
                    with self._lock:
                        self._idle.append(worker)
                else:
                    worker.end()
        if "error" in reply:
            raise ReadError(reply["error"])
        read: dict[str, Any] = reply["read"]
        return read

    def _take(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.is_ready:
                    return worker
                worker.end()
        return _RESTING.take(self._megabytes) or _Worker(self._megabytes)

    def close(self) -> None:
        """Let the idle workers rest; one that is still at work ends by itself after its job."""
        with self._lock:
            idle, self._idle = self._idle, []
        _RESTING.add(idle)


class _Resting:
    """Workers of libraries that were closed."""

    def __init__(self) -> None:
        self._workers: list[_Worker] = []
        self._lock = threading.Lock()

    def add(self, workers: Iterable[_Worker]) -> None:
        """Take workers in, as many as may rest; others, and those that rested for long, end."""
        with self._lock:
            held = [*self._workers, *workers]
            ready = [worker for worker in held if worker.may_rest]
            self._workers = ready[-_MOST_RESTING:]
            for worker in held:
                if worker not in self._workers:
                    worker.end()

    def take(self, megabytes: int) -> _Worker | None:
        """Return a worker that may use so much memory; None when there is none."""
        with self._lock:
            for worker in [worker for worker in self._workers if worker.megabytes == megabytes]:
                self._workers.remove(worker)
                if worker.is_ready:
                    return worker
                worker.end()
        return None

    def end(self) -> None:
        """End all of them."""
        with self._lock:
            while self._workers:
                self._workers.pop().end()

    def forget(self) -> None:
        """Forget them: in the child of a fork they are its parent's."""
        self._workers, self._lock = [], threading.Lock()


_RESTING = _Resting()
atexit.register(_RESTING.end)
os.register_at_fork(after_in_child=_RESTING.forget)
