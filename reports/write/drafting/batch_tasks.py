"""Sections written together: a request costs a waiting time and its rules again, so many share a few."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, TypeVar

from pydantic import BaseModel, Field

from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block
from reports.tasks.section_task import SectionText, WriteSection

WRITING, JUDGING = 3, 2
"""The most requests of a kind that go out together, unless what they show has no room in so few."""
_ROOM = 11_000
"""Tokens of what a request shows of several sections."""
_A_SENTENCE = 20
"""Words for each passage that must be told below which none has a sentence of its own."""

ItemT = TypeVar("ItemT")


def dealt(items: Sequence[ItemT], most: int) -> list[list[ItemT]]:
    """Deal items out, in order, over at most so many groups of about the same size."""
    count = min(most, len(items))
    return [list(items[len(items) * n // count : len(items) * (n + 1) // count]) for n in range(count)]


def with_room(items: Sequence[ItemT], has_room: Callable[[Sequence[ItemT]], bool]) -> list[list[ItemT]]:
    """Part items, in order, into halves until each group has room; one item alone always has."""
    if len(items) < 2 or has_room(items):
        return [list(items)]
    middle = len(items) // 2
    return [*with_room(items[:middle], has_room), *with_room(items[middle:], has_room)]


class _NumberedSection(SectionText):
    n: int
    """The number of the section that it is."""


class SectionTexts(TaskOutput):
    """Sections as written."""

    sections: list[_NumberedSection] = Field(default_factory=list)

    def of(self, count: int) -> list[SectionText]:
        """Return a text for each of so many sections; one that was left out is empty."""
        found: dict[int, SectionText] = {}
        for section in self.sections:
            found.setdefault(section.n, section)
        return [found.get(n, SectionText()) for n in range(1, count + 1)]


class WriteSections(Task[SectionTexts]):
    """Write some sections, each from its part of the map alone."""

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
        held = set[str]().union(*(part.shown for part in self.parts))
        return {
            **{name: each[0][name] for name in ("topic", "language", "style", "audience", "mark")},
            "elsewhere": "\n".join(f"- {heading}" for heading in others) or "- nothing",
            "sections": "\n\n".join(
                _section(n, part, texts, held)
                for n, (part, texts) in enumerate(zip(self.parts, each, strict=True), 1)
            ),
        }

    def extract(self, statistics: Statistics) -> SectionTexts:
        """Write each as it would be written alone."""
        texts = [part.extract(statistics) for part in self.parts]
        sections = [_NumberedSection(n=n, **text.model_dump()) for n, text in enumerate(texts, 1)]
        return SectionTexts(sections=sections)


def seen_by_writers(requests: Sequence[WriteSections]) -> list[set[str]]:
    """Return for each section of some requests, in order, the ids of all that its writer may cite.

    A writer may cite what it was shown for a section beside: what that passage says belongs here, too.
    """
    return [set[str]().union(*(part.citable for part in r.parts)) for r in requests for _ in r.parts]


def _section(n: int, part: WriteSection, texts: Mapping[str, str], held: Collection[str]) -> str:
    """Print what a section is written from, with the premises of conclusions that no section shows."""
    lines = [f'Section n="{n}": {part.heading}, about {texts["words"]}']
    if part.purpose:
        lines.append(f"Purpose: {part.purpose}")
    if part.needed:
        short = 0 < part.words < _A_SENTENCE * len(part.needed)
        told = "Needed, a clause each, several to a sentence" if short else "Needed"
        lines.append(f"{told}: {', '.join(part.needed)}")
    if part.before:
        lines.append("It stands already: keep its sentences word for word where they hold, add what is new.")
        lines.append(data_block("standing", part.before))
    parts = ["\n".join(lines), texts["notes"], texts["passages"], part.premises_beside(held)]
    return "\n\n".join(filter(None, parts))


def writing(parts: Sequence[WriteSection]) -> list[WriteSections]:
    """Return the requests in which sections are written, in order: as few as their evidence has room in."""
    groups = (each for group in dealt(parts, WRITING) for each in with_room(group, _has_room))
    return [WriteSections(parts=group) for group in groups]


def _has_room(parts: Sequence[WriteSection]) -> bool:
    """Tell whether sections go into one request: of one too long all passages would lose their ends."""
    return estimate(WriteSections(parts=list(parts)).fields()["sections"]) <= _ROOM
