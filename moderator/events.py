"""What happens on the agenda."""

from typing import Literal

from pydantic import Field

from agents import TurnClaim
from models import Event

Closing = Literal["answered", "open", "not_found", "merged", "dropped"]
"""`not_found`: what it lacks is not in the sources found; `merged`: another question means the same;
`dropped`: a person took it back before anybody had taken it."""


class QuestionRaised(Event):
    """A question is on the agenda."""

    kind: Literal["question_raised"] = "question_raised"
    id: str
    """`q1`, `q2`, …"""
    text: str
    by: str
    """Slug of who raised it; `person` for a person."""
    why: str = ""
    search: str = ""
    """Words to search by; empty: the question's own."""
    to: str | None = None
    """Slug of the expert it is put to; None: the nearest."""
    claim: TurnClaim | None = None
    """What somebody claimed and the expert is asked to respond to; None for any other question."""
    passages: list[str] = Field(default_factory=list)
    """Ids of the passages that it was asked from."""
    place: Literal["queue", "head", "tail"] = "queue"
    """A gap goes to the head of the agenda; the topic itself stands at its tail."""
    part: bool = False
    """It is a part of what was asked, which no expert's first question begins."""


class QuestionClosed(Event):
    """A question leaves the agenda: answered, left open, or for another reason."""

    kind: Literal["question_closed"] = "question_closed"
    id: str
    state: Closing
    reason: str = ""
    """Of a question that is answered: the part that the sources found do not answer; empty for none."""


class DiscussionReviewed(Event):
    """The moderator looked at the answers since it looked last."""

    kind: Literal["discussion_reviewed"] = "discussion_reviewed"
    turn: int
    """The last turn that it looked at."""
    common: list[str] = Field(default_factory=list)
    """What the answers have in common."""
    apart: list[str] = Field(default_factory=list)
    """Where they pull apart."""
    order: list[str] = Field(default_factory=list)
    """Ids of waiting questions, those to be put first in front."""
    weighed: int = 0
    """How many of the points on which passages seemed to disagree it has looked at so far."""
    differ: list[int] = Field(default_factory=list)
    """Which of those that it looked at now are disagreements, by place among all points, from 0."""
    passed_over: list[str] = Field(default_factory=list)
    """Claims that were to be put to somebody and are not: `claim: why`."""


class AnswerJudged(Event):
    """An answer was judged before its question is closed."""

    kind: Literal["answer_judged"] = "answer_judged"
    question: str
    turn: int
    passed: bool
    reason: str = ""
    """What is wanting, one line; empty when nothing is."""
    unsaid: list[str] = Field(default_factory=list)
    """What the answer itself says the sources do not tell, a clause each."""
    withdrawn: list[TurnClaim] = Field(default_factory=list)
    """Conclusions, its own or the one that it responds to, that stand no longer by this judgement."""


class QuestionReturned(Event):
    """A question is back at the head of the agenda: its answer did not hold."""

    kind: Literal["question_returned"] = "question_returned"
    id: str
    reason: str
    search: str = ""
    """Words to search by now; empty: as before."""
    in_part: bool = False
    """It was answered but for what the reason names."""


class QuestionReworded(Event):
    """A person put a question into other words before anybody took it."""

    kind: Literal["question_reworded"] = "question_reworded"
    id: str
    text: str


class PassagesCompared(Event):
    """Passages were set against all others: what they contradict is known."""

    kind: Literal["passages_compared"] = "passages_compared"
    passages: list[str]


class ContradictionFound(Event):
    """Two passages do not agree. Both are kept; nothing is averaged."""

    kind: Literal["contradiction_found"] = "contradiction_found"
    passages: list[str] = Field(min_length=2, max_length=2)
    about: str
    how: Literal["number", "date", "name", "negation", "values", "noted", "judged"]
    """`values`: the figures differ, and one side does not say for when; `noted`: an expert noted it;
    `judged`: rules saw nothing, and the moderator's model read both sentences."""
    values: list[str]
    """What each side says, as written; what an expert noted or a model judged has none."""
    claims: list[str]
    """The sentences that say it, word for word."""
    published: list[str | None]
    """When each side was published; None where nobody knows."""


class NoveltyMeasured(Event):
    """How much was new in the last answers."""

    kind: Literal["novelty_measured"] = "novelty_measured"
    turn: int
    """The last turn that counts."""
    passages: float
    """Share (0 to 1) of new passages among those shown."""
    terms: float
    """Share (0 to 1) of the answers' words that nobody had said before."""
