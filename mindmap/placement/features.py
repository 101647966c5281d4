"""What speaks for a passage in a node: its likeness with what the node holds, and with its title."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from library.text import terms, word_vectors, words
from mindmap.placement.affinity import affinity, unit, word_cosines
from mindmap.placement.candidates import Sides
from mindmap.placement.map_index import MapIndex
from mindmap.titles.section_types import Cues, cues, leanings, shares
from mindmap.tree import MindMap

Matrix = NDArray[np.float64]

SIGNS = (
    "nearest", "strongest", "average", "branch", "title", "kind", "branch_kind", "size", "cosine", "source",
    "near_meaning", "mean_meaning", "title_meaning", "branch_meaning", "reached", "reached_log",
    "branch_reached", "branch_reached_log", "title_leaning", "branch_title_leaning", "branch_title_meaning",
)  # fmt: skip
_WALK, _ON, _NEVER = 1.5, 0.6, 0.003
"""How much sooner a walk steps to what is more alike, how likely it goes on, and what a log takes for 0."""
_NOTHING = -2.0
"""Affinity with a node that holds nothing."""
_PROMISE = 3.0
"""How much more it is when a passage holds all the words of its title."""


def signs(
    tree: MindMap, index: MapIndex, sides: Sides, asked: Mapping[str, str] = MappingProxyType({})
) -> tuple[Matrix, Matrix]:
    """Return what speaks for each passage in each node, in the order of `SIGNS`, and the nearest affinity."""
    members, old = [*sides.placed, *sides.new], len(sides.placed)
    cosines = word_cosines(index, members)
    whole = affinity(index, members, cosines)
    likeness = whole[old:, :old]
    shared = _title_shares(tree, index, sides)
    expected = np.maximum(_NOTHING + _PROMISE * shared, _asked_about(tree, sides, asked))
    held = _held(sides, likeness, cosines[old:, :old], expected)
    kinds = _kinds(tree, index, sides)
    raw = np.stack([index.traits(member).meaning for member in members])
    usual = raw.mean(axis=0)
    rows = unit(raw - usual)
    near, titled = _meanings(tree, sides, rows), _titles(tree, sides, rows[old:], usual)
    meanings = (*near, *_reached(sides, whole), *titled)
    nearest, strongest, average, branch, size, cosine = held
    stack = [nearest, strongest, average, branch, shared, *kinds, size, cosine, _same_source(index, sides)]
    return np.stack([*stack, *meanings], axis=-1), nearest


def _held(sides: Sides, likeness: Matrix, cosines: Matrix, expected: Matrix) -> tuple[Matrix, ...]:
    """Return what the nodes' contents say: nearest, strongest and average affinity, branch, size, cosine.

    Of a node that holds nothing yet, what its title lets one expect stands in for what it holds.
    """
    rows, columns = len(sides.new), len(sides.nodes)
    nearest, branch = np.full((rows, columns), _NOTHING), np.zeros((rows, columns))
    strongest, average = expected.copy(), expected.copy()
    size, cosine = np.zeros((rows, columns)), np.zeros((rows, columns))
    branches = {
        branch: likeness[:, places].mean(axis=1) if places else np.full(rows, _NOTHING)
        for branch, places in ((branch, sides.under[branch]) for branch in dict.fromkeys(sides.branch))
    }
    for column, (places, top) in enumerate(zip(sides.held, sides.branch, strict=True)):
        branch[:, column] = branches[top]
        size[:, column] = math.log(len(places) + 0.5)
        if not places:
            nearest[:, column] = expected[:, column]
            continue
        mine = np.sort(likeness[:, places], axis=1)[:, ::-1]
        nearest[:, column] = mine[:, 0]
        strongest[:, column] = mine[:, :3].mean(axis=1)
        average[:, column] = mine.mean(axis=1)
        cosine[:, column] = cosines[:, places].max(axis=1)
    return nearest, strongest, average, branch, size, cosine


def _meanings(tree: MindMap, sides: Sides, rows: Matrix) -> tuple[Matrix, ...]:
    """Return how near each passage's meaning is to the nearest in a node, its mean, its title, its branch."""
    result = np.zeros((4, len(sides.new), len(sides.nodes)))
    placed, mine = rows[: len(sides.placed)], rows[len(sides.placed) :]
    alike = mine @ placed.T
    result[2] = mine @ _titled(tree, sides.nodes).T
    tops = {branch: _centre(placed, sides.under[branch]) for branch in dict.fromkeys(sides.branch)}
    for column, (places, top) in enumerate(zip(sides.held, sides.branch, strict=True)):
        if places:
            result[0, :, column] = alike[:, places].max(axis=1)
            result[1, :, column] = mine @ _centre(placed, places)
        result[3, :, column] = mine @ tops[top]
    return tuple(result)


