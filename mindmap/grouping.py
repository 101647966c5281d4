"""Which passages belong together: a nested grouping of texts that is a function of the texts alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mindmap.index import MapIndex
from mindmap.settings import MapSettings

_SAME_SOURCE = 0.5
_LEAST = 2


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
    count = min(room, max(2, round(len(members) / settings.passages) + 1))
    labels = _linkage(_similarity(index, members), count)
    parts = [[m for m, label in zip(members, labels, strict=True) if label == wanted]
             for wanted in dict.fromkeys(labels)]
    if len(parts) < 2:
        return []
    return [Group(part, group(index, part, settings.children, levels - 1, settings)) for part in parts]


def _similarity(index: MapIndex, members: Sequence[str]) -> NDArray[np.float64]:
    matrix = index.vectors.rows(members).dense()
    sources = np.array([index.passage(member).sha256 for member in members])
    similar: NDArray[np.float64] = matrix @ matrix.T + _SAME_SOURCE * (sources[:, None] == sources[None, :])
    return similar


def _linkage(similarity: NDArray[np.float64], count: int) -> list[int]:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    distance = similarity.max() - similarity
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average")
    return [int(label) for label in fcluster(tree, count, "maxclust")]
