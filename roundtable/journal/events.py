"""Everything that can happen in a session: the rooms' events joined into one union, and the session's own."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from agents import (
    AgentsInvited,
    CitationRejected,
    LoopWarned,
    MemoryAdded,
    MemoryDropped,
    PanelSeated,
    PlaceUnrelated,
    SpeakerCalled,
    TurnFailed,
    TurnHurried,
    TurnTaken,
)
from library import Computed, PageRead, PassagesAdmitted, Reranked, Searched
from mindmap import MapEdited, MapGrown, MapPlaced, MapStarted, PassagesEmbedded
from models import Event, Frozen, ModelReplied
from moderator import (
    AnswerJudged,
    CloseCause,
    ContradictionFound,
    DiscussionReviewed,
    NoveltyMeasured,
    PassagesCompared,
    QuestionClosed,
    QuestionRaised,
    QuestionReturned,
    QuestionReworded,
)
from reports import ReportWritten, SectionsDrafted, SectionWritten, SentencesReviewed
from roundtable.journal.commands.command_reading import AnyCommand
from roundtable.journal.comparisons import ComparisonProposed, ThingsCompared
from roundtable.journal.source_updates import SourcesUpdated


class SessionStarted(Event):
    """The first event of every session: what it was asked to do."""

    kind: Literal["session_started"] = "session_started"
    topic: str
    language: str
    """Code of the language to speak: `en`, `zh`, …"""
    settings: dict[str, Any]
    """The settings in force, without secrets."""
    version: str
    """Of the program."""
    docs: list[str]
    """As given with `--docs`, paths resolved."""
    search: list[str]
    """Names of the places to search."""
    offline: bool
    model: str
    """The model as the user named it; roles may have others in the settings."""
    out: str = ""
    """Folder that the results are written to; empty for none."""
    follows: str = ""
    """Id of the session that it goes on from; empty for none."""
    imported: dict[str, Any] = Field(default_factory=dict)
    """Of a session from elsewhere: settings that it was run with and that are not in force here, by name."""


class SessionResumed(Event):
    """A session that had stopped or ended goes on."""

    kind: Literal["session_resumed"] = "session_resumed"
    turns: int | None = None
    """Turns that it goes on for; None: to the limit that it was started with."""


class SessionTakenUp(Event):
    """A session that never stopped goes on elsewhere: its process died, or it waited as a fork or a plan."""

    kind: Literal["session_taken_up"] = "session_taken_up"
    since: str
    """ISO 8601 date and time, UTC: from when on it works again. Told with the first event that follows."""


class TableClosed(Event):
    """The discussion is over; the report is next."""

    kind: Literal["table_closed"] = "table_closed"
    cause: CloseCause
    reason: str
    """The cause in words, for people."""

    @model_validator(mode="before")
    @classmethod
    def _name_cause(cls, data: Any) -> Any:
        """Read an event of a journal that was written before causes had names."""
        if not isinstance(data, dict) or "cause" in data:
            return data
        reason = str(data.get("reason", ""))
        words = {
            "stopped": "stopped",
            "budget": "budget",
            "nothing new": "nothing_new",
            "nothing was": "nothing_found",
        }
        return {**data, "cause": next((c for w, c in words.items() if reason.startswith(w)), "turns")}


_PLANNED = "the plan is made"


class SessionStopped(Event):
    """The session stands still and can be resumed."""

    kind: Literal["session_stopped"] = "session_stopped"
    cause: Literal["failed", "planned"] = "failed"
    reason: str
    """The cause in words, for people."""

    @classmethod
    def planned(cls) -> Self:
        """Stand still after the plan, so that a person can look at it: nothing went wrong."""
        return cls(cause="planned", reason=_PLANNED)

    @model_validator(mode="before")
    @classmethod
    def _name_cause(cls, data: Any) -> Any:
        """Read an event of a journal that was written before causes had names."""
        if not isinstance(data, dict) or "cause" in data:
            return data
        return {**data, "cause": "planned" if data.get("reason") == _PLANNED else "failed"}


class SessionEnded(Event):
    """The report is written."""

    kind: Literal["session_ended"] = "session_ended"
    reason: str


class Commanded(Event):
    """A person asked for something; what waits for a turn boundary is carried out there."""

    kind: Literal["commanded"] = "commanded"
    id: str
    """`c1`, `c2`, …"""
    person: str = ""
    """Of several people, the name of who asked for it; empty: not known."""
    command: Annotated[AnyCommand, Field(discriminator="do")]


class CommandDone(Event):
    """A command that waited for the turn boundary was carried out, or could not be."""

    kind: Literal["command_done"] = "command_done"
    id: str
    problem: str = ""
    """Why nothing came of it; empty when something did."""


class PlanChanged(Event):
    """A person changed, before the first turn, where is searched and how long is talked."""

    kind: Literal["plan_changed"] = "plan_changed"
    search: list[str]
    """Names of the places outside to search."""
    turns: int
    """Turns after which the table closes."""


class TableWaits(Event):
    """A round is over, and the table waits for the person (mode `wait`)."""

    kind: Literal["table_waits"] = "table_waits"
    turn: int
    """Turns taken so far."""


class Warned(Event):
    """Something the person should know; nothing is lost by it."""

    kind: Literal["warned"] = "warned"
    text: str


AnyEvent = Annotated[
    SessionStarted | SessionResumed | SessionTakenUp | TableClosed | SessionStopped | SessionEnded
    | Warned | Commanded | CommandDone | TableWaits | PlanChanged | SourcesUpdated | ThingsCompared
    | ComparisonProposed
    | ModelReplied | Searched | PageRead | PassagesAdmitted
    | MapStarted | MapPlaced | MapGrown | MapEdited | PassagesEmbedded
    | AgentsInvited | PanelSeated | SpeakerCalled | TurnTaken | TurnFailed | CitationRejected
    | MemoryAdded | MemoryDropped | LoopWarned | TurnHurried | PlaceUnrelated | Computed | Reranked
    | QuestionReturned | QuestionReworded | AnswerJudged
    | DiscussionReviewed | PassagesCompared | ContradictionFound | NoveltyMeasured
    | QuestionRaised | QuestionClosed | SectionsDrafted | SentencesReviewed | SectionWritten | ReportWritten,
    Field(discriminator="kind"),
]  # fmt: skip


class Recorded(Frozen):
    """An event with its place in the journal."""

    n: int
    """From 1, without gaps."""
    at: str
    """ISO 8601 date and time, UTC."""
    event: AnyEvent


event_adapter: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)
