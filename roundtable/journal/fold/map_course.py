"""The map of a session, and how far work on it is: what is placed, what changed since it grew."""

from dataclasses import dataclass, field

from mindmap import EditHistory, MapEdited, MapGrown, MapPlaced, MapStarted, MindMap


@dataclass(slots=True)
class MapCourse:
    """The map as it was built, turn by turn."""

    map: MindMap = field(default_factory=lambda: MindMap(""))
    edits: EditHistory = field(default_factory=EditHistory)
    """Edits by hand that can be taken back."""
    started: bool = False
    placed: int = -1
    """Number of the last turn that is placed; 0: the background is; -1: nothing yet."""
    changed_nodes: list[str] | None = None
    """Nodes that placing changed since the map grew last; None when nothing was placed since."""

    def fold(self, event: MapStarted | MapPlaced | MapGrown | MapEdited) -> None:
        """Take in one event."""
        if isinstance(event, MapStarted):
            self.map, self.started = MindMap.started(event), True
            return
        self.edits.fold(event, self.map)
        self.map.fold(event)
        if isinstance(event, MapPlaced):
            self.placed = event.turn
            nodes = [getattr(c, "node", getattr(c, "parent", "")) for c in event.changes]
            self.changed_nodes = list(dict.fromkeys([*(self.changed_nodes or []), *filter(None, nodes)]))
        elif isinstance(event, MapGrown):
            self.changed_nodes = None
        elif self.changed_nodes is not None:
            self.changed_nodes = [node for node in self.changed_nodes if node in self.map]
