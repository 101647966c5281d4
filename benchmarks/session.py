"""A session against a slow model and a slow web, stage by stage.

    python -m benchmarks.session [--profile]

The model and the web are real servers on this machine's loopback network, in a process of their own. Tokens
are characters / 4. Printed for each setting: seconds, requests, most requests in flight, tokens, by stage.
"""

import argparse
import asyncio
import cProfile
import io
import pstats
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.loopback import NONE, Delays, Loopback
from benchmarks.made import TOPIC
from roundtable.config import load_settings
from roundtable.open import Surroundings, start_session
from roundtable.session import Session

WARM = 6
"""Answers of the warm start: three experts, two rounds."""
TURNS = 6
"""Turns after it, two of them the moderator's."""


@dataclass(slots=True)
class Stage:
    """What one part of a session took."""

    seconds: float = 0.0
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(slots=True)
class Measured:
    """A session as measured."""

    seconds: float = 0.0
    first_event: float = 0.0
    stages: dict[str, Stage] = field(default_factory=dict)
    tasks: dict[str, Stage] = field(default_factory=dict)
    turns: list[float] = field(default_factory=list)
    """Seconds of the experts' turns after the warm start."""
    events: int = 0
    counted: dict[str, Any] = field(default_factory=dict)
    """By the servers."""

    @property
    def requests(self) -> int:
        """Requests to the model, of all stages."""
        return sum(stage.requests for stage in self.stages.values())

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens, of all stages."""
        return sum(stage.prompt_tokens for stage in self.stages.values())

    @property
    def completion_tokens(self) -> int:
        """Completion tokens, of all stages."""
        return sum(stage.completion_tokens for stage in self.stages.values())


STAGES = ("warm start", "turns", "report")


def stage_after(kind: str, stage: str, turns: int) -> str:
    """Return the stage that a session is in after an event."""
    if kind == "turn_taken" and turns >= WARM and stage == STAGES[0]:
        return STAGES[1]
    return STAGES[2] if kind == "table_closed" else stage


async def measure(session: Session, started: float) -> Measured:
    """Run a session to its end and say what each stage took."""
    found = Measured(stages={name: Stage() for name in STAGES})
    stage, entered, turns = STAGES[0], started, 0
    async for recorded in session.run():
        event = recorded.event
        found.events += 1
        now = time.perf_counter()
        found.first_event = found.first_event or now - started
        if event.kind == "model_replied":
            for sums in (found.stages[stage], found.tasks.setdefault(event.task, Stage())):
                sums.requests += event.usage.requests
                sums.prompt_tokens += event.usage.prompt_tokens
                sums.completion_tokens += event.usage.completion_tokens
        if event.kind == "turn_taken":
            turns += 1
            if stage == STAGES[1] and event.turn.role == "expert":
                found.turns.append(event.turn.seconds)
        after = stage_after(event.kind, stage, turns)
        if after != stage:
            found.stages[stage].seconds += now - entered
            stage, entered = after, now
    found.seconds = time.perf_counter() - started
    found.stages[stage].seconds += time.perf_counter() - entered
    return found


async def play(loopback: Loopback, turns: int, home: Path) -> Measured:
    """Start a session, run it to its end, and measure."""
    settings = load_settings(loopback.flags(WARM + turns), environment={})
    started = time.perf_counter()
    session = await start_session(TOPIC, settings, around=Surroundings(home=home, environment={}))
    try:
        return await measure(session, started)
    finally:
        await session.close()


def run(delays: Delays, turns: int = TURNS, profile: cProfile.Profile | None = None) -> Measured:
    """Measure one session in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        with Loopback(delays) as loopback:
            if profile:
                profile.enable()
            found = asyncio.run(play(loopback, turns, Path(home)))
            if profile:
                profile.disable()
        found.counted = loopback.counted
        return found


def table(name: str, found: Measured) -> str:
    """Print one session as lines of a table."""
    counted = found.counted
    head = [
        f"{name}: {found.seconds:.2f} s",
        f"{found.requests} requests, at most {counted['most_in_flight']} in flight",
        f"{found.prompt_tokens:,} + {found.completion_tokens:,} tokens",
        f"{counted['searches']} searches, {counted['pages']} pages",
        f"an expert's turn {median(found.turns or [0]):.2f} s",
    ]
    lines = ["; ".join(head)]
    lines += [_row(stage, sums) for stage, sums in found.stages.items()]
    lines += [_row(f"  {task}", sums) for task, sums in sorted(found.tasks.items())]
    return "\n".join(lines)


def _row(name: str, sums: Stage) -> str:
    seconds = f"{sums.seconds:6.2f} s" if sums.seconds else " " * 8
    tokens = f"{sums.prompt_tokens:7,} + {sums.completion_tokens:,}"
    return f"  {name:18} {seconds} {sums.requests:4} requests {tokens}"


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS, help="after the warm start")
    parser.add_argument("--only", help="one setting alone")
    parser.add_argument("--profile", action="store_true", help="where the program's own time goes")
    given = parser.parse_args(arguments)  # type: ignore[arg-type]
    for name, delays in SETTINGS.items():
        if given.only in (None, name):
            print(table(name, run(delays, given.turns)), flush=True)
    if given.profile:
        profile = cProfile.Profile()
        run(NONE, given.turns, profile)
        text = io.StringIO()
        pstats.Stats(profile, stream=text).sort_stats("cumulative").print_stats(60)
        print(text.getvalue())


SETTINGS = {
    "300 ms": Delays(),
    "300 ms, searching twice": Delays(twice=True),
    "300 ms + 1 ms a token": Delays(per_token=0.001),
    "no latency": NONE,
}

if __name__ == "__main__":
    main()
