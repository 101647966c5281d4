"""Indexing and searching documents: files a second, a second run, and what a search takes.

    python -m benchmarks.documents [--largest 100000]

The documents are made (`made.py`), in Markdown, eight passages each. A search is the whole of what a session
does for one place: BM25, two rounds of feedback, the passages read from the store.
"""

import argparse
import asyncio
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.made import SUBJECTS, page
from library import LibrarySettings, open_library
from library.local import LocalCollection

SIZES = (1_000, 10_000, 100_000)
_PASSAGES = 8
"""Of one document, about."""
_QUERIES = 120


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a collection of some size took."""

    documents: int
    passages: int
    index_seconds: float
    again_seconds: float
    """Opening the same documents a second time."""
    first: list[float]
    """Seconds of the first 20 searches of a process."""
    warm: list[float]
    """Seconds of the searches after that."""
    megabytes: float
    """Of the store on disk."""

    @property
    def files_a_second(self) -> float:
        """Documents indexed in a second."""
        return self.documents / self.index_seconds


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def write(folder: Path, count: int) -> None:
    """Write so many made documents."""
    for number in range(count):
        made = page(number)
        path = folder / f"{number // 1000:03}" / f"{made.name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(made.text, encoding="utf-8")


def queries(count: int) -> list[str]:
    """Return made queries: a subject, a word of a fact, a town by its page's title."""
    chance = random.Random(5)
    words = ("cost", "survey", "failed", "insurers", "volunteers", "mayor", "debris", "premiums", "council")
    towns = [page(number, 0).title.split(":")[0] for number in range(400)]
    made = [(chance.choice(SUBJECTS), chance.choice(words), chance.choice(towns)) for _ in range(count)]
    return [" ".join(parts) for parts in made]


async def measure(folder: Path, home: Path, documents: int) -> Indexed:
    """Index, open again, search."""
    took: list[float] = []
    for _ in range(2):
        started = time.perf_counter()
        library = await open_library(LibrarySettings(), [str(folder)], [], offline=True, home=home)
        took.append(time.perf_counter() - started)
        if len(took) < 2:
            await library.close()
    place = library.collections[0]
    assert isinstance(place, LocalCollection)
    seconds: list[float] = []
    for query in queries(_QUERIES):
        started = time.perf_counter()
        await place.search(query, 50)
        seconds.append(time.perf_counter() - started)
    passages = library.store.passage_count([place.held])
    await library.close()
    size = _weight(home)
    return Indexed(documents, passages, took[0], took[1], seconds[:20], seconds[20:], size)


def _weight(home: Path) -> float:
    return sum(path.stat().st_size for path in home.glob("library.sqlite*")) / 1e6


def run(passages: int) -> Indexed:
    """Measure a collection of about so many passages."""
    documents = passages // _PASSAGES
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        write(Path(folder), documents)
        return asyncio.run(measure(Path(folder), Path(home), documents))


def line(found: Indexed) -> str:
    """Print one size."""
    first, warm = ([percentile(v, s) * 1000 for s in (0.5, 0.95)] for v in (found.first, found.warm))
    parts = [
        f"{found.passages:7,} passages of {found.documents:6,} documents",
        f"{found.files_a_second:.0f} files/s",
        f"second run {found.again_seconds:.2f} s",
        f"search p50 {warm[0]:.1f} ms, p95 {warm[1]:.1f} ms",
        f"first 20 of a process p50 {first[0]:.1f} ms, p95 {first[1]:.1f} ms",
        f"{found.megabytes:.0f} MB on disk",
    ]
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    largest = parser.parse_args().largest
    for size in SIZES:
        if size <= largest:
            print(line(run(size)), flush=True)


if __name__ == "__main__":
    main()
