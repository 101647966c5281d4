"""Nothing that matters is lost: what the discussion rests on is told, or left out with the reason."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import ClassVar

from pydantic import BaseModel, Field

from library import Evidence, keep_citations, strip_citations
from library.text import terms
from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block
from reports.brief import Brief
from reports.cite.cited_sentences import cited_sentences
from reports.document import LeftOut, Section, Sentence
from reports.extract.quotations import key
from reports.plan.layout import told
from reports.plan.outline_task import UnneededPassage
from reports.tasks.editing_tasks import ToldSection, numbered
from reports.tasks.prompt_texts import PromptPassage, in_parts, show, shown
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing

MOST = 24
"""Passages that the last round of writing takes up at most."""
_SHORT, _NEAREST = 900, 2
"""Tokens of a report that is shown whole to who takes them up; sections of a longer one, for each passage."""
_CITED = 4
"""Citations that a sentence may have and still take another source along."""


class _AlsoSaid(TaskOutput):
    n: int
    passages: list[str] = Field(default_factory=list)


class _Added(TaskOutput):
    after: int
    text: str


class Additions(TaskOutput):
    """What becomes of passages that a report did not tell."""

    also: list[_AlsoSaid] = Field(default_factory=list)
    add: list[_Added] = Field(default_factory=list)
    aside: list[UnneededPassage] = Field(default_factory=list)


class TellLeftOut(Task[Additions]):
    """Decide what becomes of passages that a report rests on and does not tell."""

    name: ClassVar[str] = "tell_left_out"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = Additions

    topic: str
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to."""
    language: str
    sections: list[ToldSection]
    passages: list[PromptPassage]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts; sentences are numbered through the whole report from 1."""
        return {
            "topic": in_parts(self.topic, directions=self.directions),
            "language": self.language,
            "report": data_block("report", numbered(self.sections)),
            "passages": show(self.passages, {p.id: [self.topic] for p in self.passages}),
        }

    def extract(self, statistics: Statistics) -> Additions:  # noqa: ARG002 - words are not made up
        """Add nothing: what was not chosen is left out."""
        return Additions()


def _nothing(sentences: Sequence[Sentence] = ()) -> Section:
    return Section(heading="", level=1, node=None, sentences=list(sentences))


@dataclass(frozen=True, slots=True)
class LateAdditions:
    """Additions to a report, not yet checked."""

    added: Section
    """The new sentences, as a section of their own until they are judged."""
    after: list[int] = field(default_factory=list)
    """For each, the number of the sentence (from 1, through the report) after which it stands."""
    also: Section = field(default_factory=_nothing)
    """Sentences of the report, each with the one passage that may say it too: so they are judged."""
    same: list[int] = field(default_factory=list)
    """For each of those, the number of the sentence."""
    aside: dict[str, str] = field(default_factory=dict)


def untold(needed: Sequence[str], sections: Sequence[Section], evidence: Evidence) -> list[str]:
    """Return the needed passages that no sentence and no table cites, in any source with the same words."""
    cited = {i for section in sections for i in _cited(section)}
    texts = {_words(i, evidence) for i in cited if i in evidence.passages}
    return [i for i in needed if i in evidence.passages and _words(i, evidence) not in texts]


def _cited(section: Section) -> set[str]:
    said = {i for s in section.sentences for i in s.citations}
    return said.union(*(cell.citations for table in section.tables for row in table.rows for cell in row))


def _words(passage: str, evidence: Evidence) -> str:
    return " ".join(evidence.passages[passage].text.split())


def telling_left_out(
    missing: Sequence[str], sections: Sequence[Section], brief: Brief, evidence: Evidence
) -> BatchedRequest[LateAdditions]:
    """Ask what becomes of the passages that the sections do not tell."""
    missing = list(missing)[:MOST]
    every = [s for section in sections for s in section.sentences]
    if not missing or not every:
        return nothing(LateAdditions(_nothing()))
    task = TellLeftOut(
        topic=brief.topic,
        directions=brief.directions,
        language=brief.language,
        sections=near_to(told(sections), [evidence.passages[i].text for i in missing]),
        passages=shown(missing, evidence),
    )

    # What is added may rest beside on what the report's sentences cite: its writer reads these.
    known = list(dict.fromkeys([*missing, *(i for s in every for i in s.citations)]))

    def read(replies: list[Additions]) -> LateAdditions:
        reply = replies[0]
        added = [
            (max(1, min(one.after, len(every))), Sentence(text=c.text, citations=list(c.citations)))
            for one in reply.add
            for c in _sentences(one.text, known)
            if not set(missing).isdisjoint(c.citations)
        ]
        also = [
            (one.n, Sentence(text=every[one.n - 1].text, citations=[i]))
            for one in reply.also
            if 1 <= one.n <= len(every)
            for i in one.passages
            if i in missing and i not in every[one.n - 1].citations
        ]
        aside = {
            i: plain(apart.reason)
            for apart in reply.aside
            for i in apart.passages
            if i in missing and apart.reason
        }
        return LateAdditions(
            added=_nothing([s for _after, s in added]),
            after=[after for after, _s in added],
            also=_nothing([s for _n, s in also]),
            same=[n for n, _s in also],
            aside=aside,
        )

    return BatchedRequest([task], read)


def near_to(sections: Sequence[ToldSection], texts: Sequence[str]) -> list[ToldSection]:
    """Return sections of which those that say something near to none of some texts are set aside.

    Whoever reads a short report sees all of it; of a long one the few sections in which a text may be told
    already, or would be looked for.
    """
    if estimate(numbered(sections)) <= _SHORT:
        return list(sections)
    held = [set(terms(" ".join([s.heading, *map(strip_citations, s.sentences)]))) for s in sections]
    count = Counter(term for own in held for term in own)
    near = set[int]()
    for text in texts:
        wanted = set(terms(text))
        worth = [sum(log(1 + len(held) / count[term]) for term in sorted(own & wanted)) for own in held]
        near.update(sorted(range(len(held)), key=lambda n: (-round(worth[n], 6), n))[:_NEAREST])
    return [s.model_copy(update={"aside": n not in near}) for n, s in enumerate(sections)]


def _sentences(text: str, allowed: Collection[str]) -> list[Sentence]:
    kept, _rejected = keep_citations(plain(text), allowed)
    # What is added is one sentence: of more, all words are kept with all their citations.
    found = cited_sentences(kept, lambda whole: [(0, len(whole))] if whole else [])
    if not found:
        return []
    ids = list(dict.fromkeys(i for piece in found for i in piece.citations))
    return [Sentence(text=" ".join(piece.text for piece in found), citations=ids)]


def taken_in(sections: Sequence[Section], additions: LateAdditions) -> list[Section]:
    """Return the sections with the additions that stand, as they were judged."""
    every = {key(s.text) for section in sections for s in section.sentences}
    new: dict[int, list[Sentence]] = {}
    for after, sentence in zip(additions.after, additions.added.sentences, strict=True):
        if sentence.citations and sentence.support != "unsupported" and key(sentence.text) not in every:
            new.setdefault(after, []).append(sentence)
    along: dict[int, list[str]] = {}
    for n, sentence in zip(additions.same, additions.also.sentences, strict=True):
        if sentence.support in ("supported", "quoted"):
            along.setdefault(n, []).extend(sentence.citations)
    found, n = [], 0
    for section in sections:
        sentences: list[Sentence] = []
        for sentence in section.sentences:
            n += 1
            ids = list(dict.fromkeys([*sentence.citations, *along.get(n, ())]))
            room = max(_CITED, len(sentence.citations))
            sentences += [sentence.model_copy(update={"citations": ids[:room]}), *new.get(n, ())]
        found.append(section.model_copy(update={"sentences": sentences}))
    return found


def left_out(missing: Sequence[str], reasons: Mapping[str, str], otherwise: str) -> list[LeftOut]:
    """Return what a report leaves out, each passage with the reason that was given or a general one."""
    return [LeftOut(passage=i, reason=reasons.get(i) or otherwise) for i in missing]
