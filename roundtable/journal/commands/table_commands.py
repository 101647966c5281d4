"""What a person can have the table do: say, ask, steer, read, seat and dismiss, pause, go on, stop."""

from typing import Annotated, Literal, Self

from pydantic import Field

from library import look_url, on_the_web
from roundtable.journal.commands.command import Command, CommandError, FewWords, Words


class Say(Command):
    """Words to the table."""

    name = "say"
    usage = "say TEXT"
    help = "Say or ask something: heard after this turn, answered before anything else."
    at_boundary = True

    do: Literal["say"] = "say"
    text: Words
    to: FewWords | None = None
    """The expert who should answer, by slug; None: the nearest."""
    search: FewWords = ""
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


class LookAt(ReadSource):
    """A page as it looks: read from a picture of it, under an address of its own."""

    name = "look"
    usage = "look URL"
    help = "Look at a page now, charts and pictures too: needs a browser and a model that sees."

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read the address: what is journalled is a reading."""
        if not on_the_web(rest.strip()):
            raise CommandError(f"/look: name a page by its address, https://…; write: /{cls.usage}")
        return ReadSource.of(place=look_url(rest.strip()))  # type: ignore[return-value]


class Compare(Command):
    """Things side by side."""

    name = "compare"
    usage = "compare [A, B: PRICE, LICENCE]"
    help = "Compare things in a table (alone: the one proposed), each cell quoted; it stands in the report."
    at_boundary = True

    do: Literal["compare"] = "compare"
    things: FewWords = ""
    """What is compared, separated by commas or semicolons; empty with the respects for what is proposed."""
    questions: FewWords = ""
    """In which respects, likewise."""

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read `A, B: PRICE, LICENCE`; `by` may stand for the colon."""
        words = rest.replace("：", ":")
        of, mark, by = words.partition(":")
        if not mark:
            of, _, by = words.partition(" by ")
        if rest.strip() and not (of.strip() and by.strip()):
            raise CommandError("/compare: name things and respects; write: /compare A, B: PRICE, LICENCE")
        return cls.of(things=of.strip(), questions=by.strip())


class AddExpert(Command):
    """Somebody new at the table."""

    name = "invite"
    usage = "invite NAME: FOCUS"
    help = "Add an expert."
    at_boundary = True

    do: Literal["add_expert"] = "add_expert"
    expert: Words
    """The new expert's name."""
    focus: FewWords = ""
    role: FewWords = ""

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