def _reached(sides: Sides, likeness: Matrix) -> tuple[Matrix, ...]:
    """Return how likely a walk along what is alike ends in each node and each branch; both with logs.

    It is label spreading (Zhou et al., "Learning with local and global consistency", 2003), in which the new
    passages take part.
    """
    total, old = len(likeness), len(sides.placed)
    steps = np.exp(_WALK * (likeness - likeness.max()))
    np.fill_diagonal(steps, 0.0)
    steps /= np.maximum(1e-9, steps.sum(axis=1, keepdims=True))
    ends = np.zeros((total, 2 * len(sides.nodes)))
    for column, (places, branch) in enumerate(zip(sides.held, sides.branch, strict=True)):
        ends[places, column] = 1.0
        ends[sides.under[branch], len(sides.nodes) + column] = 1.0
    reached = np.linalg.solve(np.eye(total) - _ON * steps, ends)[old:] * (1.0 - _ON)
    nodes, branches = reached[:, : len(sides.nodes)], reached[:, len(sides.nodes) :]
    return nodes, np.log(nodes + _NEVER), branches, np.log(branches + _NEVER)


def _titles(tree: MindMap, sides: Sides, mine: Matrix, usual: Matrix) -> tuple[Matrix, ...]:
    """Return how well the kinds that each title, and its branch's, leans to fit; and the branch's meaning."""
    leaning = unit(leanings(mine))
    fitting = []
    for nodes in (sides.nodes, sides.branch):
        titles = np.stack([_meaning(tree.title(node)) for node in nodes])
        fitting.append(leaning @ unit(leanings(unit(titles - usual))).T)
    return (*fitting, mine @ _titled(tree, sides.branch).T)


def _titled(tree: MindMap, nodes: Sequence[str]) -> Matrix:
    """Return the meanings of nodes' titles, less what they share."""
    titles = np.stack([_meaning(tree.title(node)) for node in nodes])
    return unit(titles - titles.mean(axis=0))


def _centre(rows: Matrix, places: Sequence[int]) -> Matrix:
    """Return the direction of some rows' mean; 0 of none."""
    if not places:
        return np.zeros(rows.shape[1])
    mean = rows[places].mean(axis=0)
    return np.asarray(mean / max(1e-9, float(np.linalg.norm(mean))))


def _title_shares(tree: MindMap, index: MapIndex, sides: Sides) -> Matrix:
    """Return how much of each node's title each passage shares, its words weighed."""
    titles = [tree.title(node) for node in sides.nodes]
    result = np.zeros((len(sides.new), len(titles)))
    own = [set(index.traits(passage).headed.terms) for passage in sides.new]
    for column, title in enumerate(titles):
        weights = {term: index.vectors.weight(term) for term in _title(title)}
        whole = sum(weights.values())
        for row, held in enumerate(own):
            shared = sum(weight for term, weight in weights.items() if term in held)
            result[row, column] = shared / whole if shared else 0.0
    return result


def _asked_about(tree: MindMap, sides: Sides, asked: Mapping[str, str]) -> Matrix:
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


def _kinds(tree: MindMap, index: MapIndex, sides: Sides) -> tuple[Matrix, Matrix]:
    """Return how well the kind of section that a node's title, and its branch's, names fits each passage."""
    named = [_named(tree.title(node)) for node in sides.nodes]
    tops = [_named(tree.title(branch)) for branch in sides.branch]
    texts = [index.traits(passage).cues for passage in (*sides.placed, *sides.new)]
    kinds = shares([*texts, *named, *tops])
    kinds /= np.linalg.norm(kinds, axis=1, keepdims=True)
    mine = kinds[len(sides.placed) : len(texts)]

    def fitting(given: Sequence[Cues], start: int) -> Matrix:
        tells = np.array([len(each.names) > 0 for each in given], dtype=np.float64)
        return np.asarray((mine @ kinds[start : start + len(given)].T) * tells)

    return fitting(named, len(texts)), fitting(tops, len(texts) + len(named))


def _same_source(index: MapIndex, sides: Sides) -> Matrix:
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


@lru_cache(maxsize=1_000)
def _title(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(title)))  # in order: a sum over a set depends on how it is hashed


@lru_cache(maxsize=1_000)
def _named(title: str) -> Cues:
    return cues(title)


@lru_cache(maxsize=1_000)
def _meaning(title: str) -> Matrix:
    return word_vectors().text(words(title))
