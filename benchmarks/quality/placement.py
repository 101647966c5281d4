"""How well the map arranges what people have arranged already.

    python benchmarks/quality/placement.py DATA [--seeds 5] [--titles N] [--json FILE]

DATA is a folder with `gold/*.json`, one article each: `topic` and `statements`, each with `section` (path
of headings), `sentences` and `urls`. Two things are measured, with the embedded model:

placing   every other statement of a section stands in the article's own tree; the others are placed.
node, branch: share placed in the right node, in the right top section. growing   all statements come in
random order, six a turn, to an empty map; at the end it is reorganized as a whole. ami, ari: adjusted
mutual information and adjusted Rand index of top branches against top sections;
          levels: nodes per level. Means over the seeds.

Weights are fitted (`benchmarks/made_tables/fit_placement.py`) on two thirds of the articles, in order of
their names, and on manuals; every third is reported apart.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.quality.agreement import adjusted_mutual_information, adjusted_rand_index
from library import Passage, TextStatistics
from mindmap import AddNode, Item, MapIndex, MapSettings, MindMap, PlacePassage, place, reorganize
from models import ExtractiveModel, OutputT, Task

PER_TURN = 6


class Embedded:
    """Asks the embedded model; stands for the session's context."""

    def __init__(self) -> None:
        self._model = ExtractiveModel(TextStatistics())

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task."""
        return (await self._model.ask(task)).output

    async def ask_all(self, tasks: Sequence[Task[OutputT]]) -> list[OutputT]:
        """Do several."""
        return [await self.ask(task) for task in tasks]

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several, one after the other."""
        return [await self.ask(task) for task in tasks]


@dataclass
class Article:
    """An article that people arranged: its statements as passages, and the section of each."""

    topic: str
    passages: dict[str, Passage]
    section: dict[str, tuple[str, ...]]

    @classmethod
    def read(cls, file: Path) -> "Article":
        """Read one gold file."""
        gold = json.loads(file.read_text(encoding="utf-8"))
        passages, section = {}, {}
        for number, statement in enumerate(gold["statements"], 1):
            text, url = " ".join(statement["sentences"]), statement["urls"][0]
            title = re.sub(r"[\W_]+", " ", url.split("//")[-1].partition("/")[2]).strip()
            passage = Passage(url, 0, len(text), text, url, title, id=f"p{number}")
            passages[passage.id] = passage
            section[passage.id] = tuple(statement["section"])
        return cls(gold["topic"], passages, section)


def half_arranged(article: Article) -> tuple[MindMap, dict[tuple[str, ...], str], list[str]]:
    """Return the article's own tree with every other statement placed, its nodes, and the statements left."""
    tree = MindMap(article.topic)
    node_of: dict[tuple[str, ...], str] = {(): "n0"}
    for path in article.section.values():
        for depth in range(1, len(path) + 1):
            if path[:depth] not in node_of:
                node_of[path[:depth]] = tree.next_id()
                above = node_of[path[: depth - 1]]
                tree.apply(AddNode(id=tree.next_id(), title=path[depth - 1], parent=above))
    seen: Counter[tuple[str, ...]] = Counter()
    held = []
    for passage, path in article.section.items():
        if seen[path] % 2 == 0:
            tree.apply(PlacePassage(passage=passage, node=node_of[path]))
        else:
            held.append(passage)
        seen[path] += 1
    return tree, node_of, held


async def placing(article: Article, settings: MapSettings) -> tuple[float, float, int]:
    """Return the shares of right nodes and right branches, and how many were placed."""
    tree, node_of, held = half_arranged(article)
    index = MapIndex.built(tree, article.passages)
    items = [Item(None, [article.passages[p] for p in held])]
    changes = await place(tree, items, Embedded(), index, settings)
    tree.apply_all(changes)
    right = [tree.where(p) == node_of[article.section[p]] for p in held]
    branch = [tree.branch(str(tree.where(p))) == node_of[article.section[p][:1]] for p in held]
    return statistics.mean(right), statistics.mean(branch), len(held)


