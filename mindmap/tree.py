"""The map itself: a tree of nodes that hold notes and passages, changed only by changes.

The tree is kept in a networkx `DiGraph` (edges from parent to child, in the order they came).
Every change is checked before anything is touched, so a refused one leaves the map as it was. Whatever
sequence of changes is applied, the map is a tree in which a passage and a note each stand in one node.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import networkx as nx

from library import without_citations
from library.text import sentences
from mindmap.changes import (
    AddNode,
    AddNote,
    Change,
    DropPassage,
    Hand,
    Mark,
    MergeNode,
    MoveNode,
    MoveNote,
    Note,
    PlacePassage,
    RemoveNode,
    RenameNode,
    SetMark,
)
from mindmap.errors import MapError
from mindmap.events import MapEvent, MapStarted

UNSORTED = "unsorted"
"""Id of the branch that holds what fits nowhere yet; whatever it is called, it is known by this."""

_NUMBERED = re.compile(r"n(\d{1,9})")
_MARKS: tuple[Mark, ...] = ("pinned", "gap", "contradiction")


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it is now: a value, not a view."""

    id: str
    title: str
    parent: str | None
    notes: tuple[Note, ...]
    passages: tuple[str, ...]
    marks: tuple[Mark, ...]
    by: Hand
    """Who made it, or changed it by hand: what a person touched, reorganizing leaves alone."""
    sides: tuple[str, ...] = ()
    """Passages that contradict each other, when it is marked so."""


class _Held:
    """What stands at a node of the graph; dicts, because they keep order and let go in constant time."""

    __slots__ = ("by", "marks", "notes", "passages", "sides", "title")

    def __init__(self, title: str, by: Hand) -> None:
        self.title = title
        self.by: Hand = by
        self.notes: dict[int, Note] = {}
        self.passages: dict[str, None] = {}
        self.marks: set[Mark] = set()
        self.sides: dict[str, None] = {}


