"""What can happen to the map: small frozen changes, carried by events, applied by `MindMap.apply`."""

from typing import Annotated, Literal

from pydantic import Field

from models import Frozen

Mark = Literal["pinned", "gap", "contradiction"]
Hand = Literal["table", "person"]


class Note(Frozen):
    """What a node holds besides passages: a question and what was answered to it, with its citations."""

    turn: int
    """Number of the turn (from 1) that the note comes from."""
    speaker: str = ""
    question: str
    answer: str = ""
    """With citations `[p12]`; empty for a question that is still open."""


class AddNode(Frozen):
    """A new node under `parent`."""

    op: Literal["add"] = "add"
    id: str
    """`n1`, `n2`, …: given once in a session, also when the node is gone; `unsorted` for that one branch."""
    title: str
    parent: str
    by: Hand = "table"
    again: bool = False
    """An undo brings back a node that was gone, under the id it had."""


class PlacePassage(Frozen):
    """A passage now stands in a node (and in no other: it leaves the one it stood in)."""

    op: Literal["place"] = "place"
    passage: str
    node: str
    by: Hand = "table"
    """What a person placed stays there when the map is reorganized."""


class DropPassage(Frozen):
    """A passage leaves the map, and the notes let go of what rests on it alone."""

    op: Literal["drop"] = "drop"
    passage: str


class AddNote(Frozen):
    """A note now stands in a node."""

    op: Literal["note"] = "note"
    node: str
    note: Note


class MoveNote(Frozen):
    """The note at a turn number leaves the node it stood in for another."""

    op: Literal["move_note"] = "move_note"
    turn: int
    node: str
    by: Hand = "table"


class RenameNode(Frozen):
    """A node has a new title."""

    op: Literal["rename"] = "rename"
    node: str
    title: str
    by: Hand = "table"


class MoveNode(Frozen):
    """A node with everything under it has a new parent."""

    op: Literal["move"] = "move"
    node: str
    parent: str
    by: Hand = "table"


class MergeNode(Frozen):
    """A node is gone: its notes, passages and children now stand in another."""

    op: Literal["merge"] = "merge"
    node: str
    into: str
    by: Hand = "table"


class RemoveNode(Frozen):
    """A node is gone. It must be a leaf that holds nothing: what a node holds is moved first, never lost."""

    op: Literal["remove"] = "remove"
    node: str
    by: Hand = "table"


class SetMark(Frozen):
    """A node carries a mark, or no longer does."""

    op: Literal["mark"] = "mark"
    node: str
    mark: Mark
    on: bool = True
    sides: list[str] = Field(default_factory=list)
    """For a contradiction: the passages that do not agree with each other."""
    by: Hand = "table"


Change = Annotated[
    AddNode | PlacePassage | DropPassage | AddNote | MoveNote | RenameNode | MoveNode | MergeNode
    | RemoveNode | SetMark,
    Field(discriminator="op"),
]
