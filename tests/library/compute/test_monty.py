"""The sandbox is closed: no file, no network, no clock, bounded time, memory and output."""

import time

import pytest

from library.compute.monty import ComputeError, ComputeSettings, MontySandbox

pytest.importorskip("pydantic_monty", reason="the extra `compute` is not installed")
SANDBOX = MontySandbox(ComputeSettings(seconds=0.3, megabytes=32))


async def test_the_last_line_is_the_result_and_what_is_printed_is_kept() -> None:
    result = await SANDBOX.run("import math\nprint('rate', 7)\nround(math.sqrt(2), 3)")
    assert (result.value, result.printed) == ("1.414", "rate 7")


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "import os\nos.listdir('/')",
        "import os\nos.environ['HOME']",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
        "from pathlib import Path\nPath('/tmp/x').write_text('x')",
        "import socket\nsocket.create_connection(('127.0.0.1', 80))",
        "import subprocess\nsubprocess.run(['ls'])",
        "__import__('os').system('ls')",
        "x = [0] * 10**9\nlen(x)",
        "'a' * 10**10",
        "def f(n): return f(n + 1)\nf(0)",
        "1 +",
        "x = 1",
    ],
)
async def test_nothing_leads_out_and_nothing_is_unbounded(code: str) -> None:
    with pytest.raises(ComputeError):
        await SANDBOX.run(code)


async def test_endless_code_is_stopped() -> None:
    began = time.monotonic()
    with pytest.raises(ComputeError, match="time limit"):
        await SANDBOX.run("while True: pass")
    assert time.monotonic() - began < 10


async def test_the_same_code_gives_the_same_result() -> None:
    code = (
        "import random, time\nfrom datetime import datetime\n[random.random(), time.time(), datetime.now()]"
    )
    assert await SANDBOX.run(code) == await SANDBOX.run(code)
