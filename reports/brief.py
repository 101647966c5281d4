"""What the session tells the writer beside the map and the evidence."""

from collections import Counter

from pydantic import Field

from library import citations
from models import Frozen


class PanelMember(Frozen):
    """One who sat at the table, as "How this was made" names them."""

    name: str
    role: str = ""


class Side(Frozen):
    """What one side of a disagreement says."""

    claim: str
    """In words; quoted words in “…”."""
    citations: list[str]
    value: str = ""
    """The figure, date or name in which the sides differ, as the source writes it; empty where it is none."""


class ReportedContradiction(Frozen):
    """A point on which sources differ."""

    about: str
    sides: list[Side] = Field(min_length=2)


class GivenAnswer(Frozen):
    """What the discussion answered to one question."""

    question: str
    answer: str
    """With citations."""


class AskedQuestion(Frozen):
    """What a person asked at the table, or after it."""

    question: str
    """In the person's words."""
    about: str = ""
    """The point of the person's outline that it stands for, which its section is called by; empty: none."""
    answer: str = ""
    """All answers to it, with citations; empty where nothing was found."""
    holds: bool = True
    """False where what was answered was judged to be no answer: it is what is nearest."""


class Counts(Frozen):
    """What the session did; 0 also where nobody counted."""

    turns: int = 0
    """Of those at the table, as the limit counts them."""
    asked: int = 0
    """Turns beside these on questions that a person asked."""
    searches: int = 0
    sources_read: int = 0
    passages_read: int = 0
    requests: int = 0
    tokens: int = 0
    """Prompt and completion tokens together."""
    cost: float | None = None
    """In US dollars; None when no price is known."""
    seconds: float = 0.0
    """0 leaves the time out of the report, so that the same journal gives the same bytes."""
    models: list[str] = Field(default_factory=list)
    """As the user named them, `embedded` for none."""


class Brief(Frozen):
    """The order for a report."""

    topic: str
    language: str = "en"
    """The language to write in, as a code: `en`, `zh`, …"""
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked, each a question of its own; empty for one thing, or a subject."""
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to, the newest last."""
    open_questions: list[str] = Field(default_factory=list)
    """Questions of the agenda that nobody answered."""
    gaps: list[str] = Field(default_factory=list)
    """What experts noted as missing in what they read."""
    answers: list[GivenAnswer] = Field(default_factory=list)
    """All answers of the discussion, in order."""
    asked: list[AskedQuestion] = Field(default_factory=list)
    """What a person asked and somebody has looked for, in order; none where a language model takes part: it
    weaves the answers in."""
    withdrawn: list[str] = Field(default_factory=list)
    """Claims of the answers that their speakers took back: they are told nowhere."""
    facts: list[str] = Field(default_factory=list)
    """What experts noted as facts, with citations."""
    contradictions: list[ReportedContradiction] = Field(default_factory=list)
    experts: list[PanelMember] = Field(default_factory=list)
    counts: Counts = Counts()
    stopped_early: str | None = None
    """Why the session ended before its own end, in one clause; None when it did not."""
    works: list[str] = Field(default_factory=list)
    """What the works are called whose pages answers rest on, those whose title names a version."""
    limits: list[str] = Field(default_factory=list)
    """What the report does not cover, a sentence each: sources that could not be read, budgets reached, …"""

    @property
    def embedded(self) -> bool:
        """Whether no language model took part: the report is then a collection of quotations and says so."""
        return all(model == "embedded" for model in self.counts.models)

    @property
    def given(self) -> list[tuple[str, str]]:
        """Questions and answers, in order; an answer goes that a later one to the same question covers."""
        kept: list[GivenAnswer] = []
        for given in reversed(self.answers):
            later = {i for other in kept if other.question == given.question for i in citations(other.answer)}
            asked = any(other.question == given.question for other in kept)
            if not asked or not set(citations(given.answer)) <= later:
                kept.insert(0, given)
        return [(given.question, given.answer) for given in kept]

    @property
    def resting(self) -> list[str]:
        """The ids of the passages that answers and facts rest on, those that most of them cite first."""
        texts = [*(given.answer for given in self.answers), *self.facts]
        counted = Counter(passage for text in texts for passage in dict.fromkeys(citations(text)))
        return [passage for passage, _count in counted.most_common()]
