"""How much two passages belong into one part of an article: several views of likeness, weighed and added up.

Each view compares all pairs of some passages; what a view says is relative to the passages it is asked
about. The weights were fitted (logistic regression on "in the same top section") on articles that people
had arranged; see `benchmarks/quality/placement.py`.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from library.text import rarities
from mindmap.placement.map_index import Bag, MapIndex
from mindmap.placement.weights import weights

Matrix = NDArray[np.float64]

VIEWS = ("headed", "round", "manner", "meaning")
"""Words of text and page's title; likeness with the same others; manner; what the words mean."""
USUAL = weights().usual
"""Log odds of "in the same section" for two passages whose affinity is 0."""

_SPREAD = 0.62
"""How much of its neighbours' meaning a passage takes on."""


def affinity(index: MapIndex, members: Sequence[str], cosines: Matrix | None = None) -> Matrix:
    """Return the symmetric matrix of how much each two passages belong together (log odds, less `USUAL`).

    Args:
        index: The map's texts.
        members: The passages.
        cosines: What `word_cosines` gives for them; None when it is still to be worked out.
    """
    stack = views(index, members, word_cosines(index, members) if cosines is None else cosines)
    fitted = weights()
    total: Matrix = ((stack - fitted.centres) / fitted.scales) @ fitted.views
    return (total + total.T) / 2


def views(index: MapIndex, members: Sequence[str], cosines: Matrix) -> Matrix:
    """Return each view's matrix, stacked along the last axis in the order of `VIEWS`."""
    traits = [index.traits(member) for member in members]
    headed = _cosines([each.headed for each in traits])
    alone = _off_diagonal(cosines)
    near = _rows_to_one((alone + 0.2 * _off_diagonal(_same_source(index, members))) ** 3)
    manner = unit(_standard(np.stack([each.manner for each in traits])))
    manner = unit(_spread(manner, near, 0.5))
    around = unit(alone)
    meaning = np.stack([each.meaning for each in traits])
    meaning = unit(meaning - meaning.mean(axis=0))
    akin = _rows_to_one(np.maximum(0.0, _off_diagonal(meaning @ meaning.T)) ** 3)
    both = (near + akin) / 2
    meaning = unit(_spread(meaning, both, _SPREAD))
    return np.stack([headed, around @ around.T, manner @ manner.T, meaning @ meaning.T], axis=-1)


def word_cosines(index: MapIndex, members: Sequence[str]) -> Matrix:
    """Return the cosines of the passages' words, weighed among these passages."""
    return _cosines([index.traits(member).counted for member in members])


def _cosines(texts: Sequence[Bag]) -> Matrix:
    """Return the cosines of TF-IDF rows, weighed among these texts: what all share tells nothing here."""
    from scipy.sparse import csr_array

    sizes = [len(text.numbers) for text in texts]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    if not starts[-1]:
        return np.zeros((len(texts), len(texts)))
    found, columns = np.unique(np.concatenate([text.numbers for text in texts]), return_inverse=True)
    times = np.bincount(columns)
    rare = rarities(times, len(texts))
    values = np.concatenate([text.weights for text in texts]) * rare[columns]
    owners = np.repeat(np.arange(len(texts)), sizes)
    values /= np.sqrt(np.bincount(owners, values * values, len(texts)) + 1e-18)[owners]
    rows = csr_array((values, columns, starts), shape=(len(texts), len(found)))
    result: Matrix = (rows @ rows.T).toarray()
    return result


def _same_source(index: MapIndex, members: Sequence[str]) -> Matrix:
    """Return 1 for pairs of a source that has only them, less for a source that has many."""
    sources = [index.passage(member).sha256 for member in members]
    sizes = Counter(sources)
    codes = np.array(_codes(sources))
    scale = np.array([sizes[source] for source in sources]) ** -0.5
    matrix: Matrix = (codes[:, None] == codes[None, :]) * scale[:, None]
    return matrix


def _codes(values: Sequence[str]) -> list[int]:
    seen: dict[str, int] = {}
    return [seen.setdefault(value, len(seen)) for value in values]


def _off_diagonal(matrix: Matrix) -> Matrix:
    result = matrix.copy()
    np.fill_diagonal(result, 0.0)
    return result


def _spread(values: Matrix, near: Matrix, share: float) -> Matrix:
    """Let each row take on a share of its neighbours', and of theirs, and so on."""
    result = values
    for _ in range(20):
        result = (1.0 - share) * values + share * (near @ result)
    return result


def _standard(matrix: Matrix) -> Matrix:
    result: Matrix = (matrix - matrix.mean(axis=0)) / (matrix.std(axis=0) + 1e-6)
    return result


def unit(matrix: Matrix) -> Matrix:
    """Return the rows, each of length 1; rows of nothing stay so."""
    result: Matrix = matrix / np.maximum(1e-9, np.linalg.norm(matrix, axis=1, keepdims=True))
    return result


def _rows_to_one(matrix: Matrix) -> Matrix:
    result: Matrix = matrix / np.maximum(1e-9, matrix.sum(axis=1, keepdims=True))
    return result
