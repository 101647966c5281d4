"""Commands of the program, each in a process of its own which need not import the program again.

A test that looks at how a process is begun (its interpreter, its limits, its session) begins it itself.
"""

import atexit
import inspect
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@cache
def _orders() -> socket.socket:
    """Start the process that begins commands; it ends when this one does."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    surroundings = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.command_server", str(there.fileno())], cwd=ROOT, env=surroundings,
            pass_fds=[there.fileno()], stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def pass_on(order: bytes, files: list[int]) -> None:
    """Order something of the process that begins commands (`tests.command_server` says what)."""
    socket.send_fds(_orders(), [order], files)


class Command(subprocess.Popen[str]):
    """A command under way: as `Popen([sys.executable, "-m", "roundtable", …], text=True)`."""

    _asked: socket.socket | None = None

    def __init__(self, *arguments: object, cwd: Path | None = None, **named: Any) -> None:
        """Begin a command with its arguments; the rest as for `Popen`."""
        super().__init__([str(word) for word in arguments], cwd=cwd or ROOT, text=True, **named)

    def _execute_child(self, *given: Any) -> None:
        asked = inspect.signature(super()._execute_child).bind(*given).arguments  # type: ignore[misc]
        environment = os.environ if asked["env"] is None else asked["env"]
        order = {
            "arguments": asked["args"], "environment": dict(environment), "folder": str(asked["cwd"]),
        }  # fmt: skip
        own = [("p2cread", 0), ("c2pwrite", 1), ("errwrite", 2)]
        files = [number if asked[name] == -1 else asked[name] for name, number in own]
        self._asked, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            pass_on(json.dumps(order).encode(), [*files, theirs.fileno()])
        self.pid = int(self._asked.recv(100))
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(asked[name] for name in ends))  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        """Return as `waitpid` does: it is another process's child."""
        assert self._asked is not None
        try:
            status = self._asked.recv(100, socket.MSG_DONTWAIT if wait_flags & os.WNOHANG else 0)
        except BlockingIOError:
            return 0, 0
        self._asked.close()
        return self.pid, int(status)

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        if self.returncode is None:
            pid, status = self._try_wait(os.WNOHANG)
            if pid == self.pid:
                self._handle_exitstatus(status)  # type: ignore[attr-defined]
        return self.returncode


def run_command(
    *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with nothing to read; return its exit code and what it said.

    Raises:
        AssertionError: it has not ended after so many seconds; with what it said until then.
    """
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Command(*arguments, cwd=cwd, env=env, stdin=subprocess.DEVNULL, **pipes) as process:
        try:
            said, wrong = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            said, wrong = process.communicate()
            raise AssertionError(f"{process.args} goes on after {timeout} s:\n{said}\n{wrong}") from None
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(list(arguments), process.returncode, said, wrong)
