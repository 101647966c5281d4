"""What happens at the table."""

from typing import Literal

from pydantic import Field

from agents.turn import Perspective, Turn
from models.event import Event


class PanelSeated(Event):
    """The experts are chosen; a later one replaces the panel."""

    kind: Literal["panel_seated"] = "panel_seated"
    panel: list[Perspective]
    reason: str = ""
    """Why the panel changed; empty for the first."""


class SpeakerCalled(Event):
    """A speaker has the word."""

    kind: Literal["speaker_called"] = "speaker_called"
    turn: int
    """The number its turn will have if all called with it speak."""
    speaker: str
    question: str | None
    """Id of the agenda's question."""


class TurnTaken(Event):
    """A contribution was made."""

    kind: Literal["turn_taken"] = "turn_taken"
    turn: Turn
    admitted: list[str] = Field(default_factory=list)
    """Ids of the passages that this turn brought, cited or not: they are placed in the map with it."""
    shown: int = 0
    """Passages that the speaker was shown."""


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
