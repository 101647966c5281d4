"""The edits by hand that can be taken back: the map as it would be without each of them."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from mindmap.changes import Change, DropPassage
from mindmap.errors import MapError
from mindmap.events import Did, MapEdited, MapGrown, MapPlaced
from mindmap.tree import MindMap

REMEMBERED = 30
"""Edits that can be taken back."""


@dataclass(slots=True)
class EditHistory:
    """A fold over a map's events; what it holds is the same after a restart."""

    before: list[MindMap] = field(default_factory=list)
    """The map before each edit that stands, the oldest first, with all that the table did to it since."""

    told: list[tuple[Did, str]] = field(default_factory=list)
    """What each of them did, and the title of the node that it was done to."""

    def fold(self, event: MapPlaced | MapGrown | MapEdited, tree: MindMap) -> None:
        """Take in an event that has not happened to the map yet."""
        if not isinstance(event, MapEdited) or event.did == "outline" or _drops(event.changes):
            for earlier in self.before:
                _follow(earlier, event.changes)
        elif event.undo:
            del self.before[-1:], self.told[-1:]
        else:
            self.before = [*self.before, tree.copy()][-REMEMBERED:]
            self.told = [*self.told, (event.did, event.title)][-REMEMBERED:]


def _drops(changes: Sequence[Change]) -> bool:
    """Whether an edit only takes off the map what a person dropped as a source: not an edit of the map."""
    return bool(changes) and all(isinstance(change, DropPassage) for change in changes)


def _follow(tree: MindMap, changes: Sequence[Change]) -> None:
    """Do to a map what was done to a later one, as far as it has what that is about."""
    for change in changes:
        with contextlib.suppress(MapError):
            tree.apply(change)
