"""Groups of like things from their similarities: average linkage, cut where the groups are most even."""

import heapq

import numpy as np
from numpy.typing import NDArray


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
    cores = _most_even(similarity, count)
    labels = np.full(total, -1)
    for number, members in enumerate(cores):
        labels[members] = number
    means = np.stack([similarity[:, members].mean(axis=1) for members in cores], axis=1)
    loose = labels < 0
    labels[loose] = means[loose].argmax(axis=1)
    return _by_size([int(label) for label in labels])


def _most_even(similarity: NDArray[np.float64], count: int) -> list[list[int]]:
    """Return the `count` largest clusters at the level of the tree where the smallest of them is largest."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    total = len(similarity)
    # Rounded, so that the last bits of a sum do not decide between equals.
    distance = np.round(squareform(1.0 - similarity, checks=False), 9)
    clusters: dict[int, list[int]] = {i: [i] for i in range(total)}
    best = _largest(clusters, count)
    merges = linkage(distance, "average")[: total - count, :2].astype(int).tolist()
    for number, (first, second) in enumerate(merges, total):
        clusters[number] = sorted(clusters.pop(first) + clusters.pop(second))
        largest = _largest(clusters, count)
        if len(largest[-1]) >= len(best[-1]):
            best = largest
    return best


def _largest(clusters: dict[int, list[int]], count: int) -> list[list[int]]:
    return heapq.nsmallest(count, clusters.values(), key=lambda members: (-len(members), members[0]))


def _by_size(labels: list[int]) -> list[int]:
    sizes = {label: labels.count(label) for label in labels}
    order = sorted(sizes, key=lambda label: (-sizes[label], labels.index(label)))
    return [order.index(label) for label in labels]
