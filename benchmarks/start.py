"""How long until something happens, and what it weighs: `--help`, `list`, a first event, memory, an install.

    python -m benchmarks.start [--install]

`--install` measures a fresh install into an environment of its own: it needs the network.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

_ROOT = Path(__file__).resolve().parent.parent
_TIMES = 5
_FIRST_EVENT = """
import asyncio, resource, sys, time
from pathlib import Path
started = time.perf_counter()
from roundtable.config import load_settings
from roundtable.open import Surroundings, start_session
async def main():
    flags = {"docs": ["python"], "offline": True, "models": {"model": "embedded"}}
    around = Surroundings(Path(sys.argv[1]), environment={})
    settings = load_settings(flags, environment={})
    session = await start_session("How are exceptions handled?", settings, around=around)
    first = None
    async for recorded in session.run():
        first = first or time.perf_counter() - started
    await session.close()
    whole = time.perf_counter() - started
    print(first, whole, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
asyncio.run(main())
"""


@dataclass(frozen=True, slots=True)
class Started:
    """Seconds and megabytes."""

    python: float
    """`python -c pass`."""
    help: float
    list: float
    first_event: float
    """From the program's first import to a session's first event, on documents that are indexed already."""
    session: float
    """A whole session with the embedded model."""
    megabytes: float
    """The most memory of that process."""


def seconds(command: Sequence[str], home: str) -> float:
    """Return the middle of some runs."""
    took = []
    for _ in range(_TIMES):
        started = time.perf_counter()
        subprocess.run(
            command, cwd=_ROOT, env={**os.environ, "ROUNDTABLE_HOME": home}, check=True, capture_output=True
        )
        took.append(time.perf_counter() - started)
    return median(took)


def run() -> Started:
    """Measure, in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        plain = seconds([sys.executable, "-c", "pass"], home)
        shown = seconds([sys.executable, "-m", "roundtable", "--help"], home)
        listed = seconds([sys.executable, "-m", "roundtable", "list"], home)
        for _ in range(2):  # the first run indexes
            command = [sys.executable, "-c", _FIRST_EVENT, home]
            said = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
        first, whole, megabytes = map(float, said.split())
        return Started(plain, shown, listed, first, whole, megabytes)




def install() -> tuple[float, int, float]:
    """Install afresh; return megabytes, packages and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        started = time.perf_counter()
        python = str(Path(folder) / "bin" / "python")
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", str(_ROOT)], check=True)
        took = time.perf_counter() - started
        listed = subprocess.run([*pip, "list", "--format=freeze"], check=True, capture_output=True, text=True)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
        return size, len(listed.stdout.split()), took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="measure a fresh install, too")
    given = parser.parse_args()
    found = run()
    print(
        f"python {found.python * 1000:.0f} ms, --help {found.help * 1000:.0f} ms"
        f" ({found.help / found.python:.1f} times), list {found.list * 1000:.0f} ms;"
        f" first event {found.first_event:.2f} s, a session {found.session:.2f} s, {found.megabytes:.0f} MB"
    )
    if given.install:
        size, packages, took = install()
        print(f"a fresh install: {size:.0f} MB, {packages} packages, {took:.0f} s")


if __name__ == "__main__":
    main()
