"""Reviewing the discussion: what answers have in common, where they part, who should respond to what."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from agents import Perspective, Turn, TurnClaim, claims_made, show_topic
from library import citations, claimed
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from moderator.agenda import Question
from moderator.same_question import likeness

_AGAIN, _AGAIN_PREMISES = 0.6, 0.3
"""Likeness (0 to 1) of two claims from which one was put before; of claims with the same premises."""
_REPLIES = 2
"""Responses that one claim has at most: it is put, and what was said to it may be put back."""
_MEANT = 0.3
"""Likeness (0 to 1) to a sentence of a turn from which that sentence is the claim that is meant."""


class ExchangeDraft(TaskOutput):
    """A claim put to an expert, as proposed."""

    turn: int
    """Number of the turn that makes the claim."""
    claim: str
    """The claim, a sentence of that turn word for word."""
    to: str
    """Name of the expert who should respond: another than who made it."""
    question: str
    """What that expert is asked about it, 30 words at most."""
    search: str = ""
    """Words to search by for what would decide it; empty: those of question and claim that tell most."""


class SameQuestion(TaskOutput):
    """Two questions that mean the same."""

    id: str
    """Of the question that is not put."""
    of: str
    """Of the one that stands for both."""


class OpposedDraft(TaskOutput):
    """Two statements that contradict each other."""

    a: int
    """Number of one of the statements."""
    b: int
    """Number of the other, of another source."""
    about: str = ""
    """What they say differently, in 8 words, without what either says."""
    asked: bool = False
    """A question or a claim that was put asks about it already."""


class ReviewDraft(TaskOutput):
    """A review as proposed."""

    common: list[str] = Field(default_factory=list)
    """What answers have in common, a line each."""
    apart: list[str] = Field(default_factory=list)
    """Where they pull apart, a line each."""
    exchanges: list[ExchangeDraft] = Field(default_factory=list)
    """Claims to respond to, the most telling first."""
    order: list[str] = Field(default_factory=list)
    """Ids of the waiting questions, the most telling for the topic first."""
    same: list[SameQuestion] = Field(default_factory=list)
    """Waiting questions that mean the same as another, or that an answer has settled."""
    differ: list[int] = Field(default_factory=list)
    """Numbers of the points on which sources really say different things of one matter."""
    differ_asked: list[int] = Field(default_factory=list)
    """Numbers of those among them that a question or a claim that was put asks about already."""
    opposed: list[OpposedDraft] = Field(default_factory=list)
    """Statements that cannot both hold, the most telling for the topic first."""


class ReviewDiscussion(Task[ReviewDraft]):
    """What the moderator makes of the answers since it looked last."""

    name: ClassVar[str] = "review_discussion"
    package: ClassVar[str] = "moderator"
    role: ClassVar[Role] = "moderator"
    output: ClassVar[type[BaseModel]] = ReviewDraft

    topic: str
    language: str
    experts: tuple[str, ...]
    """`name: focus` of each."""
    answers: tuple[str, ...]
    """The answers, each with its turn's number, who gave it, and to what."""
    directions: tuple[str, ...] = ()
    """What a person wants kept to."""
    earlier: str = ""
    """The beginnings of what was said before those."""
    put: tuple[str, ...] = ()
    """The claims that were put to somebody before, a line each: none of them is put again."""
    questions: tuple[str, ...]
    """`id text` of all questions, with their state and what their answers want."""
    exchanges: int
    """Claims to put at most."""
    left: int
    """Turns before the closing question."""
    points: tuple[str, ...] = ()
    """What passages seem to disagree on, by their words or as an expert noted; not looked at before."""
    stated: tuple[tuple[str, str], ...] = ()
    """What sources state that may not agree: each with its source, those of one source together."""
    gaps: tuple[str, ...] = ()
    """What experts noted as missing, each with whether it was looked for."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        return {
            "topic": show_topic(self.topic, self.directions),
            "language": self.language,
            "experts": data_block("experts", "\n".join(self.experts)),
            "answers": data_block("answers", "\n\n".join(self.answers)),
            "earlier": data_block("earlier", self.earlier or "nothing"),
            "put": data_block("put", "\n".join(self.put) or "none yet"),
            "questions": data_block("questions", "\n".join(self.questions) or "none"),
            "exchanges": str(self.exchanges),
            "left": str(self.left),
            "gaps": data_block("gaps", "\n".join(self.gaps)) + "\n\n" if self.gaps else "",
            "stated": data_block("statements", _by_source(self.stated)) + "\n\n" if self.stated else "",
            "points": data_block(
                "points", "\n".join(f"{n}. {point}" for n, point in enumerate(self.points, 1)) or "none"
            ),
        }

    def extract(self, statistics: Statistics) -> ReviewDraft:
        """Find nothing: to see what a claim means takes a language model."""
        del statistics
        return ReviewDraft()


def _by_source(stated: Sequence[tuple[str, str]]) -> str:
    """Return statements, numbered from 1, below the source of which they are."""
    lines: list[str] = []
    before = None
    for n, (source, text) in enumerate(stated, 1):
        if source != before:
            lines.append(f"{source}:")
            before = source
        lines.append(f"{n}. {text}")
    return "\n".join(lines)


def claim_meant(
    draft: ExchangeDraft, turns: Sequence[Turn], panel: Sequence[Perspective], statistics: Statistics
) -> tuple[TurnClaim, Perspective] | None:
    """Return the claim as it was made, and who should respond; None where the draft names nothing there is.

    The claim is the sentence of the turn that is most like what was proposed, with its citations.
    """
    turn = next((t for t in turns if t.n == draft.turn and t.role == "expert"), None)
    wanted = draft.to.strip().casefold()
    to = next((p for p in panel if wanted in (p.name.casefold(), p.slug)), None)
    if turn is None or to is None or to.slug == turn.speaker or not draft.question.strip():
        return None
    said = claims_made(turn)
    near = (
        statistics.relevance(draft.claim, [claim.text for claim in said])
        if draft.claim.strip() and said
        else []
    )
    if not near or max(near) < _MEANT:
        return None
    return said[near.index(max(near))], to


def put_before(claim: TurnClaim, to: str, put: Sequence[TurnClaim], turns: Sequence[Turn]) -> bool:
    """Tell whether a claim was put to somebody before, in whatever words, or has gone back and forth enough.

    Args:
        claim: What is to be put now.
        to: Slug of who should respond. For somebody who had no part in it, it has not gone back and forth.
        put: The claims that were put.
        turns: What was said, in order.
    """
    premises = set(citations(claim.text))
    words = claimed(claim.text)
    for known in put:
        same_premises = bool(premises) and premises <= set(citations(known.text))
        least = _AGAIN_PREMISES if same_premises else _AGAIN
        if likeness(words, claimed(known.text)) >= least:
            return True
    led = _led_to(claim.turn, turns)
    return len(led) > _REPLIES and to in {turn.speaker for turn in led}


def _led_to(number: int, turns: Sequence[Turn]) -> list[Turn]:
    """Return a turn and those that led to it, each a response to the next, the last a response to none."""
    by_number = {turn.n: turn for turn in turns}
    found: list[Turn] = []
    while turn := by_number.get(number):
        found.append(turn)
        if turn.replies_to is None or turn.replies_to.turn >= number:
            break
        number = turn.replies_to.turn
    return found


def put_line(question: Question, names: Mapping[str, str]) -> str:
    """Return a claim that was put, as a review is shown it.

    Args:
        question: One with a claim.
        names: Of the experts, by slug.
    """
    claim = question.claim
    if claim is None:
        return ""
    to = names.get(question.to or "", question.to or "")
    return f"Turn {claim.turn}, {claim.name}, to {to}: “{claim.text}” — {question.text}"


def question_line(question: Question, tried: int) -> str:
    """Return a question as a review is shown it, with what its answers lack and how often it was answered."""
    told = f"{question.id} ({question.state}): {question.text}"
    if question.wanting and question.state in ("waiting", "open", "not_found", "answered"):
        vain = question.state == "not_found"
        told += f" — looked for by {tried} and not found: " if vain else f" — answered by {tried}, but not: "
        told += question.wanting
    return told


def answer_line(turn: Turn, question: str) -> str:
    """Return an answer as a review is shown it."""
    reply = f", {turn.replies_to.act}s turn {turn.replies_to.turn}" if turn.replies_to else ""
    cited = "" if citations(turn.text) else " (cites nothing)"
    return f"Turn {turn.n}, {turn.name}{reply}, on “{question}”{cited}:\n{turn.text}"
