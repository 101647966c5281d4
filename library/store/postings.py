"""A collection's postings as arrays: built from its index once, kept in a file, and mapped into memory.

Searching reads no row of the database: a term's place is found by its hash, and what it occurs in is a slice
of an array. The file may always be thrown away. It is named by the state of the collection that it was built
from, a number that is drawn anew with each change, so that a file is either right or not looked at.
"""

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)

FORMAT = 1
_MAGIC = b"roundtable postings\n"
_ALIGNED = 64
_LARGEST_HEADER = 65_536
ENDING = ".postings"

Counted = list[tuple[str, int]]
"""Terms with how often each occurs."""


@dataclass(frozen=True)
class Postings:
    """Which passages of a collection hold which terms."""

    ids: NDArray[np.int64]
    """Row ids of the passages, ascending; elsewhere a passage is named by its place in here."""
    lengths: NDArray[np.int32]
    """Number of terms of each passage."""
    hashes: NDArray[np.uint64]
    """Of the terms, ascending."""
    hashed: NDArray[np.int32]
    """The number of the term that each hash is of."""
    letters: NDArray[np.uint8]
    """The terms by number, in UTF-8, one after the other."""
    letter_starts: NDArray[np.int64]
    """Where each term begins in `letters`, and at last where they end."""
    starts: NDArray[np.int64]
    """Where each term's postings begin in `places`, and at last where they end."""
    places: NDArray[np.int32]
    """For each term the places of the passages that hold it, ascending."""
    counts: NDArray[np.uint16]
    """For each of these, how often it holds the term (65,535 at most)."""

    def __len__(self) -> int:
        return len(self.ids)

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """Return the number of each term, -1 for one that occurs nowhere."""
        if not len(self.hashes):
            return [-1] * len(terms)
        written = [_encoded(term) for term in terms]
        wanted = np.fromiter(map(_hash, written), np.uint64, len(terms))
        at = np.searchsorted(self.hashes, wanted)
        at[at == len(self.hashes)] = 0
        found = np.where(self.hashes[at] == wanted, self.hashed[at], -1)
        # Two terms may have one hash: what counts is how it is written.
        begin, end = self.letter_starts[found].tolist(), self.letter_starts[found + 1].tolist()
        return [
            number if number >= 0 and self.letters[first:last].tobytes() == term else -1
            for number, first, last, term in zip(found.tolist(), begin, end, written, strict=True)
        ]

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many passages each term occurs."""
        numbers = np.array(self.numbers(terms), dtype=np.int64)
        held = self.starts[numbers + 1] - self.starts[numbers]
        found: list[int] = np.where(numbers < 0, 0, held).tolist()
        return found

    def of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Return the places of the passages that hold a term, ascending, and how often each does."""
        start, end = int(self.starts[number]), int(self.starts[number + 1])
        return self.places[start:end], self.counts[start:end]

    @classmethod
    def gathered(
        cls,
        ids: NDArray[np.int64],
        lengths: NDArray[np.int32],
        parts: Iterable[tuple[Counted, str]],
        size: int,
    ) -> Self:
        """Build from what an index holds.

        Args:
            ids: Row ids of the passages, ascending.
            lengths: Number of terms of each.
            parts: Some terms at a time: each with how often it occurs in all, and the row id of each
                occurrence, ascending for each term, one term after the other, joined by commas.
            size: In how many passages each term occurs, added up.
        """
        terms: list[bytes] = []
        held = [np.zeros(0, np.int64)]
        places, counts = np.empty(size, np.int32), np.empty(size, np.uint16)
        filled = 0
        for counted, joined in parts:
            rows = np.fromstring(joined, dtype=np.int64, sep=",")
            number = np.repeat(np.arange(len(counted)), [count for _, count in counted])
            at = np.searchsorted(ids, rows)
            first = np.ones(len(rows), dtype=bool)
            first[1:] = (number[1:] != number[:-1]) | (at[1:] != at[:-1])
            begins = np.flatnonzero(first)
            terms += [_encoded(term) for term, _ in counted]
            held.append(np.bincount(number[begins], minlength=len(counted)))
            place = slice(filled, filled := filled + len(begins))
            places[place] = at[begins]
            counts[place] = np.diff(begins, append=len(rows)).clip(0, np.iinfo(np.uint16).max)
        if filled != size:
            raise ValueError(f"{filled} postings where {size} are told")
        hashes = np.fromiter(map(_hash, terms), np.uint64, len(terms))
        order = np.argsort(hashes, kind="stable")
        return cls(
            ids,
            lengths,
            hashes[order],
            order.astype(np.int32),
            np.frombuffer(b"".join(terms), dtype=np.uint8),
            _starts(np.fromiter(map(len, terms), np.int64, len(terms))),
            _starts(np.concatenate(held)),
            places,
            counts,
        )

    def write(self, path: Path) -> None:
        """Write to a file, all of it or nothing. Raises OSError."""
        arrays = {field.name: np.ascontiguousarray(getattr(self, field.name)) for field in fields(self)}
        shapes = {name: [array.dtype.str, len(array)] for name, array in arrays.items()}
        header = json.dumps({"format": FORMAT, "arrays": shapes}).encode() + b"\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.{id(self):x}")
        try:
            with unfinished.open("wb") as file:
                file.write(_MAGIC + header)
                for array in arrays.values():
                    file.write(bytes(-file.tell() % _ALIGNED))
                    file.write(array.data)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Map a file into memory; None when there is none, or it is none of ours."""
        try:
            mapped = np.memmap(path, mode="r", dtype=np.uint8)
            return cls(**_arrays(mapped.view(np.ndarray)))  # slices of a memmap itself are slow
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            _LOG.warning("the postings in %s are built anew: %s", path, error)
            return None


def _hash(term: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(term, digest_size=8).digest(), "little")


def _encoded(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def _arrays(whole: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the arrays in a file. Raises ValueError, TypeError, KeyError when it is none of ours."""
    head = whole[:_LARGEST_HEADER].tobytes()
    if not head.startswith(_MAGIC):
        raise ValueError("it holds something else")
    header, newline, _ = head[len(_MAGIC) :].partition(b"\n")
    described = json.loads(header)
    if described["format"] != FORMAT:
        raise ValueError("it is of another format")
    at = len(_MAGIC) + len(header) + len(newline)
    arrays: dict[str, Any] = {}
    for field in fields(Postings):
        kind, length = described["arrays"][field.name]
        at += -at % _ALIGNED
        end = at + np.dtype(kind).itemsize * length
        if end > len(whole):
            raise ValueError("it is cut off")
        arrays[field.name] = whole[at:end].view(kind)
        at = end
    return arrays


def sweep(folder: Path, collection: int, kept: Path | None = None) -> None:
    """Remove what was built from a collection's earlier states."""
    for path in folder.glob(f"{collection}-*{ENDING}"):
        if path != kept:
            with contextlib.suppress(OSError):  # where a file that is read cannot be removed
                path.unlink()
