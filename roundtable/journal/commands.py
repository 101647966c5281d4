"""What a person can do in a session, as data: each command's name, arguments and help.

A command is read from a line of text (`read_line`) or from JSON (`read_json`), journalled as it is, and
carried out by the session. The terminal and the page share this one list; what a command needs to know of
the session is checked in `roundtable.commands.resolve`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from models import Frozen
from roundtable.config.errors import InputError

_LONGEST = 4000


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        raise ValueError("give some words")
    return words


Words = Annotated[str, Field(max_length=_LONGEST), AfterValidator(_one_line)]
"""Some words, in one line; never empty."""


class CommandError(InputError, ValueError):
    """A command cannot be understood or done; the message says in one line what is wrong."""


class Command(Frozen):
    """The base of all commands."""

    name: ClassVar[str]
    """As it is typed after the slash."""
    usage: ClassVar[str]
    """How it is typed, without the slash."""
    help: ClassVar[str]
    """One line."""
    at_boundary: ClassVar[bool] = False
    """Whether it is carried out between two turns; the others are at once."""

    @classmethod
    def of(cls, **arguments: Any) -> Self:
        """Return the command with arguments. Raises CommandError with one clear line."""
        try:
            return cls(**arguments)
        except ValidationError as failure:
            raise CommandError(f"/{cls.name}: {_problem(failure)}; write: /{cls.usage}") from failure

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read what was typed after the name: a word for each argument, the remainder for the last."""
        names = [name for name in cls.model_fields if name != "do"]
        words = rest.split(maxsplit=len(names) - 1) if names else []
        if not names and rest.strip():
            raise CommandError(f"/{cls.name} takes nothing more; write: /{cls.usage}")
        return cls.of(**dict(zip(names, words, strict=False)))


