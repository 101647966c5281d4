"""What a model is asked when somebody asked on: which parts of a report that stands have to change."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field

from library import citations, strip_citations
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.plan.outline_task import ANSWERS, WORDS_A_PASSAGE, PlannedSection
from reports.tasks.editing_tasks import ToldSection
from reports.tasks.prompt_texts import (
    WRITTEN,
    PromptPassage,
    cited_by,
    given,
    in_parts,
    show,
    told_length,
    unit_of_length,
)


class ChangedSection(TaskOutput):
    """A section that has to be written again."""

    n: int
    """From 1."""
    passages: list[str] = Field(default_factory=list)
    """What it needs beside its own."""


class Revision(TaskOutput):
    """What of a report changes."""

    sections: list[ChangedSection] = Field(default_factory=list)
    added: list[PlannedSection] = Field(default_factory=list)
    opening: bool = False
    """Whether the answer in short is written again."""
    answered: list[int] = Field(default_factory=list)
    """Numbers, from 1, of points that the sources did not say and that are told now."""
    unsaid: list[str] = Field(default_factory=list)
    """What the sources do not say of what was asked since, as clauses."""


class PlanRevision(Task[Revision]):
    """Decide what of a report changes for what was answered since it was written."""

    name: ClassVar[str] = "plan_revision"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Revision

    topic: str
    language: str
    parts: list[str] = Field(default_factory=list)
    opening: ToldSection
    sections: list[ToldSection]
    points: list[str] = Field(default_factory=list)
    """What the report says the sources do not say."""
    answers: list[tuple[str, str]]
    """Questions and answers since it was written, with citations."""
    passages: list[PromptPassage] = Field(default_factory=list)
    """What these answers rest on."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; sections are numbered from 1, the opening is 0."""
        said = cited_by([answer for _question, answer in self.answers])
        lines = [
            "\n".join([f"## {n}. {section.heading}", *section.sentences])
            for n, section in enumerate([self.opening, *self.sections])
        ]
        points = [f"{n}. {point}" for n, point in enumerate(self.points, 1)]
        return {
            "topic": in_parts(self.topic, self.parts),
            "language": self.language,
            "unit": unit_of_length(self.language)[0],
            "each": told_length(WORDS_A_PASSAGE, self.language),
            "report": data_block("report", "\n".join(lines)),
            "points": data_block("points", "\n".join(points)) if points else "nothing",
            "answers": given(self.answers, self.topic, ANSWERS),
            "passages": show(self.passages, said, WRITTEN) or "none",
        }

    def extract(self, statistics: Statistics) -> Revision:
        """Give each answer's passages to the section that is most like it; leave the opening as it is."""
        if not self.sections:
            return Revision(opening=True)
        texts = ["\n".join([section.heading, *section.sentences]) for section in self.sections]
        alike = statistics.similarity([*texts, *(strip_citations(f"{q} {a}") for q, a in self.answers)])
        changed: dict[int, list[str]] = {}
        for row, (_question, answer) in enumerate(self.answers, len(texts)):
            if ids := citations(answer):
                nearest = max(range(len(texts)), key=lambda n: (float(alike[row, n]), -n))
                changed.setdefault(nearest + 1, []).extend(ids)
        return Revision(sections=[ChangedSection(n=n, passages=ids) for n, ids in sorted(changed.items())])
