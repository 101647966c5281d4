"""What is compared when passages look for a place: the new ones, some placed ones, and some nodes."""

from collections.abc import Sequence
from dataclasses import dataclass

from mindmap.placement.map_index import MapIndex
from mindmap.tree import UNSORTED, MindMap

_COMPARED = 150
_NEAR = 90
"""Of a map that holds more, so many are compared with all the new ones together."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What is compared: new passages, placed ones, and the nodes in question."""

    new: list[str]
    placed: list[str]
    nodes: list[str]
    held: list[list[int]]
    """For each node the places (in `placed`) of what it holds itself."""
    branch: list[str]
    under: dict[str, list[int]]
    """For each branch the places of what stands in and under it; none for a branch that holds nothing yet."""


def sides_of(tree: MindMap, index: MapIndex, new: Sequence[str]) -> Sides:
    """Return what is compared for some new passages; the work does not grow with the map."""
    placed = _compared(tree, index, new)
    nodes = _nodes(tree, placed)
    held: dict[str, list[int]] = {node: [] for node in nodes}
    tops = {node: tree.branch(node) for node in nodes}
    under: dict[str, list[int]] = {branch: [] for branch in tops.values()}
    for place, passage in enumerate(placed):
        node = str(tree.where(passage))
        held[node].append(place)
        under[tops[node]].append(place)
    return Sides(
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
