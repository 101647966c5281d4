"""Fit the weights by which the map places and groups, and write `mindmap/placement/weights.toml`.

    python benchmarks/made_tables/fit_placement.py KIND=DATA [KIND=DATA ...] [--out FILE]

Each DATA is a folder as `benchmarks/quality/placement.py` takes it: what people have arranged. All kinds of
text count the same, however many passages they have. First the views of two passages are weighed (logistic
regression on "in the same top section"), then, with these, the signs for a passage in a node (multinomial
regression on the right node, held small).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.quality.placement import Article, half_arranged
from mindmap import SIGNS, VIEWS, MapIndex, node_signs, pair_views, weights_again

OUT = Path(__file__).resolve().parents[2] / "mindmap" / "placement" / "weights.toml"
HELD_SMALL = 0.01
Array = NDArray[np.float64]
Pairs = tuple[Array, NDArray[np.bool_]]
"""The views of all pairs of an article, and whether they stand in one top section."""
Places = tuple[Array, NDArray[np.int64]]
"""The signs of passages in nodes, and the number of the right node of each."""


def pairs_of(article: Article) -> Pairs:
    """Return what the views say of each two passages of an article, and what is true."""
    members = list(article.passages)
    index = MapIndex(article.passages)
    index.add(members)
    tops = np.array([article.section[member][0] for member in members])
    upper = np.triu_indices(len(members), 1)
    return pair_views(index, members), (tops[:, None] == tops[None, :])[upper]


def places_of(article: Article) -> Places:
    """Return what the signs say of the half of the passages that are not yet placed, and what is true."""
    tree, node_of, held = half_arranged(article)
    index = MapIndex.built(tree, article.passages)
    index.add(held)
    stack, nodes = node_signs(tree, index, held)
    right = [nodes.index(node_of[article.section[passage]]) for passage in held]
    return stack, np.array(right, dtype=np.int64)


def fit_views(kinds: list[list[Pairs]], centres: Array, scales: Array) -> Array:
    """Return the log odds where all views are at their means, then each view's weight."""
    told = [
        ((np.concatenate([v for v, _ in k]) - centres) / scales, np.concatenate([y for _, y in k]))
        for k in kinds
    ]

    def loss(x: Array) -> tuple[float, Array]:
        total, slope = 0.0, np.zeros_like(x)
        for rows, same in told:
            odds = rows @ x[1:] + x[0]
            off = (1.0 / (1.0 + np.exp(-odds)) - same) / len(same)
            total += float(np.mean(np.logaddexp(0.0, odds) - same * odds))
            slope += np.concatenate([[off.sum()], rows.T @ off])
        return total, slope

    return np.asarray(minimize(loss, np.zeros(len(centres) + 1), jac=True).x)


def fit_signs(kinds: list[list[Places]]) -> Array:
    """Return each sign's weight."""
    spread = np.concatenate([s.reshape(-1, len(SIGNS)) for k in kinds for s, _ in k]).std(axis=0) + 1e-6

    def loss(x: Array) -> tuple[float, Array]:
        total, slope = HELD_SMALL * float(x @ x), 2 * HELD_SMALL * x
        for articles in kinds:
            share = 1.0 / sum(len(right) for _, right in articles) / len(kinds)
            for stack, right in articles:
                rows = stack / spread
                odds = rows @ x
                chance = np.exp(odds - odds.max(axis=1, keepdims=True))
                chance /= chance.sum(axis=1, keepdims=True)
                at = (np.arange(len(right)), right)
                total -= share * float(np.log(chance[at] + 1e-12).sum())
                chance[at] -= 1.0
                slope = slope + share * np.einsum("ij,ijk->k", chance, rows)
        return total, slope

    return np.asarray(minimize(loss, np.zeros(len(SIGNS)), jac=True).x / spread)


def written(usual: float, told: dict[str, tuple[float, float, float]], signed: dict[str, float]) -> str:
    """Return the file."""
    lines = [
        "# Written by benchmarks/made_tables/fit_placement.py.",
        "",
        f"usual = {usual:.3f}",
        "",
        "[views]",
    ]
    for name, (weight, centre, scale) in told.items():
        lines.append(f"{name} = {{ weight = {weight:.3f}, centre = {centre:.3f}, scale = {scale:.3f} }}")
    lines += ["", "[signs]", *(f"{name} = {weight:.3f}" for name, weight in signed.items())]
    return "\n".join([*lines, ""])


def main() -> None:
    """Fit, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", nargs="+", help="KIND=FOLDER")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    folders = [Path(each.partition("=")[2]) for each in args.data]
    kinds = [[Article.read(file) for file in sorted((f / "gold").glob("*.json"))] for f in folders]
    pairs = [[pairs_of(article) for article in articles] for articles in kinds]
    every = np.concatenate([stack for articles in pairs for stack, _ in articles])
    centres, scales = every.mean(axis=0), every.std(axis=0)
    fitted = fit_views(pairs, centres, scales)
    told = {name: (fitted[n + 1], centres[n], scales[n]) for n, name in enumerate(VIEWS)}
    args.out.write_text(written(fitted[0], told, dict.fromkeys(SIGNS, 1.0)), encoding="utf-8")
    if args.out == OUT:
        weights_again()  # the signs are made with the views' new weights
    places = [[found for each in articles if len((found := places_of(each))[1])] for articles in kinds]
    signed = dict(zip(SIGNS, fit_signs(places).tolist(), strict=True))
    args.out.write_text(written(fitted[0], told, signed), encoding="utf-8")
    print(args.out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
