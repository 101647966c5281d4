"""What the moderator asks of a model: the next question."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field

from agents import show_passages, show_topic, subjects, wording
from library import Passage
from library.passages import excerpts, repeated_headings
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block

_MOST = 12
"""Passages that the prompt shows: those found last."""
_SHOWN = 400
"""Tokens of the passages that the prompt shows: enough to see what could be asked of them."""


class QuestionDraft(TaskOutput):
    """A question as proposed."""

    question: str
    """One concrete question, 25 words at most; empty when nothing is worth asking."""
    search: str
    """Words to search by."""
    why: str
    """What it would add, one line."""
    passages: list[str] = Field(default_factory=list)
    """Ids of the passages that it comes from: whoever answers is shown them."""


class AskQuestion(Task[QuestionDraft]):
    """The next question, from passages that were read and that nobody has used."""

    name: ClassVar[str] = "ask_question"
    package: ClassVar[str] = "moderator"
    role: ClassVar[Role] = "moderator"
    output: ClassVar[type[BaseModel]] = QuestionDraft

    topic: str
    language: str
    asked: tuple[str, ...]
    """Questions asked before."""
    directions: tuple[str, ...] = ()
    """What a person wants kept to."""
    discussion: str
    unused: tuple[Passage, ...]
    """The passages not used, the most promising last."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        shown = self.unused[-_MOST:]
        return {
            "topic": show_topic(self.topic, self.directions),
            "language": self.language,
            "asked": data_block("asked", "\n".join(self.asked) or "nothing yet"),
            "discussion": data_block("discussion", self.discussion or "Nothing has been said yet."),
            "unused": show_passages(shown, excerpts([p.text for p in shown], self.topic, _SHOWN)),
        }

    def extract(self, statistics: Statistics) -> QuestionDraft:
        """Ask about the phrase that sets the largest group of unused passages apart from what was asked."""
        words = wording(self.language)
        texts = [p.text for p in self.unused]
        labels = statistics.groups(texts, max(1, len(texts) // 4)) if texts else []
        inside = [t for t, label in zip(texts, labels, strict=True) if label == 0]
        everywhere = repeated_headings(texts, [p.title for p in self.unused])
        found = subjects(
            inside, statistics, against=self.asked, taken=(self.topic, *self.asked, *everywhere)
        )
        if found:
            question = words.question.format(subject=found[0])
            return QuestionDraft(question=question, search=found[0], why=inside[0][:160])
        return QuestionDraft(question="", search="", why="")
