"""The person's hand on the map: each edit is checked, journalled as `MapEdited`, and can be taken back."""

from collections.abc import Callable, Mapping, Sequence

from mindmap import Change, MapEdited, MapError
from mindmap import user_edits as hand
from roundtable.commands.resolve import node, passage_id
from roundtable.journal import commands as asked
from roundtable.journal.commands import AnyCommand, Command, CommandError, MapCommand
from roundtable.journal.event_log import EventLog
from roundtable.journal.state import State


class MapCommands:
    """Edits of a session's map. Nodes are named by id (`n3`) or by title."""

    def __init__(self, record: EventLog, do: Callable[[AnyCommand], None]) -> None:
        self._record = record
        self._do = do

    @property
    def _state(self) -> State:
        return self._record.state

    def carry_out(self, command: MapCommand) -> None:
        """Edit the map now. Raises CommandError; the map is then as it was."""
        if isinstance(command, asked.MapUndo):
            before = self._state.edits.before
            if not before:
                raise CommandError("nothing to undo: no edit of the map by hand stands")
            self._record.add(MapEdited(changes=hand.undo(before[-1], self._state.map), undo=True))
            return
        try:
            changes = _changes(command, self._state)
        except MapError as failure:
            raise CommandError(str(failure)) from failure
        self._record.add(MapEdited(changes=changes))

    def rename(self, node: str, title: str) -> None:
        """Rename a node."""
        self._do(asked.MapRename.of(node=node, title=title))

    def move(self, node: str, parent: str) -> None:
        """Move a node with all under it below another."""
        self._do(asked.MapMove.of(node=node, parent=parent))

    def merge(self, node: str, into: str) -> None:
        """Merge a node with all it holds into another."""
        self._do(asked.MapMerge.of(node=node, into=into))

    def split(self, node: str, parts: Mapping[str, Sequence[str]]) -> None:
        """Split a node: a new child for each title, with the passages named for it."""
        self._do(
            asked.MapSplit.of(node=node, parts=[{"title": t, "passages": list(p)} for t, p in parts.items()])
        )

    def pin(self, node: str, *, on: bool = True) -> None:
        """Pin a node, so that reorganizing leaves it alone, or unpin it."""
        self._do(asked.MapPin.of(node=node, on=on))

    def delete(self, node: str) -> None:
        """Delete a node; what it holds goes to its parent."""
        self._do(asked.MapDelete.of(node=node))

    def add(self, title: str, parent: str | None = None) -> None:
        """Add a node, under the root unless a parent is named."""
        self._do(asked.MapAdd.of(title=title, parent=parent or self._state.map.root))

    def put(self, passage: str, node: str) -> None:
        """Put a passage into a node, to stay there."""
        self._do(asked.MapPut.of(passage=passage, node=node))

    def undo(self) -> None:
        """Take the last edit back."""
        self._do(asked.MapUndo())

    def ask(self, node: str, question: str = "") -> None:
        """Ask about a node: heard and answered as anything that is said."""
        self._do(asked.MapAsk.of(node=node, text=question))


def _changes(command: Command, state: State) -> list[Change]:
    tree = state.map
    match command:
        case asked.MapRename():
            return hand.rename(tree, node(state, command.node), command.title)
        case asked.MapMove():
            return hand.move(tree, node(state, command.node), node(state, command.parent))
        case asked.MapMerge():
            return hand.merge(tree, node(state, command.node), node(state, command.into))
        case asked.MapSplit():
            parts = [(part.title, [passage_id(state, p) for p in part.passages]) for part in command.parts]
            return hand.split(tree, node(state, command.node), parts)
        case asked.MapPin():
            return hand.pin(tree, node(state, command.node), on=command.on)
        case asked.MapDelete():
            return hand.delete(tree, node(state, command.node))
        case asked.MapAdd():
            return hand.add(tree, command.title, node(state, command.parent))
        case asked.MapPut():
            return hand.put(tree, passage_id(state, command.passage), node(state, command.node))
        case _:
            raise CommandError(f"/{command.name} is no edit of the map")
