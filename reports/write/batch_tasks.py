"""Several small requests as one: sections written together, sentences repaired together.

A request costs a waiting time and its rules again, so many small ones are dealt out over a few. Where there
are few, each has a request of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from models import Role, Statistics, Task
from models.prompting import data_block
from reports.tasks import SectionText, WriteSection, show
from reports.verify.review import REPAIRED, Repaired, RepairSentence

WRITING, JUDGING, REPAIRING = 3, 2, 1
"""The most requests of a kind that go out together."""

ItemT = TypeVar("ItemT")


def dealt(items: Sequence[ItemT], most: int) -> list[list[ItemT]]:
    """Deal items out, in order, over at most so many groups of about the same size."""
    count = min(most, len(items))
    return [list(items[len(items) * n // count : len(items) * (n + 1) // count]) for n in range(count)]


class _NumberedSection(SectionText):
    n: int
    """The number of the section that it is."""


class SectionTexts(BaseModel):
    """Sections as written."""

    model_config = ConfigDict(frozen=True)

    sections: list[_NumberedSection] = Field(default_factory=list)


class WriteSections(Task[SectionTexts]):
    """Write several sections, each from its part of the map alone."""

    name: ClassVar[str] = "write_sections"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = SectionTexts

    parts: list[WriteSection]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; what all sections have in common is said once."""
        each = [part.fields() for part in self.parts]
        own = {part.heading for part in self.parts}
        others = [heading for heading in self.parts[0].elsewhere if heading not in own]
        return {
            **{name: each[0][name] for name in ("topic", "language", "style", "audience")},
            "elsewhere": "\n".join(f"- {heading}" for heading in others) or "- nothing",
            "sections": "\n\n".join(
                _section(n, part, texts)
                for n, (part, texts) in enumerate(zip(self.parts, each, strict=True), 1)
            ),
        }

    def extract(self, statistics: Statistics) -> SectionTexts:
        """Write each as it would be written alone."""
        texts = [part.extract(statistics) for part in self.parts]
        sections = [_NumberedSection(n=n, **text.model_dump()) for n, text in enumerate(texts, 1)]
        return SectionTexts(sections=sections)


def _section(n: int, part: WriteSection, texts: Mapping[str, str]) -> str:
    heading = f'Section n="{n}": {part.heading}, about {part.words} words'
    return "\n\n".join([heading, texts["notes"], texts["passages"]])


def sections_of(task: Task[Any], reply: object) -> list[SectionText]:
    """Return a text for each section that a task was to write; one that was left out is empty."""
    if isinstance(reply, SectionText):
        return [reply]
    assert isinstance(task, WriteSections)
    assert isinstance(reply, SectionTexts)
    found: dict[int, SectionText] = {}
    for section in reply.sections:
        found.setdefault(section.n, section)
    return [found.get(n, SectionText()) for n in range(1, len(task.parts) + 1)]


def writing(parts: Sequence[WriteSection]) -> list[Task[Any]]:
    """Return the requests in which sections are written, in order."""
    groups = dealt(parts, WRITING)
    return [group[0] if len(group) == 1 else WriteSections(parts=group) for group in groups]


class _NumberedRepair(Repaired):
    n: int


class Repairs(BaseModel):
    """Sentences after repair."""

    model_config = ConfigDict(frozen=True)

    sentences: list[_NumberedRepair] = Field(default_factory=list)


class RepairSentences(Task[Repairs]):
    """Mend several sentences that the checker refused."""

    name: ClassVar[str] = "repair_sentences"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Repairs

    parts: list[RepairSentence]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; a passage that several sentences cite is shown once."""
        shown = {p.id: p for part in self.parts for p in part.passages}
        wanted: dict[str, list[str]] = {}
        for part in self.parts:
            for passage in part.passages:
                wanted.setdefault(passage.id, []).append(part.sentence)
        return {
            "sentences": "\n\n".join(_refused(n, part) for n, part in enumerate(self.parts, 1)),
            "language": self.parts[0].language,
            "passages": show(list(shown.values()), [" ".join(wanted[i]) for i in shown], REPAIRED),
        }

    def extract(self, statistics: Statistics) -> Repairs:  # noqa: ARG002 - nothing is reworded without a model
        """Give them up: words are not made up without a model."""
        return Repairs()


def _refused(n: int, part: RepairSentence) -> str:
    sentence, reason = data_block("sentence", part.sentence), data_block("reason", part.reason)
    may = ", ".join(passage.id for passage in part.passages)
    return f'Sentence n="{n}":\n{sentence}\n{reason}\nMay cite: {may}'


def repairs_of(task: Task[Any], reply: object) -> list[Repaired]:
    """Return what became of each sentence that a task was to repair; one that was left out is given up."""
    if isinstance(reply, Repaired):
        return [reply]
    assert isinstance(task, RepairSentences)
    assert isinstance(reply, Repairs)
    found: dict[int, Repaired] = {}
    for sentence in reply.sentences:
        found.setdefault(sentence.n, sentence)
    return [found.get(n, Repaired()) for n in range(1, len(task.parts) + 1)]


def repairing(parts: Sequence[RepairSentence]) -> list[Task[Any]]:
    """Return the requests in which sentences are repaired, in order."""
    groups = dealt(parts, REPAIRING)
    return [group[0] if len(group) == 1 else RepairSentences(parts=group) for group in groups]
