"""What the table asks of a model: who should sit at it, and an expert's next move."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from agents.subjects import subjects
from agents.wording import wording
from library import Passage, choose_quotes, cite, quote, unmarked
from models import Role, Statistics, Task
from models.prompts import data_block


class _Output(BaseModel):
    model_config = ConfigDict(extra="ignore")


class PerspectiveDraft(_Output):
    """One expert as proposed."""

    name: str
    """The expert's title, 2 to 6 words."""
    role: str
    """One line: who this expert is."""
    focus: str
    """One line: what this expert looks at that the others do not."""
    terms: list[str]
    """3 to 8 terms to search by."""
    question: str
    """The first question that this expert would look into."""


class PanelDraft(_Output):
    """The panel as proposed."""

    experts: list[PerspectiveDraft]


class ActionDraft(_Output):
    """One action as proposed."""

    kind: str
    """`search` or `read`."""
    query: str
    """For a search, the words to search for; for a reading, what it is read for."""
    where: list[str]
    """For a search: names of the places to search; empty for all."""
    url: str
    """For a reading: a url that a search or a page gave; otherwise empty."""


class Move(_Output):
    """An expert's move: actions to run now, or an answer."""

    thought: str
    """What is known, what is missing, in one or two sentences."""
    actions: list[ActionDraft]
    """What to do next; empty when answering."""
    answer: str
    """The answer with citations `[p12]` after each claim; empty while acting."""


def show_passages(passages: Sequence[Passage]) -> str:
    """Print passages for a prompt, each in a block of its own with its id."""
    return "\n".join(
        data_block("passage", unmarked(p.text), id=p.id, title=p.title, date=p.published or "unknown")
        for p in passages
    )


class PlanPanel(Task[PanelDraft]):
    """Who should discuss the topic: viewpoints that differ, each with a first question."""

    name: ClassVar[str] = "plan_panel"
    package: ClassVar[str] = "agents"
    role: ClassVar[Role] = "planner"
    output: ClassVar[type[BaseModel]] = PanelDraft

    topic: str
    language: str
    count: int
    background: tuple[Passage, ...]
    present: tuple[str, ...] = ()
    """Experts who stay, as `name: focus`; the new ones must differ from them."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        return {
            "topic": data_block("topic", self.topic),
            "language": self.language,
            "count": str(self.count),
            "present": data_block("present", "\n".join(self.present) or "nobody yet"),
            "background": show_passages(self.background),
        }

    def extract(self, statistics: Statistics) -> PanelDraft:
        """Make an expert of each group of the background, named by the phrases that set it apart."""
        words = wording(self.language)
        texts = [p.text for p in self.background]
        labels = statistics.groups(texts, self.count) if texts else []
        drafts: list[PerspectiveDraft] = []
        taken = [self.topic, *self.present]
        for group in range(self.count):
            inside = [t for t, label in zip(texts, labels, strict=True) if label == group] or texts
            outside = [t for t, label in zip(texts, labels, strict=True) if label != group]
            phrases = subjects(inside, statistics, against=outside, taken=taken)
            subject = phrases[0] if phrases else words.aspects[group % len(words.aspects)]
            taken.append(subject)
            drafts.append(
                PerspectiveDraft(
                    name=words.expert.format(subject=subject),
                    role=words.role.format(subject=subject),
                    focus=words.join.join(phrases[:4]) or subject,
                    terms=[*phrases[:4], *statistics.feedback(subject, inside, 4)],
                    question=words.first_question.format(subject=subject, topic=self.topic),
                )
            )
        return PanelDraft(experts=drafts)


class Respond(Task[Move]):
    """An expert's next move on a question: act again, or answer from the passages it was shown."""

    name: ClassVar[str] = "respond"
    package: ClassVar[str] = "agents"
    role: ClassVar[Role] = "expert"
    output: ClassVar[type[BaseModel]] = Move

    topic: str
    language: str
    expert: str
    """Name, role and focus of the expert."""
    places: tuple[str, ...]
    """`name: description` of each place to search."""
    discussion: str
    """The last turns."""
    branch: str
    """What the map holds near the question."""
    question: str
    passages: tuple[Passage, ...]
    pages: tuple[str, ...] = ()
    """`url title` of pages that were found and not read."""
    notices: tuple[str, ...] = ()
    """What the last actions met with: failures, repeats, advice."""
    said: tuple[str, ...] = ()
    """Quotations of these passages that the discussion holds already; not shown, for the embedded model."""
    rounds_left: int = Field(default=0, ge=0)
    """Rounds of acting that are left; 0 when the answer is due."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        return {
            "topic": data_block("topic", self.topic),
            "language": self.language,
            "expert": data_block("you", self.expert),
            "places": data_block("places", "\n".join(self.places)),
            "discussion": data_block("discussion", self.discussion or "Nothing has been said yet."),
            "branch": data_block("map", self.branch or "The map is empty."),
            "question": data_block("question", self.question),
            "passages": show_passages(self.passages) or data_block("passages", "none"),
            "pages": data_block("pages", "\n".join(self.pages) or "none"),
            "notices": data_block("notices", "\n".join(self.notices) or "none"),
            "rounds_left": str(self.rounds_left),
        }

    def extract(self, statistics: Statistics) -> Move:
        """Answer with the sentences that fit the question best, word for word.

        None that was quoted before.
        """
        chosen = choose_quotes(
            f"{self.question} {self.topic} {self.expert}", self.passages, statistics, 5, said=self.said
        )
        answer = " ".join(f"{quote(q.text)} {cite([q.passage.id])}" for q in chosen)
        return Move(thought="", actions=[], answer=answer)
