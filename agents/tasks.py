"""What the table asks of a model: who should sit at it."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from agents.expert_phrases import wording
from agents.subject_phrases import subjects
from library import Passage, unmarked
from library.passages import excerpts, whole_or_around
from library.safety import without_orders
from library.text import common_heading
from models import Role, Statistics, Task, estimate
from models.prompting import data_block


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


def show_passages(
    passages: Sequence[Passage],
    texts: Sequence[str] | None = None,
    doubles: Sequence[Sequence[str]] = (),
) -> str:
    """Print passages for a prompt, each in a block of its own with its id; what is not known is left out.

    Args:
        passages: In order. A title is said once for passages of one source that follow each other.
        texts: What is shown of each; None: all of it.
        doubles: Of each, the ids of other passages with the same text: they stand beside its own.
    """
    shown = [p.text for p in passages] if texts is None else texts
    blocks: list[str] = []
    before = ""
    same = doubles or [()] * len(passages)
    for passage, text, others in zip(passages, shown, same, strict=True):
        title = passage.title[:_TITLE] if passage.sha256 != before else None
        blocks.append(
            data_block(
                "passage",
                unmarked(text),
                id=" ".join([passage.id, *others]),
                title=title,
                date=passage.published,
            )
        )
        before = passage.sha256
    return "\n".join(blocks)


_TITLE = 50
"""Characters of a source's title."""
_LEAST_SHOWN = 25
"""Tokens of a passage for which there is no room any more: its best sentence."""


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
    background_tokens: int = 450
    """Of the background so many tokens are shown: passages whole as long as there is room."""
    present: tuple[str, ...] = ()
    """Experts who stay, as `name: focus`; the new ones must differ from them."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        shown = _whole_then_best([p.text for p in self.background], self.topic, self.background_tokens)
        return {
            "topic": data_block("topic", self.topic),
            "language": self.language,
            "count": str(self.count),
            "present": data_block("present", "\n".join(self.present) or "nobody yet"),
            "background": show_passages(self.background, shown),
        }

    def extract(self, statistics: Statistics) -> PanelDraft:
        """Make an expert of each group of the background, named by the phrases that set it apart."""
        words = wording(self.language)
        texts = [without_orders(p.text, statistics.sentences) for p in self.background]
        labels = statistics.groups(texts, self.count) if texts else []
        drafts: list[PerspectiveDraft] = []
        taken = [self.topic, *self.present]
        for group in range(self.count):
            inside = [t for t, label in zip(texts, labels, strict=True) if label == group] or texts
            titles = [p.title for p, label in zip(self.background, labels, strict=True) if label == group]
            outside = [t for t, label in zip(texts, labels, strict=True) if label != group]
            phrases = subjects(inside, statistics, against=outside, taken=taken)
            subject = _subject(titles, phrases, taken) or words.aspects[group % len(words.aspects)]
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


def _whole_then_best(texts: Sequence[str], about: str, tokens: int) -> list[str]:
    """Return the texts whole, in order, as long as there is room, and of the others the best sentence."""
    whole = [whole_or_around(text, [about]) for text in texts]
    left, count = tokens, 0
    for place, text in enumerate(whole):
        kept = _LEAST_SHOWN * (len(whole) - place - 1)
        if estimate(text) > left - kept:
            break
        left, count = left - estimate(text), place + 1
    return [*whole[:count], *excerpts(texts[count:], about, 0)]


def _subject(titles: Sequence[str], phrases: Sequence[str], taken: Sequence[str]) -> str:
    """Return what a group of passages is about: what their pages are called, or the phrase that tells most.

    A phrase of several words tells more than the title of a single page, and that more than a single word.
    """
    if shared := common_heading(titles, taken):
        return shared
    if phrases and len(phrases[0].split()) > 1:
        return phrases[0]
    return common_heading(titles, taken, share=0.0, fewest=1) or next(iter(phrases), "")
