"""What a model is asked for a row of a comparison: what do the passages tell of one thing."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field

from models import Frozen, Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.tasks.prompt_texts import WRITTEN, PromptPassage, show


class FilledCell(TaskOutput):
    """What a model says of one question."""

    n: int
    value: str = ""
    passage: str = ""
    quote: str = ""
    """Words of the passage, copied."""


class FilledCells(TaskOutput):
    """What a model says of a thing."""

    cells: list[FilledCell] = Field(default_factory=list)


class QuestionToFill(Frozen):
    """A question with the passages that may answer it."""

    n: int
    text: str
    passages: list[str]


class FillComparison(Task[FilledCells]):
    """Say of one thing what the passages tell."""

    name: ClassVar[str] = "fill_comparison"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = FilledCells

    thing: str
    questions: list[QuestionToFill]
    passages: list[PromptPassage]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        lines = [f"{one.n}. {one.text} ({', '.join(one.passages)})" for one in self.questions]
        asked: dict[str, list[str]] = {}
        for one in self.questions:
            for passage in one.passages:
                asked.setdefault(passage, []).append(f"{self.thing} {one.text}")
        return {
            "thing": data_block("thing", self.thing),
            "questions": data_block("questions", "\n".join(lines)),
            "passages": show(self.passages, asked, WRITTEN),
        }

    def extract(self, statistics: Statistics) -> FilledCells:  # noqa: ARG002 - a sentence is chosen without it
        """Fill nothing: what can be quoted is chosen without this task."""
        return FilledCells()
