"""What the writer needs of the mind map, and nothing else: a protocol of it, and the branches read."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from library import Evidence
from mindmap import Mark, Note


class MapNode(Protocol):
    """A node of the map, as read here."""

    @property
    def id(self) -> str:
        """`n3`."""

    @property
    def title(self) -> str:
        """Its name."""

    @property
    def notes(self) -> Sequence[Note]:
        """What was asked and answered under it."""

    @property
    def passages(self) -> Sequence[str]:
        """The ids of the passages that stand in it."""

    @property
    def marks(self) -> Collection[Mark]:
        """Its marks."""

    @property
    def sides(self) -> Sequence[str]:
        """The ids of passages that contradict each other, where it is marked so."""


class Map(Protocol):
    """The mind map, as read here."""

    @property
    def root(self) -> str:
        """The root's id."""

    def node(self, node_id: str, /) -> MapNode:
        """Return a node."""

    def children(self, node_id: str, /) -> Sequence[str]:
        """Return the ids of a node's children, in order."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the map with everything under it, limited to passages that the session holds."""

    node: str
    title: str
    notes: tuple[Note, ...]
    passages: tuple[str, ...]
    children: tuple["Branch", ...] = ()
    sides: tuple[str, ...] = ()

    def walk(self) -> Iterator["Branch"]:
        """Yield the branch and all branches under it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def all_passages(self) -> list[str]:
        """Return the passages of the whole branch, in the map's order."""
        return [passage for branch in self.walk() for passage in branch.passages]


def branch(tree: Map, node_id: str, evidence: Evidence) -> Branch:
    """Read a node and everything under it, notes in their turns' order; passages not held are left out."""
    node = tree.node(node_id)
    return Branch(
        node=node.id,
        title=node.title,
        notes=tuple(sorted(node.notes, key=lambda note: note.turn)),
        passages=tuple(p for p in node.passages if p in evidence.passages),
        children=tuple(branch(tree, child, evidence) for child in tree.children(node_id)),
        sides=tuple(p for p in node.sides if p in evidence.passages) if "contradiction" in node.marks else (),
    )