class MindMap:
    """A tree at all times. Reading gives values; `apply` is the only way to change it."""

    def __init__(self, title: str, root: str = "n0") -> None:
        self.root = root
        self._graph: nx.DiGraph[str] = nx.DiGraph()
        self._held: dict[str, _Held] = {}
        self._where: dict[str, str] = {}
        self._note_at: dict[int, str] = {}
        self._fixed: set[str] = set()
        self._gone: set[str] = set()
        self._next = 1
        self._insert(root, title, None, "table")

    @classmethod
    def started(cls, event: MapStarted) -> "MindMap":
        """Return the map that a journal begins with."""
        return cls(_title(event.title), event.root)

    # -- reading ------------------------------------------------------------------------------------

    def __contains__(self, node: object) -> bool:
        return node in self._held

    def __len__(self) -> int:
        return len(self._held)

    def node(self, node: str) -> Node:
        """Return a node as it is now. Raises MapError for an unknown id."""
        held = self._at(node)
        return Node(
            id=node,
            title=held.title,
            parent=self.parent(node),
            notes=tuple(held.notes.values()),
            passages=tuple(held.passages),
            marks=tuple(mark for mark in _MARKS if mark in held.marks),
            by=held.by,
            sides=tuple(held.sides),
        )

    def title(self, node: str) -> str:
        """Return a node's title."""
        return self._at(node).title

    def passages(self, node: str) -> list[str]:
        """Return the ids of the passages that stand in a node itself, in the order in which they came."""
        return list(self._at(node).passages)

    def answered(self) -> set[str]:
        """Return the questions that some note of the map answers."""
        return {note.question for held in self._held.values() for note in held.notes.values() if note.answer}

    def load(self, node: str) -> tuple[int, int]:
        """Return how many notes and how many passages stand in a node itself."""
        held = self._at(node)
        return len(held.notes), len(held.passages)

    def parent(self, node: str) -> str | None:
        """Return the parent's id; None for the root."""
        return next(self._graph.predecessors(node), None)

    def children(self, node: str) -> list[str]:
        """Return the ids of a node's children, in their order."""
        self._at(node)
        return list(self._graph.successors(node))

    def walk(self, start: str | None = None) -> Iterator[str]:
        """Yield a node and all under it, parents before children, siblings in their order."""
        stack = [self.root if start is None else start]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(self.children(node)))

    def path(self, node: str) -> list[str]:
        """Return the ids from the root to a node, both included."""
        self._at(node)
        path = [node]
        while (parent := self.parent(path[-1])) is not None:
            path.append(parent)
        return path[::-1]

    def branch(self, node: str) -> str:
        """Return the top branch that a node stands in: a child of the root, or the root itself."""
        path = self.path(node)
        return path[min(1, len(path) - 1)]

    def depth(self, node: str) -> int:
        """Return how many edges lie between the root and a node."""
        return len(self.path(node)) - 1

    def where(self, passage: str) -> str | None:
        """Return the node in which a passage stands, None when the map does not hold it."""
        return self._where.get(passage)

    def note_node(self, turn: int) -> str | None:
        """Return the node in which a turn's note stands, None when the map does not hold it."""
        return self._note_at.get(turn)

    def placed(self) -> list[str]:
        """Return the ids of all passages that the map holds, in the order in which they were first placed."""
        return list(self._where)

    def fixed(self, passage: str) -> bool:
        """Return whether a person placed this passage where it stands."""
        return passage in self._fixed

    def marked(self, mark: Mark) -> list[str]:
        """Return the nodes that carry a mark, in the order in which they were made."""
        return [node for node, held in self._held.items() if mark in held.marks]

    def kept(self, node: str) -> bool:
        """Return whether reorganizing leaves a node alone: a person made or touched it, or it is pinned."""
        held = self._at(node)
        return held.by == "person" or "pinned" in held.marks

    def next_id(self, ahead: int = 0) -> str:
        """Return the id that the next new node gets (`ahead`: the one after so many others)."""
        return f"n{self._next + ahead}"

    def snapshot(self) -> dict[str, object]:
        """Return all that the map holds as plain values: equal exactly when two maps are equal."""
        return {
            "root": self.root,
            "nodes": [self.node(node) for node in self.walk()],
            "fixed": sorted(self._fixed),
        }

    def copy(self) -> "MindMap":
        """Return a map of its own with the same contents."""
        twin = MindMap(self.title(self.root), self.root)
        twin._graph = self._graph.copy()
        for node, held in self._held.items():
            mine = twin._held[node] = _Held(held.title, held.by)
            mine.notes, mine.passages = dict(held.notes), dict(held.passages)
            mine.marks, mine.sides = set(held.marks), dict(held.sides)
        twin._where, twin._note_at = dict(self._where), dict(self._note_at)
        twin._fixed, twin._gone, twin._next = set(self._fixed), set(self._gone), self._next
        return twin

    # -- changing -----------------------------------------------------------------------------------

    def fold(self, event: MapEvent) -> None:
        """Take an event of the journal into the map. MapStarted is taken by `MindMap.started`."""
        if isinstance(event, MapStarted):
            raise MapError("a map is started once, by its first event")
        self.apply_all(event.changes)

    def apply_all(self, changes: Iterable[Change]) -> None:
        """Apply changes in order. The first illegal one raises MapError; those before it stay applied."""
        for change in changes:
            self.apply(change)

    def apply(self, change: Change) -> None:
        """Apply one change. An illegal one raises MapError and leaves the map as it was."""
        match change:
            case AddNode():
                self._add(change)
            case PlacePassage():
                self._place(change)
            case DropPassage():
                self._drop_passage(change.passage)
            case AddNote():
                self._add_note(change)
            case MoveNote():
                self._move_note(change)
            case RenameNode():
                held = self._at(change.node)
                held.title = _title(change.title)
                held.by = _hand(held, change.by)
            case MoveNode():
                self._move(change)
            case MergeNode():
                self._merge(change)
            case RemoveNode():
                self._remove(change)
            case SetMark():
                self._mark(change)
            case _:
                raise MapError(f"a {type(change).__name__} is no change of the map")

    def _at(self, node: str) -> _Held:
        held = self._held.get(node)
        if held is None:
            raise MapError(f"the map has no node {node!r}")
        return held

    def _insert(self, node: str, title: str, parent: str | None, by: Hand) -> None:
        self._held[node] = _Held(title, by)
        self._graph.add_node(node)
        if parent is not None:
            self._graph.add_edge(parent, node)
        if match := _NUMBERED.fullmatch(node):
            self._next = max(self._next, int(match[1]) + 1)

    def _drop(self, node: str) -> None:
        self._graph.remove_node(node)
        del self._held[node]
        self._gone.add(node)

    def _add(self, change: AddNode) -> None:
        self._at(change.parent)
        if change.id in self._held:
            raise MapError(f"the map already has a node {change.id!r}")
        if change.id in self._gone and not change.again and change.id != UNSORTED:
            raise MapError(f"the id {change.id!r} was given to a node that is gone; ids are given once")
        if not (change.id == UNSORTED or _NUMBERED.fullmatch(change.id)):
            raise MapError(f"{change.id!r} is no id of a node: they are n1, n2, …")
        self._insert(change.id, _title(change.title), change.parent, change.by)

    def _place(self, change: PlacePassage) -> None:
        held = self._at(change.node)
        before = self._where.get(change.passage)
        if before is not None and before != change.node:
            del self._held[before].passages[change.passage]
        held.passages[change.passage] = None
        self._where[change.passage] = change.node
        if change.by == "person":
            self._fixed.add(change.passage)

    def _drop_passage(self, passage: str) -> None:
        node = self._where.pop(passage, None)
        if node is None:
            raise MapError(f"the map does not hold passage {passage!r}")
        del self._held[node].passages[passage]
        self._fixed.discard(passage)
        for held in self._held.values():
            held.sides.pop(passage, None)
            for turn, note in held.notes.items():
                answer = without_citations(note.answer, [passage], sentences)
                if answer != note.answer:
                    held.notes[turn] = note.model_copy(update={"answer": answer})

    def _add_note(self, change: AddNote) -> None:
        held, turn = self._at(change.node), change.note.turn
        if turn in self._note_at:
            raise MapError(f"the map already holds the note of turn {turn}")
        held.notes[turn] = change.note
        self._note_at[turn] = change.node

    def _move_note(self, change: MoveNote) -> None:
        held = self._at(change.node)
        before = self._note_at.get(change.turn)
        if before is None:
            raise MapError(f"the map holds no note of turn {change.turn}")
        held.notes[change.turn] = self._held[before].notes.pop(change.turn)
        self._note_at[change.turn] = change.node

    def _move(self, change: MoveNode) -> None:
        held = self._at(change.node)
        self._refuse_root(change.node, "moved")
        self._refuse_below(change.node, change.parent, "moved")
        self._graph.remove_edge(str(self.parent(change.node)), change.node)
        self._graph.add_edge(change.parent, change.node)
        held.by = _hand(held, change.by)

    def _merge(self, change: MergeNode) -> None:
        gone, into = self._at(change.node), self._at(change.into)
        self._refuse_root(change.node, "merged into another node")
        self._refuse_below(change.node, change.into, "merged")
        into.notes.update(gone.notes)
        into.passages.update(gone.passages)
        into.marks |= gone.marks
        into.sides.update(gone.sides)
        into.by = _hand(into, change.by)
        self._note_at.update(dict.fromkeys(gone.notes, change.into))
        self._where.update(dict.fromkeys(gone.passages, change.into))
        self._graph.add_edges_from((change.into, child) for child in self.children(change.node))
        self._drop(change.node)

    def _remove(self, change: RemoveNode) -> None:
        held = self._at(change.node)
        self._refuse_root(change.node, "removed")
        if held.notes or held.passages or self._graph.succ[change.node]:
            raise MapError(f"node {change.node!r} still holds something; move that first")
        self._drop(change.node)

    def _mark(self, change: SetMark) -> None:
        held = self._at(change.node)
        (held.marks.add if change.on else held.marks.discard)(change.mark)
        if change.mark == "contradiction":
            held.sides = {**held.sides, **dict.fromkeys(change.sides)} if change.on else {}

    def _refuse_root(self, node: str, what: str) -> None:
        if node == self.root:
            raise MapError(f"the root cannot be {what}")

    def _refuse_below(self, node: str, target: str, what: str) -> None:
        self._at(target)
        if node in self.path(target):
            raise MapError(f"node {node!r} cannot be {what} into itself or a node under it")


def _title(title: str) -> str:
    clean = " ".join(title.split())
    if not clean:
        raise MapError("a node needs a title that is not empty")
    return clean


def _hand(held: _Held, by: Hand) -> Hand:
    return "person" if by == "person" else held.by
