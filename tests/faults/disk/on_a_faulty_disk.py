"""A process under `faulty_disk.c` that runs commands in children of its own, each with other faults.

Orders come as lines of JSON: root, first, many and error (see the C file), arguments and environment. For
each one line goes back: code, out, err, calls. What a session needs at first is there before they begin.
"""

import contextlib
import ctypes
import io
import json
import os
import sys

import roundtable.cli.running.run_session
import roundtable.cli.subcommands.discussing.run_command  # noqa: F401 - had before the children begin
from roundtable.__main__ import run
from tests.warm_session import warm


def child(order: dict, answers: int) -> None:
    """Run a command with its faults; say what came of it."""
    shim = ctypes.CDLL(None)
    os.environ.update(order["environment"])
    out, err = io.StringIO(), io.StringIO()
    shim.fault_arm(order["root"].encode(), order["first"], order["many"], order["error"])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(order["arguments"])
    calls = shim.fault_calls()
    shim.fault_arm(b"", 0, 0, 0)
    told = {"code": code, "out": out.getvalue(), "err": err.getvalue(), "calls": calls}
    with os.fdopen(answers, "w") as answer:
        answer.write(json.dumps(told))


def main() -> None:
    """Carry out orders until there are no more."""
    warm()
    for line in sys.stdin:
        reading, writing = os.pipe()
        if (process := os.fork()) == 0:
            os.close(reading)
            child(json.loads(line), writing)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            said = answer.read()
        _, status = os.waitpid(process, 0)
        died = {"code": -1, "out": "", "err": f"died: {status}", "calls": 0}
        sys.stdout.write((said or json.dumps(died)) + "\n")
        sys.stdout.flush()


main()
