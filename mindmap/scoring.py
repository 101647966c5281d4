"""How well passages fit the nodes of a map: several signs, weighed and added up.

The signs were weighed (multinomial regression) on articles that people had arranged. The work does not grow
with the map: only the passages nearest to the new ones are looked at, and of them at most `_COMPARED`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from library.analysis import terms
from mindmap.affinity import affinity_of, views
from mindmap.index import MapIndex
from mindmap.kinds import Cues, cues, shares
from mindmap.tree import UNSORTED, MindMap

Matrix = NDArray[np.float64]

_COMPARED = 150
_NEAR = 90
"""Of a map that holds more, so many are compared with all the new ones together."""
_NEAREST, _STRONGEST, _AVERAGE, _BRANCH = 0.94, 0.42, 0.58, 0.60
_TITLE, _KIND, _BRANCH_KIND = 0.93, 0.34, 0.39
_SIZE, _COSINE, _SOURCE = 0.80, 5.7, 0.30
_DENSE = 6.0
"""As much as the sparse cosine; not fitted, since models differ."""
_NOTHING = -2.0
"""Affinity with a node that holds nothing."""
_PROMISE = 3.0
"""How much more it is when a passage holds all the words of its title."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a passage fits a node."""

    node: str
    score: float
    """0 to 1; the best node's says how well anything fits, the others' how they compare with it."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is compared: new passages, placed ones, and the nodes in question."""

    new: list[str]
    placed: list[str]
    nodes: list[str]
    held: list[list[int]]
    """For each node the places (in `placed`) of what it holds itself."""
    branch: list[str]
    under: dict[str, list[int]]
    """For each branch the places of what stands in and under it."""


def fits(
    tree: MindMap,
    index: MapIndex,
    new: Sequence[str],
    count: int,
    asked: Mapping[str, str] = MappingProxyType({}),
) -> list[list[Fit]]:
    """Return for each of some new passages up to `count` nodes that it might stand in, best first.

    Args:
        tree: The map.
        index: Its texts, the new ones included.
        new: Ids of the passages.
        count: The most nodes for each.
        asked: The questions that passages were found for. A person's node that was asked about by its title
            is a likely place for what was found.
    """
    sides = _sides(tree, index, new)
    if not sides.nodes or not sides.new:
        return [[] for _ in new]
    stack = views(index, [*sides.placed, *sides.new])
    likeness = affinity_of(stack)[len(sides.placed) :, : len(sides.placed)]
    cosines = stack[len(sides.placed) :, : len(sides.placed), 0]
    shared = _title_shares(tree, index, sides)
    expected = np.maximum(_NOTHING + _PROMISE * shared, _asked_about(tree, sides, asked))
    total, nearest = _held(sides, likeness, cosines, expected)
    total += _TITLE * shared + _kinds(tree, index, sides)
    total += _SOURCE * _same_source(index, sides)
    total += _DENSE * _dense(index, sides)
    return [_best(sides.nodes, total[row], nearest[row], count) for row in range(len(sides.new))]


def _sides(tree: MindMap, index: MapIndex, new: Sequence[str]) -> _Sides:
    placed = _compared(tree, index, new)
    nodes = _nodes(tree, placed)
    held: dict[str, list[int]] = {node: [] for node in nodes}
    under: defaultdict[str, list[int]] = defaultdict(list)
    tops = {node: tree.branch(node) for node in nodes}
    for place, passage in enumerate(placed):
        node = str(tree.where(passage))
        held[node].append(place)
        under[tops[node]].append(place)
    return _Sides(
        list(new), placed, nodes, [held[node] for node in nodes], [tops[node] for node in nodes], under
    )


def _nodes(tree: MindMap, placed: Sequence[str]) -> list[str]:
    """Return the nodes in question: all of a small map; of a large one those near, and what is above."""
    if len(tree) <= _COMPARED:
        loose = set(tree.walk(UNSORTED)) if UNSORTED in tree else set()
        return [node for node in tree.walk() if node != tree.root and node not in loose]
    near = dict.fromkeys(str(tree.where(passage)) for passage in placed)
    found = dict.fromkeys(step for node in near for step in tree.path(node)[1:])
    found.update(dict.fromkeys(child for child in tree.children(tree.root) if child != UNSORTED))
    return list(found)


