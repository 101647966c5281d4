"""Who speaks: speakers, experts, their research, their memory, the panel, and the AutoGen seat."""

from agents.events import (
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
from agents.expert import Expert, discussion
from agents.expert_phrases import wording
from agents.memory.memory import Block, Memory
from agents.panel import describe, nearness, seat_panel, slug
from agents.research.actions import Action, Found, Observation
from agents.session_view import SessionView
from agents.settings import AgentSettings
from agents.speaker import Contribution, Speaker, SpeakRequest
from agents.speaker_context import PlaceRecord, SearchPlace, SpeakerContext
from agents.subject_phrases import subjects
from agents.tasks import PlanPanel, show_passages
from agents.turn import Act, Perspective, SpeakerRole, Turn

__all__ = [
    "Act",
    "Action",
    "AgentSettings",
    "Block",
    "CitationRejected",
    "Contribution",
    "SpeakerContext",
    "Expert",
    "Found",
    "LoopWarned",
    "Memory",
    "MemoryAdded",
    "MemoryDropped",
    "Observation",
    "PanelSeated",
    "Perspective",
    "SearchPlace",
    "PlaceRecord",
    "PlaceUnrelated",
    "PlanPanel",
    "SpeakRequest",
    "Speaker",
    "SpeakerCalled",
    "SpeakerRole",
    "Turn",
    "TurnFailed",
    "TurnHurried",
    "TurnTaken",
    "SessionView",
    "describe",
    "discussion",
    "nearness",
    "seat_panel",
    "show_passages",
    "slug",
    "subjects",
    "wording",
]
