"""What the moderator asks of a model: the next question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from agents import show_passages, show_topic, subjects, wording
from library import Passage, topic_language
from library.passages import (
    excerpts,
    holds_answer,
    repeated_headings,
    shared_headings,
    unsaid_headings,
)
from library.text import is_question, titled_text
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block

_MOST = 12
"""Passages that the prompt shows: those found last."""
_SHOWN = 400
"""Tokens of the passages that the prompt shows: enough to see what could be asked of them."""

_NEAR, _NEAREST = 0.5, 3
"""How near to a question what is asked about must be, as a share of the third nearest passage."""


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
        """Ask about the phrase that sets the largest group of unused passages apart from what was asked.

        Where the topic is a question: about the heading that names them best, if any does, and about a
        smaller group where the largest has none. Only passages that may tell of it are asked about: no
        question is better than one beside it.
        """
        asks = is_question(self.topic)
        unused = self._near(statistics) if asks else self.unused
        texts = [p.text for p in unused]
        labels = statistics.groups(texts, max(1, len(texts) // 4)) if texts else []
        all_texts = [p.text for p in self.unused]
        everywhere = repeated_headings(all_texts, [p.title for p in self.unused])
        taken = (self.topic, *self.asked, *everywhere, *unsaid_headings(all_texts, statistics))
        for label in sorted(set(labels)) if asks else labels and [0]:
            inside = [p for p, own in zip(unused, labels, strict=True) if own == label]
            if found := self._named(inside, taken, statistics):
                question = wording(self.language).question.format(subject=found[0])
                return QuestionDraft(question=question, search=found[0], why=inside[0].text[:160])
        return QuestionDraft(question="", search="", why="")

    def _named(self, inside: Sequence[Passage], taken: Sequence[str], statistics: Statistics) -> list[str]:
        """Return what some passages could be asked about, best first."""
        texts = [p.text for p in inside]
        if not is_question(self.topic):
            return subjects(texts, statistics, against=self.asked, taken=taken)
        pages = Counter({p.sha256: p.title for p in self.unused}.values())
        taken = (*taken, *(title for title, count in pages.items() if count > 1))
        found = subjects(texts, statistics, against=self.asked, taken=taken, question=self.topic)
        if topic_language(self.topic) == "en":  # a single word of what stands beside an answer names nothing
            found = [phrase for phrase in found if " " in phrase]
        return [*shared_headings(texts, [p.title for p in inside], statistics, taken=taken), *found]

    def _near(self, statistics: Statistics) -> list[Passage]:
        """Return the unused passages that are as near to a question as half of the third nearest is.

        Of few, the one in the middle stands for the third: the nearest is mostly a title said again.
        """
        if not self.unused or not holds_answer(self.topic, self.unused, statistics):
            return []
        shown = [titled_text(p) for p in self.unused]
        near = statistics.meaning(self.topic, shown) or [0.0] * len(shown)
        fits = [a + max(b, 0.0) for a, b in zip(statistics.relevance(self.topic, shown), near, strict=True)]
        third = sorted(fits, reverse=True)[min(_NEAREST, (len(fits) + 1) // 2) - 1]
        return [p for p, fit in zip(self.unused, fits, strict=True) if fit >= _NEAR * third]
