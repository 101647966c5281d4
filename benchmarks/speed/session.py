"""A session against a slow model and a slow web, stage by stage.

    python -m benchmarks.speed.session [--turns 6] [--only SETTING] [--depth NAME] [--json FILE] [--profile]

The model and the web are real servers on this machine's loopback network, in a process of their own. Tokens
are characters / 4 of what stands in messages; the schemas that go with requests are counted apart. Printed
for each setting: seconds, requests, most requests in flight, tokens, by stage and by task. What is imported
once in a process is imported before anything is measured (`benchmarks.speed.start` measures that); how long a
first session of a process takes is a setting of its own, in a process of its own. Without latency comes
next, on texts that the process has not seen: what it remembers of texts would count as speed.
"""

import argparse
import asyncio
import cProfile
import io
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

from benchmarks.inputs.loopback import NONE, Delays, Loopback
from benchmarks.inputs.made import TOPIC
from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session
from roundtable.session.session import Session

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
    processor: float = 0.0
    """Seconds of the processor, this process alone."""
    first_event: float = 0.0
    stages: dict[str, Stage] = field(default_factory=dict)
    tasks: dict[str, Stage] = field(default_factory=dict)
    turns: list[float] = field(default_factory=list)
    """Seconds of the experts' turns after the warm start."""
    judged: int = 0
    """Answers that were judged."""
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


DEPTH = "standard"
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
        found.judged += event.kind == "answer_judged"
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


async def play(loopback: Loopback, turns: int, home: Path, depth: str = DEPTH) -> Measured:
    """Start a session, run it to its end, and measure."""
    flags = {**loopback.flags(WARM + turns), "depth": depth}
    if depth != DEPTH:  # how long it talks is part of how deep it goes
        del flags["moderator"]["turns"]
    settings = load_settings(flags, environment={})
    started, spent = time.perf_counter(), time.process_time()
    session = await start_session(TOPIC, settings, around=Runtime(home=home, environment={}))
    try:
        found = await measure(session, started)
        found.processor = time.process_time() - spent
        return found
    finally:
        await session.close()


def run(
    delays: Delays, turns: int = TURNS, profile: cProfile.Profile | None = None, depth: str = DEPTH
) -> Measured:
    """Measure one session in a home folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        with Loopback(delays) as loopback:
            if profile:
                profile.enable()
            found = asyncio.run(play(loopback, turns, Path(home), depth))
            if profile:
                profile.disable()
        found.counted = loopback.counted
        return found


def table(name: str, found: Measured) -> str:
    """Print one session as lines of a table."""
    counted = found.counted
    head = [
        f"{name}: {found.seconds:.2f} s ({found.processor:.2f} s of processor)",
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


def warmed() -> None:
    """Import what a session needs, by running one on other texts."""
    run(replace(NONE, edition=1))


def figures(found: Measured) -> dict[str, Any]:
    """Return one session's figures as JSON takes them."""
    told = {
        "seconds": found.seconds, "processor": found.processor, "requests": found.requests,
        "prompt_tokens": found.prompt_tokens, "completion_tokens": found.completion_tokens,
        "schema_tokens": found.counted["schema_tokens"],
        "shared_tokens": sum(shared for _, _, shared in found.counted["prefix"].values()) // 4,
        "most_in_flight": found.counted["most_in_flight"], "embeddings": found.counted["other_requests"],
        "searches": found.counted["searches"], "pages": found.counted["pages"],
        "expert_turn": median(found.turns or [0.0]), "expert_turns": found.turns,
    }  # fmt: skip
    for kind, parts in (("stages", found.stages), ("tasks", found.tasks)):
        told[kind] = {name: asdict(sums) for name, sums in parts.items()}
    return told


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, help="after the warm start, instead of the settings' own")
    parser.add_argument("--only", choices=SETTINGS, help="one setting alone")
    parser.add_argument("--depth", default=DEPTH, help="quick, standard or deep")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--profile", action="store_true", help="where the program's own time goes")
    given = parser.parse_args(arguments)
    measured: list[dict[str, Any]] = []
    for name, (delays, turns) in SETTINGS.items():
        if given.only not in (None, name):
            continue
        if name == FIRST and given.only is None:
            measured += apart(name, given.turns or turns, given.depth)
            continue
        if name != FIRST and all(each["name"] == FIRST for each in measured):
            warmed()
        found = run(delays, given.turns or turns, depth=given.depth)
        print(table(name, found), flush=True)
        measured.append({"name": name, "turns": given.turns or turns, **figures(found)})
    if given.json:
        given.json.write_text(json.dumps(measured, indent=1), encoding="utf-8")
    if given.profile:
        profile = cProfile.Profile()
        run(NONE, given.turns or TURNS, profile)
        text = io.StringIO()
        pstats.Stats(profile, stream=text).sort_stats("cumulative").print_stats(60)
        print(text.getvalue())


def apart(name: str, turns: int, depth: str) -> list[dict[str, Any]]:
    """Measure a setting in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        line = [sys.executable, "-m", "benchmarks.speed.session", "--only", name, "--turns", str(turns)]
        house = Path(__file__).resolve().parents[2]
        subprocess.run([*line, "--depth", depth, "--json", str(figures)], cwd=house, check=True)
        found: list[dict[str, Any]] = json.loads(figures.read_text(encoding="utf-8"))
        return found


FIRST = "no latency, first session of the process"
_MORE = 20
SETTINGS: dict[str, tuple[Delays, int]] = {
    FIRST: (NONE, TURNS),
    "no latency": (NONE, TURNS),
    "300 ms": (Delays(), TURNS),
    "300 ms, searching twice": (Delays(twice=True), TURNS),
    "300 ms + 1 ms a token": (Delays(per_token=0.001), TURNS),
    "300 ms, 20 turns": (Delays(), _MORE),
    "no latency, on texts seen before": (NONE, TURNS),
}

if __name__ == "__main__":
    main()
