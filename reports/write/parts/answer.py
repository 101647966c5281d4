"""The report's first section: the answer, written from the whole evidence and judged against the question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import BaseModel, Field

from library import Evidence, citations, cite, strip_citations
from models import Role, Statistics, Task, TaskOutput, estimate
from models.prompting import data_block
from reports.brief import Brief
from reports.cite.lead_ins import led_to
from reports.document import Section, Sentence
from reports.extract.quotations import key
from reports.plan.layout import IN_ORDER
from reports.settings import ReportSettings
from reports.tasks.answer_task import AnswerText, WriteAnswer
from reports.tasks.prompt_texts import (
    WRITTEN,
    cited_as_shown,
    in_parts,
    lines_of,
    points,
    shown,
    sources_of,
)
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest
from reports.write.drafting.section_drafting import SectionDrafting
from reports.write.drafting.written_text import as_written, written
from reports.write.parts.answer_length import words_asked
from reports.write.parts.kept_draft import with_kept

_SHOWN = 240
"""Tokens of a passage that count when it is reckoned how many fit into a prompt."""
_TAGS = 30
"""Tokens of a passage's tags."""
_BESIDE = 0.25
"""Share (0 to 1) of the room of all passages that others have beside those, however many they are."""
_RESTED_ON = 2
"""How many times the room of all passages those may take that an answer must be shown."""
_MORE = 5
"""Passages that an answer is written from beside those that an outline chose, and is mended from beside those
that it cites or lacks."""


class _Lacking(TaskOutput):
    what: str
    passages: list[str] = Field(default_factory=list)


class _ToldPoint(TaskOutput):
    n: int
    rest: str = ""
    """What of it remains unsaid, as a clause; empty: nothing."""


class AnswerReview(TaskOutput):
    """What a judge says of the answer; all empty when it can stand."""

    lacks: list[_Lacking] = Field(default_factory=list)
    beside: list[int] = Field(default_factory=list)
    unsaid: list[str] = Field(default_factory=list)
    parts: list[int] = Field(default_factory=list)
    """Numbers of the parts of the question of which it tells too little and does not call them unsaid."""
    framed: list[int] = Field(default_factory=list)
    """Numbers of the sentences that tell of those who discussed instead of the matter."""
    told: list[_ToldPoint] = Field(default_factory=list)
    """Points of what the report calls unsaid that a passage tells after all."""


class ReviewAnswer(Task[AnswerReview]):
    """Judge the answer against the question and the evidence."""

    name: ClassVar[str] = "review_answer"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = AnswerReview

    topic: str
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked; empty for one thing."""
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to."""
    sentences: list[str]
    """With citations."""
    closing: str = ""
    """What it says of what the sources do not say."""
    silent: list[str] = Field(default_factory=list)
    """What the report's end is to say that the sources do not say."""
    elsewhere: list[str] = Field(default_factory=list)
    """What the report's sections tell that comes nearest to those points, with citations."""
    evidence: list[tuple[str, str]]
    """Ids and texts."""
    sources: dict[str, str] = Field(default_factory=dict)
    """By id, what the source of a passage is called."""
    answers: list[str] = Field(default_factory=list)
    """What the discussion answered, with citations; the prompt shows what it rests on, not the answers."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        numbered = [f"{n}. {sentence}" for n, sentence in enumerate(self.sentences, 1)]
        silent = [f"{n}. {point}" for n, point in enumerate(self.silent, 1)]
        near = [data_block("told", points(self.elsewhere))] if self.elsewhere else []
        return {
            "topic": in_parts(self.topic, self.parts, self.directions),
            "answer": data_block("answer", "\n".join([*numbered, self.closing])),
            "silent": "\n".join([data_block("gaps", "\n".join(silent)), *near]) if silent else "nothing",
            "evidence": data_block(
                "passages", lines_of(self.evidence, self.topic, self.answers, (), self.sources)
            ),
        }

    def extract(self, statistics: Statistics) -> AnswerReview:  # noqa: ARG002 - words tell nothing of it
        """Ask for nothing more: no statistics of words can tell what an answer lacks."""
        return AnswerReview()


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """The answer as a section, and whether it is one."""

    section: Section
    found: bool
    unsaid: list[str] = field(default_factory=list)
    """What it says the sources do not say."""


def _room(ids: Sequence[str], evidence: Evidence, tokens: int, each: int) -> list[str]:
    """Return the ids whose passages, shown with so many tokens each at most, fit; the first ones first."""
    kept: list[str] = []
    left = tokens
    for i in ids:
        left -= min(estimate(evidence.passages[i].text), each) + _TAGS
        if left >= 0 or not kept:
            kept.append(i)
    return kept


def whole_evidence(drafting: SectionDrafting) -> list[str]:
    """Return all passages in the order in which an answer wants them.

    First what the outline chose, what the discussion rests on before the rest; without an outline two that
    the discussion rests on, then the next of those nearest to what was asked and answered, and so on: the
    discussion may have passed over what answers best. What the outline set aside is not among them.
    """
    brief, evidence = drafting.brief, drafting.evidence
    ids = [i for i in evidence.passages if i not in drafting.aside]
    texts = [evidence.passages[i].text for i in ids]
    asked = drafting.statistics.relevance(brief.topic, texts)
    answers = " ".join(strip_citations(given.answer) for given in brief.answers)
    said = drafting.statistics.relevance(answers, texts)
    near = [round(a + b, 6) for a, b in zip(asked, said, strict=True)]
    nearest = [ids[n] for n in sorted(range(len(ids)), key=lambda n: (-near[n], n))]
    needed = [i for i in drafting.needed if i not in drafting.aside]
    chosen = set(drafting.chosen)
    found = [i for i in needed if i in chosen] + [i for i in drafting.chosen if i not in set(needed)]
    for n, passage in enumerate(nearest):
        found += [*needed[2 * n : 2 * n + 2], passage]
    found = list(dict.fromkeys([*found, *needed]))
    return found[: len(chosen | set(needed)) + _MORE] if chosen else found


def answer_evidence(
    brief: Brief, evidence: Evidence, needed: Sequence[str], settings: ReportSettings
) -> list[str]:
    """Return the passages that the answer is written from, and judged by: who judges asks for nothing else.

    First all that the discussion's answer to the topic itself cites, then others as far as there is room, a
    few in any case: that answer may have passed over what a reader needs.

    Args:
        brief: The question, and what was answered to it.
        evidence: All that was admitted.
        needed: The passages in the order in which an answer wants them.
        settings: How much evidence a prompt holds.
    """
    return _with_others(_closing(brief, needed), needed, evidence, settings, len(needed))


def _closing(brief: Brief, needed: Sequence[str]) -> list[str]:
    """Return which of some passages the discussion's answer to the topic itself cites."""
    cited = dict.fromkeys(i for q, a in brief.given if q == brief.topic for i in citations(a))
    return [i for i in cited if i in set(needed)]


