"""The sandbox is closed: no file, no network, no clock, bounded time, memory and output."""

import time

import pytest

from library.compute.monty import LONGEST_RESULT, ComputeError, ComputeSettings, MontySandbox

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
        "import os\nos.getenv('PATH')",
        "import sys\nsys.modules",
        "eval(\"__import__('os')\")",
        "exec('import os')",
        "compile('1', 'x', 'exec')",
        "().__class__.__bases__[0].__subclasses__()",
        "(lambda: 0).__globals__",
        "(lambda: 0).__code__",
        "getattr((), '__class__').__mro__",
        "'{0.__class__.__mro__}'.format(())",
        "f'{().__class__.__mro__}'",
        "__builtins__",
        "globals()",
        "vars()",
        "import ctypes\nctypes.CDLL(None)",
        "from pathlib import Path\nlist(Path('/').iterdir())",
        "import importlib\nimportlib.import_module('os')",
        "import builtins\nbuiltins.open",
        "import pickle\npickle.loads(b'')",
        "import threading\nthreading.Thread",
        "import signal\nsignal.alarm(1)",
        "import multiprocessing",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
        "input()",
        "breakpoint()",
        "10**10**8",
        "2**(2**40)",
        "'a'.zfill(10**10)",
        "f'{1:1000000000}'",
        "def g():\n  yield 1\ng().gi_frame",
        "try:\n  1/0\nexcept Exception as e:\n  e.__traceback__.tb_frame",
        "print('x' * 10**8)\n1",
        "int('9' * 10**6)",
        "sorted(range(10**8))",
        "{i: i for i in range(10**8)}",
        "chr(0xd800)",
        "1 +",
        "x = 1",
    ],
)
async def test_nothing_leads_out_and_nothing_is_unbounded(code: str) -> None:
    with pytest.raises(ComputeError):
        await SANDBOX.run(code)


@pytest.mark.parametrize(
    "code",
    [
        "x = []\nfor i in range(10**5): x = [x]\nx",
        "x = []\nx.append(x)\nx",
        "'9' * 10**6",
        "import time\ntime.sleep(100)\n1",
        "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n1",
    ],
)
async def test_what_is_allowed_is_small_and_soon_over(code: str) -> None:
    began = time.monotonic()
    result = await SANDBOX.run(code)
    assert len(result.value) <= LONGEST_RESULT
    assert time.monotonic() - began < 10


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
