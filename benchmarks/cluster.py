"""Sessions on a cluster of Ray whose node is killed, and the same ones in processes of this machine.

    python -m benchmarks.cluster [--topics 200] [--alone 40] [--json FILE]

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
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.documents import write
from benchmarks.many import SUBJECTS
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal

PROCESSES, TURNS = 2, 2
"""Sessions at once, and turns of each."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of one batch."""

    name: str
    seconds: float
    ended: int
    """Topics with a report."""
    resumed: int
    """Sessions that were cut off and went on."""
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
    ended = resumed = twice = 0
    with Journal(home / "journal.db", SystemClock()) as journal:
        for row in journal.sessions():
            kinds = [item.event.kind for item in journal.read(row.id)]
            ended += row.state == "ended"
            resumed += "session_resumed" in kinds
            twice += kinds.count("session_started") != 1 or kinds.count("session_ended") > 1
    return Batch(name, seconds, ended, resumed, twice)


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
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        docs, topics, few = place / "docs", place / "topics.txt", place / "few.txt"
        docs.mkdir()
        write(docs, 120)
        for file, count in ((topics, given.topics), (few, given.alone)):
            about = (f"How do {SUBJECTS[n % len(SUBJECTS)]} protect river towns ({n})?" for n in range(count))
            file.write_text("\n".join(about) + "\n")
        local, spread = place / "local", place / "ray"
        alone = run(local, command(few, docs, place / "a", "--processes", str(PROCESSES)), 0)
        with environment_of(spread), cluster(2) as (address, nodes):

            def kill() -> None:
                running, node = nodes[0]
                running.remove_node(node, allow_graceful=False)

            words = ["--on", "ray", "--address", address, "--processes", str(PROCESSES)]
            together = run(spread, command(topics, docs, place / "b", *words), given.topics // 2, kill)
        found = [counted("local", local, alone), counted("ray, a node killed", spread, together)]
        wrong = differing(place / "a", place / "b")
    for each in found:
        print(each)
    print(f"{len(wrong)} reports differ {wrong[:5]}")
    if given.json:
        told = {"batches": [asdict(each) for each in found], "differ": len(wrong)}
        given.json.write_text(json.dumps(told, indent=1) + "\n")


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
