"""Indexing and searching documents: files a second, a second run, and what a search takes.

    python -m benchmarks.speed.documents [--largest 100000] [--folder DIR] [--json FILE]

The documents are made (`inputs/zipf.py`) in Markdown, eight passages each, with a vocabulary as uneven
as real text has. A search is the whole of what a session does for one place: BM25, two rounds of
feedback, the passages read from the store. Indexing and searching are done by a process each. Searches are
timed in seconds of the processor, which other work on the machine changes little, and on the clock.
"""

import argparse
import asyncio
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.inputs.made import page
from benchmarks.inputs.zipf import Corpus
from library import LibrarySettings, open_library
from library.search import LocalCollection

SIZES = (1_000, 10_000, 100_000, 1_000_000)
_PASSAGES = 8
"""Of one document, about."""
_QUERIES = 220
_FIRST = 20
"""Searches of a process that are its first ones."""
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Searched:
    """What searches took, in seconds."""

    p50: float
    p95: float
    clock_p50: float
    clock_p95: float


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a collection of some size took."""

    name: str
    documents: int
    passages: int
    index_seconds: float
    index_processor: float
    again_seconds: float
    """Opening the same documents a second time."""
    first: Searched
    """The first searches of a process."""
    then: Searched
    megabytes: float
    """Of the store on disk, with its postings."""
    index_memory: float
    search_memory: float
    """The most megabytes of the process that indexed, and of the one that searched."""


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def write(folder: Path, count: int) -> None:
    """Write so many made documents about towns and floods."""
    for number in range(count):
        made = page(number)
        path = folder / f"{number // 1000:03}" / f"{made.name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(made.text, encoding="utf-8")


def write_corpus(folder: Path, corpus: Corpus) -> list[str]:
    """Write a corpus; return queries for it."""
    for number in range(corpus.documents):
        path = folder / f"{number // 1000:03}" / f"{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(corpus.text(number), encoding="utf-8")
    return list(corpus.queries(_QUERIES))


def queries_of(folder: Path) -> list[str]:
    """Return queries for documents of one's own: the longest words of some of them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    found = []
    for path in paths[:: max(1, len(paths) // _QUERIES)][:_QUERIES]:
        words = re.findall(r"[^\W\d_]{4,}", path.read_text(encoding="utf-8", errors="replace")[300:1500])
        found.append(" ".join(sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))[:6]))
    return found


async def index(folder: str, home: Path) -> dict[str, float]:
    """Index a folder; return what it took."""
    started, spent = time.perf_counter(), time.process_time()
    library = await open_library(LibrarySettings(), [folder], [], offline=True, home=home)
    took, processor = time.perf_counter() - started, time.process_time() - spent
    place = library.collections[0]
    assert isinstance(place, LocalCollection)
    passages, files = len(library.store.postings(place.held).ids), len(library.store.files(place.held))
    await library.close()
    return {"seconds": took, "processor": processor, "passages": passages, "files": files}


async def search(folder: str, home: Path, queries: list[str]) -> dict[str, object]:
    """Open again and search; return what it took."""
    started = time.perf_counter()
    library = await open_library(LibrarySettings(), [folder], [], offline=True, home=home)
    again = time.perf_counter() - started
    place = library.collections[0]
    assert isinstance(place, LocalCollection)
    spent: list[float] = []
    took: list[float] = []
    for query in queries:
        began, used = time.perf_counter(), time.process_time()
        place.find(query, 50)
        took.append(time.perf_counter() - began)
        spent.append(time.process_time() - used)
    await library.close()
    parts = [slice(0, _FIRST), slice(_FIRST, None)]
    first, then = ([percentile(v[part], s) for v in (spent, took) for s in (0.5, 0.95)] for part in parts)
    return {"again": again, "first": first, "then": then}


def child(kind: str, folder: Path, home: Path, queries: list[str]) -> dict[str, object]:
    """Do one part in a process of its own: its first searches are first ones, its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.speed.documents", "--child", kind, str(folder), str(home)]
    given = json.dumps(queries)
    ran = subprocess.run(command, cwd=_ROOT, input=given, check=True, stdout=subprocess.PIPE, text=True)
    said: dict[str, object] = json.loads(ran.stdout)
    return said


def measure(name: str, folder: Path, queries: list[str]) -> Indexed:
    """Index a folder, open it again, search."""
    with tempfile.TemporaryDirectory() as home:
        made = child("index", folder, Path(home), [])
        found = child("search", folder, Path(home), queries)
        size = sum(path.stat().st_size for path in Path(home).glob("library*/*")) + sum(
            path.stat().st_size for path in Path(home).glob("library.sqlite*")
        )
    return Indexed(
        name=name,
        documents=int(made["files"]),  # type: ignore[call-overload]
        passages=int(made["passages"]),  # type: ignore[call-overload]
        index_seconds=float(made["seconds"]),  # type: ignore[arg-type]
        index_processor=float(made["processor"]),  # type: ignore[arg-type]
        again_seconds=float(found["again"]),  # type: ignore[arg-type]
        first=Searched(*found["first"]),  # type: ignore[misc]
        then=Searched(*found["then"]),  # type: ignore[misc]
        megabytes=size / 1e6,
        index_memory=float(made["memory"]),  # type: ignore[arg-type]
        search_memory=float(found["memory"]),  # type: ignore[arg-type]
    )


def line(found: Indexed) -> str:
    """Return one line about one size."""
    rates = [found.documents / seconds for seconds in (found.index_seconds, found.index_processor)]
    parts = [
        f"{found.passages:7,} passages of {found.documents:6,} documents ({found.name})",
        f"{rates[0]:.0f} files/s, {rates[1]:.0f} a second of processor",
        f"second run {found.again_seconds:.2f} s",
    ]
    for what, times in (("search", found.then), (f"first {_FIRST} of a process", found.first)):
        parts.append(
            f"{what} p50 {times.p50 * 1000:.1f} ms, p95 {times.p95 * 1000:.1f} ms"
            f" (clock {times.clock_p50 * 1000:.1f}, {times.clock_p95 * 1000:.1f})"
        )
    parts.append(
        f"{found.megabytes:.0f} MB on disk; memory {found.index_memory:.0f}, {found.search_memory:.0f} MB"
    )
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, action="append", default=[], help="documents of your own, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        kind, folder, home = given.child
        queries = json.loads(sys.stdin.read())
        work = index(folder, Path(home)) if kind == "index" else search(folder, Path(home), queries)
        memory = {"memory": 0.0}
        said = asyncio.run(work) | memory
        said["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(json.dumps(said))
        return
    found = []
    for size in SIZES:
        if size <= given.largest:
            with tempfile.TemporaryDirectory() as folder:
                queries = write_corpus(Path(folder), Corpus(size // _PASSAGES))
                found.append(measure("made", Path(folder), queries))
            print(line(found[-1]), flush=True)
    for folder in given.folder:
        found.append(measure(folder.parent.name, folder, queries_of(folder)))
        print(line(found[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
