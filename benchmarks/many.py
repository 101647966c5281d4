"""1, 10 and 50 sessions at once in one process: seconds, and memory a session.

    python -m benchmarks.many [--most 50]

The model is the embedded one, the documents are made, the journal and the store are shared.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.documents import write
from benchmarks.made import SUBJECTS
from roundtable.config import load_settings
from roundtable.open import Surroundings, start_session

COUNTS = (1, 10, 50)
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Together:
    """Some sessions at once."""

    sessions: int
    seconds: float
    ended: int
    megabytes: float


async def play(number: int, docs: str, home: Path) -> bool:
    """Run one session to its end."""
    topic = f"How do {SUBJECTS[number % len(SUBJECTS)]} protect river towns ({number})?"
    flags = {"docs": [docs], "offline": True, "models": {"model": "embedded"}, "moderator": {"turns": 9}}
    settings = load_settings(flags, environment={})
    session = await start_session(topic, settings, around=Surroundings(home=home, environment={}))
    try:
        async for _ in session.run():
            pass
        return session.state.report is not None
    finally:
        await session.close()


async def measure(count: int, docs: str, home: Path) -> dict[str, float]:
    """Run so many sessions at once."""
    import resource

    await play(0, docs, home)  # indexes the documents, imports what is needed
    started = time.perf_counter()
    ended = await asyncio.gather(*(play(n, docs, home) for n in range(1, count + 1)))
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"seconds": seconds, "ended": sum(ended), "megabytes": memory}


def run(count: int) -> Together:
    """Measure in a process of its own: memory is the most that a process ever had."""
    command = [sys.executable, "-m", "benchmarks.many", "--child", str(count)]
    said = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    found = json.loads(said)
    return Together(count, found["seconds"], int(found["ended"]), found["megabytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=COUNTS[-1])
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        with tempfile.TemporaryDirectory() as docs, tempfile.TemporaryDirectory() as home:
            write(Path(docs), 120)
            print(json.dumps(asyncio.run(measure(given.child, docs, Path(home)))))
        return
    for count in COUNTS:
        if count <= given.most:
            found = run(count)
            ended = f"{found.ended} reports, {found.megabytes:.0f} MB"
            print(f"{found.sessions:3} at once: {found.seconds:.2f} s, {ended}", flush=True)


if __name__ == "__main__":
    main()
