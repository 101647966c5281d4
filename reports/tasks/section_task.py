"""What a model is asked for one section: its part of the map, its length and what it must tell."""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import NamedTuple

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from library import citations, cite, inference_mark, is_inference
from library.passages import answer_around
from library.text import sentences, terms
from models import Frozen, Statistics, TaskOutput
from models.prompting import data_block
from reports.cite.cited_sentences import CitedSentence, cited_sentences
from reports.document import Quotation
from reports.extract.arrange import QuotePosition, paragraphs
from reports.extract.opening import answering
from reports.extract.page_units import OpeningPassage
from reports.extract.quotations import quotes
from reports.extract.quoted_sentences import quoted
from reports.extract.ranked_sections import BestSection
from reports.settings import Style
from reports.tables.series import ProposedTable
from reports.tasks.prompt_texts import (
    WRITTEN,
    PromptPassage,
    cited_by,
    in_parts,
    points,
    show,
    told_length,
)

_STYLES: dict[Style, str] = {
    "article": "flowing prose in paragraphs, as in an encyclopedia or a good magazine, but steps as lists",
    "brief": "as short as can be: only what a busy decision maker must know",
    "outline": "points: one complete sentence each, no transitions",
    "faq": "a direct answer to the heading read as a question",
}


class Material(Frozen):
    """A node of the map as the writer sees it."""

    title: str
    notes: list[tuple[str, str]] = Field(default_factory=list)
    """Questions and answers of the discussion, answers with citations."""
    passages: list[PromptPassage] = Field(default_factory=list)


class SectionText(TaskOutput):
    """A section as written."""

    opening: str = ""
    """Connecting words without a claim and without a citation; usually empty."""
    paragraphs: list[str] = Field(default_factory=list)
    """Prose, each sentence ending with its citations `[p1][p2]`."""
    tables: list[ProposedTable] = Field(default_factory=list)
    """Series of figures, where the passages have them; usually none."""
    quotations: SkipJsonSchema[list[Quotation]] = Field(default_factory=list)
    """What the embedded model gives in the place of paragraphs; no other is asked for it."""


