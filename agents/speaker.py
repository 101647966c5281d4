"""The contract of everyone who speaks: an expert, the moderator, a person."""

from typing import Protocol

from pydantic import Field

from agents.turn import Act, ReplyTo, TurnClaim
from models import Frozen


class SpeakRequest(Frozen):
    """What a speaker is called for."""

    turn: int
    """Number that the turn will have."""
    question: str | None = None
    """Id of the agenda's question (`q3`); None when the speaker asks one."""
    text: str = ""
    """The question's words."""
    search: str = ""
    """Words to search by; empty: the question's own."""
    passages: list[str] = Field(default_factory=list)
    """Ids of the passages that it was asked from: who answers is shown them."""
    directions: list[str] = Field(default_factory=list)
    """What a person wants kept to, the newest last; no part of the question and its search words."""
    closing: bool = False
    """The question is the topic itself, asked last: it is answered from what the whole table found."""
    by_person: bool = False
    """A person asks: what a search finds best is taken in, whether or not it fits the topic."""
    claim: TurnClaim | None = None
    """What somebody else claimed and this speaker is asked to respond to."""
    wanting: str = ""
    """What earlier answers to the question lack; empty: nobody has answered it."""
    hurry: bool = False
    """The budget is nearly spent: answer with what there is, after one round at most."""
    together: bool = False
    """Others answer at the same time."""


class Contribution(Frozen):
    """What a speaker says."""

    act: Act
    text: str
    """With citations of passages that the speaker was shown."""
    spare: str = ""
    """What would be quoted next, in place of quotations that others give at the same time; empty: nothing,
    for instance where a language model speaks."""
    citations: list[str] = Field(default_factory=list)
    admitted: list[str] = Field(default_factory=list)
    """Ids of the passages admitted for this turn, cited or not: they are placed in the map with it."""
    shown: int = 0
    """Passages that the speaker could choose from."""
    seen: list[str] = Field(default_factory=list)
    """Ids of those whose text it was shown, in order."""
    search: str = ""
    """For a question: words to search by."""
    why: str = ""
    """For a question: why it is asked, one line."""
    asked_from: list[str] = Field(default_factory=list)
    """For a question: ids of the passages that it comes from."""
    replies_to: ReplyTo | None = None
    """Whose claim is taken up, and how."""
    raised: list[str] = Field(default_factory=list)
    """Questions for the agenda that came up."""


class Speaker(Protocol):
    """Someone with a seat at the table."""

    @property
    def slug(self) -> str:
        """Unique at the table, `[a-z0-9-]+`."""

    @property
    def description(self) -> str:
        """One line: who this is."""

    async def speak(self, request: SpeakRequest) -> Contribution:
        """Say something.

        May raise anything: the turn is then recorded as failed, with its reason, and the table goes on.
        """
