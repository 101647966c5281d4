"""What a model is asked when a report is written: sections, lead, title, last pass."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from library import citations, keep_citations, strip_citations
from library.passages import excerpts, whole_or_around
from library.text import sentences
from models import Role, Statistics, Task
from models.prompting import data_block
from reports.cite.cited_sentences import cited_sentences
from reports.document import Quotation
from reports.extract.arrange import QuotePosition, paragraphs
from reports.extract.lead import leading
from reports.extract.opening import OpeningPassage, Told, answering, is_question, opening
from reports.extract.quotations import quotes
from reports.settings import Style
from reports.tables.series import ProposedTable

_STYLES: dict[Style, str] = {
    "article": "flowing prose in paragraphs, as in an encyclopedia or a good magazine",
    "brief": "as short as can be: only what a busy decision maker must know",
    "outline": "points: one complete sentence each, no transitions",
    "faq": "a direct answer to the heading read as a question",
}


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PromptPassage(_Data):
    """A passage as the writer sees it."""

    id: str
    text: str
    title: str
    source: str
    """The source's url."""
    start: int = 0
    """Where the passage begins in its source."""
    published: str | None = None


class Material(_Data):
    """A node of the map as the writer sees it."""

    title: str
    notes: list[tuple[str, str]] = Field(default_factory=list)
    """Questions and answers of the discussion, answers with citations."""
    passages: list[PromptPassage] = Field(default_factory=list)


class SectionText(BaseModel):
    """A section as written."""

    model_config = ConfigDict(frozen=True)

    opening: str = ""
    """Connecting words without a claim and without a citation; usually empty."""
    paragraphs: list[str] = Field(default_factory=list)
    """Prose, each sentence ending with its citations `[p1][p2]`."""
    tables: list[ProposedTable] = Field(default_factory=list)
    """Series of figures, where the passages have them; usually none."""
    quotations: SkipJsonSchema[list[Quotation]] = Field(default_factory=list)
    """What the embedded model gives in the place of paragraphs; no other is asked for it."""


