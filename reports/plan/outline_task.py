"""What a model is asked for the outline of a report that answers a question."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field

from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.tasks.prompt_texts import given, in_parts, lines_of, told_length, unit_of_length

WORDS_A_PASSAGE = 40
"""Words in which a passage is told, about."""


class PlannedSection(TaskOutput):
    """One section as planned."""

    heading: str
    purpose: str = ""
    parts: list[int] = Field(default_factory=list)
    """Numbers of the parts of the question that it answers; none for background, and for one thing asked."""
    words: int = 0
    passages: list[str] = Field(default_factory=list)


class UnneededPassage(TaskOutput):
    """Passages that the report is planned without, and why."""

    passages: list[str] = Field(default_factory=list)
    reason: str = ""


class SectionOutline(TaskOutput):
    """The sections as planned."""

    outline: list[PlannedSection] = Field(default_factory=list)
    unsaid: list[int] = Field(default_factory=list)
    """Numbers of the parts of the question on which no passage bears."""
    aside: list[UnneededPassage] = Field(default_factory=list)
    differ: list[int] = Field(default_factory=list)
    """Numbers of the points on which sources really disagree."""


ANSWERS = 4000
"""Tokens of all answers that a planner sees, about."""


class PlanSections(Task[SectionOutline]):
    """Plan the sections of a report that answers a question."""

    name: ClassVar[str] = "plan_sections"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = SectionOutline

    topic: str
    language: str
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked; empty for one thing."""
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to."""
    words: int
    """For all sections together, about."""
    most: int
    """Sections."""
    branches: list[tuple[str, list[str]]]
    """The map: titles, indented by level, with the passages that stand there."""
    answers: list[tuple[str, str]] = Field(default_factory=list)
    facts: list[str] = Field(default_factory=list)
    disagreements: list[str] = Field(default_factory=list)
    passages: list[tuple[str, str]] = Field(default_factory=list)
    """Ids and texts."""
    sources: dict[str, str] = Field(default_factory=dict)
    """By id, what the source of a passage is called."""
    resting: list[str] = Field(default_factory=list)
    """Those of them that answers and facts rest on."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        answers = [*(answer for _question, answer in self.answers), *self.facts]
        nodes = [f"{title}: {', '.join(ids)}" if ids else title for title, ids in self.branches]
        return {
            "topic": in_parts(self.topic, self.parts, self.directions),
            "language": self.language,
            "words": told_length(self.words, self.language),
            "unit": unit_of_length(self.language)[0],
            "each": told_length(WORDS_A_PASSAGE, self.language),
            "most": str(self.most),
            "map": data_block("map", "\n".join(nodes)),
            "answers": given(self.answers, self.topic, ANSWERS) or "nothing",
            "facts": data_block("facts", "\n".join(f"- {fact}" for fact in self.facts))
            if self.facts
            else "nothing",
            "disagreements": data_block(
                "points", "\n".join(f"{n}. {point}" for n, point in enumerate(self.disagreements, 1))
            )
            if self.disagreements
            else "on nothing",
            "passages": data_block(
                "passages", lines_of(self.passages, self.topic, answers, set(self.resting), self.sources)
            ),
        }

    def extract(self, statistics: Statistics) -> SectionOutline:  # noqa: ARG002 - the map is the outline
        """Plan nothing: without a model the map is the outline."""
        return SectionOutline()
