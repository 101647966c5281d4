"""What the table asks of a model: who should sit at it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from agents.expert_phrases import wording
from agents.subject_phrases import subjects
from library import Passage, unmarked
from library.claims import weight_of
from library.passages import (
    copies,
    excerpts,
    repeated_headings,
    shared_headings,
    short_title,
    unsaid_headings,
    whole_or_around,
)
from library.safety import without_orders
from library.text import headline, is_question
from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block, told_directions


class PerspectiveDraft(TaskOutput):
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
    part: int = 0
    """Number (from 1) of the part of what was asked that the question serves; 0: of none."""


class PanelDraft(TaskOutput):
    """The panel as proposed."""

    experts: list[PerspectiveDraft]
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked, each a question of its own; empty for a subject."""


def show_topic(topic: str, directions: Sequence[str] = ()) -> str:
    """Print what the table talks about, with a person's directions behind it."""
    return "\n".join(filter(None, [data_block("topic", topic), told_directions(directions)]))


def show_passages(
    passages: Sequence[Passage],
    texts: Sequence[str] | None = None,
    doubles: Sequence[Sequence[str]] = (),
) -> str:
    """Print passages for a prompt, each in a block of its own with its id; what is not known is left out.

    Args:
        passages: In order. A title is said once for passages of one source that follow each other; of two
            versions of one page each says when it was read.
        texts: What is shown of each; None: all of it.
        doubles: Of each, the ids of other passages with the same text: it is the one to cite; empty: those of
            which the same is shown are found here, and stand once.
    """
    shown = [p.text for p in passages] if texts is None else texts
    if not doubles:
        groups = copies(shown, [p.title for p in passages])
        doubles = [[passages[n].id for n in group[1:]] for group in groups]
        passages, shown = [passages[group[0]] for group in groups], [shown[group[0]] for group in groups]
    blocks: list[str] = []
    before = ""
    versions = {(p.url, p.sha256) for p in passages}
    twice = {url for url, count in Counter(url for url, _ in versions).items() if count > 1}
    for passage, text, others in zip(passages, shown, doubles, strict=True):
        title = short_title(passage.title, _TITLE) if passage.sha256 != before else None
        blocks.append(
            data_block(
                "passage",
                unmarked(text),
                id=passage.id,
                same_as=" ".join(others) or None,
                title=title,
                date=passage.published,
                read=passage.retrieved[:10] if passage.url in twice else None,
                weight=weight_of(passage),
            )
        )
        before = passage.sha256
    return "\n".join(blocks)


def _block(said: str, kind: str, lines: Sequence[str]) -> str:
    """Print lines with what they are; nothing where there are none."""
    return f"{said}\n{data_block(kind, chr(10).join(lines))}\n" if lines else ""


_GIVEN = (
    "Given by the person who asks (they sit first: repeat each with its name and focus as they stand, and "
    "add role, terms and first question):"
)
_TITLE = 120
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
    given: tuple[str, ...] = ()
    """Experts of a person's own choice, as `name: focus`: they count, and are given what they lack."""
    directions: tuple[str, ...] = ()
    """What a person wants kept to."""
    present: tuple[str, ...] = ()
    """Experts who stay or have left, as `name: focus`; the new ones must differ from them."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        shown = _whole_then_best([p.text for p in self.background], self.topic, self.background_tokens)
        return {
            "topic": show_topic(self.topic, self.directions),
            "language": self.language,
            "count": str(self.count),
            "given": _block(_GIVEN, "given", self.given),
            "present": _block("Already present:", "present", self.present),
            "background": show_passages(self.background, shown) or data_block("passages", "nothing close"),
        }

    def extract(self, statistics: Statistics) -> PanelDraft:
        """Make an expert of each group of the background, each with a viewpoint and a heading to look into.

        No more than there are pages: several readers of one page would say the same.
        """
        words = wording(self.language)
        question = self.topic if is_question(self.topic) else ""
        views = words.asked if question else words.named
        texts = [without_orders(p.text, statistics.sentences) for p in self.background]
        titles = [p.title for p in self.background]
        count = min(self.count, max(len({p.sha256 for p in self.background}), 1))
        labels = statistics.groups(texts, count) if texts else []
        free = [view for view in views if not any(view.is_of(line) for line in self.present)]
        seats = [*free, *views]
        drafts: list[PerspectiveDraft] = []
        none = (*repeated_headings(texts, titles), *unsaid_headings(texts, statistics))
        taken = [self.topic, *self.present, *none]
        for group in range(count):
            inside = [n for n, label in enumerate(labels) if label == group] or list(range(len(texts)))
            outside = [n for n in range(len(texts)) if n not in inside]
            own, others = [texts[n] for n in inside], [texts[n] for n in outside]
            phrases = subjects(own, statistics, against=others, taken=taken, question=question)
            headings = shared_headings(
                own,
                [titles[n] for n in inside],
                statistics,
                others=others,
                other_titles=[titles[n] for n in outside],
                taken=taken,
            )
            pages = Counter(name for n in inside if (name := headline(titles[n])) and name not in taken)
            # A page called by a single word (of a library, of a command) says less than a phrase does.
            called = [name for name, _times in pages.most_common(1) if " " in name or not name.isascii()]
            subject = next(iter([*headings, *called, *phrases]), "") or self.topic
            subject = subject[:1].upper() + subject[1:]
            taken.append(subject)
            view = seats[group % len(seats)]
            drafts.append(
                PerspectiveDraft(
                    name=view.name if group < len(free) else f"{view.name} ({subject})",
                    role=view.role.format(subject=subject),
                    focus=subject,
                    terms=[*phrases[:4], *statistics.feedback(subject, own, 4)],
                    question=view.question.format(subject=subject),
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
