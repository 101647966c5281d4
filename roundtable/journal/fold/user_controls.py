"""What a person wants of a session, as far as it stands: a fold over commands given and carried out."""

from dataclasses import dataclass, field
from typing import Literal

from agents import SpeakerCalled, TurnFailed, TurnTaken
from library import host_of
from library.text import terms
from mindmap import MapEdited
from models import Event
from roundtable.journal.commands.command_reading import AnyCommand
from roundtable.journal.commands.table_commands import (
    Compare,
    DropHost,
    DropSource,
    GoOn,
    Manner,
    Pause,
    Say,
    SetAside,
    Steer,
    Stop,
)
from roundtable.journal.events import (
    CommandDone,
    Commanded,
    SessionEnded,
    SessionResumed,
    TableClosed,
    TableWaits,
)


def on_host(url: str, host: str) -> bool:
    """Tell whether a url is on a host or under it: `docs.example.org` is under `example.org`."""
    own = host_of(url)
    return own == host or own.endswith(f".{host}")


@dataclass(slots=True)
class UserControls:
    """Commands that wait for the next turn boundary, and what those carried out have left."""

    given: int = 0
    """Commands so far; the next has this number and one."""
    waiting: dict[str, AnyCommand] = field(default_factory=dict)
    """Given and not yet carried out, by id, in order."""
    people: dict[str, str] = field(default_factory=dict)
    """Names of who gave what waits, by id; of those that are known."""
    paused: bool = False
    mode: Literal["passive", "wait"] = "passive"
    between: bool = False
    """The table waits for the person after a round (mode `wait`)."""
    worked: bool = True
    """A round is over since the table waited last, or none has begun."""
    stopping: bool = False
    """Stop after this turn, and write."""
    steering: list[str] = field(default_factory=list)
    """Directions that hold, the newest last."""
    aside: list[str] = field(default_factory=list)
    """Subjects that nobody is to ask about."""
    edits: int = 0
    """How often the map was edited by hand."""
    urls: list[str] = field(default_factory=list)
    """Of sources that are used no longer."""
    hosts: list[str] = field(default_factory=list)

    def fold(self, event: Event) -> None:
        """Take in one event; others than those about commands and the course are passed over."""
        match event:
            case Commanded():
                self.given += 1
                if event.command.at_boundary:
                    self.waiting[event.id] = event.command
                    if event.person:
                        self.people[event.id] = event.person
                self._at_once(event.command)
            case CommandDone():
                command = self.waiting.pop(event.id, None)
                self.people.pop(event.id, None)
                if command is not None and not event.problem:
                    self._done(command)
            case MapEdited():
                self.edits += 1
            case TableWaits():
                self.between, self.worked = True, False
            case TurnTaken() if event.turn.role == "person":
                pass
            case TurnTaken() | TurnFailed():
                self.worked = True
            case SessionResumed() | TableClosed() | SessionEnded():
                self.paused = self.between = self.stopping = False
            case _:
                pass

    def _at_once(self, command: AnyCommand) -> None:
        match command:
            case Pause():
                self.paused = True
            case GoOn():
                self.paused = self.between = False
            case Say():
                self.between = False
            case Stop():
                self.paused = self.between = False
                self.stopping = True
            case Manner():
                self.mode = command.mode
                self.between = self.between and command.mode == "wait"
            case _:
                pass

    def _done(self, command: AnyCommand) -> None:
        match command:
            case Steer():
                self.steering.append(command.text)
            case SetAside():
                self.aside.append(command.subject)
            case DropSource():
                self.urls.append(command.source)
            case DropHost():
                self.hosts.append(command.host)
            case _:
                pass

    @property
    def standing_still(self) -> bool:
        """Whether nobody is called until the person says so."""
        return self.paused or self.between

    @property
    def due(self) -> bool:
        """Whether the table is to wait for the person now."""
        return self.mode == "wait" and self.worked and not self.stopping

    @property
    def drops(self) -> int:
        """How many sources and hosts are used no longer."""
        return len(self.urls) + len(self.hosts)

    @property
    def narrowed(self) -> bool:
        """Whether speakers see less than there is, or are to look in one direction."""
        return bool(self.urls or self.hosts or self.aside or self.steering)

    @property
    def asked(self) -> bool:
        """Whether something that a person said, or wants compared, waits to be heard."""
        return any(isinstance(command, Say | Compare) for command in self.waiting.values())

    def barred(self, url: str) -> bool:
        """Tell whether a source is used no longer: it was dropped, or its host was."""
        return url in self.urls or any(on_host(url, host) for host in self.hosts)

    def about_to_bar(self, url: str) -> bool:
        """Tell whether a source was dropped while the turn was under way."""
        return any(
            (isinstance(command, DropSource) and command.source == url)
            or (isinstance(command, DropHost) and on_host(url, command.host))
            for command in self.waiting.values()
        )

    def left_aside(self, text: str) -> bool:
        """Tell whether a text is about a subject that was set aside: it has all of the subject's terms."""
        if not self.aside:
            return False
        held = set(terms(text))
        return any((wanted := set(terms(subject))) and wanted <= held for subject in self.aside)

    def steered(self, text: str) -> str:
        """Return a question's words with the directions that hold."""
        return " ".join([text, *(f"({direction})" for direction in self.steering)])


def interrupted(call: SpeakerCalled) -> TurnFailed:
    """Return what becomes of a call when a person breaks in; its question stays on the agenda."""
    return TurnFailed(
        turn=call.turn, speaker=call.speaker, question=call.question, reason="a person broke in"
    )
