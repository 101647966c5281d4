"""What has been said: a map of notes and passages that is a tree at all times.

Names are loaded when they are first used, since networkx and scipy take their time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from mindmap.errors import MapError, OutlineError
    from mindmap.events import MapEdited, MapEvent, MapGrown, MapPlaced, MapStarted, PassagesEmbedded
    from mindmap.export import FORMATS, export_map, file_name, mindmap_json, mindmap_markdown
    from mindmap.map_index import MapIndex
    from mindmap.outline_import import Outline, read_outline
    from mindmap.placement.placing import Item, place, placement
    from mindmap.placement.reorganize import reorganize
    from mindmap.prompt_view import context
    from mindmap.provenance import Facts, facts_of
    from mindmap.settings import MapSettings
    from mindmap.tree import UNSORTED, MindMap, Node

_CHANGES = (
    "AddNode AddNote Change DropPassage Hand Mark MergeNode MoveNode MoveNote Note "
    "PlacePassage RemoveNode RenameNode SetMark"
)

_EVENTS = "MapEdited MapEvent MapGrown MapPlaced MapStarted PassagesEmbedded"

_HOME = {
    **dict.fromkeys(_CHANGES.split(), "changes"),
    **dict.fromkeys(_EVENTS.split(), "events"),
    **dict.fromkeys(("MapError", "OutlineError"), "errors"),
    **dict.fromkeys(("UNSORTED", "MindMap", "Node"), "tree"),
    **dict.fromkeys(("Item", "place", "placement"), "placing"),
    **dict.fromkeys(("FORMATS", "export_map", "file_name", "mindmap_json", "mindmap_markdown"), "export"),
    **dict.fromkeys(("Facts", "facts_of"), "facts"),
    **dict.fromkeys(("Outline", "read_outline"), "outline_import"),
    "MapIndex": "index",
    "MapSettings": "settings",
    "context": "view",
    "reorganize": "grow",
}

__all__ = [
    "FORMATS",
    "UNSORTED",
    "AddNode",
    "AddNote",
    "Change",
    "DropPassage",
    "Facts",
    "Hand",
    "Item",
    "MapEdited",
    "MapError",
    "MapEvent",
    "MapGrown",
    "MapIndex",
    "MapPlaced",
    "MapSettings",
    "MapStarted",
    "Mark",
    "MergeNode",
    "MindMap",
    "MoveNode",
    "MoveNote",
    "Node",
    "Note",
    "Outline",
    "OutlineError",
    "PassagesEmbedded",
    "PlacePassage",
    "RemoveNode",
    "RenameNode",
    "SetMark",
    "context",
    "export_map",
    "facts_of",
    "file_name",
    "mindmap_json",
    "mindmap_markdown",
    "place",
    "placement",
    "read_outline",
    "reorganize",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
