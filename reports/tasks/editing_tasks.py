"""What a model is asked of a report that stands: its title, and one last pass over the whole."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from models import Frozen, Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.tasks.prompt_texts import points


class ToldSection(Frozen):
    """A section as it stands: what the lead, the title and the last pass are made from."""

    heading: str
    sentences: list[str]
    """With citations."""
    aside: bool = False
    """It tells of something else than what is at hand: its sentences are counted and not printed."""


class ReportTitle(TaskOutput):
    """The report's title."""

    title: str = ""


class TitleReport(Task[ReportTitle]):
    """Give the report a title."""

    name: ClassVar[str] = "title_report"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = ReportTitle

    topic: str
    language: str
    headings: list[str]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": self.topic,
            "language": self.language,
            "headings": data_block("headings", points(self.headings)),
        }

    def extract(self, statistics: Statistics) -> ReportTitle:  # noqa: ARG002 - the topic says it best
        """Return the topic with a capital letter."""
        return ReportTitle(title=self.topic[:1].upper() + self.topic[1:])


class Edit(TaskOutput):
    """One sentence said better."""

    n: int
    text: str
    """With its citations, and those of sentences that it takes in; empty where another says it too."""


class Edits(TaskOutput):
    """What the last pass changes."""

    edits: list[Edit] = Field(default_factory=list)


class SmoothReport(Task[Edits]):
    """Go over the whole once: terms, transitions, repetition; claims and citations stay."""

    name: ClassVar[str] = "smooth_report"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Edits

    topic: str
    language: str
    sections: list[ToldSection]
    opening: list[str] = Field(default_factory=list)
    """The first section's sentences, which another task mends."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; sentences are numbered through the whole report from 1."""
        return {
            "topic": self.topic,
            "opening": data_block("opening", "\n".join(self.opening)) if self.opening else "It has none.",
            "language": self.language,
            "report": data_block("report", numbered(self.sections)),
        }

    def extract(self, statistics: Statistics) -> Edits:  # noqa: ARG002 - quotations are not reworded
        """Change nothing."""
        return Edits()


def numbered(sections: Sequence[ToldSection]) -> str:
    """Print sections with their sentences numbered through the whole report, from 1; none of those aside."""
    lines, n = [], 0
    for section in sections:
        lines.append(f"## {section.heading}")
        if section.aside and section.sentences:
            lines.append(f"({n + 1} to {n + len(section.sentences)}: of something else)")
            n += len(section.sentences)
            continue
        for sentence in section.sentences:
            n += 1
            lines.append(f"{n}. {sentence}")
    return "\n".join(lines)
