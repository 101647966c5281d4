"""From the map to the report: outline, sections at the same time, checks, the lead last."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from library import Evidence, citations, keep_citations
from models import Asks, Statistics
from reports.brief import Brief
from reports.cite.cited_sentences import cited_sentences
from reports.document import Report, Section, Sentence
from reports.extract.opening import OpeningPassage, is_question, opening
from reports.extract.quotations import key, quotes
from reports.extract.quote_selection import Wish, choose, focus_of
from reports.extract.quoted_sentences import quoted_sentences
from reports.plan.faq import asked
from reports.plan.layout import gathered, tidy, told, without
from reports.plan.map_reader import Map, branch
from reports.plan.outline import ReportPlan, plan_report
from reports.plan.pages import plan_pages
from reports.report_phrases import ReportPhrases, phrases_for
from reports.settings import ReportSettings
from reports.tables.found_series import found_series
from reports.tables.series import ProposedTable, proposed
from reports.tasks import LeadText, Material, ReportTitle, SectionText, TitleReport, WriteLead, WriteSection
from reports.verify.check import check_report, summarize
from reports.verify.kept_reviews import Review, Reviews
from reports.verify.review import shown
from reports.visible_text import plain
from reports.write.batch import BatchedRequest, nothing, together
from reports.write.batch_tasks import writing
from reports.write.disagreement import disagreement
from reports.write.drafts import draft_key, in_own_words, only_shown
from reports.write.end_matter import back_matter, front_matter
from reports.write.smooth import apply_edits, smoothing
from reports.write.verify_and_repair import Mended, Repairer, failing

_WORDS_A_SENTENCE = 25
_LEAST = 2
"""Passages that a node is written from when none of its own tells much."""
_LEAD_MORE = 2
"""Sentences that a lead may have beyond those asked for; some may still have to go."""

_DIGEST = 90
"""Words that are quoted of each page, about, where a question is answered without a language model."""

OnSection = Callable[[Section], None]
Drafts = dict[str, SectionText]
"""Sections as they were written before, by what they were written from (`reports.write.drafts`)."""


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

    Raises:
        ModelUnavailable: the writer's model cannot be had.
    """
    settings = settings or ReportSettings()
    if settings.language:
        brief = brief.model_copy(update={"language": settings.language})
    report = _Writing(brief, evidence, asks, statistics, settings, phrases_for(brief.language))
    tops = plans or report.planned(tree)
    flat = [plan for top in tops for plan in top.flat()]
    if report.settings.style == "faq":
        flat = asked(flat, report.phrases)
    written = await report.sections(flat, on_section, drafts or {}, on_drafts)
    known = Reviews(dict(reviews or {}))
    mended, opening, title = await report.finished(written, tree, known)
    if not any(section.sentences for section in mended.sections):
        # Nothing of what was written may stand: then the sources speak for themselves.
        again, opening, title = await report.finished(report.quoted(flat), tree, known)
        mended = replace(again, uncited=mended.uncited, unsupported=mended.unsupported)
    if on_reviews is not None and known.new:
        on_reviews(known.new)
    apart, sections = disagreement(brief, tree, mended.sections, evidence, report.phrases)
    lead = opening.sections[0]
    sections = tidy(without(sections, {key(s.text) for s in lead.sentences}))
    if plans is None and report.settings.style in ("article", "outline"):
        sections = gathered(sections, report.phrases.more)
    whole = [*([lead] if lead.sentences else []), *sections, *([apart] if apart else [])]
    if on_section is not None and lead.sentences:
        on_section(lead)
    return await asyncio.to_thread(report.bound, title, whole, [mended, opening])


