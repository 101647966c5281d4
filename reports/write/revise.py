"""A report that stands is brought up to date: what was answered since goes in, the rest stays to the byte."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from library import Evidence, citations
from models import Asks, Statistics
from reports.brief import Brief, Counts
from reports.cite.source_numbering import source_order
from reports.document import Answer, Report, Section
from reports.extract.quotations import key
from reports.plan.layout import told
from reports.plan.map_reader import Map, branch
from reports.plan.revision import Change, changes_of, outline_with, standing_plans
from reports.plan.revision_task import PlanRevision, Revision
from reports.report_phrases import ReportPhrases, phrases_for
from reports.settings import ReportSettings
from reports.tasks.editing_tasks import ToldSection
from reports.tasks.prompt_texts import shown
from reports.verify.kept_reviews import Review, Reviews
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing, together
from reports.write.drafting.batch_tasks import SectionTexts, seen_by_writers, writing
from reports.write.drafting.drafts import only_shown
from reports.write.drafting.section_drafting import SectionDrafting
from reports.write.drafting.verify_and_repair import Mended, Repairer, failing
from reports.write.drafting.written_text import as_written
from reports.write.from_evidence import answer_request
from reports.write.parts.answer import WrittenAnswer
from reports.write.parts.complete import completed
from reports.write.parts.gaps import Gaps, apart


@dataclass(frozen=True, slots=True)
class StandingReport:
    """A report that was written before."""

    report: Report
    answers: int
    """How many of the discussion's answers it was written from: the first so many."""


async def revise_report(
    standing: StandingReport,
    brief: Brief,
    tree: Map,
    evidence: Evidence,
    asks: Asks,
    statistics: Statistics,
    settings: ReportSettings,
    on_section: Callable[[Section], None] | None = None,
    reviews: Mapping[str, Review] | None = None,
    on_reviews: Callable[[dict[str, Review]], None] | None = None,
    counted: Callable[[], Counts] | None = None,
) -> Report:
    """Bring a report up to date with what was answered since, in two to four requests.

    Sections whose evidence did not change, and the opening where the answer did not, stay as they are: they
    are neither written nor judged again.

    Args:
        standing: The report, and how many answers it tells.
        brief: As the session stands now, with all its answers.
        tree: The mind map.
        evidence: All that may be cited. Sections that cite anything else are written again.
        asks: Whom to ask.
        statistics: What is known of the text.
        settings: The same as of the standing report.
        on_section: Told of each section that was written.
        reviews: What was said of sentences before.
        on_reviews: Told of what was said now.
        counted: Counts again what was spent when all is written; None: `brief.counts` stands.

    Raises:
        ModelUnavailable: the writer's model cannot be had.
    """
    if settings.language:
        brief = brief.model_copy(update={"language": settings.language})
    known = Reviews(dict(reviews or {}))
    work = _Revising(standing, brief, tree, evidence, asks, statistics, settings, phrases_for(brief.language))
    report = await work.revised(known, counted, on_section or (lambda _section: None))
    if on_reviews is not None and known.new:
        on_reviews(known.new)
    return report


