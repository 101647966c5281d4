"""From the map to the report: outline, answer and sections at the same time, checks, what was left out."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from library import Evidence
from library.text import is_question
from models import Asks, Statistics
from reports.brief import Brief, Counts
from reports.document import Answer, Report, Section
from reports.extract.quotations import key
from reports.extract.whole_quotations import whole_quotations
from reports.plan.bearing import bearing
from reports.plan.faq import asked
from reports.plan.layout import IN_ORDER, gathered, restated, tidy, without
from reports.plan.map_reader import Map
from reports.plan.outline import ReportPlan, plan_report
from reports.plan.outline_file import outline_text
from reports.plan.outline_task import SectionOutline
from reports.plan.pages import plan_pages
from reports.plan.section_plan import PlannedReport, planned, planning
from reports.report_phrases import phrases_for
from reports.settings import ReportSettings
from reports.verify.check import check_report
from reports.verify.kept_reviews import Review, Reviews
from reports.write.drafting.batch import BatchedRequest, nothing, together
from reports.write.drafting.drafts import Drafts, in_own_words
from reports.write.drafting.section_drafting import SectionDrafting, asks_alone
from reports.write.finished import Finished
from reports.write.from_evidence import answer_request, finish_from_evidence
from reports.write.from_sections import finish_from_sections
from reports.write.parts.asked_questions import asked_sections
from reports.write.parts.complete import completed
from reports.write.parts.disagreement import disagreement
from reports.write.parts.gaps import Gaps, beside, checking_gaps

_BESIDE = 0.4
"""What writers of sections are offered beside the passages planned, as a share of an answer's evidence."""
OnSection = Callable[[Section], None]


