"""What a turn costs after 6, 20, 60 and 200 turns, what the journal weighs, and how long it takes to resume.

    python -m benchmarks.speed.growth [--turns 210] [--json FILE]

Twice: once the model and the web take their time, as in `benchmarks.speed.session`, so that the seconds are
those that somebody waits; once they answer at once, so that the seconds are the program's own. When the table
closes because nothing that was read leads to another question, a person asks something more.
"""

import argparse
import asyncio
import json
import resource
import tempfile
import time
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.inputs.loopback import NONE, Delays, Loopback
from benchmarks.inputs.made import SUBJECTS, TOPIC, page
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, resume_session, start_session

SETTINGS = {"300 ms": Delays(), "at once": NONE}
"""How long an answer takes, and whatever else is asked for."""
MARKS = (6, 20, 60, 200)
_PAGES = 4_000
"""Of the web: a table that has read everything closes."""
_MOST_ROUNDS = 60
"""Times that a table which has closed goes on."""
_AROUND = 10
"""Turns on either side that a mark's figures are the mean of: one turn alone tells little."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What a turn cost at some size."""

    turn: int
    seconds: float
    """From the end of the turn before to its end."""
    processor: float
    """Of the processor, this process alone."""
    processor_median: float
    """Of the turns around it: one in ten arranges a part of the map again, and is the mean's."""
    prompt_tokens: float
    megabytes: float
    """The most memory that the process had until then."""
    journal_kilobytes: float


@dataclass(frozen=True, slots=True)
class Growth:
    """A long session as measured."""

    marks: list[Grown]
    per_turn: list[tuple[float, float, int]]
    """Seconds, seconds of the processor and prompt tokens of each turn."""
    resume_seconds: float
    """To open the session again."""
    resume_processor: float


class _Told:
    """What the events of a session tell of its turns."""

    def __init__(self, home: Path) -> None:
        self.per_turn: list[tuple[float, float, int]] = []
        self.memory: list[float] = []
        self.journal: list[float] = []
        self._home = home
        self._before, self._used, self._tokens = time.perf_counter(), time.process_time(), 0

    def begin(self) -> None:
        """Begin to count anew: what closing a table takes is no turn's."""
        self._before, self._used, self._tokens = time.perf_counter(), time.process_time(), 0

    def take(self, event: Any) -> None:
        """Take in one event."""
        if event.kind == "model_replied":
            self._tokens += event.usage.prompt_tokens
        if event.kind != "turn_failed" and (event.kind != "turn_taken" or event.turn.role == "person"):
            return
        now, spent = time.perf_counter(), time.process_time()
        self.per_turn.append((now - self._before, spent - self._used, self._tokens))
        self.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
        self.journal.append(_weight(self._home))
        self._before, self._used, self._tokens = now, spent, 0


async def measure(loopback: Loopback, turns: int, home: Path) -> Growth:
    """Run a long session, then open it again."""
    settings = load_settings(loopback.flags(turns), environment={})
    around = Runtime(home=home, environment={})
    session = await start_session(TOPIC, settings, around=around)
    told = _Told(home)
    rounds = 0
    while len(told.per_turn) < turns and rounds < _MOST_ROUNDS:
        if rounds:
            session.say(question(rounds))
            told.begin()
        async with aclosing(session.run(turns - len(told.per_turn) if rounds else None)) as events:
            async for recorded in events:
                told.take(recorded.event)
                if recorded.event.kind == "table_closed":
                    break
        rounds += 1
    await session.close()
    started, spent = time.perf_counter(), time.process_time()
    again = await resume_session(session.id, around=around)
    resumed, processor = time.perf_counter() - started, time.process_time() - spent
    await again.close()
    per_turn, memory, journal = told.per_turn, told.memory, told.journal
    marks = [_mark(turn, per_turn, memory, journal) for turn in MARKS if turn <= len(per_turn)]
    return Growth(marks, per_turn, resumed, processor)


def question(number: int) -> str:
    """Return what a person asks when the table has closed: left to itself, it runs out of questions."""
    town = page(number, 0).title.partition(":")[0]
    return f"What does {town} do about {SUBJECTS[number % len(SUBJECTS)]}?"


def _weight(home: Path) -> float:
    return sum(path.stat().st_size for path in home.glob("journal.db*")) / 1000


def _mark(
    turn: int, per_turn: list[tuple[float, float, int]], memory: list[float], journal: list[float]
) -> Grown:
    near = per_turn[max(0, turn - 1 - _AROUND) : turn + _AROUND]
    seconds, processor, tokens = (mean(column) for column in zip(*near, strict=True))
    middle = median(spent for _, spent, _ in near)
    return Grown(turn, seconds, processor, middle, tokens, memory[turn - 1], journal[turn - 1])


def run(turns: int, delays: Delays = NONE) -> Growth:
    """Measure one session in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home, Loopback(replace(delays, pages=_PAGES)) as loopback:
        return asyncio.run(measure(loopback, turns, Path(home)))


def printed(found: Growth) -> str:
    """Return the figures as lines."""
    lines = [
        f"  turn {mark.turn:4}: {mark.seconds:.3f} s ({mark.processor:.3f} s of processor,"
        f" median {mark.processor_median:.3f}),"
        f" {mark.prompt_tokens:,.0f} prompt tokens, {mark.megabytes:.0f} MB,"
        f" journal {mark.journal_kilobytes:,.0f} kB"
        for mark in found.marks
    ]
    lines.append(
        f"  resumed after {len(found.per_turn)} turns in {found.resume_seconds:.2f} s"
        f" ({found.resume_processor:.2f} s of processor)"
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=MARKS[-1] + _AROUND)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    figures = []
    for name, delays in SETTINGS.items():
        found = run(given.turns, delays)
        print(f"{name}:\n{printed(found)}", flush=True)
        told = asdict(found)
        del told["per_turn"]
        figures.append({"name": name, "turns": len(found.per_turn), **told})
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
