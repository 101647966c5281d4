"""How long until something happens, and what it weighs: `--help`, `list`, a first event, memory, an install.

    python -m benchmarks.speed.start [--install] [--json FILE]

Each is timed on the clock and in seconds of the processor, which other work on the machine changes little.
`--install` measures a fresh install into an environment of its own: it needs the network.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

_ROOT = Path(__file__).resolve().parents[2]
_TIMES = 7
_FIRST_EVENT = """
import asyncio, json, resource, sys, time
from pathlib import Path
started = time.perf_counter()
def now():
    return time.perf_counter() - started, time.process_time()
from roundtable.config import load_settings
from roundtable.session.factory import Runtime, start_session
async def main():
    flags = {"docs": ["python"], "offline": True, "models": {"model": "embedded"}}
    around = Runtime(Path(sys.argv[1]), environment={})
    settings = load_settings(flags, environment={})
    session = await start_session("How are exceptions handled?", settings, around=around)
    first = None
    async for recorded in session.run():
        first = first or now()
    await session.close()
    print(json.dumps([*first, *now(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))
asyncio.run(main())
"""


@dataclass(frozen=True, slots=True)
class Took:
    """What something took, in seconds."""

    clock: float
    processor: float


@dataclass(frozen=True, slots=True)
class Started:
    """What starting takes, and what a session weighs."""

    python: Took
    """`python -c pass`."""
    help: Took
    list: Took
    first_event: Took
    """From the program's first import to a session's first event, on documents that are indexed already."""
    session: Took
    """A whole session with the embedded model."""
    megabytes: float
    """The most memory of that process."""

    @property
    def help_times(self) -> float:
        """How many times as much of the processor `--help` takes as starting Python does."""
        return self.help.processor / self.python.processor


@dataclass(frozen=True, slots=True)
class Installed:
    """A fresh install."""

    megabytes: float
    packages: int
    seconds: float
    heaviest: list[tuple[str, float]]
    """The largest folders in it, in megabytes."""


def took(command: Sequence[str], home: str) -> Took:
    """Return the middle of some runs."""
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(_TIMES):
        before, started = _children(), time.perf_counter()
        subprocess.run(
            command, cwd=_ROOT, env={**os.environ, "ROUNDTABLE_HOME": home}, check=True, capture_output=True
        )
        clock.append(time.perf_counter() - started)
        processor.append(_children() - before)
    return Took(median(clock), median(processor))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run() -> Started:
    """Measure, in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        plain = took([sys.executable, "-c", "pass"], home)
        shown = took([sys.executable, "-m", "roundtable", "--help"], home)
        listed = took([sys.executable, "-m", "roundtable", "list"], home)
        runs: list[list[float]] = []
        for _ in range(4):  # the first one indexes
            command = [sys.executable, "-c", _FIRST_EVENT, home]
            said = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
            runs.append(json.loads(said))
        first, first_processor, whole, processor, megabytes = map(median, zip(*runs[1:], strict=True))
        return Started(plain, shown, listed, Took(first, first_processor), Took(whole, processor), megabytes)


def install() -> Installed:
    """Install afresh."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        started = time.perf_counter()
        python = str(Path(folder) / "bin" / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--quiet", str(_ROOT)], check=True)
        seconds = time.perf_counter() - started
        listed = subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True, text=True)
        names = {package["name"] for package in json.loads(listed.stdout)} - {
            "pip",
            "setuptools",
            "roundtable",
        }
        (packages,) = Path(folder).glob("lib/python*/site-packages")
        sizes = {path.name: _weight(path) for path in packages.iterdir()}
        heaviest = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:8]
        return Installed(_weight(Path(folder)), len(names), seconds, heaviest)


def _weight(path: Path) -> float:
    """Return the megabytes of a file, or of all in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="measure a fresh install, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    found = run()
    figures = asdict(found)
    for name in ("python", "help", "list", "first_event", "session"):
        each: Took = getattr(found, name)
        print(f"{name:12} {each.clock:6.3f} s on the clock, {each.processor:6.3f} s of processor")
    print(
        f"--help takes {found.help_times:.1f} times what Python does;"
        f" a session takes {found.megabytes:.0f} MB"
    )
    if given.install:
        new = install()
        figures["install"] = asdict(new)
        heaviest = ", ".join(f"{name} {size:.0f} MB" for name, size in new.heaviest)
        print(f"a fresh install: {new.megabytes:.0f} MB, {new.packages} packages, {new.seconds:.0f} s")
        print(f"the largest of it: {heaviest}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
