"""What the map knows of its texts: a sparse matrix of its passages, their manner, their sources.

The index lives as long as the session and grows in place. It can be built again from the tree and the
passages: it is a function of the passages in the order in which they were first placed, so a resumed
session places the same.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library import Passage
from library.search import unpacked
from library.text import SparseVectors, terms, word_vectors, words
from mindmap.placement.style_features import manner
from mindmap.tree import MindMap

_NO_WORDS = re.compile(r"(?<!\S)\S*\.\S+|[\W\d_]+")
"""Hosts and numbers in a page's title: they tell the source, not the subject."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of one passage, worked out once."""

    terms: tuple[str, ...]
    """Of its text."""
    counted: "Bag"
    """How often each term stands in its text."""
    headed: "Bag"
    """The same of its text and, twice, of its page's title."""
    manner: NDArray[np.float64]
    meaning: NDArray[np.float64]
    """The mean of the vectors of its words and its page's title's; 0 where no word has one."""


@dataclass(frozen=True, slots=True)
class Bag:
    """The terms of a text, each once."""

    terms: tuple[str, ...]
    numbers: NDArray[np.int64]
    """Each term's number in its index."""
    weights: NDArray[np.float64]
    """1 + log(count) of each."""


class MapIndex:
    """Texts of the map's passages, ready to be compared."""

    def __init__(self, passages: Mapping[str, Passage], dense: Mapping[str, str] | None = None) -> None:
        """Take the session's passages by id, and dense vectors of some, packed (mappings may grow)."""
        self._passages = passages
        self._dense = {} if dense is None else dense
        self._unpacked: dict[str, NDArray[np.float64]] = {}
        self.vectors: SparseVectors[str] = SparseVectors()
        self._traits: dict[str, Traits] = {}
        self._numbers: dict[str, int] = {}
        self._of_source: defaultdict[str, list[str]] = defaultdict(list)

    @classmethod
    def built(
        cls, tree: MindMap, passages: Mapping[str, Passage], dense: Mapping[str, str] | None = None
    ) -> "MapIndex":
        """Return the index of a map that is there already."""
        index = cls(passages, dense)
        index.add(tree.placed())
        return index

    def add(self, ids: Iterable[str]) -> None:
        """Take in passages; those that are known are left as they are."""
        for passage_id in ids:
            if passage_id not in self.vectors:
                self.vectors.add(passage_id, self.traits(passage_id).terms)
                self._of_source[self._passages[passage_id].sha256].append(passage_id)

    def __contains__(self, passage: object) -> bool:
        return passage in self.vectors

    def passage(self, passage: str) -> Passage:
        """Return a passage by id."""
        return self._passages[passage]

    def text(self, passage: str) -> str:
        """Return a passage's text."""
        return self._passages[passage].text

    def traits(self, passage: str) -> Traits:
        """Return what is known of a passage."""
        known = self._traits.get(passage)
        if known is None:
            held = self._passages[passage]
            title = _NO_WORDS.sub(" ", held.title)
            own, headed = tuple(terms(held.text)), tuple(terms(title))
            meaning = word_vectors().text(words(held.text) + words(title))
            manners = manner(held.text)
            both = self._bag(own + 2 * headed)
            known = Traits(own, self._bag(own), both, manners, meaning)
            self._traits[passage] = known
        return known

    def _bag(self, found: Sequence[str]) -> Bag:
        counted, numbers = Counter(found), self._numbers
        at = np.array([numbers.setdefault(term, len(numbers)) for term in counted], dtype=np.int64)
        weights = 1.0 + np.log(np.array(list(counted.values()), dtype=np.float64))
        return Bag(tuple(counted), at, weights)

    def dense(self, passage: str) -> NDArray[np.float64] | None:
        """Return a passage's dense vector, of length 1; None when there is none."""
        if passage not in self._unpacked and passage in self._dense:
            self._unpacked[passage] = unpacked(self._dense[passage])
        return self._unpacked.get(passage)

    def same_source(self, passage: str, limit: int = 20) -> list[str]:
        """Return the passages of the same source that came last, without this one."""
        mates = self._of_source[self._passages[passage].sha256]
        return [other for other in mates[-limit:] if other != passage]
