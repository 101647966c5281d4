"""What a person can do in a session, as data: each command's name, arguments and help.

A command is read from a line of text (`read_line`) or from JSON (`read_json`), journalled as it is, and
carried out by the session. The terminal and the page share this one list; what a command needs to know of
the session is checked in `roundtable.commands.resolve`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter, ValidationError

from roundtable.journal.commands.command import Command, CommandError, problem
from roundtable.journal.commands.map_edits import MapAsk, MapCommand
from roundtable.journal.commands.table_commands import (
    AddExpert,
    Ask,
    BreakIn,
    Compare,
    DismissExpert,
    DropHost,
    DropSource,
    FollowUp,
    GoOn,
    LookAt,
    Manner,
    Pause,
    ReadSource,
    RenameExpert,
    Say,
    SetAside,
    Steer,
    Stop,
)

AnyCommand = (
    Say | BreakIn | FollowUp | Ask | Steer | SetAside | DropSource | DropHost | ReadSource
    | Compare | AddExpert | RenameExpert | DismissExpert | Pause | GoOn | Stop | Manner
    | MapAsk | MapCommand
)  # fmt: skip
_KINDS: tuple[type[Command], ...] = get_args(AnyCommand)
COMMANDS: Mapping[str, type[Command]] = {kind.name: kind for kind in _KINDS} | {LookAt.name: LookAt}
"""By the word that is typed, in the order of the help."""
_READER: TypeAdapter[AnyCommand] = TypeAdapter(Annotated[AnyCommand, Field(discriminator="do")])


def read_line(line: str, others: Iterable[str] = ()) -> AnyCommand:
    """Return the command that a person typed: `/NAME ARGUMENTS`; anything else is said to the table.

    `@EXPERT …` at the start puts it to one expert; `others` are names of what else can be typed there.

    Raises:
        CommandError: there is no such command, or its arguments are wrong.
    """
    words = line.strip()
    if words.startswith("@"):
        return Ask.typed(words)
    if not words.startswith("/"):
        return Say.typed(words)
    typed, _, rest = words[1:].partition(" ")
    return command_named(typed, others).typed(rest)  # type: ignore[return-value]


def command_named(typed: str, others: Iterable[str] = ()) -> type[Command]:
    """Return a command by its name.

    Args:
        typed: The name, in any case.
        others: What else can be typed there; its names may be meant too.

    Raises:
        CommandError: there is none; the message names the nearest of all.
    """
    kind = COMMANDS.get(typed.lower())
    if kind is None:
        near = near_command(typed, others)
        hint = f"did you mean /{near}? " if near else ""
        raise CommandError(f"no command /{typed}; {hint}/help lists all")
    return kind


def near_command(typed: str, others: Iterable[str] = ()) -> str:
    """Return the name, of a command or of what else can be typed there, nearest to one; empty: none is."""
    import difflib

    return next(iter(difflib.get_close_matches(typed.lower(), [*COMMANDS, *others], n=1, cutoff=0.5)), "")


def read_json(value: str | bytes | Mapping[str, Any]) -> AnyCommand:
    """Return the command of a JSON object: `{"do": "steer", "text": "stay on costs"}`.

    Raises:
        CommandError: it is none; the message says what is wrong, in one line.
    """
    try:
        if isinstance(value, str | bytes):
            return _READER.validate_json(value)
        return _READER.validate_python(value)
    except ValidationError as failure:
        raise CommandError(problem(failure)) from failure


def described() -> list[dict[str, Any]]:
    """Return all commands as plain values: name, usage, help, and the JSON schema of their arguments."""
    return [
        {"do": kind.model_fields["do"].default, "name": kind.name, "usage": f"/{kind.usage}",
         "help": kind.help, "arguments": kind.model_json_schema()}
        for kind in _KINDS
    ]  # fmt: skip