@dataclass(frozen=True, slots=True)
class _Revising:
    standing: StandingReport
    brief: Brief
    tree: Map
    evidence: Evidence
    asks: Asks
    statistics: Statistics
    settings: ReportSettings
    phrases: ReportPhrases

    async def revised(
        self, reviews: Reviews, counted: Callable[[], Counts] | None, on_section: Callable[[Section], None]
    ) -> Report:
        opening, sections = self._parts()
        [revision] = await together(self.asks, self._planning(opening, sections))
        root = branch(self.tree, self.tree.root, self.evidence)
        plans = standing_plans(self.standing.report.outline, self.tree, self.evidence)
        gone = {n for n, section in enumerate(sections) if self._rests_on_gone(section)}
        changes = changes_of(revision, sections, gone, plans, root, self.evidence, self.brief.language)
        drafting = self._drafting(changes)
        rewritten = revision.opening or opening is None or self._rests_on_gone(opening)
        answering = self._answering(drafting, opening) if rewritten else None
        answer, drafts = await together(
            self.asks, answering or nothing(None), self._writing(drafting, changes, sections)
        )
        texts = [*([answer.section] if answer else []), *drafts]
        stands = await self._mended(texts, reviews, [*drafting.chosen, *drafting.needed])
        mended = list(stands.sections)
        lead = mended.pop(0) if answer else opening
        if lead is not None and not lead.sentences and opening is not None:
            lead, answer = opening, None  # no better: the first one stands
        body = self._put_together(sections, changes, mended)
        for section in [*([lead] if answer and lead else []), *(s for s in mended if s.sentences)]:
            on_section(section)
        found = self.standing.report.answer.found or bool(answer and answer.found and lead and lead.sentences)
        report = self.standing.report.model_copy(
            update={
                "sections": [*([lead] if lead else []), *body],
                "answer": Answer(found=found, sentences=len(lead.sentences) if lead else 0),
                "outline": outline_with(plans, changes),
                "numbered": self._numbered(),
            }
        )
        brief = self.brief.model_copy(update={"counts": counted()}) if counted else self.brief
        before = self.standing.report.summary
        return completed(
            report, brief, self.evidence, self.phrases, drafting.needed,
            {one.passage: one.reason for one in self.standing.report.left_out}, self._unsaid(revision),
            uncited=before.uncited_dropped + stands.uncited,
            unsupported=before.unsupported_dropped + stands.unsupported,
            repeated=before.repeated_dropped + stands.told,
        )  # fmt: skip

    def _parts(self) -> tuple[Section | None, list[Section]]:
        """Return the opening, None where there is none, and the sections behind it."""
        sections = self.standing.report.sections
        leads = {self.phrases.lead, self.phrases.nearest}
        if sections and sections[0].heading in leads:
            return sections[0], list(sections[1:])
        return None, list(sections)

    def _news(self) -> list[tuple[str, str]]:
        return [(given.question, given.answer) for given in self.brief.answers[self.standing.answers :]]

    def _planning(self, opening: Section | None, sections: Sequence[Section]) -> BatchedRequest[Revision]:
        news = self._news()
        ids = [i for i in dict.fromkeys(c for _q, a in news for c in citations(a)) if self._known(i)]
        head = told([opening])[0] if opening else ToldSection(heading=self.phrases.lead, sentences=[])
        task = PlanRevision(
            topic=self.brief.topic,
            language=self.brief.language,
            parts=self.brief.parts,
            opening=head,
            sections=told(sections),
            points=self.standing.report.back.open_questions,
            answers=news,
            passages=shown(ids, self.evidence),
        )
        return BatchedRequest([task], lambda replies: replies[0])

    def _known(self, passage: str) -> bool:
        return passage in self.evidence.passages

    def _rests_on_gone(self, section: Section) -> bool:
        return any(not self._known(i) for s in section.sentences for i in s.citations)

    def _drafting(self, changes: Sequence[Change]) -> SectionDrafting:
        needed = [i for i in self.brief.resting if self._known(i)]
        return SectionDrafting(
            self.brief, self.evidence, self.statistics, self.settings, self.phrases, needed,
            chosen=[i for change in changes for i in change.plan.chosen],
        )  # fmt: skip

    def _answering(self, drafting: SectionDrafting, opening: Section | None) -> BatchedRequest[WrittenAnswer]:
        gaps = Gaps(unsaid=self.standing.report.back.open_questions)
        if opening is None:
            return answer_request(drafting, gaps)
        lacks = [f"Since then it was asked: {q} And answered: {a}" for q, a in self._news()]
        before = WrittenAnswer(opening, self.standing.report.answer.found)
        return answer_request(drafting, gaps, (before, lacks))

    def _writing(
        self, drafting: SectionDrafting, changes: Sequence[Change], sections: Sequence[Section]
    ) -> BatchedRequest[list[Section]]:
        """Ask for the sections that change; one that comes back empty is empty."""
        plans = [change.plan for change in changes]
        places = {change.place for change in changes}
        stay = [section for n, section in enumerate(sections) if n not in places]
        headings = [*(section.heading for section in stay), *(plan.heading for plan in plans)]
        tasks = [
            task.model_copy(
                update={
                    "before": as_written(change.before.sentences) if change.before else "",
                    "elsewhere": [heading for heading in headings if heading != task.heading],
                    "needed": list(change.plan.chosen),
                }
            )
            for task, change in zip(drafting.tasks(plans), changes, strict=True)
        ]
        requests = writing(tasks)
        shown_to = seen_by_writers(requests)
        said = {key(s.text) for section in stay for s in section.sentences}

        def read(replies: list[SectionTexts]) -> list[Section]:
            texts = [
                text for r, reply in zip(requests, replies, strict=True) for text in reply.of(len(r.parts))
            ]
            return [
                drafting.section(plan, only_shown(text, seen), set(plan.passages()), said)
                for plan, text, seen in zip(plans, texts, shown_to, strict=True)
            ]

        return BatchedRequest(list(requests), read)

    async def _mended(
        self, sections: Sequence[Section], reviews: Reviews, shown_to: Sequence[str]
    ) -> Mended:
        """Check what was written, have it judged and repaired; say how much was left out, and why."""
        mender = Repairer(self.brief.topic, self.brief.language, self.evidence, self.settings, reviews)
        checked = await asyncio.to_thread(mender.checked, sections)
        [judged] = await together(self.asks, mender.judging(checked))
        if places := failing(judged):
            repairing = await asyncio.to_thread(mender.repairing, judged, shown_to=shown_to)
            [judged] = await together(self.asks, repairing)
            [judged] = await together(self.asks, mender.judging(judged, places))
        return mender.standing(judged)

    def _put_together(
        self, sections: Sequence[Section], changes: Sequence[Change], written: Sequence[Section]
    ) -> list[Section]:
        """Put what was written in its place; new sections stand behind the others."""
        body: list[Section] = list(sections)
        new: list[Section] = []
        for change, section in zip(changes, written, strict=True):
            if change.place is None:
                new += [section] if section.sentences else []
            elif section.sentences:
                body[change.place] = section
        body = [section for section in map(self._without_gone, body) if section.sentences or section.tables]
        last = len(body)
        if body and body[-1].heading == self.phrases.disagree:
            last -= 1
        return [*body[:last], *new, *body[last:]]

    def _without_gone(self, section: Section) -> Section:
        if not self._rests_on_gone(section):
            return section
        kept = [s for s in section.sentences if all(map(self._known, s.citations))]
        return section.model_copy(update={"sentences": kept})

    def _numbered(self) -> list[str]:
        """Return the sources in the order of their numbers, so that what stays reads the same."""
        return source_order(self.standing.report, {i: p.sha256 for i, p in self.evidence.passages.items()})

    def _unsaid(self, revision: Revision) -> list[str]:
        kept = [
            point
            for n, point in enumerate(self.standing.report.back.open_questions, 1)
            if n not in revision.answered
        ]
        new = [plain(text).strip(" .。") for text in revision.unsaid[:2]]
        return apart([*(text for text in new if text), *kept], self.statistics)
