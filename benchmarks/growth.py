"""What a turn costs after 6, 20, 60 and 200 turns, what the journal weighs, and how long it takes to resume.

    python -m benchmarks.growth [--turns 200]

The model and the web answer at once, so that the seconds are the program's own.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.loopback import NONE, Loopback
from benchmarks.made import TOPIC
from roundtable.config import load_settings
from roundtable.open import Surroundings, resume_session, start_session

MARKS = (6, 20, 60, 200)
_AROUND = 5
"""Turns on either side that a mark's figures are the mean of: one turn alone tells little."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What a turn cost at some size."""

    turn: int
    seconds: float
    """From the end of the turn before to its end."""
    prompt_tokens: float
    megabytes: float
    """The most memory that the process had until then."""
    journal_kilobytes: float


@dataclass(frozen=True, slots=True)
class Growth:
    """A long session as measured."""

    marks: list[Grown]
    per_turn: list[tuple[float, int]]
    """Seconds and prompt tokens of each turn."""
    resume_seconds: float


async def measure(loopback: Loopback, turns: int, home: Path) -> Growth:
    """Run a long session, then open it again."""
    settings = load_settings(loopback.flags(turns), environment={})
    around = Surroundings(home=home, environment={})
    session = await start_session(TOPIC, settings, around=around)
    per_turn: list[tuple[float, int]] = []
    memory: list[float] = []
    journal: list[float] = []
    before, tokens = time.perf_counter(), 0
    async for recorded in session.run():
        event = recorded.event
        if event.kind == "model_replied":
            tokens += event.usage.prompt_tokens
        if event.kind in {"turn_taken", "turn_failed"}:
            now = time.perf_counter()
            per_turn.append((now - before, tokens))
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
            journal.append(_weight(home))
            before, tokens = now, 0
        if event.kind == "table_closed":
            break
    await session.close()
    started = time.perf_counter()
    again = await resume_session(session.id, around=around)
    resumed = time.perf_counter() - started
    await again.close()
    marks = [_mark(turn, per_turn, memory, journal) for turn in MARKS if turn <= len(per_turn)]
    return Growth(marks, per_turn, resumed)


def _weight(home: Path) -> float:
    return sum(path.stat().st_size for path in home.glob("journal.db*")) / 1000


def _mark(
    turn: int, per_turn: list[tuple[float, int]], memory: list[float], journal: list[float]
) -> Grown:
    near = per_turn[max(0, turn - 1 - _AROUND) : turn + _AROUND]
    seconds, tokens = mean(s for s, _ in near), mean(t for _, t in near)
    return Grown(turn, seconds, tokens, memory[turn - 1], journal[turn - 1])


def run(turns: int = 200) -> Growth:
    """Measure one session in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home, Loopback(NONE) as loopback:
        return asyncio.run(measure(loopback, turns, Path(home)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    found = run(parser.parse_args().turns)
    for mark in found.marks:
        print(
            f"turn {mark.turn:4}: {mark.seconds:.3f} s, {mark.prompt_tokens:,.0f} prompt tokens,"
            f" {mark.megabytes:.0f} MB, journal {mark.journal_kilobytes:,.0f} kB"
        )
    print(f"resumed after {len(found.per_turn)} turns in {found.resume_seconds:.2f} s")


if __name__ == "__main__":
    main()
