"""A map being reorganized: a copy that changes are tried on, and the list of them."""

from collections.abc import Sequence

from library import citations
from mindmap.changes import AddNode, Change, MoveNode, MoveNote, PlacePassage, RemoveNode
from mindmap.placement.map_index import MapIndex
from mindmap.placement.nested_grouping import Group
from mindmap.tree import UNSORTED, MindMap

_SAME = 0.5
"""A planned group takes over the node that shares at least this share (Jaccard) of its passages."""


class Draft:
    """What the map would be, and how it gets there."""

    def __init__(self, tree: MindMap, index: MapIndex, *, stands: bool = False) -> None:
        """Take a map; `stands`: its nodes are a language model's choice and stay as they are."""
        self.tree = tree.copy()
        self._standing = set(tree.walk()) if stands else set[str]()
        self.index = index
        self.changes: list[Change] = []
        self.unnamed: set[str] = set()
        """New nodes; their title is their id until they are named."""

    def do(self, change: Change) -> None:
        """Apply a change and remember it."""
        self.tree.apply(change)
        self.changes.append(change)

    def kept(self, node: str) -> bool:
        """Return whether a node is not merged into another: a person or a model wanted it."""
        return node in self._standing or self.tree.kept(node)

    def frozen(self) -> set[str]:
        """Return the nodes that must stay: kept ones, those with passages placed by hand, all above."""
        frozen = {self.tree.root, *(node for node in self.tree.walk() if node in self._standing)}
        for node in self.tree.walk():
            if self.tree.kept(node) or any(map(self.tree.fixed, self.tree.passages(node))):
                frozen.update(self.tree.path(node))
        return frozen

    def free(self, node: str, frozen: set[str]) -> list[str]:
        """Return the passages in and under a node that may move: not those of frozen nodes below it."""
        mine = [p for p in self.tree.passages(node) if not self.tree.fixed(p)]
        for child in self.tree.children(node):
            if child not in frozen and child != UNSORTED:
                mine += self.under(child)
        return mine

    def under(self, node: str) -> list[str]:
        """Return the passages in and under a node."""
        return [p for each in self.tree.walk(node) for p in self.tree.passages(each)]

    def bring_about(self, node: str, groups: Sequence[Group], frozen: set[str]) -> None:
        """Make the children of a node what the groups say; nodes that still mean the same are used again."""
        old = [c for c in self.tree.children(node) if c not in frozen and c != UNSORTED]
        before = {child: set(self.under(child)) for child in old}
        spare = dict.fromkeys(old)
        notes = [note.turn for each in self._region(node, frozen) for note in self.tree.node(each).notes]
        self._lay(node, groups, before, spare, frozen)
        for turn in notes:
            self._settle_note(turn, node)
        for child in spare:
            self._clear(child)

    def _region(self, node: str, frozen: set[str]) -> list[str]:
        inner = [c for c in self.tree.children(node) if c not in frozen and c != UNSORTED]
        return [node, *(each for child in inner for each in self.tree.walk(child))]

    def _lay(
        self,
        node: str,
        groups: Sequence[Group],
        before: dict[str, set[str]],
        spare: dict[str, None],
        frozen: set[str],
    ) -> None:
        wanted: list[str] = []
        for part in groups:
            members = set(part.members)
            shares = {child: len(before[child] & members) / len(before[child] | members) for child in spare}
            match = max(shares, key=shares.__getitem__, default=None)
            if match is not None and shares[match] >= _SAME:
                del spare[match]
            else:
                match = self.tree.next_id()
                self.do(AddNode(id=match, title=match, parent=node))
                self.unnamed.add(match)
            self._fill(match, part, frozen)
            wanted.append(match)
        self._order(node, wanted)

    def _order(self, node: str, wanted: Sequence[str]) -> None:
        """Let children stand in the order planned; a move to the same parent puts a node last."""
        now = [child for child in self.tree.children(node) if child in set(wanted)]
        same = next((at for at, (a, b) in enumerate(zip(now, wanted, strict=True)) if a != b), len(now))
        for child in wanted[same:]:
            self.do(MoveNode(node=child, parent=node))

    def _fill(self, node: str, part: Group, frozen: set[str]) -> None:
        old = self.tree.children(node)
        before = {child: set(self.under(child)) for child in old}
        spare = dict.fromkeys(old)
        if part.children:
            self._lay(node, part.children, before, spare, frozen)
        else:
            for passage in part.members:
                if self.tree.where(passage) != node:
                    self.do(PlacePassage(passage=passage, node=node))
        for child in spare:
            self._clear(child)

    def _clear(self, node: str) -> None:
        """Remove a node that is no longer wanted; what others have not taken by now stays with its parent."""
        for child in self.tree.children(node):
            self._clear(child)
        parent = str(self.tree.parent(node))
        for passage in self.tree.passages(node):
            self.do(PlacePassage(passage=passage, node=parent))
        for note in self.tree.node(node).notes:
            self.do(MoveNote(turn=note.turn, node=parent))
        self.do(RemoveNode(node=node))
        self.unnamed.discard(node)

    def _settle_note(self, turn: int, top: str) -> None:
        """Let a note stand where most of the passages it cites do."""
        here = self.tree.note_node(turn)
        note = next(n for n in self.tree.node(str(here)).notes if n.turn == turn)
        at = [where for p in citations(note.answer) if (where := self.tree.where(p)) is not None]
        best = max(dict.fromkeys(at), key=at.count) if at else top
        if best != here:
            self.do(MoveNote(turn=turn, node=best))