class WriteSection(Frozen):
    """One section to be written from its part of the map alone; part of a `WriteSections`."""

    topic: str
    heading: str
    language: str
    style: Style
    audience: str
    words: int
    """About how long."""
    materials: list[Material]
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to."""
    purpose: str = ""
    """What the section must make clear; empty where it follows a branch of the map."""
    needed: list[str] = Field(default_factory=list)
    """Ids of its passages that the discussion's answers rest on: each is told."""
    concluded: list[str] = Field(default_factory=list)
    """What the discussion concluded from its passages and others', with citations; told nowhere else."""
    premises: list[PromptPassage] = Field(default_factory=list)
    """What those conclusions rest on and the section has not: shown for their sake alone."""
    elsewhere: list[str] = Field(default_factory=list)
    """The other sections' headings: what they hold is not told here."""
    before: str = ""
    """The section as it stands, where it is written again for what was found since."""
    quotations: list[str] = Field(default_factory=list)
    """Keys of the sentences to quote where there is no language model; chosen for the report as a whole."""
    digest: int = 0
    """Words to quote of a page's answer to the topic, where there is no language model and the topic asks
    something; 0: what `quotations` says."""
    said: list[str] = Field(default_factory=list)
    """What the opening quotes, which is not quoted again; no model sees it."""
    best: BestSection = BestSection()
    """The section of all pages that fits the topic best, beside which a page is quoted for a digest."""
    page_fit: float = 0.0
    """How well that page as a whole does."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": in_parts(self.topic, directions=self.directions),
            "heading": self.heading,
            "language": self.language,
            "style": _STYLES[self.style],
            "audience": self.audience,
            "words": told_length(self.words, self.language),
            "mark": inference_mark(self.language),
            "elsewhere": points(self.elsewhere) or "- nothing",
            "notes": "\n\n".join(filter(None, [*map(self._noted, self.materials), self._concluded()])),
            "passages": show([p for m in self.materials for p in m.passages], self._claims(), WRITTEN),
        }

    def premises_beside(self, shown_ids: Collection[str]) -> str:
        """Print the premises of its conclusions that a request does not show already; '' where it does."""
        missing = [p for p in self.premises if p.id not in shown_ids]
        if not missing:
            return ""
        return f"For what is under `concluded` alone:\n{show(missing, cited_by(self.concluded), WRITTEN)}"

    def _noted(self, material: Material) -> str:
        return _notes(material, self.shown, self.heading, self.topic)

    def _concluded(self) -> str:
        return data_block("concluded", "\n".join(self.concluded)) if self.concluded else ""

    def _claims(self) -> dict[str, list[str]]:
        """Return for each passage what it is read for: its node, and what the discussion says of it."""
        said = cited_by([answer for m in self.materials for _question, answer in m.notes])
        return {
            p.id: [
                " ".join([self.heading, m.title, *(question for question, _answer in m.notes)]),
                *said.get(p.id, ()),
            ]
            for m in self.materials
            for p in m.passages
        }

    @property
    def shown(self) -> set[str]:
        """The ids of the passages that it shows."""
        return {p.id for m in self.materials for p in m.passages}

    @property
    def citable(self) -> set[str]:
        """The ids that stand in it: no other can be cited."""
        return self.shown.union(*map(citations, self.concluded))

    def extract(self, statistics: Statistics) -> SectionText:
        """Quote the sentences chosen for it, each with the passages that say it; of a page what answers."""
        if self.digest:
            own = [
                OpeningPassage(p.id, p.source, p.start, p.text, p.title, p.under, False, *p.table)
                for m in self.materials
                for p in m.passages
            ]
            return SectionText(
                quotations=quoted(
                    answering(self.topic, own, statistics, self.digest, self.said, self.best, self.page_fit)
                )
            )
        wanted = set(self.quotations)
        node = {p.id: i for i, m in enumerate(self.materials) for p in m.passages}
        places = {
            p.id: QuotePosition(p.source, p.start, p.published) for m in self.materials for p in m.passages
        }
        texts = [(p.id, p.text) for m in self.materials for p in m.passages]
        chosen = [q for q in quotes(texts, statistics) if q.key in wanted]
        groups = [[q for q in chosen if node[q.passages[0]] == i] for i in range(len(self.materials))]
        arranged = [
            run
            for material, group in zip(self.materials, groups, strict=True)
            for run in paragraphs(group, f"{material.title} {self.heading}", places, statistics)
        ]
        return SectionText(
            quotations=[
                Quotation(words=q.text, citations=list(q.passages[:3]), opens=place == 0)
                for run in arranged
                for place, q in enumerate(run)
            ]
        )


def _notes(material: Material, shown: set[str], heading: str, topic: str) -> str:
    """Print what was answered about the passages shown: the answers' sentences that rest on them alone.

    What rests on others too belongs to the section that has them; here it would stand behind passages that do
    not say it. What a later answer says is not shown of an earlier one too. Of the answer to the topic itself
    twice as much is shown, since it took up the others.
    """
    said: list[list[str]] = []
    later: list[_Said] = []
    for question, answer in reversed(material.notes):
        own = [s for s in cited_sentences(answer, sentences) if s.citations and shown.issuperset(s.citations)]
        kept: list[_Said] = []
        for sentence in own:
            told = _Said(sentence, frozenset(terms(sentence.text)), is_inference(sentence.text))
            if not any(told.is_told_by(other) for other in [*later, *kept]):
                kept.append(told)
        later += kept
        if kept:
            texts = [f"{each.sentence.text} {cite(each.sentence.citations)}" for each in kept]
            drawn = [each.sentence.text for each in kept if each.drawn]
            matters = [f"{heading} {question}", texts[0], *drawn]
            some = answer_around(" ".join(texts), matters, _NOTED * (2 if question == topic else 1))
            said.insert(0, [f"Question: {question}", f"Answer: {some}"])
    return data_block("notes", "\n".join([material.title, *chain(*said)])) if said else ""


class _Said(NamedTuple):
    """A sentence of an answer."""

    sentence: CitedSentence
    terms: frozenset[str]
    drawn: bool
    """Whether it is marked as a conclusion."""

    def is_told_by(self, other: "_Said") -> bool:
        """Tell whether another sentence says of the same passages what this one says."""
        about = not set(self.sentence.citations).isdisjoint(other.sentence.citations)
        alike = len(self.terms & other.terms) >= _AGAIN * len(self.terms)
        return about and alike and self.drawn is other.drawn


_NOTED = 200
"""Tokens of an answer up to which a section's prompt shows all that is said of its passages."""
_AGAIN = 0.6
"""Share of a sentence's words that another says of the same passages, from which on it tells nothing new."""
