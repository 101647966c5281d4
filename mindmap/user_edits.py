"""The person's hand: edits of the map as changes, and how to take them back.

Each function looks at the map, says what is wrong with a request (MapError), and returns the changes that
do it; the session journals them in one `MapEdited`. What a person made, moved or renamed is kept when the
map is reorganized.
"""

from collections.abc import Callable, Sequence

from mindmap.changes import (
    AddNode,
    Change,
    MergeNode,
    MoveNode,
    MoveNote,
    PlacePassage,
    RemoveNode,
    RenameNode,
    SetMark,
)
from mindmap.errors import MapError
from mindmap.tree import MindMap

_Do = Callable[[Change], None]


def add(tree: MindMap, title: str, parent: str | None = None) -> list[Change]:
    """Return the changes that add a node (under the root, unless a parent is named)."""
    return _checked(tree, [
        AddNode(id=tree.next_id(), title=title, parent=parent or tree.root, by="person"),
    ])


def rename(tree: MindMap, node: str, title: str) -> list[Change]:
    """Return the changes that rename a node."""
    return _checked(tree, [RenameNode(node=node, title=title, by="person")])


def move(tree: MindMap, node: str, parent: str) -> list[Change]:
    """Return the changes that move a node with all under it to another parent."""
    return _checked(tree, [MoveNode(node=node, parent=parent, by="person")])


def merge(tree: MindMap, node: str, into: str) -> list[Change]:
    """Return the changes that merge a node with all it holds into another."""
    return _checked(tree, [MergeNode(node=node, into=into, by="person")])


def split(tree: MindMap, node: str, parts: Sequence[tuple[str, Sequence[str]]]) -> list[Change]:
    """Return the changes that split a node: a new child for each title, with the passages named for it.

    Passages that no part names stay in the node.
    """
    made: list[Change] = []
    held = set(tree.passages(node))
    seen: set[str] = set()
    for number, (title, passages) in enumerate(parts):
        child = tree.next_id(number)
        made.append(AddNode(id=child, title=title, parent=node, by="person"))
        for passage in passages:
            if passage not in held or passage in seen:
                raise MapError(f"passage {passage!r} does not stand in node {node!r}, or is named twice")
            seen.add(passage)
            made.append(PlacePassage(passage=passage, node=child, by="person"))
    return _checked(tree, made)


def pin(tree: MindMap, node: str, *, on: bool = True) -> list[Change]:
    """Return the changes that pin a node, so that reorganizing leaves it alone, or unpin it."""
    return _checked(tree, [SetMark(node=node, mark="pinned", on=on, by="person")])


def put(tree: MindMap, passage: str, node: str) -> list[Change]:
    """Return the changes that put a passage into a node, to stay there."""
    if tree.where(passage) is None:
        raise MapError(f"the map does not hold passage {passage!r}")
    return _checked(tree, [PlacePassage(passage=passage, node=node, by="person")])


def delete(tree: MindMap, node: str) -> list[Change]:
    """Return the changes that delete a node; its children, notes and passages go to its parent."""
    parent = tree.parent(node) if node in tree else None
    if parent is None:
        raise MapError("the root cannot be deleted" if node in tree else f"the map has no node {node!r}")
    made: list[Change] = [MoveNode(node=child, parent=parent) for child in tree.children(node)]
    made += [PlacePassage(passage=passage, node=parent) for passage in tree.passages(node)]
    made += [MoveNote(turn=note.turn, node=parent) for note in tree.node(node).notes]
    return _checked(tree, [*made, RemoveNode(node=node, by="person")])


def undo(before: MindMap, after: MindMap) -> list[Change]:
    """Return the changes that lead from `after` back to what `before` held: nodes, titles, places, marks.

    Who touched a node last is not forgotten: what a person did and took back still counts as theirs.
    """
    draft = after.copy()
    made: list[Change] = []

    def do(change: Change) -> None:
        draft.apply(change)
        made.append(change)

    for node in before.walk():
        parent = before.parent(node)
        if node not in draft and parent is not None:
            held = before.node(node)
            do(AddNode(id=node, title=held.title, parent=draft.root, by=held.by, again=True))
    _parents_back(before, draft, do)
    for node in before.walk():
        _contents_back(before, draft, node, do)
    for node in reversed(list(draft.walk())):
        if node not in before:
            _empty(draft, node, do)
            do(RemoveNode(node=node))
    for node in before.walk():
        _order_back(before, draft, node, do)
    return made


def _parents_back(before: MindMap, draft: MindMap, do: _Do) -> None:
    """Move nodes under the parents they had; parents come first, so no move is into a node's own branch."""
    for node in before.walk():
        parent = before.parent(node)
        if parent is not None and draft.parent(node) != parent:
            do(MoveNode(node=node, parent=parent))


def _contents_back(before: MindMap, draft: MindMap, node: str, do: _Do) -> None:
    """Give a node its passages, notes, title and marks again."""
    held, now = before.node(node), draft.node(node)
    for passage in held.passages:
        if draft.where(passage) != node:
            do(PlacePassage(passage=passage, node=node))
    for note in held.notes:
        if draft.note_node(note.turn) != node:
            do(MoveNote(turn=note.turn, node=node))
    if held.title != now.title:
        do(RenameNode(node=node, title=held.title))
    for mark in sorted(set(held.marks) ^ set(now.marks)):
        do(SetMark(node=node, mark=mark, on=mark in held.marks, sides=list(held.sides)))


def _order_back(before: MindMap, draft: MindMap, node: str, do: _Do) -> None:
    """Let children stand in their order again; a move to the parent that a node has puts it last there."""
    wanted, now = before.children(node), draft.children(node)
    same = next((at for at, (a, b) in enumerate(zip(now, wanted, strict=False)) if a != b), len(wanted))
    for child in wanted[same:]:
        do(MoveNode(node=child, parent=node))


def _empty(draft: MindMap, node: str, do: _Do) -> None:
    """Let what came after stay on the map: it goes to the parent of the node that goes."""
    parent = str(draft.parent(node))
    for child in draft.children(node):
        do(MoveNode(node=child, parent=parent))
    for passage in draft.passages(node):
        do(PlacePassage(passage=passage, node=parent))
    for note in draft.node(node).notes:
        do(MoveNote(turn=note.turn, node=parent))


def _checked(tree: MindMap, changes: list[Change]) -> list[Change]:
    """Return the changes after trying them on a copy, so that nothing illegal is journalled."""
    tree.copy().apply_all(changes)
    return changes
