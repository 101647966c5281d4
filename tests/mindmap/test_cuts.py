import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

from mindmap.placement.nested_grouping import _cut, _relabelled, _Way


@pytest.mark.parametrize("way", ["average", "ward"])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_a_tree_is_cut_as_scipy_cuts_it_ties_included(way: _Way, digits: int) -> None:
    random = np.random.default_rng(digits)
    for rows in range(2, 30, 3):
        distances = np.round(random.random(rows * (rows - 1) // 2), digits)
        tree = linkage(distances, way)
        for count in range(1, rows + 2):
            expected = _relabelled(fcluster(tree, count, "maxclust").astype(np.int64))
            assert _cut(tree, count).tolist() == expected.tolist()
