"""Many sessions on nodes of Ray, and by workers of a queue, one of which is killed halfway; and undisturbed.

    python -m benchmarks.load.cluster [--sessions 200] [--on ray|queue ...] [--alone 200]
        [--turns 1] [--documents 6 | --docs FOLDER --topics FILE] [--json FILE]

First the same topics are discussed in processes of this machine that nobody disturbs. Then on two nodes of
Ray, and by two workers of a queue. Nodes and workers are processes of this machine, with home folders of
their own and one PostgreSQL: no network is between them. One is killed with SIGKILL when half of the topics
have ended, while all are at work. The same topics have the same ids, so that all files of a session but those
that tell times are compared byte for byte.
"""

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.inputs.made import SUBJECTS, page
from roundtable.config.home import DATABASE_FILE
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import journal_in
from tests.postgres_server import PostgresServer

NODES, EACH = 2, 2
"""Processes, and sessions at once in each."""
_PARAGRAPHS = 2
"""Of a made document."""
_TIMED = ("usage.json", "transcript.jsonl")
"""Files that tell when something was done: they differ between any two runs."""
_PATIENCE = 300.0
"""Seconds until all are at work, and until the loss of one is seen."""


@dataclass
class Batch:
    """What became of one batch; times in seconds."""

    name: str
    sessions: int
    """Topics that were given."""
    seconds: float = 0.0
    until_loss: float = 0.0
    """Of these, until one was killed; all of them where none was."""
    before: int = 0
    """Sessions that had ended by then."""
    ended: int = 0
    """Sessions with a report."""
    twice: int = 0
    """Sessions that were begun or ended more than once."""
    cut: list[str] = field(default_factory=list)
    """Sessions that the killed one was at."""
    taken_up: list[float] = field(default_factory=list)
    """How long after the loss each of these did something again."""
    compared: int = 0
    """Sessions whose files were compared with those of the undisturbed run."""
    differ: list[str] = field(default_factory=list)
    """Those of which a file differs."""
    load: float = 0.0
    """Of the machine, the mean of some looks: what runs beside makes seconds longer."""


@dataclass(frozen=True)
class Engine:
    """Where a batch runs: the words that say so, and what kills one of those who work there."""

    words: tuple[str, ...]
    kill: Callable[[], None]


