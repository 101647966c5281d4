"""What speaks for a passage in a node: its likeness with what the node holds, and with its title."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from library.text import terms
from mindmap.placement.affinity import affinity, unit, word_cosines
from mindmap.placement.candidates import Sides
from mindmap.placement.map_index import MapIndex
from mindmap.tree import MindMap

Matrix = NDArray[np.float64]

SIGNS = ("nearest", "cosine", "title", "source", "meaning", "walk")
"""Affinity with the nearest passage that the node holds; cosine of words with it; the share of the node's
title that the passage holds; the share of its source's passages that stand in the node's branch; how near it
comes to the branch by what words mean; and how likely a walk along what is alike ends in the node."""
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
    shared = _title_shares(tree, index, sides)
    expected = np.maximum(_NOTHING + _PROMISE * shared, _asked_about(tree, sides, asked))
    nearest, cosine = _held(sides, whole[old:, :old], cosines[old:, :old], expected)
    stack = [
        nearest,
        cosine,
        shared,
        _same_source(index, sides),
        _meanings(index, sides),
        _walk(sides, whole),
    ]
    return np.stack(stack, axis=-1), nearest


def _held(sides: Sides, likeness: Matrix, cosines: Matrix, expected: Matrix) -> tuple[Matrix, Matrix]:
    """Return the affinity and the cosine of words with the nearest passage that each node holds.

    Of a node that holds nothing yet, what its title lets one expect stands in for what it holds.
    """
    nearest, cosine = expected.copy(), np.zeros_like(expected)
    for column, places in enumerate(sides.held):
        if places:
            nearest[:, column] = likeness[:, places].max(axis=1)
            cosine[:, column] = cosines[:, places].max(axis=1)
    return nearest, cosine


def _meanings(index: MapIndex, sides: Sides) -> Matrix:
    """Return how near each passage's meaning is to that of each node's branch, less what all share."""
    raw = np.stack([index.traits(member).meaning for member in (*sides.placed, *sides.new)])
    rows = unit(raw - raw.mean(axis=0))
    placed, mine = rows[: len(sides.placed)], rows[len(sides.placed) :]
    tops = {branch: _centre(placed, sides.under[branch]) for branch in dict.fromkeys(sides.branch)}
    return np.stack([mine @ tops[branch] for branch in sides.branch], axis=-1)


def _walk(sides: Sides, likeness: Matrix) -> Matrix:
    """Return the log of how likely a walk along what is alike ends in each node; the mean where none can.

    It is label spreading (Zhou et al., "Learning with local and global consistency", 2003), in which the new
    passages take part. Nothing can end in a node that holds nothing yet: that tells nothing of it.
    """
    total, old = len(likeness), len(sides.placed)
    steps = np.exp(_WALK * (likeness - likeness.max()))
    np.fill_diagonal(steps, 0.0)
    steps /= np.maximum(1e-9, steps.sum(axis=1, keepdims=True))
    ends = np.zeros((total, len(sides.nodes)))
    for column, places in enumerate(sides.held):
        ends[places, column] = 1.0
    reached = np.linalg.solve(np.eye(total) - _ON * steps, ends)[old:] * (1.0 - _ON)
    found = np.log(reached + _NEVER)
    filled = np.array([bool(places) for places in sides.held])
    if filled.any() and not filled.all():
        found[:, ~filled] = found[:, filled].mean(axis=1, keepdims=True)
    return np.asarray(found)


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


def named_node(tree: MindMap, question: str) -> str | None:
    """Return the person's node whose title a question names, the longest of several; None: it names none."""
    asked = question.casefold()
    own = [node for node in tree.walk() if node != tree.root and tree.kept(node)]
    titles = {node: tree.title(node).casefold() for node in own}
    named = [node for node, title in titles.items() if title in asked]
    return max(named, key=lambda node: len(titles[node]), default=None)


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
