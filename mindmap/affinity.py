"""How much two passages belong into one part of an article: several views of likeness, weighed and added up.

Each view compares all pairs of some passages; what a view says is relative to the passages it is asked
about. The weights were fitted (logistic regression on "in the same top section") on articles that people
had arranged; see `benchmarks/placement.py`.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mindmap.index import MapIndex
from mindmap.kinds import shares

Matrix = NDArray[np.float64]

VIEWS = ("words", "headed", "round", "source", "kinds", "manner", "themes")
WEIGHTS = np.array([0.041, 0.185, 0.195, -0.041, 0.523, 0.257, 0.094])
_CENTRES = np.array([0.028, 0.048, 0.353, 0.024, 0.706, 0.018, 0.012])
_SCALES = np.array([0.050, 0.067, 0.191, 0.079, 0.225, 0.336, 0.430])

_SPREAD = 0.75
"""How much of its neighbours' kinds a passage takes on."""
_THEMES = 8


def affinity(index: MapIndex, members: Sequence[str]) -> Matrix:
    """Return the symmetric matrix of how much each two of the passages belong together (log odds, about)."""
    return affinity_of(views(index, members))


def affinity_of(stack: Matrix) -> Matrix:
    """Return the affinity that views say together."""
    total: Matrix = ((stack - _CENTRES) / _SCALES) @ WEIGHTS
    return (total + total.T) / 2


def views(index: MapIndex, members: Sequence[str]) -> Matrix:
    """Return each view's matrix, stacked along the last axis in the order of `VIEWS`."""
    traits = [index.traits(member) for member in members]
    words = _weighed([each.terms for each in traits])
    headed = _weighed([each.headed for each in traits])
    cosines = words @ words.T
    alone = cosines.copy()
    np.fill_diagonal(alone, 0.0)
    source = _same_source(index, members)
    near = _rows_to_one((alone + 0.2 * _off_diagonal(source)) ** 3)
    kinds = shares([each.cues for each in traits])
    spread = _unit(_spread(kinds, near, _SPREAD))
    manner = _unit(_standard(np.stack([each.manner for each in traits])))
    manner = _unit(_spread(manner, near, 0.5))
    around = _unit(alone)
    themes = _themes(words, kinds)
    return np.stack([
        cosines, headed @ headed.T, around @ around.T, source, spread @ spread.T, manner @ manner.T,
        themes @ themes.T,
    ], axis=-1)


def _weighed(texts: Sequence[Sequence[str]]) -> Matrix:
    """Return TF-IDF rows of length 1, weighed among these texts alone: what all share tells nothing here.

    Terms that stand in one text only are left out of the columns (they meet nothing), not out of the length.
    """
    counted = [Counter(text) for text in texts]
    frequency = Counter(term for text in counted for term in text)
    most = len(texts) + 1.0
    rare = {times: math.log(1.0 + most / (times + 0.5)) for times in set(frequency.values())}
    columns = {term: number for number, term in enumerate(t for t, times in frequency.items() if times > 1)}
    matrix = np.zeros((len(texts), max(1, len(columns))))
    for row, text in enumerate(counted):
        total = 1e-18
        places: list[int] = []
        values: list[float] = []
        for term, count in text.items():
            value = (1.0 + math.log(count)) * rare[frequency[term]]
            total += value * value
            place = columns.get(term)
            if place is not None:
                places.append(place)
                values.append(value)
        matrix[row, places] = np.array(values) / math.sqrt(total)
    return matrix


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


def _themes(words: Matrix, kinds: Matrix) -> Matrix:
    """Return the passages by the main directions in which words and kinds together vary."""
    root = np.sqrt(kinds)
    joined = _unit(np.hstack([_unit(words - words.mean(axis=0)), _unit(root - root.mean(axis=0))]))
    values, vectors = np.linalg.eigh(joined @ joined.T)
    top = vectors[:, ::-1][:, :_THEMES] * np.sqrt(np.maximum(values[::-1][:_THEMES], 0.0))
    return _unit(top)


def _standard(matrix: Matrix) -> Matrix:
    result: Matrix = (matrix - matrix.mean(axis=0)) / (matrix.std(axis=0) + 1e-6)
    return result


def _unit(matrix: Matrix) -> Matrix:
    result: Matrix = matrix / np.maximum(1e-9, np.linalg.norm(matrix, axis=1, keepdims=True))
    return result


def _rows_to_one(matrix: Matrix) -> Matrix:
    result: Matrix = matrix / np.maximum(1e-9, matrix.sum(axis=1, keepdims=True))
    return result