def _with_others(
    first: Sequence[str], needed: Sequence[str], evidence: Evidence, settings: ReportSettings, more: int
) -> list[str]:
    """Return the ids of what must be shown, and of so many others at most as there is room for."""
    room = settings.evidence_tokens
    first = _room([i for i in first if i in evidence.passages], evidence, _RESTED_ON * room, WRITTEN)
    others = [i for i in needed if i in evidence.passages and i not in set(first)][:more]
    spent = sum(min(estimate(evidence.passages[i].text), _SHOWN) + _TAGS for i in first)
    beside = _room(others, evidence, max(room - spent, int(_BESIDE * room)), _SHOWN)
    return [*first, *beside]


def answering(
    brief: Brief,
    evidence: Evidence,
    needed: Sequence[str],
    silent: Sequence[str],
    settings: ReportSettings,
    revised: tuple[WrittenAnswer, Sequence[str]] | None = None,
) -> WriteAnswer:
    """Return the task of writing the answer.

    It shows, whole, all that the draft cites and lacks and that the discussion's answer to the topic itself
    cites, and others as far as there is room.

    Args:
        brief: The question, and what was answered to it.
        evidence: All that was admitted.
        needed: The passages that it is written from, what matters most first.
        silent: What the sources do not say.
        settings: Style, audience, and how much evidence a prompt holds.
        revised: The answer as it was written before, and what it lacks.
    """
    least, most = words_asked(settings, brief.topic)
    if revised is None:
        ids = answer_evidence(brief, evidence, needed, settings)
    else:  # first what it lacks, and what it cites
        cited = [i for s in revised[0].section.sentences for i in s.citations]
        lacking = [i for point in revised[1] for i in citations(point)]
        least, most = words_asked(settings, brief.topic, adds=bool(lacking))
        first = list(dict.fromkeys([*lacking, *cited, *_closing(brief, needed)]))
        # What is only too long is mended from what it cites.
        ids = _with_others(first, needed, evidence, settings, _MORE if lacking else 0)
    # What has no room keeps its citations: without them a claim would seem to rest on another, or on none.
    citable = {*ids, *(i for i in needed if i in evidence.passages)}
    return WriteAnswer(
        topic=brief.topic,
        parts=brief.parts,
        directions=brief.directions,
        language=brief.language,
        audience=settings.audience,
        words=(min(least, 40 * len(ids)), min(most, 60 * max(len(ids), 1))),
        evidence=shown(ids, evidence),
        answers=[(q, cited_as_shown(a, citable)) for q, a in (_last_said(brief) if revised else brief.given)],
        silent=list(silent),
        draft=as_written(revised[0].section.sentences) if revised else "",
        lacks=list(revised[1]) if revised else [],
        count=settings.lead_sentences,
    )


def _last_said(brief: Brief) -> list[tuple[str, str]]:
    """Return what the discussion came to at its end, and what was said after it, which may correct it.

    What is mended was written from all answers.
    """
    given = brief.given
    last = max((n for n, (question, _) in enumerate(given) if question == brief.topic), default=len(given))
    return [each for n, each in enumerate(given) if each[0] == brief.topic or n > last]


