"""The journal in a file and in PostgreSQL: how long a commit takes, and how much of a session that is.

    python -m benchmarks.speed.journals [--appends 400] [--sessions 8] [--json FILE]

The server is this machine's own, on a Unix socket and on the same disk. Both kinds take turns, so that a disk
that is slow for a while is slow for both. Sessions use the embedded model.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from agents import SpeakerCalled
from benchmarks.load.many import play
from benchmarks.speed.documents import percentile, write
from roundtable.config.home import DATABASE_FILE
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Warned
from roundtable.journal.storage.journal_store import Journal
from tests.postgres_server import PostgresServer

_ROUNDS = 8
"""Times that each kind has its turn."""
_TEXT = "x" * 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """One kind of journal."""

    name: str
    waiting: list[float]
    """Seconds of an append that waits for the disk: the middle, the slowest of twenty."""
    passing: list[float]
    """Of one that does not."""
    session: float
    """Seconds of a session: the middle of them."""
    appending: float
    """Of these, in the journal's appends."""


def append(place: Path | str, count: int) -> tuple[list[float], list[float]]:
    """Append so many events of 1 kB of each kind; return the seconds of each."""
    waiting, passing = [], []
    with Journal(place, SystemClock()) as journal:
        name = f"s{time.time_ns()}"
        journal.create(name, [Warned(text="begun")])
        for _ in range(count):
            for taken, event in (
                (waiting, Warned(text=_TEXT)),
                (passing, SpeakerCalled(turn=1, speaker="ada", question=_TEXT)),
            ):
                start = time.perf_counter()
                journal.append(name, [event])
                taken.append(time.perf_counter() - start)
    return waiting, passing


@contextmanager
def clocked() -> Iterator[list[float]]:
    """Collect how long each append takes while the block runs."""
    real, taken = Journal.append, list[float]()

    def timed(journal: Journal, *given: object) -> object:
        start = time.perf_counter()
        try:
            return real(journal, *given)  # type: ignore[arg-type]
        finally:
            taken.append(time.perf_counter() - start)

    Journal.append = timed  # type: ignore[assignment,method-assign]
    try:
        yield taken
    finally:
        Journal.append = real  # type: ignore[method-assign]


def session(docs: Path, home: Path, number: int) -> tuple[float, float]:
    """Run one session; return its seconds, and those of its appends."""
    with clocked() as taken:
        start = time.perf_counter()
        asyncio.run(play(number, str(docs), home))
        return time.perf_counter() - start, sum(taken)


def measure(appends: int, sessions: int, folder: Path, address: str) -> list[Measured]:
    """Measure both, in turns."""
    docs = folder / "docs"
    docs.mkdir()
    write(docs, 120)
    homes = {"a file": folder / "file", "PostgreSQL": folder / "database"}
    for home in homes.values():
        home.mkdir()
    (homes["PostgreSQL"] / DATABASE_FILE).write_text(f'database = "{address}"\n')
    places: dict[str, Path | str] = {"a file": homes["a file"] / "journal.db", "PostgreSQL": address}
    waits: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in homes}
    for _ in range(_ROUNDS):
        for name, place in places.items():
            for kept, new in zip(waits[name], append(place, appends // _ROUNDS), strict=True):
                kept.extend(new)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in homes}
    for number in range(sessions + 1):
        # What a process has read it remembers: who comes second with a topic is quicker.
        for name, home in sorted(homes.items(), reverse=bool(number % 2)):
            taken[name].append(session(docs, home, number))
    return [
        Measured(
            name,
            *([median(each), percentile(each, 0.95)] for each in waits[name]),
            median(whole for whole, _ in taken[name][1:]),  # the first one indexes
            median(part for _, part in taken[name][1:]),
        )
        for name in homes
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--appends", type=int, default=400)
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, PostgresServer.running() as server:
        found = measure(given.appends, given.sessions, Path(folder), server.database())
    for each in found:
        waits, passes = (" / ".join(f"{s * 1000:.2f}" for s in pair) for pair in (each.waiting, each.passing))
        print(
            f"{each.name}: an append {waits} ms waiting for the disk, {passes} ms not; "
            f"a session {each.session:.2f} s, {each.appending * 1000:.0f} ms of it in appends"
        )
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
