"""Which passages belong together: a nested grouping of texts that is a function of the texts alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mindmap.placement.affinity import USUAL, affinity
from mindmap.placement.map_index import MapIndex
from mindmap.settings import MapSettings

_COMPARED = 240
"""The most passages that are compared each with each; of more, a sample is grouped and the others join it."""
_ROUNDS = 20
_FEWEST = 2
"""The fewest passages that are a group of their own."""
_Way = Literal["average", "ward"]
_MOST = 9
"""The most groups on a level."""
_ODD = 0.03
"""How much less likely it is that people make one part more or less than usual (six of fifty statements)."""
_FEW, _MANY = 2, 14
"""Numbers of groups that are tried before it is settled what belongs together."""


@dataclass(slots=True)
class Group:
    """Passages that belong together, possibly in smaller groups; a leaf holds its own."""

    members: list[str]
    children: list["Group"] = field(default_factory=list)


def group(
    index: MapIndex, members: Sequence[str], room: int, levels: int, settings: MapSettings
) -> list[Group]:
    """Return the groups that passages fall into, none when nothing separates them.

    Args:
        index: The map's texts.
        members: The passages, in the order in which they were first placed.
        room: The most groups on this level.
        levels: How many levels may still be made, this one included.
        settings: The map's settings.
    """
    if levels < 1 or room < 2 or len(members) < settings.passages:
        return []
    parts = _parted(index, members, min(room, _MOST))
    if len(parts) < 2:
        return []
    return [Group(part, group(index, part, settings.children, levels - 1, settings)) for part in parts]


def _parted(index: MapIndex, members: Sequence[str], most: int) -> list[list[str]]:
    compared = _sample(members)
    labels = cluster(affinity(index, compared), most)
    by_member = dict(zip(compared, labels, strict=True))
    if len(compared) < len(members):
        by_member |= _join(index, compared, labels, [m for m in members if m not in by_member])
    parts: dict[int, list[str]] = {}
    for member in members:
        parts.setdefault(by_member[member], []).append(member)
    return list(parts.values())


def _sample(members: Sequence[str]) -> list[str]:
    if len(members) <= _COMPARED:
        return list(members)
    step = len(members) / _COMPARED
    return [members[int(place * step)] for place in range(_COMPARED)]


def cluster(likeness: NDArray[np.float64], most: int) -> list[int]:
    """Return a label for each row: two to `most` groups in which rows belong together.

    One grouping by one guess is brittle. So the rows are grouped into few and into many, in two ways, and
    what is grouped in the end is how often two rows came together (evidence accumulation: Fred and Jain,
    "Combining multiple clusterings using evidence accumulation", 2005). How many groups there are is told by
    how likely each number makes the likeness of all pairs, and by how many parts people usually make.
    """
    tried = min(_MANY, len(likeness))
    together = np.zeros_like(likeness)
    settling = _Settling(likeness)
    for way in ("average", "ward"):
        tree = _linkage(likeness, way)
        for parts in range(min(_FEW, tried), tried + 1):
            labels = settling.settled(_cut(tree, parts))
            together += labels[:, None] == labels[None, :]
    tree = _linkage(together, "average")
    settling = _Settling(together)
    cuts = [settling.settled(_cut(tree, count)) for count in range(2, max(2, min(most, len(likeness))) + 1)]
    best = max(range(len(cuts)), key=lambda n: (round(_likelihood(likeness, cuts[n]), 9), -n))
    return [int(label) for label in cuts[best]]


def _likelihood(likeness: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Return the mean log likelihood of pairs, less what is odd about so many groups."""
    odds = likeness + USUAL
    same = labels[:, None] == labels[None, :]
    each = np.where(same, odds, 0.0) - np.logaddexp(0.0, odds)
    pairs = len(labels) * (len(labels) - 1)
    told = (each.sum() - np.trace(each)) / max(1, pairs)
    usual = 1.5 + math.pow(len(labels), 0.35)
    return float(told - _ODD * (int(labels.max()) + 1 - usual) ** 2)


