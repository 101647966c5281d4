"""What the features of placing say, for who fits their weights: `benchmarks/made_tables/fit_placement.py`."""

from collections.abc import Sequence

import numpy as np

from mindmap.placement.affinity import VIEWS, Matrix, views, word_cosines
from mindmap.placement.candidates import sides_of
from mindmap.placement.features import SIGNS, signs
from mindmap.placement.map_index import MapIndex
from mindmap.placement.weights import weights
from mindmap.tree import MindMap

__all__ = ["SIGNS", "VIEWS", "node_signs", "pair_views", "weights_again"]


def pair_views(index: MapIndex, members: Sequence[str]) -> Matrix:
    """Return what each view says of each two passages: a row for each pair, as `triu_indices` does."""
    stack = views(index, members, word_cosines(index, members))
    upper = np.triu_indices(len(members), 1)
    return np.asarray(((stack + stack.transpose(1, 0, 2)) / 2)[upper])


def node_signs(tree: MindMap, index: MapIndex, new: Sequence[str]) -> tuple[Matrix, list[str]]:
    """Return what each sign says of each new passage in each node (passages, nodes, signs), and the nodes."""
    sides = sides_of(tree, index, new)
    return signs(tree, index, sides)[0], sides.nodes


def weights_again() -> None:
    """Have the weights read from their file again."""
    weights.cache_clear()
