"""Sessions on a cluster of Ray whose node is killed, and the same ones in processes of this machine.

    python -m benchmarks.load.cluster [--topics 200] [--alone 40] [--documents 120]
        [--on ray|queue] [--json FILE]

With `--on queue` two workers take them from a queue in PostgreSQL, and one worker is killed.

The nodes are processes of this machine: no network is between them. Each batch has a home folder of its own;
the same topics give the same ids, so that reports can be compared byte for byte.
"""

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.load.many import SUBJECTS
from benchmarks.speed.documents import write
from roundtable.config.home import DATABASE_FILE
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import journal_in
from tests.postgres_server import PostgresServer

PROCESSES, TURNS = 2, 2
"""Sessions at once, and turns of each."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of one batch."""

    name: str
    seconds: float
    ended: int
    """Topics with a report."""
    twice: int
    """Sessions that were begun or ended more than once."""


@contextlib.contextmanager
def cluster(nodes: int) -> Iterator[tuple[str, list[Any]]]:
    """Run a head without processors and some nodes; give the head's address and the nodes."""
    patience = {"RAY_raylet_start_wait_time_s": "180", "RAY_agent_register_timeout_ms": "180000"}
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", **patience}
    from ray.cluster_utils import Cluster

    running = Cluster()
    try:
        running.add_node(num_cpus=0, include_dashboard=False, **_places())
        added = [running.add_node(num_cpus=2, **_places()) for _ in range(nodes)]
        running.wait_for_nodes()
        yield running.address, [(running, node) for node in added]
    finally:
        running.shutdown()