async def grown(article: Article, seed: int, settings: MapSettings) -> MindMap:
    """Return the map that grows from an article's statements in random order."""
    order = list(article.passages)
    random.Random(seed).shuffle(order)
    tree, index, asks = MindMap(article.topic), MapIndex(article.passages), Embedded()
    for start in range(0, len(order), PER_TURN):
        items = [Item(None, [article.passages[p] for p in order[start : start + PER_TURN]])]
        changes = await place(tree, items, asks, index, settings)
        tree.apply_all(changes)
        touched = {change.node for change in changes if isinstance(change, PlacePassage)}
        tree.apply_all(await reorganize(tree, touched, asks, index, settings))
    tree.apply_all(await reorganize(tree, None, asks, index, settings))
    return tree


def agreement(article: Article, tree: MindMap) -> tuple[float, float]:
    """Return AMI and ARI of the map's top branches against the article's top sections."""
    truth = [article.section[p][0] for p in article.passages]
    found = [tree.branch(str(tree.where(p))) for p in article.passages]
    return adjusted_mutual_information(truth, found), adjusted_rand_index(truth, found)


def levels(tree: MindMap) -> list[int]:
    """Return how many nodes stand on each level below the root."""
    counts = Counter(tree.depth(node) for node in tree.walk())
    return [counts[depth] for depth in range(1, max(counts) + 1)]


async def measure(article: Article, seeds: int, settings: MapSettings) -> dict[str, float]:
    """Return one row of the table."""
    node, branch, placed = await placing(article, settings)
    rows: dict[str, list[float]] = defaultdict(list)
    started = time.perf_counter()
    for seed in range(seeds):
        tree = await grown(article, seed, settings)
        ami, ari = agreement(article, tree)
        counts = levels(tree)
        for name, value in (("ami", ami), ("ari", ari), ("top", counts[0]), ("second", sum(counts[1:2])),
                            ("deeper", sum(counts[2:]))):  # fmt: skip
            rows[name].append(value)
    seconds = (time.perf_counter() - started) / seeds
    means = {name: statistics.mean(values) for name, values in rows.items()}
    return {"placed": placed, "node": node, "branch": branch, **means, "s": seconds}


def show(name: str, row: dict[str, float]) -> None:
    """Print one row."""
    print(f"{name:<38.38}" + "".join(f"{row[key]:>9.3f}" for key in row), flush=True)


async def main() -> None:
    """Measure all articles and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--titles", type=int, default=0, help="print the titles given for N articles")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    articles = [Article.read(file) for file in sorted((args.data / "gold").glob("*.json"))]
    settings = MapSettings()
    rows = []
    for article in articles:
        rows.append(await measure(article, args.seeds, settings))
        if len(rows) == 1:
            print(" " * 38 + "".join(f"{key:>9}" for key in rows[0]))
        show(article.topic, rows[-1])
    apart = [row for number, row in enumerate(rows) if number % 3 == 2]
    tuned = [row for number, row in enumerate(rows) if number % 3 != 2]
    for name, some in (("MEAN, tuned on", tuned), ("MEAN, kept apart", apart), ("MEAN", rows)):
        if some:
            means = {key: statistics.mean(row[key] for row in some) for key in some[0]}
            show(f"{name} ({len(some)})", means)
    if args.json:
        table = {article.topic: row for article, row in zip(articles, rows, strict=True)}
        args.json.write_text(json.dumps(table, indent=1))
    for article in articles[: args.titles]:
        tree = await grown(article, 0, settings)
        headings = dict.fromkeys(path[0] for path in article.section.values())
        print(f"\n{article.topic}\n  people: " + "; ".join(headings))
        print("  map:    " + "; ".join(tree.title(child) for child in tree.children(tree.root)))


if __name__ == "__main__":
    asyncio.run(main())
