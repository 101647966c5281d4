"""A contribution to the discussion, and the viewpoint that one expert brings."""

from typing import Literal

from pydantic import Field

from models import Frozen

Act = Literal["question", "answer", "steer", "note"]
Stance = Literal["support", "add", "dispute", "concede"]
"""How a turn takes up a claim: it bears it out, adds to it, denies it, or grants it against its own side."""
SpeakerRole = Literal["expert", "moderator", "person"]


class Perspective(Frozen):
    """What makes one expert different."""

    slug: str
    """Unique in a session, `[a-z0-9-]+`: the expert's name towards AutoGen and in commands."""
    name: str
    role: str
    """One line: who this expert is."""
    focus: str
    """One line: what this expert looks at."""
    terms: list[str] = Field(default_factory=list)
    """Terms to search by, beside the question's own words."""
    model: str = ""
    """The model that speaks for this expert, as it was named for the seat; empty: that of all experts."""


class TurnClaim(Frozen):
    """What somebody said in a turn, a sentence word for word."""

    turn: int
    speaker: str
    """Slug of whose claim it is."""
    name: str
    """Their name as shown."""
    text: str
    """With its citations; empty: the turn as a whole."""


class ReplyTo(TurnClaim):
    """Whose claim a turn takes up, and how."""

    act: Stance


class Turn(Frozen):
    """One contribution."""

    n: int
    """From 1, without gaps."""
    speaker: str
    """The speaker's slug."""
    name: str
    """The speaker's name as shown."""
    role: SpeakerRole
    person: str = ""
    """Of several people, the name of whose words they are; empty: not a person's, or not known whose. No
    prompt shows it: to models every person has the one name above."""
    act: Act
    text: str
    """With citations `[p12]`, only of passages that the speaker was shown."""
    citations: list[str]
    replies_to: ReplyTo | None = None
    """Whose claim the turn takes up; None for a turn that takes up none."""
    question: str | None = None
    """Id of the agenda's question (`q3`) that this turn answers or asks; None for a steer or a note."""
    withdrawn: dict[str, int] = Field(default_factory=dict)
    """Conclusions of it, word for word, that a judge found to stand no longer, each with the number of the
    turn that was judged then."""
    age: str = ""
    """What is to be said, beside its words, of how old its sources are; empty for nothing."""
    at: str
    """ISO 8601 date and time, UTC, at which it was journalled."""
    seconds: float
    """From the speaker's start to its end."""