def _places() -> dict[str, int]:
    """Return a node's ports, and bytes of its store: a port that is given is not waited for."""
    ports = ("metrics_agent_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
    with contextlib.ExitStack() as opened:
        free = [opened.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in ports]
        named = zip(ports, (each.getsockname()[1] for each in free), strict=True)
        return {**dict(named), "object_store_memory": 80_000_000}


def command(topics: Path, docs: Path, out: Path, *more: str) -> list[str]:
    """Return the words of a batch."""
    words = ["batch", topics, "--docs", docs, "--offline", "--out", out, "--turns", TURNS, "--name", "n"]
    program = [sys.executable, "-P", "-m", "roundtable"]
    return [*program, *map(str, words), "--model", "embedded", "--json", *more]


def run(home: Path, words: list[str], halfway: int, then: Any = None) -> float:
    """Run a batch; after so many topics something is done. Return its seconds."""
    begun, ended = time.perf_counter(), 0
    environment = {**os.environ, "ROUNDTABLE_HOME": str(home)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{") and json.loads(line).get("status") == "ended":
                ended += 1
                if ended == halfway and then is not None:
                    then()
    if process.returncode:
        raise SystemExit(f"the batch ended with exit code {process.returncode}")
    return time.perf_counter() - begun


def counted(name: str, home: Path, seconds: float) -> Batch:
    """Return what the journal says of a batch."""
    ended = twice = 0
    with journal_in(home, SystemClock()) as journal:
        for row in journal.sessions():
            kinds = [item.event.kind for item in journal.read(row.id)]
            ended += row.state == "ended"
            twice += kinds.count("session_started") != 1 or kinds.count("session_ended") > 1
    return Batch(name, seconds, ended, twice)


def at_work(home: Path, state: str) -> list[str]:
    """Return the sessions that have not ended, by whether a process runs them: `running`, else `stopped`."""
    with journal_in(home, SystemClock()) as journal:
        return [row.id for row in journal.sessions() if row.state == state]


def killed_at_work(home: Path, kill: Callable[[], None]) -> list[str]:
    """Kill one once all are at work; return the sessions that were cut off."""
    until = time.monotonic() + 120
    while len(at_work(home, "running")) < PROCESSES and time.monotonic() < until:
        time.sleep(0.2)
    kill()
    while not (cut := at_work(home, "stopped")) and time.monotonic() < until:
        time.sleep(0.1)
    return cut


def differing(first: Path, second: Path) -> list[str]:
    """Return the names of topics whose reports differ."""
    reports = sorted(path.parent.name for path in first.glob("*/report.md"))
    return [name for name in reports if _told(first / name) != _told(second / name)]


def _told(folder: Path) -> bytes:
    file = folder / "report.md"
    return file.read_bytes() if file.exists() else b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=200)
    parser.add_argument("--alone", type=int, default=40, help="of these, run undisturbed to compare with")
    parser.add_argument("--documents", type=int, default=120)
    parser.add_argument("--on", choices=["ray", "queue"], default="ray")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        docs, topics, few = place / "docs", place / "topics.txt", place / "few.txt"
        docs.mkdir()
        write(docs, given.documents)
        for file, count in ((topics, given.topics), (few, given.alone)):
            about = (f"How do {SUBJECTS[n % len(SUBJECTS)]} protect river towns ({n})?" for n in range(count))
            file.write_text("\n".join(about) + "\n")
        local, spread = place / "local", place / "ray"
        alone = run(local, command(few, docs, place / "a", "--processes", str(PROCESSES)), 0)
        engine = nodes_of_ray if given.on == "ray" else workers
        cut: list[str] = []
        with engine(spread) as (words, kill):
            disturb = lambda: cut.extend(killed_at_work(spread, kill))  # noqa: E731
            together = run(spread, command(topics, docs, place / "b", *words), given.topics // 2, disturb)
            found = [counted("local", local, alone), counted(f"{given.on}, one killed", spread, together)]
        wrong = differing(place / "a", place / "b")
    for each in found:
        print(each)
    print(f"cut off: {cut}; {len(wrong)} reports differ {wrong[:5]}; load {os.getloadavg()[0]:.1f}")
    if given.json:
        told = {"batches": [asdict(each) for each in found], "differ": len(wrong), "cut": len(cut)}
        given.json.write_text(json.dumps(told, indent=1) + "\n")


@contextlib.contextmanager
def nodes_of_ray(home: Path) -> Iterator[tuple[list[str], Callable[[], None]]]:
    """Run two nodes; give the words of a batch on them, and what kills one."""
    with environment_of(home), cluster(2) as (address, nodes):

        def kill() -> None:
            running, node = nodes[0]
            running.remove_node(node, allow_graceful=False)

        yield ["--on", "ray", "--address", address, "--processes", str(PROCESSES)], kill


@contextlib.contextmanager
def workers(home: Path) -> Iterator[tuple[list[str], Callable[[], None]]]:
    """Run two workers, with homes of their own; give the words of a batch for them, and what kills one."""
    with PostgresServer.running() as server, contextlib.ExitStack() as running:
        named = f'database = "{server.database()}"\n'
        begun = []
        for folder in (home, home / "one", home / "two"):
            folder.mkdir(parents=True)
            (folder / DATABASE_FILE).write_text(named)
        for folder in (home / "one", home / "two"):
            words = [sys.executable, "-P", "-m", "roundtable", "worker", "--sessions", "1"]
            environment = {**os.environ, "ROUNDTABLE_HOME": str(folder)}
            begun.append(running.enter_context(subprocess.Popen(words, env=environment, stdout=sys.stderr)))
            running.callback(begun[-1].kill)
        yield ["--on", "queue"], begun[0].kill


@contextlib.contextmanager
def environment_of(home: Path) -> Iterator[None]:
    """Have processes that begin meanwhile keep their sessions in a folder: nodes have no other way."""
    before = os.environ.get("ROUNDTABLE_HOME")
    os.environ["ROUNDTABLE_HOME"] = str(home)
    try:
        yield
    finally:
        os.environ.pop("ROUNDTABLE_HOME")
        if before is not None:
            os.environ["ROUNDTABLE_HOME"] = before


if __name__ == "__main__":
    main()
