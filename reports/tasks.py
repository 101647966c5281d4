"""What a model is asked when a report is written: sections, lead, title, last pass."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import ClassVar

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from library import Evidence, citations, cite, quote, strip_citations
from library.passages import WHOLE, holds_answer, short_title, whole_or_around
from library.text import is_question, sentences
from models import Frozen, Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.cite.cited_sentences import cited_sentences
from reports.cite.source_names import source_name
from reports.document import Quotation
from reports.extract.arrange import QuotePosition, paragraphs
from reports.extract.lead import leading
from reports.extract.opening import OpeningPassage, OpeningQuotation, answering, opening
from reports.extract.quotations import quotes
from reports.settings import Style
from reports.tables.series import ProposedTable

_STYLES: dict[Style, str] = {
    "article": "flowing prose in paragraphs, as in an encyclopedia or a good magazine",
    "brief": "as short as can be: only what a busy decision maker must know",
    "outline": "points: one complete sentence each, no transitions",
    "faq": "a direct answer to the heading read as a question",
}


class PromptPassage(Frozen):
    """A passage as the writer sees it."""

    id: str
    text: str
    title: str
    source: str
    """The source's url."""
    start: int = 0
    """Where the passage begins in its source."""
    published: str | None = None


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
    purpose: str = ""
    """What the section must make clear; empty where it follows a branch of the map."""
    needed: list[str] = Field(default_factory=list)
    """Ids of its passages that the discussion's answers rest on: each is told."""
    elsewhere: list[str] = Field(default_factory=list)
    """The other sections' headings: what they hold is not told here."""
    quotations: list[str] = Field(default_factory=list)
    """Keys of the sentences to quote where there is no language model; chosen for the report as a whole."""
    digest: int = 0
    """Words to quote of a page's answer to the topic, where there is no language model and the topic asks
    something; 0: what `quotations` says."""
    said: list[str] = Field(default_factory=list)
    """What the opening quotes, which is not quoted again; no model sees it."""
    fits: float = 0.0
    """How well what is quoted for a digest must fit the topic at least."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        return {
            "topic": self.topic,
            "heading": self.heading,
            "language": self.language,
            "style": _STYLES[self.style],
            "audience": self.audience,
            "words": told_length(self.words, self.language),
            "mark": mark_for(self.language),
            "elsewhere": _points(self.elsewhere) or "- nothing",
            "notes": "\n\n".join(filter(None, (_notes(m, self.shown, self.heading) for m in self.materials))),
            "passages": show([p for m in self.materials for p in m.passages], self._claims(), WRITTEN),
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
                quotations=quoted(answering(self.topic, own, statistics, self.digest, self.said, self.fits))
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


class ToldSection(Frozen):
    """A section as it stands: what the lead, the title and the last pass are made from."""

    heading: str
    sentences: list[str]
    """With citations."""


def unit_of_length(language: str) -> tuple[str, int]:
    """Return what a writer of a language counts, and how many of these are a word."""
    return ("characters", 2) if language.lower().partition("-")[0] in ("zh", "ja") else ("words", 1)


def told_length(words: int, language: str, least: int = 0) -> str:
    """Return a length as a writer can count it: in words, or in characters where words are not parted."""
    unit, each = unit_of_length(language)
    return f"{' to '.join(f'{n * each}' for n in (least, words) if n)} {unit}"


def mark_for(language: str) -> str:
    """Return how a conclusion is marked in a language."""
    return "（推断）" if language.lower().startswith("zh") else "(inference)"


class AnswerText(TaskOutput):
    """The report's first section as written."""

    found: bool = True
    """Whether the passages answer what was asked, at least in part."""
    paragraph: str = ""
    """Prose, each sentence ending with its citations."""
    unsaid: list[str] = Field(default_factory=list)
    """The parts of the question that no passage answers, as clauses (`how much was withdrawn`)."""
    look_for: list[str] = Field(default_factory=list)
    """Kinds of document that would answer a question which no passage answers."""
    quotations: SkipJsonSchema[list[Quotation]] = Field(default_factory=list)
    """What the embedded model gives in its place; no other is asked for it."""


