"""The weights of placing, as `benchmarks/made_tables/fit_placement.py` fitted and wrote them."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """What each feature counts."""

    views: Vector
    """Of two passages' likeness, each in its own spread: `affinity.VIEWS`."""
    centres: Vector
    scales: Vector
    """The mean and the spread of each view."""
    usual: float
    """Log odds of "in the same section" where all views are at their means."""
    signs: Vector
    """Of a passage in a node: `features.SIGNS`."""


@lru_cache(maxsize=1)
def weights() -> FittedWeights:
    """Return the weights that the program comes with."""
    raw = tomllib.loads((files("mindmap.placement") / "weights.toml").read_text(encoding="utf-8"))
    views = raw["views"].values()
    return FittedWeights(
        views=np.array([view["weight"] for view in views]),
        centres=np.array([view["centre"] for view in views]),
        scales=np.array([view["scale"] for view in views]),
        usual=float(raw["usual"]),
        signs=np.array(list(raw["signs"].values()), dtype=np.float64),
    )
