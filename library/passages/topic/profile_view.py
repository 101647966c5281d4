"""A topic's profile in one view of some passages: by their words, or by what they mean.

Rocchio with both of his terms: the mean of the passages believed, less that of the others. What a passage
comes to is lifted by those that stand beside it in its source.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from library.evidence import Passage

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

_NEIGHBOUR = 0.3
"""What a passage gains from the score of the one beside it in its source; half of that from the next."""
_OTHERS = 1.0
"""What the words of the others count against those of the believed (Rocchio's gamma, beta being 1)."""
_UNRELATED = 0.15
"""A cosine that texts on two matters come to: what a passage means counts from there on."""
_DIGITS = 6
"""Of a cosine by meaning: how many numbers were added up at once shows past these."""
_BEST = 10
"""Passages whose mean score the cut-off is a share of."""


class ProfileView:
    """Passages of a pool as rows, by their words or by what they mean, and the profile learnt of them."""

    def __init__(
        self,
        rows: "csr_array | Floats",
        asked: Floats,
        beside: "Beside",
        *,
        terms: int = 0,
        worth: float = 1.0,
    ) -> None:
        """Take rows and a topic's, each of length 1.

        Args:
            rows: Shape (passages, columns).
            asked: The topic's row.
            beside: Which passages stand beside which.
            terms: The rows are words' weights, of which a profile keeps so many, none below 0; 0: they are
                directions.
            worth: What a score in this view counts.
        """
        self._rows, self._asked, self._beside, self._terms = rows, asked, beside, terms
        self.worth = worth
        self.profile = asked
        self.best = 0.0
        """The mean of the ten best scores of the pool."""

    def learn(self, chosen: NDArray[np.int64], believed: Floats) -> None:
        """Make a profile of the topic and the rows `chosen` (`believed`: their shares), less the others."""
        centre = self._rows[chosen].T @ believed
        count = self._rows.shape[0]
        others = np.setdiff1d(np.arange(count), chosen)
        if len(others):
            centre = centre - _OTHERS * (self._rows[others].T @ np.full(len(others), 1 / len(others)))
        if self._terms:
            centre = _heaviest(np.maximum(centre, 0), self._terms)
        self.profile = _unit(self._asked + _unit(centre))

    def fit(self, rows: "csr_array | Floats") -> Floats:
        """Return how well each row fits the profile (>= 0)."""
        cosines = rows @ self.profile
        return cosines if self._terms else np.maximum(np.round(cosines, _DIGITS) - _UNRELATED, 0)

    def scores(self) -> Floats:
        """Return how well each row of the pool fits, with what those beside it speak for it."""
        found = self._beside.lifted(self.fit(self._rows))
        self.best = mean_of_best(found)
        return found


def added(views: Sequence[ProfileView], scores: Sequence[Floats]) -> Floats:
    """Add up the scores of views, each as a share of its best."""
    shares = [view.worth * own / (view.best or 1.0) for view, own in zip(views, scores, strict=True)]
    return np.asarray(sum(shares[1:], shares[0]))


def mean_of_best(scores: Floats) -> float:
    """Return what the ten best scores come to: shares of it hold from topic to topic."""
    return float(np.sort(scores)[::-1][:_BEST].mean()) if len(scores) else 0.0


def _heaviest(weights: Floats, count: int) -> Floats:
    kept = np.zeros_like(weights)
    at = np.argsort(-np.round(weights, 12), kind="stable")[:count]
    kept[at] = weights[at]
    return kept


def _unit(weights: Floats) -> Floats:
    length = float(np.linalg.norm(weights))
    return weights / length if length else weights


class Beside:
    """Which passages stand beside which in their sources, and how much they speak for each other."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        order = sorted(range(len(passages)), key=lambda i: passages[i].key)
        pairs = [
            (first, second, _NEIGHBOUR / distance)
            for distance in (1, 2)
            for first, second in zip(order, order[distance:], strict=False)
            if passages[first].sha256 == passages[second].sha256
        ]
        ends = np.array([pair[:2] for pair in pairs], dtype=np.int64).reshape(-1, 2)
        self._to, self._from = ends.reshape(-1), ends[:, ::-1].reshape(-1)
        self._shares = np.repeat([share for _, _, share in pairs], 2)

    def lifted(self, scores: Floats) -> Floats:
        """Add what the passages beside it speak for each."""
        lifted = scores.copy()
        np.add.at(lifted, self._to, self._shares * scores[self._from])
        return lifted