@dataclass(frozen=True, slots=True)
class _Writing:
    brief: Brief
    evidence: Evidence
    asks: Asks
    statistics: Statistics
    settings: ReportSettings
    phrases: ReportPhrases

    def planned(self, tree: Map) -> list[ReportPlan]:
        """Return the sections where nobody named them: the map's branches, or the pages that answer."""
        most = self.settings.max_sections
        if self.asks_alone:
            return plan_pages(self.brief.topic, self.evidence, self.statistics, most)
        return plan_report(tree, self.evidence, self.statistics, self.phrases, most)

    async def sections(
        self,
        plans: Sequence[ReportPlan],
        on_section: OnSection | None,
        drafts: Drafts,
        on_drafts: Callable[[Drafts], None] | None,
    ) -> list[Section]:
        tasks = self.tasks(plans)
        keys = [draft_key(plan, self.brief, self.settings) for plan in plans]
        new = [i for i, place in enumerate(keys) if place not in drafts]
        requests = writing([tasks[i] for i in new])
        replies = await self.asks.ask_all(requests)
        written = [text for t, r in zip(requests, replies, strict=True) for text in r.of(len(t.parts))]
        fresh = {i: only_shown(text, tasks[i].shown) for i, text in zip(new, written, strict=True)}
        if on_drafts is not None and (own := {keys[i]: t for i, t in fresh.items() if in_own_words(t)}):
            on_drafts(own)
        sections, said = [], set[str]()
        for i, plan in enumerate(plans):
            text = fresh[i] if i in fresh else drafts[keys[i]]
            # In a thread, as checking is: a process may hold other sessions, who wait for nothing here.
            section = await asyncio.to_thread(self.section, plan, text, set(plan.passages()), said)
            sections.append(section)
            if on_section is not None and section.sentences:
                on_section(section)
        return sections

    def quoted(self, plans: Sequence[ReportPlan]) -> list[Section]:
        """Return the sections as they are without a writer."""
        said = set[str]()
        return [
            self.section(plan, task.extract(self.statistics), set(plan.passages()), said)
            for plan, task in zip(plans, self.tasks(plans), strict=True)
        ]

    def tasks(self, plans: Sequence[ReportPlan]) -> list[WriteSection]:
        quotations, telling = self.quotations(plans)
        said: list[str] = []
        if self.asks_alone:
            told = opening(self.brief.topic, self.quotable_passages(), self.statistics)
            said, telling = [each.words for each in told], set(self.evidence.passages)
        sizes = [max(len(plan.passages()), 1) for plan in plans]
        tasks = []
        for i, plan in enumerate(plans):
            tasks.append(
                WriteSection(
                    topic=self.brief.topic,
                    heading=plan.heading,
                    language=self.brief.language,
                    style=self.settings.style,
                    audience=self.settings.audience,
                    words=max(self.settings.words * sizes[i] // sum(sizes), 60),
                    materials=self.materials(plan, telling),
                    elsewhere=[other.heading for j, other in enumerate(plans) if j != i],
                    quotations=quotations[i],
                    digest=_DIGEST if self.asks_alone and self.of_one_page(plan) else 0,
                    said=said,
                )
            )
        return tasks

    def materials(self, plan: ReportPlan, telling: Collection[str]) -> list[Material]:
        """Return what a section is written from: of each node the passages that tell most."""
        return [
            Material(
                title=part.title,
                notes=[(note.question, note.answer) for note in part.notes],
                passages=shown(
                    [p for p in part.passages if p in telling] or part.passages[:_LEAST], self.evidence
                ),
            )
            for top in plan.branches
            for part in top.walk()
            if part.passages or part.notes
        ]

    def quotations(self, plans: Sequence[ReportPlan]) -> tuple[list[list[str]], set[str]]:
        """Choose the report's quotations.

        Returns:
            The keys of those that each section has, and the passages that tell most: those that hold a
            quotation, and those that the discussion cites. A map may hold ten times more than a report of
            this length can say.
        """
        owner = {p: i for i, plan in enumerate(plans) for p in plan.passages()}
        titles = {p: title for plan in plans for p, title in plan.titles().items()}
        wish = self.wish(owner, titles)
        most = self.settings.max_sentences // (2 if self.settings.style == "brief" or wish.asks else 1)
        pool = quotes(wish.texts.items(), self.statistics)
        chosen = choose(pool, most, most // 4, wish, self.statistics)
        keys = [[q.key for q in chosen if owner[q.passages[0]] == i] for i in range(len(plans))]
        longer = self.settings.words // _WORDS_A_SENTENCE
        if longer > most:
            chosen = choose(pool, longer, longer // 4, wish, self.statistics)
        telling = {p for q in chosen for p in q.passages[:3]}
        parts = [part for plan in plans for top in plan.branches for part in top.walk()]
        noted = [note.answer for part in parts for note in part.notes]
        return keys, telling.union(*map(citations, noted))

    def wish(self, ids: Iterable[str], headings: Mapping[str, str]) -> Wish:
        found = {i: self.evidence.passages[i] for i in ids}
        return Wish(
            topic=self.brief.topic,
            headings=headings,
            sources={i: passage.sha256 for i, passage in found.items()},
            texts={i: passage.text for i, passage in found.items()},
            titles={i: passage.title for i, passage in found.items()},
            asks=self.asks_alone,
        )

    def section(self, plan: ReportPlan, text: SectionText, allowed: set[str], said: set[str]) -> Section:
        points = self.settings.style == "outline"
        sentences = [
            sentence
            for sentence in quoted_sentences(text.quotations, self.evidence, allowed, points=points)
            if key(sentence.text) not in said
        ]
        said |= {key(sentence.text) for sentence in sentences}
        for paragraph in text.paragraphs:
            kept, _rejected = keep_citations(plain(paragraph), allowed)
            opens = True
            for cited in cited_sentences(kept, self.statistics.sentences):
                if key(cited.text) in said or not key(cited.text):
                    continue
                said.add(key(cited.text))
                sentences.append(Sentence(text=cited.text, citations=list(cited.citations), paragraph=opens))
                opens = points
        series = text.tables or self.series(plan)
        tables, charts = proposed(series, allowed, self.evidence)
        return Section(
            heading=plain(plan.heading),
            level=plan.level,
            node=plan.node,
            opening=plain(text.opening),
            sentences=sentences,
            tables=tables,
            charts=charts,
        )

    def series(self, plan: ReportPlan) -> list[ProposedTable]:
        """Return what a section's passages hold of figures in rows, where its writer gave no table."""
        held = self.evidence.passages
        texts = {p: held[p].text for p in plan.passages()}
        return found_series(texts, plain(plan.heading), self.phrases, self.statistics)

    async def finished(
        self, written: Sequence[Section], tree: Map, reviews: Reviews
    ) -> tuple[Mended, Mended, str]:
        """Check and mend the sections, write and mend the lead, find the title, in as few waits as can be."""
        mender = Repairer(self.brief.topic, self.brief.language, self.evidence, self.settings, reviews)
        checked = await asyncio.to_thread(mender.checked, written)
        smooth = smoothing(checked, self.brief, self.settings, reviews)
        judged, edits = await together(self.asks, mender.judging(checked), smooth)
        sections = apply_edits(judged, edits, mender.checker) if edits else judged
        # The lead is written from what stands already, while the rest is repaired.
        _apart, stands = disagreement(
            self.brief, tree, mender.standing(sections).sections, self.evidence, self.phrases
        )
        places = failing(sections)
        sections, lead, title = await together(
            self.asks, mender.repairing(sections), self.lead(stands, tree), self.title(stands), jointly=True
        )
        leads = mender.checked([lead])
        sections, leads = await together(
            self.asks, mender.judging(sections, places), mender.judging(leads), jointly=True
        )
        if places := failing(leads):
            [leads] = await together(self.asks, mender.repairing(leads))
            [leads] = await together(self.asks, mender.judging(leads, places))
        return mender.standing(sections), mender.standing(leads), title

    def lead(self, sections: Sequence[Section], tree: Map) -> BatchedRequest[Section]:
        """Write the lead, as a section that may be empty. What it takes over must leave its section."""
        empty = Section(heading=self.phrases.lead, level=1, node=None, sentences=[])
        total = sum(len(section.sentences) for section in sections)
        count = min(self.settings.lead_sentences, total // 3)
        asked = self.asks_alone
        if count < 1 and not asked:
            return nothing(empty)
        task = WriteLead(
            topic=self.brief.topic,
            language=self.brief.language,
            audience=self.settings.audience,
            count=count,
            sections=told(sections),
            about=self.about(tree) if self.brief.embedded else {},
            passages=self.quotable_passages() if asked else [],
        )
        allowed = {i for section in sections for s in section.sentences for i in s.citations}
        if asked:
            allowed |= set(self.evidence.passages)
        points = self.settings.style == "outline"

        def read(replies: list[LeadText]) -> Section:
            if quoted := quoted_sentences(replies[0].quotations, self.evidence, allowed, points=points):
                return empty.model_copy(update={"sentences": quoted})
            kept, _rejected = keep_citations(plain(replies[0].paragraph), allowed)
            found = {
                key(c.text): Sentence(text=c.text, citations=list(c.citations), paragraph=points)
                for c in cited_sentences(kept, self.statistics.sentences)
            }
            return empty.model_copy(update={"sentences": list(found.values())[: count + _LEAD_MORE]})

        return BatchedRequest([task], read)

    def of_one_page(self, plan: ReportPlan) -> bool:
        """Tell whether a section is written from a single source."""
        return len({self.evidence.passages[i].sha256 for i in plan.passages()}) == 1

    @property
    def asks_alone(self) -> bool:
        """Whether the topic is a question, and no language model is there to answer it."""
        return self.brief.embedded and is_question(self.brief.topic)

    def quotable_passages(self) -> list[OpeningPassage]:
        """Return all that was admitted, for an opening that is quoted."""
        return [
            OpeningPassage(id=i, sha256=p.sha256, start=p.start, text=p.text, title=p.title)
            for i, p in self.evidence.passages.items()
        ]

    def about(self, tree: Map) -> dict[str, float]:
        """Return how much each passage of the map is about the topic."""
        wish = self.wish(branch(tree, tree.root, self.evidence).all_passages(), {})
        return {i: round(near, 4) for i, near in focus_of(wish, self.statistics).items()}

    def title(self, sections: Sequence[Section]) -> BatchedRequest[str]:
        task = TitleReport(
            topic=self.brief.topic,
            language=self.brief.language,
            headings=[section.heading for section in sections],
        )

        def read(replies: list[ReportTitle]) -> str:
            title = plain(replies[0].title).strip("\"“”'# ")
            return title if 0 < len(title) <= 200 else plain(self.brief.topic)

        return BatchedRequest([task], read)

    def bound(self, title: str, sections: Sequence[Section], mended: Sequence[Mended]) -> Report:
        checked = check_report(
            Report(
                title=title,
                topic=self.brief.topic,
                language=self.brief.language,
                citation_style=self.settings.citations,
                listed=self.settings.style == "outline",
                sections=list(sections),
            ),
            self.evidence,
        )
        counted = summarize(checked.sections, self.evidence).model_copy(
            update={
                "uncited_dropped": sum(part.uncited for part in mended),
                "unsupported_dropped": sum(part.unsupported for part in mended),
            }
        )
        report = checked.model_copy(update={"summary": counted})
        return report.model_copy(
            update={
                "front": front_matter(report, self.brief, self.phrases),
                "back": back_matter(report, self.brief, self.phrases),
            }
        )
