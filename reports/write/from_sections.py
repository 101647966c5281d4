"""A report finished without a language model: its opening is chosen from the sections as they stand."""

import asyncio
import math
from collections.abc import Sequence

from library import keep_citations
from models import Asks
from reports.cite.cited_sentences import cited_sentences
from reports.document import Section, Sentence
from reports.extract.quotations import key
from reports.extract.quoted_sentences import quoted_sentences
from reports.plan.layout import told
from reports.plan.map_reader import Map
from reports.tasks.answer_task import AnswerText, WriteAnswer
from reports.verify.kept_reviews import Reviews
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing, together
from reports.write.drafting.section_drafting import SectionDrafting, asks_alone
from reports.write.drafting.smooth import apply_edits, smoothing
from reports.write.drafting.verify_and_repair import Repairer, failing
from reports.write.finished import Finished, titling
from reports.write.parts.disagreement import disagreement

_MORE = 2
"""Sentences that an opening may have beyond those asked for; some may still have to go."""


async def finish_from_sections(
    drafting: SectionDrafting, written: Sequence[Section], tree: Map, asks: Asks, reviews: Reviews
) -> Finished:
    """Check and mend the sections, choose and mend the opening, find the title, in as few waits as can be."""
    brief, settings, evidence = drafting.brief, drafting.settings, drafting.evidence
    mender = Repairer(brief.topic, brief.language, evidence, settings, reviews)
    checked = await asyncio.to_thread(mender.checked, written)
    smooth = smoothing(checked, brief, settings, reviews)
    judged, edits = await together(asks, mender.judging(checked), smooth)
    sections = apply_edits(judged, edits, mender.checker, reviews) if edits else judged
    # The opening is chosen from what stands already, while the rest is repaired.
    _apart, stands = disagreement(brief, tree, mender.standing(sections).sections, evidence, drafting.phrases)
    places = failing(sections)
    repairing = await asyncio.to_thread(mender.repairing, sections)
    sections, lead, title = await together(
        asks,
        repairing,
        _opening(drafting, stands, tree),
        titling(brief, stands),
        jointly=True,
    )
    opening_section, answers = lead
    leads = mender.checked([opening_section])
    sections, leads = await together(
        asks, mender.judging(sections, places), mender.judging(leads), jointly=True
    )
    if places := failing(leads):
        [leads] = await together(asks, await asyncio.to_thread(mender.repairing, leads))
        [leads] = await together(asks, mender.judging(leads, places))
    mended, opening = mender.standing(sections), mender.standing(leads)
    return Finished(mended, opening, title, found=answers and bool(opening.sections[0].sentences))


def _opening(
    drafting: SectionDrafting, sections: Sequence[Section], tree: Map
) -> BatchedRequest[tuple[Section, bool]]:
    """Choose the opening, as a section that may be empty, and tell whether it answers what was asked.

    What it takes over must leave its section.
    """
    brief, settings = drafting.brief, drafting.settings
    empty = Section(heading=drafting.phrases.lead, level=1, node=None, sentences=[])
    total = sum(len(section.sentences) for section in sections)
    count = min(math.ceil(settings.share * settings.lead_sentences), total // 3)
    asked = asks_alone(brief)
    if count < 1 and not asked:
        return nothing((empty, False))
    task = WriteAnswer(
        topic=brief.topic,
        language=brief.language,
        audience=settings.audience,
        count=count,
        share=settings.share,
        sections=told(sections),
        about=drafting.about(tree),
        passages=drafting.quotable_passages(),
    )
    allowed = {i for section in sections for s in section.sentences for i in s.citations}
    if asked:
        allowed |= set(drafting.evidence.passages)
    points = settings.style == "outline"

    def read(replies: list[AnswerText]) -> tuple[Section, bool]:
        found = replies[0].found
        if quoted := quoted_sentences(replies[0].quotations, drafting.evidence, allowed, points=points):
            heading = drafting.phrases.lead if found else drafting.phrases.nearest
            return empty.model_copy(update={"sentences": quoted, "heading": heading}), found
        kept, _rejected = keep_citations(plain(replies[0].paragraph), allowed)
        kept_sentences = {
            key(c.text): Sentence(text=c.text, citations=list(c.citations), paragraph=points)
            for c in cited_sentences(kept, drafting.statistics.sentences)
        }
        sentences = list(kept_sentences.values())[: count + _MORE]
        heading = drafting.phrases.lead if found else drafting.phrases.nearest
        return empty.model_copy(update={"sentences": sentences, "heading": heading}), found

    return BatchedRequest([task], read)
