"""How many sessions one, ten and a thousand nodes hold, simulated from what one session was measured to take.

    python -m benchmarks.load.scale [--json FILE]

A session is a chain of stages. In each a node's processors work, the model is asked (all sessions share its
limit of tokens a minute), and events are committed (all share the database). Queues are first come, first
served. Nodes are lost now and then: their sessions wait until they are taken up, and do their stage again.
The same simulation is held against what was measured (docs/performance.md).
"""

import argparse
import heapq
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

TAKEN_UP = 10.0
"""Seconds from a node's loss until its sessions go on elsewhere, the opening of their documents included."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is simulated; figures of a session are those of docs/performance.md."""

    name: str
    nodes: int
    sessions: int
    """To be done, all at once: a batch."""
    stages: int = 18
    """One after the other: answers that are waited for."""
    processor: float = 0.9
    """Seconds of a session."""
    cores: float = 2.0
    """Of a node; one process uses little more than one."""
    slots: int = 20
    """Sessions at once on a node."""
    latency: float = 0.3
    """Seconds of an answer."""
    tokens: float = 48_800
    """Of a session: prompts and replies."""
    tokens_a_minute: float = float("inf")
    """That the model's provider lets all sessions have."""
    commits: int = 150
    """Of a session."""
    commits_a_second: float = 2_800
    """That the database does for many writers."""
    lost_each: float = float("inf")
    """Seconds between two losses of a node, of all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the simulation found."""

    load: Load
    seconds: float
    """Until all had ended."""
    session: float
    """The middle one's seconds, from its beginning to its end."""
    resumed: int
    busy: dict[str, float]
    """Shares of the time in which processors, the model's limit and the database were at work."""

    @property
    def an_hour(self) -> float:
        """Sessions an hour."""
        return self.load.sessions / self.seconds * 3600


class _Queue:
    """First come, first served, by several servers."""

    def __init__(self, servers: int) -> None:
        self._free = [0.0] * max(1, servers)
        self.worked = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Return when work that comes now is done."""
        begin = max(now, heapq.heappop(self._free))
        heapq.heappush(self._free, begin + seconds)
        self.worked += seconds
        return begin + seconds


def simulate(load: Load, seed: int = 1) -> Outcome:
    """Run a load to its end."""
    chance = random.Random(seed)
    servers = max(1, int(load.cores))
    slow = servers / load.cores
    nodes = [_Queue(servers) for _ in range(load.nodes)]
    model, database = _Queue(1), _Queue(1)
    waiting = load.sessions
    took: list[float] = []
    lost: list[tuple[float, int]] = []
    events: list[tuple[float, int, int, int, float]] = []
    """When, which session, on which node, at which stage, begun when."""

    def begin(now: float, node: int) -> None:
        nonlocal waiting
        if waiting:
            waiting -= 1
            heapq.heappush(events, (now, waiting, node, 0, now))

    for slot in range(load.slots):
        for node in range(load.nodes):
            begin(slot * 1e-6, node)
    resumed, now, due = 0, 0.0, load.lost_each
    while events:
        now, number, node, stage, begun = heapq.heappop(events)
        if now > due:
            lost.append((due, chance.randrange(load.nodes)))
            due += load.lost_each
        if lost and lost[-1][1] == node and now - lost[-1][0] < load.processor + load.latency:
            resumed += 1
            heapq.heappush(events, (now + TAKEN_UP, number, chance.randrange(load.nodes), stage, begun))
            continue
        if stage == load.stages:
            took.append(now - begun)
            begin(now, node)
            continue
        done = nodes[node].serve(now, load.processor / load.stages * slow)
        if load.tokens_a_minute != float("inf"):
            done = model.serve(done, load.tokens / load.stages / load.tokens_a_minute * 60)
        done = database.serve(done + load.latency, load.commits / load.stages / load.commits_a_second)
        heapq.heappush(events, (done, number, node, stage + 1, begun))
    work = sum(each.worked for each in nodes) / servers / load.nodes
    busy = {"processors": work / now, "model": model.worked / now, "database": database.worked / now}
    return Outcome(load, now, median(took), resumed, busy)


EMBEDDED = Load("", 1, 1, stages=18, processor=1.72, cores=1.108, latency=0.0, slots=50, tokens=0)
"""As `python -m benchmarks.load.many` runs them: in one process, nobody waits for a network."""
MEASURED: Sequence[tuple[Load, float]] = (
    (Load("one session, 300 ms an answer", 1, 1), 6.3),
    (replace(EMBEDDED, name="10 embedded sessions at once", sessions=10), 15.4),
    (replace(EMBEDDED, name="50 embedded sessions at once", sessions=50), 77.6),
)
"""What was measured, in seconds."""
_ASKED = Load("", 1, 1, latency=4.0, tokens_a_minute=4_000_000, slots=40)
"""A provider's usual answer, and a limit that it gives to those who pay well."""
PLANNED: Sequence[Load] = (
    replace(_ASKED, name="1 node, embedded model", sessions=400, stages=18, latency=0.0, slots=2, tokens=0,
            processor=1.72, tokens_a_minute=float("inf")),
    replace(_ASKED, name="1 node", sessions=400),
    replace(_ASKED, name="10 nodes", nodes=10, sessions=4_000),
    replace(_ASKED, name="10 nodes, no limit of tokens", nodes=10, sessions=4_000,
            tokens_a_minute=float("inf")),
    replace(_ASKED, name="10 nodes, one lost each hour", nodes=10, sessions=16_000, lost_each=3600.0),
    replace(_ASKED, name="1,000 nodes, no limit of tokens", nodes=1_000, sessions=80_000,
            tokens_a_minute=float("inf")),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    print("| what was measured | measured | simulated |\n| --- | --- | --- |")
    for load, seconds in MEASURED:
        print(f"| {load.name} | {seconds:.1f} s | {simulate(load).seconds:.1f} s |")
    print("\n| load | sessions an hour | a session | processors | model's limit | database | resumed |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    found = [simulate(load) for load in PLANNED]
    for each in found:
        shares = " | ".join(f"{share:.0%}" for share in each.busy.values())
        told = f"{each.an_hour:,.0f} | {each.session:,.0f} s | {shares} | {each.resumed}"
        print(f"| {each.load.name} | {told} |")
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1, default=str) + "\n")


if __name__ == "__main__":
    main()