class _Settling:
    """Moves rows to the groups that they are most like; what many groupings come to is worked out once."""

    def __init__(self, likeness: NDArray[np.float64]) -> None:
        self._alone = likeness.copy()
        np.fill_diagonal(self._alone, 0.0)
        self._moved: dict[bytes, NDArray[np.int64]] = {}

    def settled(self, labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Move each row to the group that it is most like on average, until none moves.

        Groups may run dry, and what is too small to stand alone joins its nearest.
        """
        for _ in range(_ROUNDS):
            known = labels.tobytes()
            if known not in self._moved:
                self._moved[known] = _relabelled(_means(self._alone, labels).argmax(axis=1))
            moved = self._moved[known]
            if (moved == labels).all():
                break
            labels = moved
        return _without_small(self._alone, labels)


def _linkage(likeness: NDArray[np.float64], way: _Way) -> NDArray[np.float64]:
    """Return the tree in which rows and groups are joined, the most alike first."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    distance = likeness.max() - likeness
    np.fill_diagonal(distance, 0.0)
    # Rounded, so that the last bits of a sum decide nothing.
    tree: NDArray[np.float64] = linkage(np.round(squareform(distance, checks=False), 9), way)
    return tree


def _cut(tree: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Return the labels of at most `count` groups of a tree.

    As SciPy's `fcluster(tree, count, "maxclust")` parts it, which looks at a tree's soundness each time.
    """
    rows = len(tree) + 1
    heights = tree[:, 2]
    # What is joined at the same height is joined together.
    joins = int(np.searchsorted(heights, heights[max(0, rows - count - 1)], "right")) if count < rows else 0
    top = list(range(rows + joins))
    for number, (first, second) in enumerate(tree[:joins, :2].astype(np.int64).tolist(), rows):
        top[first] = top[second] = number
    for place in range(rows + joins - 1, -1, -1):
        top[place] = top[top[place]]
    return _relabelled(np.array(top[:rows], dtype=np.int64))


def _means(alone: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each row's mean likeness with each group, itself left out."""
    belongs = np.eye(int(labels.max()) + 1)[labels]
    others = belongs.sum(axis=0)[None, :] - belongs
    sums = alone @ belongs
    means: NDArray[np.float64] = np.where(others > 0, np.round(sums / np.maximum(1.0, others), 9), -1e9)
    return means


def _without_small(alone: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    sizes = np.bincount(labels)
    small = sizes < _FEWEST
    if not small.any() or small.all():
        return labels
    means = _means(alone, labels)
    means[:, small] = -1e9
    moved = np.where(small[labels], means.argmax(axis=1), labels)
    return _relabelled(moved)


def _relabelled(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number groups in the order in which their first members come."""
    first = np.full(int(labels.max()) + 1, len(labels))
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # of several writes to a place the last one stays
    number = np.empty_like(first)
    number[first.argsort(kind="stable")] = np.arange(len(first))
    return number[labels]


def _join(
    index: MapIndex, compared: Sequence[str], labels: Sequence[int], others: Sequence[str]
) -> dict[str, int]:
    """Let passages join the groups of those that were compared, by words."""
    from scipy.sparse import csr_array

    count = max(labels) + 1
    belongs = np.eye(count)[list(labels)]
    belongs /= np.maximum(1.0, belongs.sum(axis=0))
    ours, theirs = index.vectors.rows(compared), index.vectors.rows(others)
    width = ours.columns
    inside = csr_array((ours.data, ours.indices, ours.indptr), shape=(len(compared), width))
    outside = csr_array((theirs.data, theirs.indices, theirs.indptr), shape=(len(others), width))
    centres = np.asarray(inside.T @ belongs).T
    centres /= np.maximum(1e-9, np.linalg.norm(centres, axis=1, keepdims=True))
    alike = outside @ centres.T
    return {each: int(label) for each, label in zip(others, alike.argmax(axis=1), strict=True)}
