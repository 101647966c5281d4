"""What the map knows of its texts: one sparse matrix of its passages, and who shares a source.

The index lives as long as the session and grows in place. It can be built again from the tree and the
passages: it is a function of the passages in the order in which they were first placed, so a resumed
session places the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from library.analysis import terms
from library.evidence import Passage
from library.vectors import SparseVectors
from mindmap.tree import MindMap


class MapIndex:
    """Texts of the map's passages, ready to be compared."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        """Take the session's passages by id (the mapping may grow; it is only read)."""
        self._passages = passages
        self.vectors: SparseVectors[str] = SparseVectors()
        self._terms: dict[str, list[str]] = {}
        self._of_source: defaultdict[str, list[str]] = defaultdict(list)

    @classmethod
    def built(cls, tree: MindMap, passages: Mapping[str, Passage]) -> "MapIndex":
        """Return the index of a map that is there already."""
        index = cls(passages)
        index.add(tree.placed())
        return index

    def add(self, ids: Iterable[str]) -> None:
        """Take in passages; those that are known are left as they are."""
        for passage_id in ids:
            if passage_id not in self.vectors:
                passage = self._passages[passage_id]
                self.vectors.add(passage_id, self.terms(passage_id))
                self._of_source[passage.sha256].append(passage_id)

    def __contains__(self, passage: object) -> bool:
        return passage in self.vectors

    def passage(self, passage: str) -> Passage:
        """Return a passage by id."""
        return self._passages[passage]

    def text(self, passage: str) -> str:
        """Return a passage's text."""
        return self._passages[passage].text

    def terms(self, passage: str) -> list[str]:
        """Return a passage's index terms."""
        if passage not in self._terms:
            self._terms[passage] = terms(self._passages[passage].text)
        return self._terms[passage]

    def same_source(self, passage: str, limit: int = 20) -> list[str]:
        """Return the passages of the same source that came last, without this one."""
        mates = self._of_source[self._passages[passage].sha256]
        return [other for other in mates[-limit:] if other != passage]
