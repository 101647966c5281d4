"""A person's commands from the page: those of every session, also on sessions that are at rest.

A command comes as `{"command": "say", "text": …}`; names and arguments are those of
`roundtable.journal.commands`. A line as it is typed in the terminal comes as `{"command": "typed", "text":
"/go 4"}`. An edit of the map may say with `was` what the person saw; when that has
changed meanwhile, nothing is done.
"""

from collections.abc import Mapping
from typing import Any, get_args

from library.web import LocalFile, located
from roundtable.config.errors import InputError, RoundtableError
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import (
    COMMANDS,
    AnyCommand,
    near_command,
    read_json,
    read_line,
)
from roundtable.journal.commands.map_edits import MapAsk, MapMove, MapRename
from roundtable.journal.commands.table_commands import (
    Ask,
    Compare,
    FollowUp,
    GoOn,
    ReadSource,
    Say,
    Stop,
)
from roundtable.journal.fold.state import State
from roundtable.session.session import Session
from roundtable.web.hosting.session_manager import SessionManager

NAMES: tuple[str, ...] = tuple(kind.model_fields["do"].default for kind in get_args(AnyCommand))
"""Of all commands, in the order of the help."""
TYPED = "typed"
"""A line as it is typed in the terminal: `/go 4`, `@EXPERT …`."""


class Conflict(RoundtableError):
    """Somebody else changed the same thing meanwhile; the message says what it is now."""


async def perform(
    manager: SessionManager,
    identity: str,
    name: str,
    given: Mapping[str, Any],
    *,
    person: str = "",
    own_file: bool = False,
) -> None:
    """Do a command.

    Args:
        manager: Of the sessions.
        identity: Of the session.
        name: Of the command.
        given: Its arguments.
        person: The name of who gives it, as the account is called; empty: not known.
        own_file: What is to be read came with the request.

    Raises:
        CommandError: there is no such command, or it cannot be done.
        Conflict: somebody else was faster.
        NotRunning, SessionLocked: the session is not to be had here.
    """
    command, was = command_for(manager, name, given, own_file=own_file), given.get("was")

    def do(session: Session) -> None:
        if was is not None:
            _unchanged(command, session.state, str(was))
        session.do(command, person)

    ended = manager.row(identity).state == "ended"
    if name == TYPED and type(command) is Say and ended:
        command = FollowUp(text=command.text)  # as in the terminal: the report takes the answer in
    if await manager.is_here(identity):
        await manager.do(identity, do)
        return
    match command:
        case GoOn(turns=None) if ended:
            raise CommandError("the session has ended; say for how many turns it should go on")
        case GoOn():
            await manager.resume(identity, command.turns)
        case Stop() if not ended:
            # A session that resumes forgets that it was to stop.
            await manager.resume(identity, once_running=do)
        case Say() | Ask() | MapAsk() | Compare() | Stop():
            await manager.resume(identity, first=do)
        case _:
            await manager.do(identity, do)


def command_for(
    manager: SessionManager, name: str, given: Mapping[str, Any], *, own_file: bool = False
) -> AnyCommand:
    """Return a command as whoever uses this server may give it, in whatever process it is done.

    Raises:
        CommandError: there is no such command.
        InputError: it reads a file, which this server does for nobody.
    """
    if name == TYPED:
        command = _typed(str(given.get("text", "")))
    elif name in NAMES:
        command = read_json({**{key: value for key, value in given.items() if key != "was"}, "do": name})
    else:
        raise CommandError(f"no command {name!r}; there are: {', '.join(NAMES)}")
    of_this_machine = isinstance(command, ReadSource) and isinstance(located(command.place), LocalFile)
    if of_this_machine and manager.named_only and not own_file:
        raise InputError("this server is open to others, so files of its machine are not read on demand")
    return command


def _typed(line: str) -> AnyCommand:
    """Read a typed line; what only looks at a session stands on the page anyway, so it is no command."""
    word = line.strip().removeprefix("/").partition(" ")[0].lower()
    if line.strip().startswith("/") and word not in COMMANDS:
        if near := near_command(word):
            raise CommandError(f"no command /{word}; did you mean /{near}?")
        raise CommandError(f"no command /{word}; there are: {', '.join(f'/{name}' for name in COMMANDS)}")
    return read_line(line)


def _unchanged(command: AnyCommand, state: State, was: str) -> None:
    """Refuse an edit of something that is no longer what the person saw."""
    if not isinstance(command, MapRename | MapMove) or command.node not in state.map:
        return
    if isinstance(command, MapRename):
        now = state.map.title(command.node)
        told = f"somebody else named it “{now}” meanwhile"
    else:
        now = state.map.parent(command.node) or ""
        told = f"somebody else moved it meanwhile, below “{state.map.title(now) if now else now}”"
    if now != was:
        raise Conflict(told)