class WriteAnswer(Task[AnswerText]):
    """Write the first section: the answer to what was asked, from the whole evidence."""

    name: ClassVar[str] = "write_answer"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = AnswerText

    topic: str
    language: str
    audience: str
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked; empty for one thing."""
    words: tuple[int, int] = (120, 200)
    """From how many to how many."""
    evidence: list[PromptPassage] = Field(default_factory=list)
    """What the discussion's answers and facts rest on."""
    answers: list[tuple[str, str]] = Field(default_factory=list)
    """The discussion's questions and answers, with citations."""
    silent: list[str] = Field(default_factory=list)
    """What the sources do not say, as far as was found."""
    draft: str = ""
    """The answer as it was written before, with citations; empty the first time."""
    lacks: list[str] = Field(default_factory=list)
    """What a judge found wanting in the draft."""
    count: int = 6
    """Sentences that are chosen where there is no language model."""
    sections: list[ToldSection] = Field(default_factory=list)
    """The report as it stands, where there is no language model: the answer is chosen from it."""
    about: dict[str, float] = Field(default_factory=dict)
    """How much a passage is about the topic; no model sees it (`reports.extract.quote_selection`)."""
    passages: list[OpeningPassage] = Field(default_factory=list)
    """All that may be cited, where a question is answered without a language model; no model sees it."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        said = cited_by([answer for _question, answer in self.answers])
        return {
            "topic": in_parts(self.topic, self.parts),
            "language": self.language,
            "audience": self.audience,
            "length": told_length(self.words[1], self.language, self.words[0]),
            "mark": mark_for(self.language),
            "answers": "\n".join(given(q, a, self.topic) for q, a in self.answers) or "none",
            "silent": data_block("gaps", _points(self.silent)) if self.silent else "nothing was noted",
            "passages": show(
                self.evidence, {p.id: [self.topic, *said.get(p.id, ())] for p in self.evidence}, WRITTEN
            ),
            "draft": self._revision(),
        }

    def _revision(self) -> str:
        if not self.draft:
            return ""
        draft, lacks = data_block("draft", self.draft), data_block("judgement", _points(self.lacks))
        return f"It was written before, and found wanting; write it again, mended:\n{draft}\n{lacks}\n"

    def extract(self, statistics: Statistics) -> AnswerText:
        """Quote what answers a question (`reports.extract.opening`); of a subject tell what it is.

        Of a subject, the sentences that say most of it are taken from different sections
        (`reports.extract.lead`).
        """
        if told := opening(self.topic, self.passages, statistics) if is_question(self.topic) else []:
            found = holds_answer(self.topic, self.passages, statistics)
            return AnswerText(found=found, quotations=quoted(told))
        sections = self.sections or self._quoted(statistics)
        pool = [(i, s) for i, section in enumerate(sections) for s in section.sentences]
        bare = [(i, strip_citations(sentence).strip("“”")) for i, sentence in pool]
        about = [max((self.about.get(p, 1.0) for p in citations(s)), default=1.0) for _i, s in pool]
        chosen = leading(bare, self.topic, self.count, statistics, about)
        return AnswerText(paragraph=" ".join(pool[i][1] for i in chosen))

    def _quoted(self, statistics: Statistics) -> list[ToldSection]:
        """Return what can be quoted of the evidence, each passage's as if it were a section."""
        texts = [(p.id, p.text) for p in self.evidence]
        found = quotes(texts, statistics)
        return [ToldSection(heading="", sentences=[f"{quote(q.text)} {cite(q.passages[:3])}"]) for q in found]


def in_parts(topic: str, parts: Sequence[str]) -> str:
    """Print what was asked, with its parts numbered from 1 below it."""
    return "\n".join([topic, *(f"  {n}. {part}" for n, part in enumerate(parts, 1))])


def given(question: str, answer: str, topic: str) -> str:
    """Print one of the discussion's answers; of a long one its beginning and what bears on the topic."""
    told = whole_or_around(answer, [topic, *first_sentence(answer)], _GIVEN)
    return data_block("answer", f"Question: {question}\n{told or 'Not answered.'}")


class ReportTitle(TaskOutput):
    """The report's title."""

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


class Edit(TaskOutput):
    """One sentence said better."""

    n: int
    text: str
    """With its citations, and those of sentences that it takes in; empty where another says it too."""


class Edits(TaskOutput):
    """What the last pass changes."""

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
        return {
            "topic": self.topic,
            "language": self.language,
            "report": data_block("report", numbered(self.sections)),
        }

    def extract(self, statistics: Statistics) -> Edits:  # noqa: ARG002 - quotations are not reworded
        """Change nothing."""
        return Edits()


def quoted(told: Sequence[OpeningQuotation]) -> list[Quotation]:
    """Return what is told of a page as a report quotes it."""
    return [Quotation(words=t.words, citations=[t.passage], form=t.form, opens=t.opens) for t in told]


