"""What a person can do to the map, node by node."""

from typing import Annotated, Literal, Self

from pydantic import Field

from models import Frozen
from roundtable.journal.commands.command import Command, FewWords, Words


class MapRename(Command):
    """Another title for a node."""

    name = "rename"
    usage = "rename NODE TITLE"
    help = "Rename a node (n3)."

    do: Literal["map_rename"] = "map_rename"
    node: Words
    title: Words


class MapMove(Command):
    """Another parent for a node."""

    name = "move"
    usage = "move NODE PARENT"
    help = "Move a node with all under it below another."

    do: Literal["map_move"] = "map_move"
    node: Words
    parent: Words


class MapMerge(Command):
    """Two nodes become one."""

    name = "merge"
    usage = "merge NODE INTO"
    help = "Merge a node with all it holds into another."

    do: Literal["map_merge"] = "map_merge"
    node: Words
    into: Words


class Part(Frozen):
    """One part of a node that is split."""

    title: Words
    passages: list[str]


class MapSplit(Command):
    """A node gets children."""

    name = "split"
    usage = "split NODE TITLE: 9.2 9.4; TITLE: 9.5 …"
    help = "Split a node; passages that no part names stay."

    do: Literal["map_split"] = "map_split"
    node: Words
    parts: Annotated[list[Part], Field(min_length=1, max_length=50)]

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read `NODE TITLE: 9.2 9.4; TITLE: 9.5`."""
        node, _, written = rest.strip().partition(" ")
        parts = [part.rpartition(":") for part in written.replace("：", ":").replace("；", ";").split(";")]
        return cls.of(
            node=node,
            parts=[{"title": t, "passages": p.replace(",", " ").split()} for t, _, p in parts if t or p],
        )


class MapPin(Command):
    """A node that reorganizing leaves alone."""

    name = "pin"
    usage = "pin NODE [off]"
    help = "Pin a node, so that it is left as it is; `off` unpins it."

    do: Literal["map_pin"] = "map_pin"
    node: Words
    on: bool = True


class MapDelete(Command):
    """A node goes."""

    name = "delete"
    usage = "delete NODE"
    help = "Delete a node; what it holds goes to its parent."

    do: Literal["map_delete"] = "map_delete"
    node: Words


class MapAdd(Command):
    """A new node."""

    name = "add"
    usage = "add PARENT TITLE"
    help = "Add a node below another (n0 is the root)."

    do: Literal["map_add"] = "map_add"
    parent: Words
    title: Words


class MapPut(Command):
    """Another place for a passage."""

    name = "put"
    usage = "put PASSAGE NODE"
    help = "Put a passage (9.2) into a node, to stay there."

    do: Literal["map_put"] = "map_put"
    passage: Words
    node: Words


class MapUndo(Command):
    """The last edit is taken back."""

    name = "undo"
    usage = "undo"
    help = "Take your last edit back."

    do: Literal["map_undo"] = "map_undo"


class MapAsk(Command):
    """A question about a node; journalled as what it says."""

    name = "about"
    usage = "about NODE [QUESTION]"
    help = "Ask about a node."

    do: Literal["map_ask"] = "map_ask"
    node: Words
    text: FewWords = ""


MapCommand = MapRename | MapMove | MapMerge | MapSplit | MapPin | MapDelete | MapAdd | MapPut | MapUndo