class WriteSection(_Data):
    """One section to be written from its part of the map alone; part of a `WriteSections`."""

    topic: str
    heading: str
    language: str
    style: Style
    audience: str
    words: int
    """About how long."""
    materials: list[Material]
    elsewhere: list[str] = Field(default_factory=list)
    """The other sections' headings: what they hold is not told here."""
    quotations: list[str] = Field(default_factory=list)
    """Keys of the sentences to quote where there is no language model; chosen for the report as a whole."""
    digest: int = 0
    """Words to quote of a page's answer to the topic, where there is no language model and the topic asks
    something; 0: what `quotations` says."""
    said: list[str] = Field(default_factory=list)
    """What the opening quotes, which is not quoted again; no model sees it."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": self.topic,
            "heading": self.heading,
            "language": self.language,
            "style": _STYLES[self.style],
            "audience": self.audience,
            "words": str(self.words),
            "elsewhere": _points(self.elsewhere) or "- nothing",
            "notes": "\n\n".join(_notes(m, self.shown, self.heading) for m in self.materials if m.notes),
            "passages": show([p for m in self.materials for p in m.passages], self._claims()),
        }

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
        """The ids of the passages that it shows: no other can be cited."""
        return {p.id for m in self.materials for p in m.passages}

    def extract(self, statistics: Statistics) -> SectionText:
        """Quote the sentences chosen for it, each with the passages that say it; of a page what answers."""
        if self.digest:
            own = [
                OpeningPassage(id=p.id, sha256=p.source, start=p.start, text=p.text, title=p.title)
                for m in self.materials
                for p in m.passages
            ]
            return SectionText(
                quotations=quoted(answering(self.topic, own, statistics, self.digest, self.said))
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


class ToldSection(_Data):
    """A section as it stands: what the lead, the title and the last pass are made from."""

    heading: str
    sentences: list[str]
    """With citations."""


class LeadText(BaseModel):
    """The lead as written."""

    model_config = ConfigDict(frozen=True)

    paragraph: str = ""
    """Prose, each sentence ending with its citations."""
    quotations: SkipJsonSchema[list[Quotation]] = Field(default_factory=list)
    """What the embedded model gives in its place; no other is asked for it."""


class WriteLead(Task[LeadText]):
    """Write the lead: the answer to the topic, from the sections as they stand."""

    name: ClassVar[str] = "write_lead"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = LeadText

    topic: str
    language: str
    audience: str
    count: int
    """Sentences."""
    sections: list[ToldSection]
    about: dict[str, float] = Field(default_factory=dict)
    """How much a passage is about the topic; no model sees it (`reports.extract.quote_selection`)."""
    passages: list[OpeningPassage] = Field(default_factory=list)
    """All that may be cited, where a question is answered without a language model; no model sees it."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": self.topic,
            "language": self.language,
            "audience": self.audience,
            "count": str(self.count),
            "sections": "\n".join(_told(s, max(2, _OPENING // len(self.sections))) for s in self.sections),
        }

    def extract(self, statistics: Statistics) -> LeadText:
        """Quote what answers a question (`reports.extract.opening`); of a subject tell what it is.

        Of a subject, the sentences that say most of it are taken from different sections
        (`reports.extract.lead`).
        """
        if told := opening(self.topic, self.passages, statistics) if is_question(self.topic) else []:
            return LeadText(quotations=quoted(told))
        pool = [(i, s) for i, section in enumerate(self.sections) for s in section.sentences]
        bare = [(i, strip_citations(sentence).strip("“”")) for i, sentence in pool]
        about = [max((self.about.get(p, 1.0) for p in citations(s)), default=1.0) for _i, s in pool]
        chosen = leading(bare, self.topic, self.count, statistics, about)
        return LeadText(paragraph=" ".join(pool[i][1] for i in chosen))


class ReportTitle(BaseModel):
    """The report's title."""

    model_config = ConfigDict(frozen=True)

    title: str = ""


class TitleReport(Task[ReportTitle]):
    """Give the report a title."""

    name: ClassVar[str] = "title_report"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = ReportTitle

    topic: str
    language: str
    headings: list[str]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": self.topic,
            "language": self.language,
            "headings": data_block("headings", _points(self.headings)),
        }

    def extract(self, statistics: Statistics) -> ReportTitle:  # noqa: ARG002 - the topic says it best
        """Return the topic with a capital letter."""
        return ReportTitle(title=self.topic[:1].upper() + self.topic[1:])


class Edit(BaseModel):
    """One sentence said better."""

    model_config = ConfigDict(frozen=True)

    n: int
    text: str
    """With the same citations; empty to leave the sentence out, because another says the same."""


class Edits(BaseModel):
    """What the last pass changes."""

    model_config = ConfigDict(frozen=True)

    edits: list[Edit] = Field(default_factory=list)


class SmoothReport(Task[Edits]):
    """Go over the whole once: terms, transitions, repetition; claims and citations stay."""

    name: ClassVar[str] = "smooth_report"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Edits

    topic: str
    language: str
    sections: list[ToldSection]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; sentences are numbered through the whole report from 1."""
        lines, n = [], 0
        for section in self.sections:
            lines.append(f"## {section.heading}")
            for sentence in section.sentences:
                n += 1
                lines.append(f"{n}. {sentence}")
        return {
            "topic": self.topic,
            "language": self.language,
            "report": data_block("report", "\n".join(lines)),
        }

    def extract(self, statistics: Statistics) -> Edits:  # noqa: ARG002 - quotations are not reworded
        """Change nothing."""
        return Edits()


def quoted(told: Sequence[Told]) -> list[Quotation]:
    """Return what is told of a page as a report quotes it."""
    return [Quotation(words=t.words, citations=[t.passage], form=t.form, opens=t.opens) for t in told]


def _points(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _notes(material: Material, shown: set[str], heading: str) -> str:
    lines = [material.title]
    for question, answer in material.notes:
        known, _others = keep_citations(answer, shown)
        told = excerpts([known], f"{heading} {question}", _NOTED, most=_NOTED)[0]
        lines += [f"Question: {question}", f"Answer: {told}" if told else "Not answered."]
    return data_block("notes", "\n".join(lines))


_NOTED = 40
"""Tokens of an answer that a section's prompt shows."""


def show(passages: Sequence[PromptPassage], claims: Mapping[str, Sequence[str]]) -> str:
    """Print passages for a prompt, each as `whole_or_around` cuts it; one text of several ids stands once.

    Args:
        passages: A source is named once for passages of it that follow each other.
        claims: By id, what is said of it or asked about it: that part of a long passage is never cut.
    """
    alike: dict[str, list[PromptPassage]] = {}
    for passage in passages:
        alike.setdefault(" ".join(passage.text.split()), []).append(passage)
    blocks: list[str] = []
    before = ""
    for group in alike.values():
        first = group[0]
        text = whole_or_around(first.text, [claim for p in group for claim in claims.get(p.id, ())])
        ids = " ".join(p.id for p in group)
        source = None if first.source == before else (first.title or first.source)[:50]
        blocks.append(data_block("passage", text, id=ids, source=source, published=first.published))
        before = first.source
    return "\n".join(blocks)


def cited_by(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return for each passage the sentences of some texts that cite it, without their citations."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for sentence in cited_sentences(text, sentences):
            for passage in sentence.citations:
                found.setdefault(passage, []).append(sentence.text)
    return found


_OPENING = 24
"""Sentences that the lead's prompt shows, the first of each section: it says first what it is about."""


def _told(section: ToldSection, most: int) -> str:
    return data_block("section", "\n".join(section.sentences[:most]), heading=section.heading)
