"""What happens at the table."""

from typing import Literal

from pydantic import Field

from agents.turn import Perspective, Turn
from models import Event, Frozen


class PanelSeated(Event):
    """The experts are chosen; a later one replaces the panel."""

    kind: Literal["panel_seated"] = "panel_seated"
    panel: list[Perspective]
    reason: str = ""
    """Why the panel changed; empty for the first."""
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked, each a question of its own; empty for a subject, and where nobody said."""
    kept: list[str] = Field(default_factory=list)
    """Slugs of those whom a person wrote, renamed or invited with this: they leave when a person says so."""


class InvitedAgent(Frozen):
    """An agent of AutoGen that sits at the table as an expert."""

    slug: str
    """The expert's name at the table."""
    name: str
    """The agent's own name, by which it is known again when the session is resumed."""
    description: str
    """One line: who the agent is, in its own words."""
    file: str = ""
    """The configuration that it was read from, and is read from again; empty: a program gave it."""


class AgentsInvited(Event):
    """The session was begun with agents of AutoGen: each takes a seat when the panel is seated."""

    kind: Literal["agents_invited"] = "agents_invited"
    agents: list[InvitedAgent]


class SpeakerCalled(Event):
    """A speaker has the word."""

    kind: Literal["speaker_called"] = "speaker_called"
    turn: int
    """The number its turn will have if all called with it speak."""
    speaker: str
    question: str | None
    """Id of the agenda's question."""
    hurry: bool = False
    """The budget is nearly spent: the speaker was asked to answer with what it has."""


class TurnTaken(Event):
    """A contribution was made."""

    kind: Literal["turn_taken"] = "turn_taken"
    turn: Turn
    admitted: list[str] = Field(default_factory=list)
    """Ids of the passages that this turn brought, cited or not: they are placed in the map with it."""
    shown: int = 0
    """Passages that the speaker could choose from."""
    seen: list[str] = Field(default_factory=list)
    """Ids of those whose text it was shown: it may cite them in later turns without seeing them again."""
    besides: bool = False
    """It is on what was asked from outside the table, and none of the turns that were planned."""


NOTHING_TO_ASK = "nothing left to ask"
"""The reason of a moderator who has no question left: no failure, but the end of asking."""


class TurnFailed(Event):
    """A speaker was called and nothing came: the reason is kept, and the table goes on."""

    kind: Literal["turn_failed"] = "turn_failed"
    turn: int
    speaker: str
    question: str | None
    reason: str


class CitationRejected(Event):
    """A speaker cited passages that it was not shown; they were dropped from the text."""

    kind: Literal["citation_rejected"] = "citation_rejected"
    speaker: str
    ids: list[str]


class MemoryAdded(Event):
    """An expert keeps something in mind."""

    kind: Literal["memory_added"] = "memory_added"
    id: str
    """`m1`, `m2`, …"""
    speaker: str
    note: str
    """`fact`, `lead`, `gap`, `contradiction`, `done` or `unrelated`."""
    text: str
    passages: list[str] = Field(default_factory=list)
    """Ids of the passages that it rests on."""


class MemoryDropped(Event):
    """A note is kept no longer."""

    kind: Literal["memory_dropped"] = "memory_dropped"
    id: str
    speaker: str


class LoopWarned(Event):
    """A research goes in circles: advice stands before its next round; nothing is forced."""

    kind: Literal["loop_warned"] = "loop_warned"
    speaker: str
    turn: int
    round: int
    loop: str
    """`repeating`, `hopping` or `dry`."""
    advice: str
    ended: bool = False
    """Two warnings were ignored: the answer is due now."""


class TurnHurried(Event):
    """A budget is nearly spent: from this round on the turn under way answers with what there is."""

    kind: Literal["turn_hurried"] = "turn_hurried"
    speaker: str
    turn: int
    round: int


class PlaceUnrelated(Event):
    """A place was searched for a question and nothing that it gave fitted: it is not asked again for that."""

    kind: Literal["place_unrelated"] = "place_unrelated"
    speaker: str
    question: str
    """Id of the agenda's question."""
    where: str