def numbered(sections: Sequence[ToldSection]) -> str:
    """Print sections with their sentences numbered through the whole report, from 1."""
    lines, n = [], 0
    for section in sections:
        lines.append(f"## {section.heading}")
        for sentence in section.sentences:
            n += 1
            lines.append(f"{n}. {sentence}")
    return "\n".join(lines)


def _points(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _notes(material: Material, shown: set[str], heading: str) -> str:
    """Print what was answered about the passages shown: the last answers' sentences that cite one of them.

    What a later answer says of a passage is not shown of an earlier one too.
    """
    said: list[list[str]] = []
    told: set[str] = set()
    for question, answer in reversed(material.notes):
        kept = []
        for sentence in cited_sentences(answer, sentences):
            ids = [i for i in sentence.citations if i in shown]
            if not set(ids) <= told:
                kept.append(f"{sentence.text} {cite(ids)}")
                told.update(ids)
        if kept:
            some = whole_or_around(" ".join(kept), [f"{heading} {question}", kept[0]], _NOTED)
            said.insert(0, [f"Question: {question}", f"Answer: {some}"])
    return data_block("notes", "\n".join([material.title, *chain(*said)])) if said else ""


def first_sentence(text: str) -> list[str]:
    """Return a text's first sentence, which mostly is the main one, in a list; none of an empty text."""
    return [text[start:end] for start, end in sentences(text)[:1]]


WRITTEN = 400
"""Tokens of a passage up to which whoever writes from it sees all of it."""
_GIVEN = 400
"""Tokens of one of the discussion's answers up to which all of it is shown."""
_NOTED = 200
"""Tokens of an answer up to which a section's prompt shows all that is said of its passages."""


_SOURCE = 72
"""Characters of a source's name."""


def show(passages: Sequence[PromptPassage], claims: Mapping[str, Sequence[str]], tokens: int = WHOLE) -> str:
    """Print passages for a prompt, each as `whole_or_around` cuts it; one text of several ids stands once.

    Args:
        passages: A source is named once for passages of it that follow each other.
        claims: By id, what is said of it or asked about it: that part of a long passage is never cut.
        tokens: A passage of up to so many is never cut.
    """
    alike: dict[str, list[PromptPassage]] = {}
    for passage in passages:
        alike.setdefault(" ".join(passage.text.split()), []).append(passage)
    blocks: list[str] = []
    before = ""
    for group in alike.values():
        first = group[0]
        text = whole_or_around(first.text, [claim for p in group for claim in claims.get(p.id, ())], tokens)
        ids = " ".join(p.id for p in group)
        name = source_name(first.title, first.source, first.text)
        source = None if first.source == before else short_title(name, _SOURCE)
        blocks.append(data_block("passage", text, id=ids, source=source, published=first.published))
        before = first.source
    return "\n".join(blocks)


def lines_of(
    passages: Sequence[tuple[str, str]], topic: str, answers: Sequence[str], starred: Collection[str] = ()
) -> str:
    """Print many passages to choose from, a line each: what answers rest on as `show` does, the rest shorter.

    Args:
        passages: Ids and texts.
        topic: What was asked.
        answers: What was said to it, with citations.
        starred: Passages that are marked with a star.
    """
    said = cited_by(answers)
    about = " ".join([topic, *map(strip_citations, answers)])
    room = max(_LEAST_SHOWN, min(WHOLE, _LINES // max(len(passages), 1)))
    return "\n".join(
        f"{i}{'*' if i in starred else ''} "
        + " ".join(whole_or_around(text, said.get(i, [about]), WHOLE if i in said else room).split())
        for i, text in passages
    )


_LINES, _LEAST_SHOWN = 4000, 24
"""Tokens of all passages that are shown to be chosen from, about, and of one that no answer rests on."""


def cited_by(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return for each passage the sentences of some texts that cite it, without their citations."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for sentence in cited_sentences(text, sentences):
            for passage in sentence.citations:
                found.setdefault(passage, []).append(sentence.text)
    return found


def shown(passage_ids: Sequence[str], evidence: Evidence) -> list[PromptPassage]:
    """Return passages as a model sees them."""
    return [
        PromptPassage(id=i, text=p.text, title=p.title, source=p.url, start=p.start, published=p.published)
        for i in dict.fromkeys(passage_ids)
        if (p := evidence.passages.get(i)) is not None
    ]
