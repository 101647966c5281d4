"""What a model is asked when a report is checked: to judge sentences by their passages, and to mend one."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from library import inference_mark, is_inference
from models import Frozen, Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.document import Sentence, Support
from reports.tasks.prompt_texts import WRITTEN, PromptPassage, show


class SentenceVerdict(TaskOutput):
    """What a judge says of one sentence."""

    n: int
    support: Literal["supported", "inferred", "partial", "unsupported"]
    words: str = ""
    """The sentence's words that nothing supports; empty when all is supported."""


class Verdicts(TaskOutput):
    """What a judge says of a section."""

    verdicts: list[SentenceVerdict] = Field(default_factory=list)


class JudgedClaim(Frozen):
    """A sentence to be judged."""

    n: int
    text: str
    citations: list[str]


class JudgeSection(Task[Verdicts]):
    """Judge a section's sentences by the passages they cite."""

    name: ClassVar[str] = "judge_section"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = Verdicts

    claims: list[JudgedClaim]
    passages: list[PromptPassage]
    topic: str = ""
    """What the report is about: who judges knows what "the match" is by it; empty: that is not told."""
    language: str = "en"
    """Of the report: its conclusions are marked in it."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        lines = [f"{c.n}. {c.text} ({', '.join(c.citations)})" for c in self.claims]
        return {
            "sentences": data_block("sentences", "\n".join(lines)),
            "topic": data_block("topic", self.topic) if self.topic else "not told",
            "passages": self._around(),
            "inference": inference_mark(self.language),
        }

    def _around(self) -> str:
        """Print the passages: of each what is claimed of it, and what stands around that."""
        claimed: dict[str, list[str]] = {}
        for claim in self.claims:
            for passage in claim.citations:
                claimed.setdefault(passage, []).append(claim.text)
        return show(self.passages, claimed, WRITTEN)

    def extract(self, statistics: Statistics) -> Verdicts:  # noqa: ARG002 - likeness of words is no proof
        """Judge nothing: no statistics of words can tell whether a sentence follows."""
        return Verdicts()


class Repaired(TaskOutput):
    """A sentence after repair."""

    text: str = ""
    """With citations; empty when the passages do not support it in any wording."""


UNANSWERED = Repaired()
"""Stands for a sentence that no reply speaks of."""


class RefusedSentence(Frozen):
    """A sentence that the checker refused."""

    sentence: str
    """With its citations."""
    reason: str
    passages: list[PromptPassage]
    """Those it cites, and those that hold what these do not: only they may be cited instead."""
    behind: str = ""
    """The sentence right behind it, where that takes up what it names; empty where it does not."""


class _NumberedRepair(Repaired):
    n: int


class Repairs(TaskOutput):
    """Sentences after repair."""

    sentences: list[_NumberedRepair] = Field(default_factory=list)

    def of(self, count: int) -> list[Repaired]:
        """Return what became of each of so many sentences; one that was left out is given up."""
        found: dict[int, Repaired] = {}
        for sentence in self.sentences:
            found.setdefault(sentence.n, sentence)
        return [found.get(n, UNANSWERED) for n in range(1, count + 1)]


class RepairSentences(Task[Repairs]):
    """Mend sentences that the checker refused."""

    name: ClassVar[str] = "repair_sentences"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Repairs

    language: str
    topic: str = ""
    """What the report is about: its own names and years need no passage; empty: that is not told."""
    refused: list[RefusedSentence]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; a passage that several sentences cite is shown once."""
        shown = {p.id: p for part in self.refused for p in part.passages}
        wanted: dict[str, list[str]] = {}
        for part in self.refused:
            for passage in part.passages:
                wanted.setdefault(passage.id, []).append(part.sentence)
        return {
            "sentences": "\n\n".join(_refused(n, part) for n, part in enumerate(self.refused, 1)),
            "language": self.language,
            "topic": data_block("topic", self.topic) if self.topic else "not told",
            "passages": show(list(shown.values()), wanted, WRITTEN),
        }

    def extract(self, statistics: Statistics) -> Repairs:  # noqa: ARG002 - nothing is reworded without a model
        """Give them up: words are not made up without a model."""
        return Repairs()


def _refused(n: int, part: RefusedSentence) -> str:
    told = {"sentence": part.sentence, "reason": part.reason, "behind": part.behind}
    blocks = "\n".join(data_block(kind, text) for kind, text in told.items() if text)
    may = ", ".join(passage.id for passage in part.passages)
    return f'Sentence n="{n}":\n{blocks}\nMay cite: {may}'


def claims(sentences: Sequence[Sentence]) -> list[JudgedClaim]:
    """Return what a judge should read: cited sentences that no rule settled, numbered by place."""
    return [
        JudgedClaim(n=n, text=s.text, citations=s.citations)
        for n, s in enumerate(sentences, 1)
        if s.support == "unchecked" and s.citations
    ]


def _told_apart(sentence: Sentence, verdict: SentenceVerdict) -> Support:
    """Return a judge's word, where a conclusion and what a source says are told apart by the sentence's mark.

    What is marked as an inference is never what a source says; what is not marked is no inference.
    """
    marked = is_inference(sentence.text)
    if marked and verdict.support == "supported":
        return "inferred"
    return "partial" if verdict.support == "inferred" and not marked else verdict.support


def judged(sentences: Sequence[Sentence], verdicts: Verdicts) -> list[Sentence]:
    """Return the sentences with a judge's word on those asked about; the first word on each counts."""
    said: dict[int, SentenceVerdict] = {}
    for verdict in verdicts.verdicts:
        said.setdefault(verdict.n, verdict)
    asked = {claim.n for claim in claims(sentences)}
    found = []
    for n, sentence in enumerate(sentences, 1):
        if n not in asked or n not in said:
            found.append(sentence)
            continue
        support, words = _told_apart(sentence, said[n]), said[n].words
        good = support in ("supported", "inferred")
        reason = f"the judge: {words}" if words and not good else None
        found.append(sentence.model_copy(update={"support": support, "reason": reason}))
    return found