async def write_report(
    brief: Brief,
    tree: Map,
    evidence: Evidence,
    asks: Asks,
    statistics: Statistics,
    on_section: OnSection | None = None,
    settings: ReportSettings | None = None,
    plans: Sequence[ReportPlan] | None = None,
    drafts: Drafts | None = None,
    on_drafts: Callable[[Drafts], None] | None = None,
    reviews: Mapping[str, Review] | None = None,
    on_reviews: Callable[[dict[str, Review]], None] | None = None,
    counted: Callable[[], Counts] | None = None,
) -> Report:
    """Write and check a report. The same inputs give the same report, apart from what a language model says.

    Args:
        brief: Topic, language and what the session counted.
        tree: The mind map.
        evidence: All that was admitted; only it can be cited.
        asks: Whom to ask.
        statistics: What is known of the text.
        on_section: Told of each section as it is written, before it is checked; for screens.
        settings: Length, style, what becomes of unsupported claims.
        plans: The sections to write (`reports.plan.outline_file.read_outline`); by default `plan_report`'s.
        drafts: Sections as they were written before; those are not asked for again.
        on_drafts: Told of the sections that were written now, to be kept and given as `drafts` later.
        reviews: What was said of sentences before; those are not judged or edited again.
        on_reviews: Told of what was said now, to be kept and given as `reviews` later.
        counted: Counts again what was spent when all is written; None: `brief.counts` stands.

    Raises:
        ModelUnavailable: the writer's model cannot be had.
    """
    settings = settings or ReportSettings()
    if settings.language:
        brief = brief.model_copy(update={"language": settings.language})
    if not brief.embedded and plans is None and is_question(brief.topic):
        evidence = bearing(brief, tree, evidence, statistics)
    report = _Writing(brief, tree, evidence, asks, statistics, settings, on_section, counted)
    known = Reviews(dict(reviews or {}))
    unsaid = checking_gaps(brief, evidence, statistics, settings.evidence_tokens // 2)
    outline, gaps = await together(asks, report.outlining(plans), unsaid)
    flat = report.plans(plans, outline)
    if outline is not None:  # who planned it has read the points on which sources seemed to disagree
        points = [point for n, point in enumerate(brief.contradictions) if n in outline.differ]
        brief = brief.model_copy(update={"contradictions": points})
        report = replace(report, brief=brief)
    needed = [i for i in dict.fromkeys([*gaps.answering, *brief.resting]) if i in evidence.passages]
    drafting = SectionDrafting(
        brief, evidence, statistics, settings, phrases_for(brief.language), needed,
        chosen=() if brief.embedded else [i for plan in flat for i in plan.chosen],
        aside=outline.aside if outline else {},
        found=gaps.found,
    )  # fmt: skip
    finished = await report.finished(drafting, flat, gaps, drafts or {}, on_drafts, known)
    if on_reviews is not None and known.new:
        on_reviews(known.new)
    # What was planned by passages stands as its outline says, under headings that name pages or questions.
    chosen = any(plan.chosen for plan in flat)
    follows_map = plans is None and outline is None and not chosen
    bound = await asyncio.to_thread(report.bound, drafting, finished, gaps, follows_map)
    if plans is not None or chosen:
        printed = outline_text([replace(plan, parts=()) for plan in flat])
        bound = bound.model_copy(update={"outline": printed})
    if on_section is not None and bound.answer.sentences:
        on_section(bound.sections[0])
    return bound


@dataclass(frozen=True, slots=True)
class _Writing:
    brief: Brief
    tree: Map
    evidence: Evidence
    asks: Asks
    statistics: Statistics
    settings: ReportSettings
    on_section: OnSection | None
    counted: Callable[[], Counts] | None = None

    def outlining(self, plans: Sequence[ReportPlan] | None) -> BatchedRequest[PlannedReport | None]:
        """Ask for an outline, where a question was asked and nobody made one; None: the map is it."""
        if plans is not None or self.brief.embedded or not is_question(self.brief.topic):
            return nothing(None)
        resting = [i for i in self.brief.resting if i in self.evidence.passages]
        task = planning(self.brief, self.tree, self.evidence, resting, self.settings, self.statistics)

        def read(replies: list[SectionOutline]) -> PlannedReport | None:
            return planned(
                replies[0], self.tree, self.evidence, resting, self.statistics, self.brief,
                beside=int(_BESIDE * self.settings.evidence_tokens),
            )  # fmt: skip

        return BatchedRequest([task], read)

    def plans(self, plans: Sequence[ReportPlan] | None, outline: PlannedReport | None) -> list[ReportPlan]:
        """Return the sections to be written, in reading order."""
        if outline is not None:
            return outline.plans
        phrases, most = phrases_for(self.brief.language), self.settings.max_sections
        if plans:
            tops = list(plans)
        elif asks_alone(self.brief):
            tops = plan_pages(self.brief.topic, self.evidence, self.statistics, most)
        else:
            tops = plan_report(self.tree, self.evidence, self.statistics, phrases, most)
        flat = [plan for top in tops for plan in top.flat()]
        return asked(flat, phrases, given=bool(plans)) if self.settings.style == "faq" else flat

    async def finished(
        self,
        drafting: SectionDrafting,
        plans: Sequence[ReportPlan],
        gaps: Gaps,
        drafts: Drafts,
        on_drafts: Callable[[Drafts], None] | None,
        reviews: Reviews,
    ) -> Finished:
        """Have the answer and the sections written, checked and mended."""
        alone = self.brief.embedded
        first = nothing(None) if alone else answer_request(drafting, gaps)
        answer, fresh = await together(self.asks, first, drafting.drafting(plans, drafts))
        if on_drafts is not None and (own := {k: text for k, text in fresh.items() if in_own_words(text)}):
            on_drafts(own)
        # In a thread, as checking is: a process may hold other sessions, who wait for nothing here.
        sections = await asyncio.to_thread(drafting.drafted, plans, {**drafts, **fresh})
        if self.on_section is not None:
            asks = asks_alone(self.brief)
            shown = whole_quotations(sections, self.evidence, bridged=asks) if alone else sections
            for section in shown:
                if section.sentences:
                    self.on_section(section)

        async def finish(written: Sequence[Section]) -> Finished:
            if alone:
                return await finish_from_sections(drafting, written, self.tree, self.asks, reviews)
            return await finish_from_evidence(drafting, answer, written, gaps, self.asks, reviews)

        found = await finish(sections)
        if any(section.sentences for section in found.sections.sections):
            return found
        # Nothing of what was written may stand: then the sources speak for themselves.
        again = await finish(drafting.quoted(plans))
        mended = replace(
            again.sections, uncited=found.sections.uncited, unsupported=found.sections.unsupported,
            told=found.sections.told,
        )  # fmt: skip
        return replace(again, sections=mended)

    def bound(self, drafting: SectionDrafting, finished: Finished, gaps: Gaps, follows_map: bool) -> Report:
        """Put the parts in their places, and count."""
        brief, evidence, phrases = self.brief, self.evidence, drafting.phrases
        sections = finished.sections.sections
        # Without a model differences are told by figures and words alone, most of them beside a question.
        apart = None
        if not asks_alone(brief):
            tree = None if drafting.chosen else self.tree  # an outline's maker has read what the map marks
            lead = finished.answer.sections[0]
            apart, sections = disagreement(brief, tree, sections, evidence, phrases, lead)
        answer = finished.answer.sections[0]
        said = {key(s.text) for s in answer.sentences}
        if self.brief.embedded:  # the opening was chosen from the sections: there it moved
            held = [answer, *without(sections, said)]
            answer, *rest = whole_quotations(held, evidence, bridged=asks_alone(brief))
        else:
            rest = without(sections, restated(sections), keep=IN_ORDER)
        repeated = 0 if self.brief.embedded else _sentences(sections) - _sentences(rest)
        sections = tidy(rest)
        if follows_map and self.settings.style in ("article", "outline"):
            sections = gathered(sections, phrases.more)
        found = finished.found and bool(answer.sentences)
        opening = [answer] if answer.sentences or answer.opening else []
        # The first section answers what the whole is about; what was asked on stands behind it.
        asked = asked_sections(brief.asked, evidence, self.statistics, phrases)
        asked_on = [whole for each in asked for whole in whole_quotations([each], evidence)]
        rest = [*sections, *([apart] if apart else [])]
        whole = [*opening, *asked_on, *rest] if opening else [*rest, *asked_on]
        checked = check_report(
            Report(
                title=finished.title,
                topic=brief.topic,
                language=brief.language,
                citation_style=self.settings.citations,
                listed=self.settings.style == "outline",
                sections=whole,
                answer=Answer(found=found, sentences=len(answer.sentences)),
            ),
            evidence,
        )
        if self.counted is not None:
            brief = brief.model_copy(update={"counts": self.counted()})
        silent = gaps.unsaid if finished.silent is None else finished.silent
        return completed(
            checked, brief, evidence, phrases, drafting.needed, finished.reasons,
            beside(silent, finished.unsaid, self.statistics),
            uncited=finished.sections.uncited + finished.answer.uncited,
            unsupported=finished.sections.unsupported + finished.answer.unsupported,
            repeated=repeated + finished.sections.told + finished.answer.told,
        )  # fmt: skip


def _sentences(sections: Sequence[Section]) -> int:
    return sum(len(section.sentences) for section in sections)
