"""1, 10 and 50 sessions at once in one process: seconds, memory, and how long the event loop stands still.

    python -m benchmarks.load.many [--most 50] [--json FILE]

The model is the embedded one, the documents are made, the journal and the store are shared. Everything that
such a session does is this process's own work, so it is the hardest case: nobody waits for a network.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.inputs.made import SUBJECTS
from benchmarks.speed.documents import percentile, write
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session

COUNTS = (1, 10, 50)
TURNS = 9
_ROOT = Path(__file__).resolve().parents[2]
_PULSE = 0.01
"""Seconds between two looks at the event loop."""


@dataclass(frozen=True, slots=True)
class Together:
    """Some sessions at once."""

    sessions: int
    seconds: float
    processor_seconds: float
    ended: int
    """Sessions that have written a report."""
    megabytes: float
    lag_p50: float
    """Seconds that the event loop came too late, the middle of all looks at it."""
    lag_p95: float
    lag_most: float


async def play(number: int, docs: str, home: Path) -> bool:
    """Run one session to its end."""
    topic = f"How do {SUBJECTS[number % len(SUBJECTS)]} protect river towns ({number})?"
    flags = {"docs": [docs], "offline": True, "models": {"model": "embedded"}, "moderator": {"turns": TURNS}}
    settings = load_settings(flags, environment={})
    session = await start_session(topic, settings, around=Runtime(home=home, environment={}))
    try:
        async for _ in session.run():
            pass
        return session.state.report is not None
    finally:
        await session.close()


async def watch(lags: list[float]) -> None:
    """Note how much later than asked for the loop comes back, again and again."""
    while True:
        due = time.perf_counter() + _PULSE
        await asyncio.sleep(_PULSE)
        lags.append(max(0.0, time.perf_counter() - due))


async def measure(count: int, docs: str, home: Path) -> Together:
    """Run so many sessions at once."""
    import resource

    await play(0, docs, home)  # indexes the documents, imports what is needed
    lags: list[float] = []
    watching = asyncio.create_task(watch(lags))
    started, spent = time.perf_counter(), time.process_time()
    ended = await asyncio.gather(*(play(n, docs, home) for n in range(1, count + 1)))
    seconds, processor = time.perf_counter() - started, time.process_time() - spent
    watching.cancel()
    return Together(
        count, seconds, processor, sum(ended), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
        percentile(lags, 0.5), percentile(lags, 0.95), max(lags),
    )  # fmt: skip


def run(count: int) -> Together:
    """Measure in a process of its own: memory is the most that a process ever had."""
    command = [sys.executable, "-m", "benchmarks.load.many", "--child", str(count)]
    said = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    return Together(**json.loads(said))


def line(found: Together) -> str:
    """Return one line about some sessions."""
    lags = [found.lag_p50, found.lag_p95, found.lag_most]
    late = " / ".join(f"{seconds * 1000:.0f}" for seconds in lags)
    return (
        f"{found.sessions:3} at once: {found.seconds:.2f} s ({found.processor_seconds:.2f} s of processor),"
        f" {found.ended} reports, {found.megabytes:.0f} MB; the loop is late by (p50 / p95 / most) {late} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=COUNTS[-1])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        with tempfile.TemporaryDirectory() as docs, tempfile.TemporaryDirectory() as home:
            write(Path(docs), 120)
            print(json.dumps(asdict(asyncio.run(measure(given.child, docs, Path(home))))))
        return
    found = []
    for count in COUNTS:
        if count <= given.most:
            found.append(run(count))
            print(line(found[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
