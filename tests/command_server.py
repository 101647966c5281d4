"""A process that has the program at work, and begins each command in a child of its own.

Importing, and making what is made at its first use, takes longer than most commands do. Orders come through
a Unix socket as JSON beside four files: the command's standard input, output and error, and a socket by which
its process id goes back, then how it ended. An order with a `module` runs its `main` in a command's place,
for another process in whose place it stands: when that is gone, it is killed.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from importlib import import_module

_MOST = 1 << 20
"""Bytes of an order: arguments and environment."""
LOADED = (
    "rich.cells",
    "roundtable.cli.running.run_session",
    "roundtable.cli.running.updating",
    "roundtable.batch.batch_worker",
    "roundtable.web.serving",
    "roundtable.output.outputs",
    *(
        f"roundtable.cli.subcommands.{command}_command"
        for command in (
            "discussing.run", "discussing.serve", "discussing.resume", "discussing.join", "discussing.batch",
            "sessions.export", "sessions.list", "sessions.show", "sessions.update", "texts.audit",
            "texts.compare", "texts.extract", "program.docs", "program.sources",
        )
    ),
)  # fmt: skip
"""What is imported before the first command is asked for; anything else a command imports itself."""


def _become(order: dict, files: list[int]) -> list[str]:
    """Turn a child into a process as it is begun anew; return the command's arguments."""
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    at_once = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout.reconfigure(write_through=at_once, line_buffering=sys.stdout.isatty())
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr.reconfigure(write_through=at_once, line_buffering=True)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    sys.argv = ["roundtable", *order["arguments"]]
    sys.executable = os.environ.pop("WARM_PYTHON", sys.executable)
    return order["arguments"]


def _begun(order: dict, files: list[int], orders: socket.socket) -> tuple[int, int]:
    """Begin a command; return its process id, and a descriptor that is readable when it has ended."""
    pid = os.fork()
    if pid == 0:
        orders.close()
        if "module" in order:
            _become(order, files)
            sys.exit(import_module(order["module"]).main())
        from roundtable.__main__ import run

        # Ended as any program is: what was asked to be done at the end is done, and threads are waited for.
        sys.exit(run(_become(order, files)))
    return pid, os.pidfd_open(pid)


def main() -> None:
    """Begin commands until nobody can order any more."""
    orders = socket.socket(fileno=int(sys.argv[1]))
    from tests.warm_session import warm

    for name in LOADED:
        import_module(name)
    warm()
    running: dict[int, tuple[int, socket.socket]] = {}
    stood_for: dict[socket.socket, int] = {}
    while True:
        ready, _, _ = select.select([orders, *running, *stood_for], [], [])
        for ended in ready:
            if ended is orders:
                data, files, _, _ = socket.recv_fds(orders, _MOST, 4)
                if not data:
                    return
                order = json.loads(data)
                pid, ending = _begun(order, files, orders)
                for file in files[:3]:
                    os.close(file)
                asked = socket.socket(fileno=files[3])
                running[ending] = pid, asked
                asked.send(str(pid).encode())
                if "module" in order:
                    stood_for[asked] = ending
            elif isinstance(ended, socket.socket):
                # Who asked says nothing more as long as it is there; what has just ended is no more known.
                if (ending := stood_for.pop(ended, None)) is not None:
                    signal.pidfd_send_signal(ending, signal.SIGKILL)
            else:
                pid, asked = running.pop(ended)
                stood_for.pop(asked, None)
                _, status = os.waitpid(pid, 0)
                os.close(ended)
                with asked, contextlib.suppress(BrokenPipeError):
                    asked.send(str(status).encode())


if __name__ == "__main__":
    main()