def _compared(tree: MindMap, index: MapIndex, new: Sequence[str]) -> list[str]:
    """Return the placed passages to compare with: all of a small map, of a large one the nearest."""
    ours = set(new)
    loose = set(tree.walk(UNSORTED)) if UNSORTED in tree else set()

    def counts(passage: str) -> bool:
        where = tree.where(passage)
        return passage not in ours and where not in (None, tree.root) and where not in loose

    if len(index.vectors) <= _COMPARED:
        return [passage for passage in tree.placed() if passage in index and counts(passage)]
    each = max(3, _NEAR // max(1, len(new)))
    found: dict[str, None] = {}
    for passage in new:
        near = [other for other, _ in index.vectors.near(index.traits(passage).terms, 2 * each)]
        wanted = [*near, *index.same_source(passage, 6)]
        found.update(dict.fromkeys([other for other in wanted if counts(other)][:each]))
    return list(found)


def _held(
    sides: _Sides, likeness: Matrix, cosines: Matrix, expected: Matrix
) -> tuple[Matrix, Matrix]:
    """Return what the nodes' contents say, and the affinity with the nearest passage in each node.

    Of a node that holds nothing yet, what its title lets one expect stands in for what it holds.
    """
    total = np.zeros((len(sides.new), len(sides.nodes)))
    nearest = np.full_like(total, _NOTHING)
    branches = {
        branch: likeness[:, places].mean(axis=1) if places else np.full(len(sides.new), _NOTHING)
        for branch, places in ((branch, sides.under[branch]) for branch in dict.fromkeys(sides.branch))
    }
    for column, (places, branch) in enumerate(zip(sides.held, sides.branch, strict=True)):
        total[:, column] = _BRANCH * branches[branch] + _SIZE * math.log(len(places) + 0.5)
        if places:
            mine = np.sort(likeness[:, places], axis=1)[:, ::-1]
            nearest[:, column] = mine[:, 0]
            total[:, column] += _STRONGEST * mine[:, :3].mean(axis=1) + _AVERAGE * mine.mean(axis=1)
            total[:, column] += _COSINE * cosines[:, places].max(axis=1)
        else:
            nearest[:, column] = expected[:, column]
            total[:, column] += (_STRONGEST + _AVERAGE) * expected[:, column]
        total[:, column] += _NEAREST * nearest[:, column]
    return total, nearest


def _title_shares(tree: MindMap, index: MapIndex, sides: _Sides) -> Matrix:
    """Return how much of each node's title each passage shares, its words weighed."""
    titles = [tree.title(node) for node in sides.nodes]
    result = np.zeros((len(sides.new), len(titles)))
    own = [set(index.traits(passage).headed) for passage in sides.new]
    for column, title in enumerate(titles):
        weights = {term: index.vectors.weight(term) for term in _title(title)}
        whole = sum(weights.values())
        for row, held in enumerate(own):
            shared = sum(weight for term, weight in weights.items() if term in held)
            result[row, column] = shared / whole if shared else 0.0
    return result


def _asked_about(tree: MindMap, sides: _Sides, asked: Mapping[str, str]) -> Matrix:
    """Return 1 for the person's node whose title the passage's question names, the longest of several."""
    result = np.full((len(sides.new), len(sides.nodes)), _NOTHING)
    titles = {
        column: tree.title(node).casefold()
        for column, node in enumerate(sides.nodes)
        if asked and tree.kept(node)
    }
    for row, passage in enumerate(sides.new):
        question = asked.get(passage, "").casefold()
        named = [column for column, title in titles.items() if title in question]
        if named:
            result[row, max(named, key=lambda column: (len(titles[column]), -column))] = 1.0
    return result


def _kinds(tree: MindMap, index: MapIndex, sides: _Sides) -> Matrix:
    """Return how well the kind of section that each node's title names fits each passage."""
    result = np.zeros((len(sides.new), len(sides.nodes)))
    named = [_named(tree.title(node)) for node in sides.nodes]
    tops = [_named(tree.title(branch)) for branch in sides.branch]
    texts = [index.traits(passage).cues for passage in (*sides.placed, *sides.new)]
    kinds = shares([*texts, *named, *tops])
    kinds /= np.linalg.norm(kinds, axis=1, keepdims=True)
    mine = kinds[len(sides.placed) : len(texts)]
    for weight, given, start in (
        (_KIND, named, len(texts)),
        (_BRANCH_KIND, tops, len(texts) + len(named)),
    ):
        tells = np.array([bool(each.found) for each in given], dtype=np.float64)
        result += weight * (mine @ kinds[start : start + len(given)].T) * tells
    return result


def _dense(index: MapIndex, sides: _Sides) -> Matrix:
    """Return how much nearer each node's nearest passage is than a usual node's, by dense vectors."""
    result = np.zeros((len(sides.new), len(sides.nodes)))
    vectors = {
        passage: vector
        for passage in (*sides.placed, *sides.new)
        if (vector := index.dense(passage)) is not None
    }
    filled = [
        (column, [vectors[sides.placed[p]] for p in places if sides.placed[p] in vectors])
        for column, places in enumerate(sides.held)
    ]
    known = [(column, np.stack(held)) for column, held in filled if held]
    for row, passage in enumerate(sides.new):
        mine = vectors.get(passage)
        if mine is None or not known:
            continue
        alike = {column: float((held @ mine).max()) for column, held in known if held.shape[1] == mine.size}
        usual = sum(alike.values()) / max(1, len(alike))
        for column, cosine in alike.items():
            result[row, column] = cosine - usual
    return result


def _same_source(index: MapIndex, sides: _Sides) -> Matrix:
    """Return the share of the same source's passages that stand in each node's branch."""
    place = {passage: number for number, passage in enumerate(sides.placed)}
    result = np.zeros((len(sides.new), len(sides.nodes)))
    within = {branch: set(places) for branch, places in sides.under.items()}
    for row, passage in enumerate(sides.new):
        mates = [place[other] for other in index.same_source(passage) if other in place]
        if mates:
            for column, branch in enumerate(sides.branch):
                result[row, column] = len(within[branch].intersection(mates)) / len(mates)
    return result


def _best(nodes: Sequence[str], total: Matrix, nearest: Matrix, count: int) -> list[Fit]:
    rounded = np.round(total, 9)
    order = sorted(range(len(nodes)), key=lambda column: (-rounded[column], column))[:count]
    top = order[0]
    # How well anything fits is told by the nearest passage: 0.5 at a middling affinity.
    well = 1.0 / (1.0 + math.exp(-2.0 * float(nearest[top])))
    return [Fit(nodes[column], well * math.exp(float(total[column] - total[top]))) for column in order]


@lru_cache(maxsize=20_000)
def _title(title: str) -> frozenset[str]:
    return frozenset(terms(title))


@lru_cache(maxsize=20_000)
def _named(title: str) -> Cues:
    return cues(title)
