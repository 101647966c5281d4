"""The person's hand on the map: each edit is checked, journalled as `MapEdited`, and can be taken back."""

from mindmap import Change, Did, MapEdited, MapError
from mindmap import user_edits as hand
from roundtable.commands.resolve import node, passage_id
from roundtable.journal.commands import map_edits as asked
from roundtable.journal.commands.command import Command, CommandError
from roundtable.journal.commands.map_edits import MapCommand
from roundtable.journal.event_log import EventLog
from roundtable.journal.fold.state import State

_DID: dict[type[Command], Did] = {
    asked.MapMove: "move", asked.MapMerge: "merge", asked.MapSplit: "split", asked.MapDelete: "delete",
    asked.MapPut: "put",
}  # fmt: skip


def edit_map(command: MapCommand, record: EventLog) -> None:
    """Edit the map of a session now; nodes are named by id (`n3`) or by title.

    Raises:
        CommandError: it cannot be done; the map is then as it was.
    """
    state = record.state
    if isinstance(command, asked.MapUndo):
        before = state.map_course.edits.before
        if not before:
            raise CommandError("nothing to undo: no edit of the map by hand stands")
        did, title = state.map_course.edits.told[-1]
        record.add(MapEdited(changes=hand.undo(before[-1], state.map), undo=True, did=did, title=title))
        return
    try:
        changes = _changes(command, state)
    except MapError as failure:
        raise CommandError(str(failure)) from failure
    did, title = _told(command, state)
    record.add(MapEdited(changes=changes, did=did, title=title))


def _told(command: Command, state: State) -> tuple[Did, str]:
    """Return what is done, and the title of the node that it is done to."""
    match command:
        case asked.MapRename():
            return "rename", command.title
        case asked.MapAdd():
            return "add", command.title
        case asked.MapPin():
            return "pin" if command.on else "unpin", state.map.title(node(state, command.node))
        case (
            asked.MapMove() | asked.MapMerge() | asked.MapSplit() | asked.MapDelete() | asked.MapPut()
        ):
            return _DID[type(command)], state.map.title(node(state, command.node))
        case _:
            return "", ""


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
