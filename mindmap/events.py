"""What happens to the map, as the session journals it: events that carry changes."""

from typing import Literal

from pydantic import Field

from mindmap.changes import Change
from models import Event


class MapStarted(Event):
    """The map has its root."""

    kind: Literal["map_started"] = "map_started"
    root: str = "n0"
    title: str


class MapPlaced(Event):
    """What a turn brought has its places."""

    kind: Literal["map_placed"] = "map_placed"
    turn: int
    changes: list[Change]
    outside: list[str] = Field(default_factory=list)
    """Ids of passages that a language model found to belong nowhere in the map."""


class MapGrown(Event):
    """The map was reorganized: nodes split, merged, named, dropped."""

    kind: Literal["map_grown"] = "map_grown"
    changes: list[Change]


Did = Literal["", "rename", "move", "merge", "split", "pin", "unpin", "delete", "add", "put", "outline"]
"""What a person did to the map; `outline`: began the session with one, which is not taken back by an undo."""


class MapEdited(Event):
    """A person changed the map."""

    kind: Literal["map_edited"] = "map_edited"
    changes: list[Change]
    undo: bool = False
    """Whether it takes the last edit that stands back."""
    did: Did = ""
    """What was done; of an undo, what it took back; empty in journals of earlier versions."""
    title: str = ""
    """Of the node that it was done to, as it was called then; the new title of one that was renamed."""


class PassagesEmbedded(Event):
    """A service turned passages into vectors, or failed to: it is asked once for each."""

    kind: Literal["passages_embedded"] = "passages_embedded"
    passages: list[str]
    """Ids of those that it was asked for."""
    vectors: list[str] = Field(default_factory=list)
    """As `library.embeddings.packed` writes them, in the order of the ids, empty for one that was not
    sent; none at all when it failed."""
    error: str = ""


MapEvent = MapStarted | MapPlaced | MapGrown | MapEdited