class Say(Command):
    """Words to the table."""

    name = "say"
    usage = "say TEXT"
    help = "Say or ask something: heard after this turn, answered before anything else."
    at_boundary = True

    do: Literal["say"] = "say"
    text: Words
    to: str | None = None
    """The expert who should answer, by slug; None: the nearest."""
    search: str = ""
    """Words to search by; empty: its own."""

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read the words, all to the table."""
        return cls.of(text=rest)


class BreakIn(Say):
    """Words to the table, now: the turn under way is cancelled."""

    name = "break"
    usage = "break TEXT"
    help = "Break in: the turn under way is cancelled, what it found stays, and you are heard now."

    do: Literal["break_in"] = "break_in"  # type: ignore[assignment]


class FollowUp(Say):
    """A question about the finished report."""

    name = "follow"
    usage = "follow QUESTION"
    help = "Ask on after the report: the table answers, and the report takes it in."

    do: Literal["follow_up"] = "follow_up"  # type: ignore[assignment]


class Ask(Command):
    """A question to one expert; journalled as what it says."""

    name = "ask"
    usage = "ask @EXPERT QUESTION"
    help = "Ask one expert by name."

    do: Literal["ask"] = "ask"
    to: Words
    text: Words


class Steer(Command):
    """A direction for everything that comes."""

    name = "steer"
    usage = "steer TEXT"
    help = "Steer: “stay on costs” is kept to by everybody from now on: questions, answers and report."
    at_boundary = True

    do: Literal["steer"] = "steer"
    text: Words


class SetAside(Command):
    """A subject that the table leaves alone."""

    name = "aside"
    usage = "aside SUBJECT"
    help = "Set a subject aside: nobody asks about it any more, and questions about it are closed."
    at_boundary = True

    do: Literal["set_aside"] = "set_aside"
    subject: Words


class DropSource(Command):
    """A source that is used no longer."""

    name = "drop"
    usage = "drop SOURCE"
    help = "Drop a source by number, passage, url, file name, title or host: it is used no more."
    at_boundary = True

    do: Literal["drop_source"] = "drop_source"
    source: Words
    """Its number (`9`), a passage of it (`9.2`, `p12`), or its url. In the journal: its url."""


class DropHost(Command):
    """A host that is used no longer."""

    name = "drop-host"
    usage = "drop-host HOST"
    help = "Drop every page of a host, read or not."
    at_boundary = True

    do: Literal["drop_host"] = "drop_host"
    host: Words


class ReadSource(Command):
    """Something to read now."""

    name = "read"
    usage = "read URL|PATH"
    help = "Read a page or a file now: its best passages are put on the table."
    at_boundary = True

    do: Literal["read"] = "read"
    place: Words


class AddExpert(Command):
    """Somebody new at the table."""

    name = "invite"
    usage = "invite NAME: FOCUS"
    help = "Add an expert."
    at_boundary = True

    do: Literal["add_expert"] = "add_expert"
    expert: Words
    """The new expert's name."""
    focus: str = ""
    role: str = ""

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read `NAME: FOCUS`."""
        name, _, focus = rest.replace("：", ":").partition(":")
        return cls.of(expert=name, focus=" ".join(focus.split()))


class RenameExpert(Command):
    """Another name for an expert."""

    name = "name"
    usage = "name @EXPERT NEW NAME"
    help = "Rename an expert."
    at_boundary = True

    do: Literal["rename_expert"] = "rename_expert"
    expert: Words
    to: Words


class DismissExpert(Command):
    """Somebody leaves the table."""

    name = "dismiss"
    usage = "dismiss @EXPERT"
    help = "Dismiss an expert; what was said stays."
    at_boundary = True

    do: Literal["dismiss_expert"] = "dismiss_expert"
    expert: Words


class Pause(Command):
    """The table stands still."""

    name = "pause"
    usage = "pause"
    help = "Pause after this turn."

    do: Literal["pause"] = "pause"


class GoOn(Command):
    """The table goes on."""

    name = "go"
    usage = "go [TURNS]"
    help = "Go on, for so many turns when a number is given; also after the report."

    do: Literal["go_on"] = "go_on"
    turns: Annotated[int, Field(ge=1, le=1000)] | None = None


class Stop(Command):
    """Stop and write."""

    name = "write"
    usage = "write"
    help = "Stop after this turn and write the report; after the end, write it again."

    do: Literal["stop"] = "stop"


class Manner(Command):
    """Whether the table waits for the person."""

    name = "mode"
    usage = "mode passive|wait"
    help = "passive: the table goes on by itself; wait: it waits for you after each round (/go)."

    do: Literal["mode"] = "mode"
    mode: Literal["passive", "wait"]


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
    usage = "split NODE TITLE: p1 p2; TITLE: p3 …"
    help = "Split a node; passages that no part names stay."

    do: Literal["map_split"] = "map_split"
    node: Words
    parts: Annotated[list[Part], Field(min_length=1, max_length=50)]

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read `NODE TITLE: p1 p2; TITLE: p3`."""
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
    text: str = ""


MapCommand = MapRename | MapMove | MapMerge | MapSplit | MapPin | MapDelete | MapAdd | MapPut | MapUndo
AnyCommand = (
    Say | BreakIn | FollowUp | Ask | Steer | SetAside | DropSource | DropHost | ReadSource
    | AddExpert | RenameExpert | DismissExpert | Pause | GoOn | Stop | Manner
    | MapAsk | MapCommand
)  # fmt: skip
COMMANDS: Mapping[str, type[Command]] = {kind.name: kind for kind in get_args(AnyCommand)}
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
    import difflib

    kind = COMMANDS.get(typed.lower())
    if kind is None:
        near = difflib.get_close_matches(typed.lower(), [*COMMANDS, *others], n=1, cutoff=0.5)
        hint = f"did you mean /{near[0]}? " if near else ""
        raise CommandError(f"no command /{typed}; {hint}/help lists all")
    return kind


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
        raise CommandError(_problem(failure)) from failure


def described() -> list[dict[str, Any]]:
    """Return all commands as plain values: name, usage, help, and the JSON schema of their arguments."""
    return [
        {"do": kind.model_fields["do"].default, "name": kind.name, "usage": f"/{kind.usage}",
         "help": kind.help, "arguments": kind.model_json_schema()}
        for kind in COMMANDS.values()
    ]  # fmt: skip


def _problem(failure: ValidationError) -> str:
    error = failure.errors(include_url=False)[0]
    where = ".".join(str(part) for part in error["loc"] if part != "function-after")
    message = error["msg"].removeprefix("Value error, ")
    message = "is missing" if error["type"] == "missing" else message[:1].lower() + message[1:]
    return " ".join(f"{where}: {message}".removeprefix(": ").split())