def read_answer(
    text: AnswerText,
    task: WriteAnswer,
    drafting: SectionDrafting,
    *,
    listed: bool,
    draft: Sequence[Sentence] = (),
) -> WrittenAnswer:
    """Return the answer as a section: only what its writer was shown is cited.

    Where the sources do not answer the question, the section opens with that, and ends with what would
    answer it.

    Args:
        text: As written.
        task: What was asked.
        drafting: The order, and the evidence.
        listed: Whether each sentence is a point of its own.
        draft: The sentences that it was to mend: those that it kept keep what they cite.
    """
    phrases = drafting.phrases
    named = [i for _question, answer in task.answers for i in citations(answer)]
    shown_ids = [*(p.id for p in task.evidence), *(i for s in draft for i in s.citations), *named]
    told = written([text.paragraph], shown_ids, drafting.statistics, points=listed)
    told = with_kept(told, draft)
    sentences = {
        (key(s.text), n if s.form in IN_ORDER or led_to(told, n - 1) else 0): s for n, s in enumerate(told, 1)
    }
    unsaid = _clauses(text.unsaid)[:3]
    parts = phrases.unsaid_and.join(unsaid)
    section = Section(
        heading=phrases.lead if text.found or unsaid else phrases.nearest,
        level=1,
        node=None,
        sentences=list(sentences.values()),
        closing=phrases.unsaid.format(parts=parts) if unsaid else "",
    )
    if not text.found and unsaid:
        kinds = phrases.comma.join(_clauses(text.look_for)[:3])
        closing = phrases.look_for.format(kinds=kinds) if kinds else ""
        # It counts nothing: what is read afterwards may leave it as it stands.
        opening = phrases.unanswered.format(parts=parts)
        section = section.model_copy(update={"opening": opening, "closing": closing})
    return WrittenAnswer(section, text.found, unsaid)


def _clauses(texts: Sequence[str]) -> list[str]:
    """Return clauses as they can stand within a sentence, each once."""
    clean = [plain(strip_citations(text)).strip(" .。") for text in texts]
    return [text for text in dict.fromkeys(clean) if text]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a judge says of an answer."""

    lacks: list[str]
    """Points to be mended; none when it can stand."""
    silent: list[str]
    """What the sources do not say, without what a passage tells after all."""


def reviewing(
    answer: WrittenAnswer,
    brief: Brief,
    evidence: Evidence,
    seen: Sequence[str],
    silent: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
) -> BatchedRequest[Reviewed]:
    """Ask what the answer lacks of these passages, and what these tell of what is called unsaid.

    Who checked that saw the passages nearest to it alone; who judges the answer sees what it rests on.

    Args:
        answer: As it was written.
        brief: What was asked, and answered.
        evidence: All that was admitted.
        seen: The passages that it was written from (`answer_evidence`): the judge sees the same.
        silent: What the report's end is to say that the sources do not say.
        elsewhere: What its sections tell that comes nearest to that, with citations.
    """
    sentences = _cited(answer.section)
    task = ReviewAnswer(
        topic=brief.topic,
        parts=brief.parts,
        directions=brief.directions,
        sentences=sentences,
        closing=" ".join(filter(None, [answer.section.opening, answer.section.closing])),
        silent=list(silent),
        elsewhere=list(elsewhere),
        evidence=[(i, evidence.passages[i].text) for i in seen],
        sources=sources_of(seen, evidence),
        answers=[*(answer for _question, answer in brief.given), *brief.facts],
    )

    def read(replies: list[AnswerReview]) -> Reviewed:
        review, known = replies[0], evidence.passages
        found = []
        for lacking in review.lacks[:6]:
            ids = [i for i in lacking.passages if i in known]
            if plain(lacking.what):
                found.append(f"It lacks: {plain(lacking.what)} {cite(ids)}".strip())
        numbers = [n for n in review.beside if 1 <= n <= len(sentences)]
        found += [f"Beside the question: {sentences[n - 1]}" for n in numbers]
        found += [
            f"It tells of a discussion, of passages or of a search; say the matter itself: {sentences[n - 1]}"
            for n in review.framed
            if 1 <= n <= len(sentences)
        ]
        found += [
            f"It tells too little of a part of the question, and does not call it unsaid: {part}"
            for n, part in enumerate(brief.parts, 1)
            if n in review.parts
        ]
        if said := [i for i in review.unsaid if i in known]:
            found.append(f"It calls unsaid what a passage says: {cite(said)}")
        rest = {told.n: "".join(_clauses([told.rest])) for told in review.told}
        left = [rest.get(n, point) for n, point in enumerate(silent, 1)]
        return Reviewed(found, [point for point in left if point])

    return BatchedRequest([task], read)


def _cited(section: Section) -> list[str]:
    return [f"{s.text} {cite(s.citations)}".strip() for s in section.sentences]
