"""The contract of what can index a collection in place of our own index: by words, and by dense vectors.

An engine brings passages forward (candidates) by plain means; which of them answer, our own method tells
(`library.search.passage_search`). It holds the texts too, so that whoever searches needs no files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from library.errors import EngineError
from library.evidence import Source
from library.store.cutting.text_cutting import CutText

Vectors = NDArray[np.float32]
"""A row for each passage; shape (passages, dimensions)."""


@dataclass(frozen=True, slots=True)
class IndexedText:
    """A text as it is put into an engine."""

    source: Source
    cut: CutText
    """Its passages, and what each is found by."""


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """A passage that an engine brings forward."""

    sha256: str
    """Of its text."""
    start: int
    end: int
    terms: str
    """What it is found by, joined by spaces."""
    page_length: int
    """Terms of all passages of its text."""

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from others."""
        return self.sha256, self.start


def candidate_of(row: Mapping[str, Any]) -> CandidatePassage:
    """Return a passage as an engine keeps it. Raises EngineError where it is none: others may write there."""
    sha256, terms = row.get("sha256"), row.get("terms")
    start, end, length = row.get("start"), row.get("end"), row.get("page_length")
    if not (isinstance(sha256, str) and isinstance(terms, str)):
        raise EngineError("the engine holds a passage that cannot be read")
    if not (
        isinstance(start, int) and isinstance(end, int) and isinstance(length, int) and 0 <= start <= end
    ):
        raise EngineError(f"the engine holds a passage of {sha256[:64]} that stands nowhere in its text")
    return CandidatePassage(sha256, start, end, terms, length)


@dataclass(frozen=True, slots=True)
class EngineCounts:
    """How much an engine holds."""

    texts: int = 0
    passages: int = 0
    terms: int = 0
    """Of all passages together."""
    vectors: int = 0
    """Passages that can be found by their vectors."""


class IndexEngine(Protocol):
    """Passages of one collection, to be found by words and by vectors. Every failure is an EngineError."""

    def analysis(self) -> str:
        """Return by which analysis of text its terms were made; empty where it holds nothing."""

    def owner(self) -> str:
        """Return whose index it is (`EnginePlace.owner`); empty where it holds nothing, or nobody said."""

    def is_empty(self) -> bool:
        """Tell whether there is nothing at all, neither of ours nor of anybody else."""

    def counts(self) -> EngineCounts:
        """Return how much it holds."""

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs; a term that occurs in none may be left out."""

    def find(self, terms: Sequence[str], limit: int) -> list[CandidatePassage]:
        """Return passages that hold any of some terms, those that hold most and the rarest of them first."""

    def passages_of(self, texts: Sequence[str]) -> list[CandidatePassage]:
        """Return all passages of texts (by sha256), in order."""

    def all_texts(self) -> list[str]:
        """Return the sha256 of every text that is there."""

    def texts(self, wanted: Sequence[str]) -> list[IndexedText]:
        """Return texts by sha256; those that are not there are left out."""

    def finished(self) -> bool:
        """Tell whether the last writing came to its end: one that was killed must be finished."""

    def begin(self, analysis: str) -> None:
        """Begin to write; what was indexed by another analysis goes. Nobody else may write meanwhile.

        What holds another owner's index, or what is none of ours, is refused.
        """

    def put(self, texts: Sequence[IndexedText]) -> None:
        """Keep texts, each in place of what was there of it."""

    def remove(self, texts: Sequence[str]) -> None:
        """Drop texts by sha256."""

    def finish(self) -> None:
        """Bring everything up to date that makes searching fast."""

    def model(self) -> str:
        """Return the name of the model that made its vectors; empty for none."""

    def without_vectors(self, model: str) -> list[str]:
        """Return the texts (by sha256) that have no vectors of a model yet; those of another model go."""

    def put_vectors(self, vectors: Sequence[tuple[str, Sequence[int], Vectors]]) -> None:
        """Keep the vectors of texts: of each its sha256, where its passages start, and a row for each."""

    def near(self, vector: Vectors, limit: int) -> list[CandidatePassage]:
        """Return the passages whose vectors come nearest to one (shape (dimensions,)), the nearest first."""

    def drop(self) -> None:
        """Remove all that it holds, for good; another owner's index, or what is none of ours, is refused."""


def check_owner(theirs: str, ours: str, place: str) -> None:
    """Raise EngineError where an index is another's; one that has no owner yet becomes that of who asks."""
    if theirs and theirs != ours:
        raise EngineError(
            f"{place}: the index there is another collection's; choose another place, or name this one"
            " without a PATH to search it as it is"
        )
