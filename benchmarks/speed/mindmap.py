"""How fast the map is, at every size.

    python benchmarks/speed/mindmap.py [--largest 100000] [--json FILE]

The texts are made: words by Zipf's law from a vocabulary of 30,000, each text on one of many subjects, 60
words long. Measured with the embedded model: placing ten passages into a map, reorganizing from scratch,
folding a journal, and the cost of one placed passage at 100, 1,000, … passages held.
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.quality.placement import Embedded
from library import Passage
from mindmap import AddNode, Item, MapIndex, MapPlaced, MapSettings, MindMap, PlacePassage, place, reorganize

SETTINGS = MapSettings()
WORDS = 30_000
LENGTH = 60


def vocabulary(chance: np.random.Generator) -> list[str]:
    """Return made words of three to ten letters."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    return ["".join(chance.choice(letters, int(size))) for size in chance.integers(3, 11, WORDS)]


def passages(count: int, subjects: int, seed: int = 7) -> dict[str, Passage]:
    """Return made passages: half of a text's words are its subject's, half anyone's."""
    chance = np.random.default_rng(seed)
    words = vocabulary(chance)
    own = chance.integers(200, WORDS, (subjects, 40))
    made: dict[str, Passage] = {}
    for number in range(1, count + 1):
        common = np.minimum(chance.zipf(1.3, LENGTH // 2), WORDS) - 1
        special = own[number % subjects][chance.integers(0, 40, LENGTH // 2)]
        text = " ".join(words[int(w)] for w in (*common, *special))
        source = f"source{number // 8}"
        passage = Passage(source, 0, len(text), text, "https://made.example", source, id=f"p{number}")
        made[passage.id] = passage
    return made


def full_map(held: list[str], nodes: int) -> MindMap:
    """Return a map of so many nodes, ten to a parent, with the passages dealt out."""
    tree = MindMap("Made subjects")
    for number in range(1, nodes + 1):
        parent = "n0" if number <= 10 else f"n{(number - 11) // 10 + 1}"
        tree.apply(AddNode(id=f"n{number}", title=f"Subject {number}", parent=parent))
    for number, passage in enumerate(held):
        tree.apply(PlacePassage(passage=passage, node=f"n{number % nodes + 1}"))
    return tree


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the median time that some work takes."""
    taken = []
    for _ in range(times):
        gc.collect()
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def placing(texts: dict[str, Passage], held: int, nodes: int, times: int) -> float:
    """Return the seconds that placing ten passages takes with so many passages and nodes held."""
    names = list(texts)
    tree = full_map(names[:held], nodes)
    index = MapIndex.built(tree, texts)
    new = iter(range(held, len(names) - 10, 10))

    def once() -> None:
        start = next(new)
        items = [Item(None, [texts[name] for name in names[start : start + 10]])]
        tree.apply_all(asyncio.run(place(tree, items, Embedded(), index, SETTINGS)))

    once()
    return seconds(once, times)


def growing(texts: dict[str, Passage], count: int) -> float:
    """Return the seconds that reorganizing so many passages from scratch takes, once they are indexed."""
    tree = MindMap("Made subjects")
    tree.apply_all(PlacePassage(passage=name, node="n0") for name in list(texts)[:count])
    index = MapIndex.built(tree, texts)
    return seconds(lambda: asyncio.run(reorganize(tree, None, Embedded(), index, SETTINGS)))


def folding(count: int) -> float:
    """Return the seconds that folding a journal of so many events takes."""
    events = [
        MapPlaced(turn=n, changes=[
            AddNode(id=f"n{n}", title=f"Node {n}", parent=f"n{n // 8}"),
            PlacePassage(passage=f"p{n}", node=f"n{n}"),
        ])
        for n in range(1, count + 1)
    ]  # fmt: skip

    def fold() -> None:
        tree = MindMap("Made subjects")
        for event in events:
            tree.fold(event)

    return seconds(fold, 3)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    args = parser.parse_args()
    texts = passages(10_300, 1_000)
    cost = placing(texts, 10_000, 1_000, 20) * 1000
    print(f"place 10 passages, 1,000 nodes and 10,000 passages: {cost:8.1f} ms")
    print(f"reorganize 10,000 passages from scratch:            {growing(texts, 10_000):8.2f} s")
    print(f"fold 10,000 events:                                 {folding(10_000):8.3f} s")
    rows = []
    for held in (100, 1_000, 10_000, 100_000):
        if held <= args.largest:
            texts = passages(held + 300, max(10, held // 10))
            rows.append((held, placing(texts, held, max(10, held // 10), 20) / 10))
            print(f"place one passage with {held:>7,} held: {rows[-1][1] * 1000:22.2f} ms", flush=True)
    if args.json:
        figures = [{"held": held, "seconds": seconds} for held, seconds in rows]
        args.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
