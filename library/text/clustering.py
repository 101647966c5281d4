"""Groups of like things from their similarities: average linkage, cut where the groups are most even."""

import numpy as np
from numpy.typing import NDArray

_Merge = tuple[int, int]


def groups(similarity: NDArray[np.float64], count: int) -> list[int]:
    """Return a group number for each thing: at most `count` groups, 0 the largest, then by first member.

    Average linkage alone leaves stragglers as groups of one. So the tree is cut where its `count`-th
    largest cluster is largest; the `count` largest clusters are the groups, and every thing left over joins
    the group it is most like.
    """
    total = len(similarity)
    if total == 0:
        return []
    count = max(1, min(count, total))
    if count == 1:
        return [0] * total
    cores = _most_even(_merges(similarity), total, count)
    labels = np.full(total, -1)
    for number, members in enumerate(cores):
        labels[members] = number
    means = np.stack([similarity[:, members].mean(axis=1) for members in cores], axis=1)
    loose = labels < 0
    labels[loose] = means[loose].argmax(axis=1)
    return _by_size([int(label) for label in labels])


def _merges(similarity: NDArray[np.float64]) -> list[_Merge]:
    """Return the merges of average linkage, nearest first; a cluster is known by its first member."""
    total = len(similarity)
    near = similarity.astype(np.float64, copy=True)
    np.fill_diagonal(near, -np.inf)
    sizes = np.ones(total)
    merges: list[_Merge] = []
    for _ in range(total - 1):
        # Rounded, so that the last bits of a sum do not decide between equals: the first pair does.
        first, second = sorted(divmod(int(np.round(near, 9).argmax()), total))
        merges.append((first, second))
        joined = (near[first] * sizes[first] + near[second] * sizes[second]) / (sizes[first] + sizes[second])
        joined[[first, second]] = -np.inf
        near[first, :] = near[:, first] = joined
        near[second, :] = near[:, second] = -np.inf
        sizes[first] += sizes[second]
    return merges


def _most_even(merges: list[_Merge], total: int, count: int) -> list[list[int]]:
    """Return the `count` largest clusters at the level of the tree where the smallest of them is largest."""
    clusters: dict[int, list[int]] = {i: [i] for i in range(total)}
    best: list[list[int]] = []
    best_size = 0
    for first, second in [(-1, -1), *merges]:
        if first >= 0:
            clusters[first] = clusters[first] + clusters.pop(second)
        if len(clusters) < count:
            break
        largest = sorted(clusters.values(), key=lambda members: (-len(members), members[0]))[:count]
        if len(largest[-1]) >= best_size:
            best, best_size = largest, len(largest[-1])
    return best


def _by_size(labels: list[int]) -> list[int]:
    sizes = {label: labels.count(label) for label in labels}
    order = sorted(sizes, key=lambda label: (-sizes[label], labels.index(label)))
    return [order.index(label) for label in labels]
