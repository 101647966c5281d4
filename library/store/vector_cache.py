"""What the sentence model made of texts, kept from session to session: a text is worked out once.

A text goes by its hash; of a text of the same beginning and another end, the vector may be the same, its key
is not.
"""

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.client import SqliteCache

_AT_ONCE = 500
"""Keys of one look-up."""
_MEGABYTES = 100.0
"""Of what texts mean, as the sentence model tells it: of some 200,000 texts."""


class VectorCache(SqliteCache):
    """Vectors by text, of numbers of one byte each."""

    table = "vectors"
    key = "key"
    columns = "key BLOB PRIMARY KEY, vector BLOB NOT NULL, used REAL NOT NULL, size INTEGER NOT NULL"

    def find(self, texts: Sequence[str]) -> dict[str, NDArray[np.int8]]:
        """Return the vectors that are kept, by text."""
        keys = {_key(text): text for text in texts}
        found: dict[str, NDArray[np.int8]] = {}
        with self._using("read"):
            if (base := self._opened()) is None:
                return {}
            wanted = list(keys)
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = base.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)  # noqa: S608 - marks alone  # nosec B608
                found |= {keys[bytes(key)]: np.frombuffer(vector, dtype=np.int8) for key, vector in rows}
        return found

    def keep(self, vectors: Mapping[str, NDArray[np.int8]]) -> None:
        """Keep vectors by text."""
        now = time.time()
        rows = [(_key(text), vector.tobytes(), now, vector.size) for text, vector in vectors.items()]
        with self._using("written"):
            if (base := self._opened()) is None:
                return
            base.execute("BEGIN IMMEDIATE")
            base.executemany("INSERT OR REPLACE INTO vectors VALUES (?,?,?,?)", rows)
            base.execute("COMMIT")
            self._shrink(base, sum(row[3] for row in rows))


def kept_meanings(home: Path) -> VectorCache:
    """Return what is kept for a home folder: in the file that ROUNDTABLE_MEANINGS names, else in the folder.

    The vectors of a text are the same wherever it is read, so that several folders may share a file.
    """
    named = os.environ.get("ROUNDTABLE_MEANINGS", "").strip()
    if named:
        return VectorCache(Path(named).expanduser().absolute(), _MEGABYTES, ours=False)
    return VectorCache(home / "meanings.sqlite", _MEGABYTES)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