def run(home: Path, words: list[str], batch: Batch, kill: Callable[[], None] | None) -> Batch:
    """Run a batch, kill one halfway, and count what the journal holds of it."""
    begun, loads = time.perf_counter(), [os.getloadavg()[0]]
    lost = None
    environment = {**os.environ, "ROUNDTABLE_HOME": str(home)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("{") or json.loads(line).get("status") != "ended":
                continue
            batch.ended += 1
            loads.append(os.getloadavg()[0])
            if kill is not None and lost is None and batch.ended >= batch.sessions // 2:
                _await(lambda: len(_in_state(home, "running")) >= NODES * EACH)
                batch.before, batch.until_loss = batch.ended, time.perf_counter() - begun
                lost = datetime.now(UTC)
                kill()
                cut = set(_await(lambda: _in_state(home, "stopped")))
                time.sleep(1)  # sessions of one process need not be let go of at the same moment
                batch.cut = sorted(cut.union(_in_state(home, "stopped")))
    if process.returncode:
        raise SystemExit(f"{batch.name}: the batch ended with exit code {process.returncode}")
    batch.seconds, batch.load = time.perf_counter() - begun, sum(loads) / len(loads)
    if lost is None:
        batch.before, batch.until_loss = batch.ended, batch.seconds
    _count(home, batch, lost)
    return batch


def _await(look: Callable[[], Any]) -> Any:
    """Look until something is there, or patience ends; return what was seen last."""
    until = time.monotonic() + _PATIENCE
    while not (found := look()) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def _in_state(home: Path, state: str) -> list[str]:
    """Return the sessions that have not ended, by whether a process runs them: `running`, else `stopped`."""
    with journal_in(home, SystemClock()) as journal:
        return [row.id for row in journal.sessions() if row.state == state]


def _count(home: Path, batch: Batch, lost: datetime | None) -> None:
    """Fill in what the journal says: how many ended, which more than once, when those cut off went on."""
    batch.ended = 0
    with journal_in(home, SystemClock()) as journal:
        for row in journal.sessions():
            events = list(journal.read(row.id))
            kinds = [each.event.kind for each in events]
            batch.ended += row.state == "ended"
            batch.twice += kinds.count("session_started") != 1 or kinds.count("session_ended") > 1
            if lost is not None and row.id in batch.cut:
                after = [(datetime.fromisoformat(each.at) - lost).total_seconds() for each in events]
                batch.taken_up.append(min(each for each in after if each > 0))


def compare(undisturbed: Path, spread: Path, batch: Batch) -> None:
    """Fill in which sessions' files differ from those of the undisturbed run, or are not there."""
    for folder in sorted(path.parent for path in undisturbed.glob("*/report.md")):
        batch.compared += 1
        if _files(folder) != _files(spread / folder.name):
            batch.differ.append(folder.name)


def _files(folder: Path) -> dict[str, bytes]:
    """Return all that a session leaves, by name, but what tells times."""
    return {
        path.name: path.read_bytes()
        for path in folder.glob("*")
        if path.is_file() and path.name not in _TIMED and not path.name.startswith(".")
    }


def homes(place: Path, server: PostgresServer) -> list[Path]:
    """Return home folders with one database: of who gives the batch, and of each node."""
    named = f'database = "{server.database()}"\n'
    made = [place / name for name in ("home", *(f"node-{number}" for number in range(NODES)))]
    for folder in made:
        folder.mkdir(parents=True)
        (folder / DATABASE_FILE).write_text(named)
    return made


@contextlib.contextmanager
def nodes_of_ray(folders: list[Path]) -> Iterator[Engine]:
    """Run a head without processors, and nodes."""
    patience = {"RAY_raylet_start_wait_time_s": "180", "RAY_agent_register_timeout_ms": "180000"}
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", **patience}
    from ray.cluster_utils import Cluster

    running = Cluster()
    before = os.environ.get("ROUNDTABLE_HOME")
    try:
        running.add_node(num_cpus=0, include_dashboard=False, **_places())
        nodes = []
        for folder in folders:
            os.environ["ROUNDTABLE_HOME"] = str(folder)  # its processes take it from here
            nodes.append(running.add_node(num_cpus=2, **_places()))
        running.wait_for_nodes()

        def kill() -> None:
            for process in _below(_raylet(nodes[0])):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            running.remove_node(nodes[0], allow_graceful=False)

        words = ("--on", "ray", "--address", running.address)
        yield Engine((*words, "--processes", str(NODES), "--sessions", str(EACH)), kill)
    finally:
        running.shutdown()
        os.environ.pop("ROUNDTABLE_HOME")
        if before is not None:
            os.environ["ROUNDTABLE_HOME"] = before


def _places() -> dict[str, int]:
    """Return a node's ports, and bytes of its store: a port that is given is not waited for."""
    ports = ("metrics_agent_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
    with contextlib.ExitStack() as opened:
        free = [opened.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in ports]
        named = zip(ports, (each.getsockname()[1] for each in free), strict=True)
        return {**dict(named), "object_store_memory": 80_000_000}


def _raylet(node: Any) -> int:
    """Return the process that a node of Ray is."""
    [raylet] = node.all_processes["raylet"]
    return int(raylet.process.pid)


def _below(parent: int) -> list[int]:
    """Return a process and all that it began, itself first."""
    found = [parent]
    for each in found:
        with contextlib.suppress(OSError):
            told = Path(f"/proc/{each}/task/{each}/children").read_text()
            found += map(int, told.split())
    return found


@contextlib.contextmanager
def workers(folders: list[Path]) -> Iterator[Engine]:
    """Run workers of the queue."""
    with contextlib.ExitStack() as running:
        begun = []
        for folder in folders:
            words = [sys.executable, "-P", "-m", "roundtable", "worker", "--sessions", str(EACH)]
            environment = {**os.environ, "ROUNDTABLE_HOME": str(folder)}
            begun.append(running.enter_context(subprocess.Popen(words, env=environment, stdout=sys.stderr)))
            running.callback(begun[-1].kill)
        yield Engine(("--on", "queue"), begun[0].kill)


ENGINES = {"ray": nodes_of_ray, "queue": workers}


def _topics(given: argparse.Namespace, place: Path) -> tuple[Path, Path]:
    """Return the folder of documents and the file of topics, made where they are not given."""
    if given.docs and given.topics:
        docs = given.docs.absolute()
        lines = [line for line in given.topics.read_text(encoding="utf-8").splitlines() if line.strip()]
    else:
        docs = place / "documents"
        docs.mkdir()
        for number in range(given.documents):
            (docs / f"{number}.md").write_text(page(number, _PARAGRAPHS).text, encoding="utf-8")
        many = range(given.sessions)
        lines = [f"How do {SUBJECTS[n % len(SUBJECTS)]} protect river towns ({n})?" for n in many]
    topics = place / "topics.txt"
    topics.write_text("\n".join(lines[: given.sessions]) + "\n", encoding="utf-8")
    return docs, topics


def _command(topics: Path, docs: Path, turns: int, out: Path, *more: str) -> list[str]:
    """Return the words of a batch."""
    words = ["batch", topics, "--docs", docs, "--offline", "--out", out, "--turns", turns, "--name", "n"]
    program = [sys.executable, "-P", "-m", "roundtable"]
    return [*program, *map(str, words), "--model", "embedded", "--depth", "quick", "--json", *more]


def measure(given: argparse.Namespace, place: Path) -> list[Batch]:
    """Run the topics undisturbed, then on each engine."""
    docs, topics = _topics(given, place)
    many = len(topics.read_text(encoding="utf-8").splitlines())
    few = place / "few.txt"
    few.write_text("".join(topics.read_text(encoding="utf-8").splitlines(keepends=True)[: given.alone]))
    here = ["--processes", str(NODES), "--sessions", str(EACH)]
    alone = Batch("local", min(many, given.alone))
    found = [run(place / "local", _command(few, docs, given.turns, place / "alone", *here), alone, None)]
    print(alone, flush=True)
    for name in given.on or ENGINES:
        with PostgresServer.running() as server:
            home, *folders = homes(place / name, server)
            with ENGINES[name](folders) as engine:
                words = _command(topics, docs, given.turns, place / f"out-{name}", *engine.words)
                found.append(run(home, words, Batch(name, many), engine.kill))
        compare(place / "alone", place / f"out-{name}", found[-1])
        print(found[-1], flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--alone", type=int, default=200, help="of these, run undisturbed to compare with")
    parser.add_argument("--on", choices=[*ENGINES], action="append", help="repeatable; default: both")
    parser.add_argument("--turns", type=int, default=1, help="of each session")
    parser.add_argument("--documents", type=int, default=6, help="made ones, each of some paragraphs")
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="documents of your own, with --topics")
    parser.add_argument("--topics", type=Path, metavar="FILE", help="a topic a line")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    if bool(given.docs) != bool(given.topics):
        parser.error("--docs and --topics go together")
    with tempfile.TemporaryDirectory() as folder:
        found = measure(given, Path(folder))
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
