"""How well passages fit the nodes of a map: several signs, weighed and added up.

The signs were weighed (multinomial regression, held small) on articles that people had arranged; see
`benchmarks/quality/placement.py`. The work does not grow with the map: only the passages nearest to the new
ones are looked at, and of them at most some dozens.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from mindmap.placement.candidates import Sides, sides_of
from mindmap.placement.features import Matrix, signs
from mindmap.placement.map_index import MapIndex
from mindmap.placement.weights import weights
from mindmap.tree import MindMap

_DENSE = 6.0
"""As much as the sparse cosine; not fitted, since models differ."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a passage fits a node."""

    node: str
    score: float
    """0 to 1; the best node's says how well anything fits, the others' how they compare with it."""


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
    sides = sides_of(tree, index, new)
    if not sides.nodes or not sides.new:
        return [[] for _ in new]
    stack, nearest = signs(tree, index, sides, asked)
    total = stack @ weights().signs + _DENSE * _dense(index, sides)
    return [_best(sides.nodes, total[row], nearest[row], count) for row in range(len(sides.new))]


def _dense(index: MapIndex, sides: Sides) -> Matrix:
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
    known = [(column, _stacked(held)) for column, held in filled if held]
    for row, passage in enumerate(sides.new):
        mine = vectors.get(passage)
        if mine is None or not known:
            continue
        alike = {
            column: float((held[mine.size] @ mine).max()) for column, held in known if mine.size in held
        }
        usual = sum(alike.values()) / max(1, len(alike))
        for column, cosine in alike.items():
            result[row, column] = cosine - usual
    return result


def _stacked(vectors: Sequence[Matrix]) -> dict[int, Matrix]:
    """Return vectors by their length, each a row: a session that goes on may have another model's, too."""
    by_length: defaultdict[int, list[Matrix]] = defaultdict(list)
    for vector in vectors:
        by_length[vector.size].append(vector)
    return {length: np.stack(rows) for length, rows in by_length.items()}


def _best(nodes: Sequence[str], total: Matrix, nearest: Matrix, count: int) -> list[Fit]:
    rounded = np.round(total, 9)
    order = sorted(range(len(nodes)), key=lambda column: (-rounded[column], column))[:count]
    top = order[0]
    # How well anything fits is told by the nearest passage: 0.5 at a middling affinity.
    well = 1.0 / (1.0 + math.exp(-2.0 * float(nearest[top])))
    return [Fit(nodes[column], well * math.exp(float(total[column] - total[top]))) for column in order]
