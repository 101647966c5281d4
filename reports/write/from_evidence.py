"""A report finished by a language model: the answer is judged, what fails is mended, nothing is lost."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from library import citations
from models import Asks
from reports.document import Section
from reports.tasks.answer_task import AnswerText, WriteAnswer
from reports.verify.kept_reviews import Reviews
from reports.write.drafting.batch import BatchedRequest, nothing, together
from reports.write.drafting.section_drafting import SectionDrafting
from reports.write.drafting.smooth import apply_edits, smoothing
from reports.write.drafting.verify_and_repair import Repairer, failing
from reports.write.finished import Finished, titling
from reports.write.parts.answer import (
    WrittenAnswer,
    answer_evidence,
    answering,
    read_answer,
    reviewing,
    whole_evidence,
)
from reports.write.parts.answer_length import fitted, nearly_full, too_long
from reports.write.parts.gaps import Gaps, nearest_told
from reports.write.parts.kept_draft import tells_as_much, unborne, wanted
from reports.write.parts.left_out import taken_in, telling_left_out, untold


def answer_request(
    drafting: SectionDrafting, gaps: Gaps, revised: tuple[WrittenAnswer, Sequence[str]] | None = None
) -> BatchedRequest[WrittenAnswer]:
    """Ask for the answer, or (with what it lacks) for a better one."""
    brief, evidence = drafting.brief, drafting.evidence
    ids = whole_evidence(drafting)
    task: WriteAnswer = answering(brief, evidence, ids, gaps.unsaid, drafting.settings, revised)
    if not task.evidence:
        empty = Section(heading=drafting.phrases.lead, level=1, node=None, sentences=[])
        return nothing(WrittenAnswer(empty, found=False))
    points = drafting.settings.style == "outline"
    draft = revised[0].section.sentences if revised else ()

    def read(replies: list[AnswerText]) -> WrittenAnswer:
        return read_answer(replies[0], task, drafting, listed=points, draft=draft)

    return BatchedRequest([task], read)


async def finish_from_evidence(
    drafting: SectionDrafting,
    answer: WrittenAnswer,
    written: Sequence[Section],
    gaps: Gaps,
    asks: Asks,
    reviews: Reviews,
) -> Finished:
    """Check and mend the answer and the sections, and take up what they left out, in as few waits as can be.

    Args:
        drafting: The order, the evidence, and what the discussion rests on.
        answer: As it was written.
        written: The sections as they were written.
        gaps: What the sources do not say.
        asks: Whom to ask.
        reviews: What was said of sentences before.
    """
    brief, settings, evidence = drafting.brief, drafting.settings, drafting.evidence
    mender = Repairer(brief.topic, brief.language, evidence, settings, reviews)
    checked = await asyncio.to_thread(mender.checked, [answer.section, *written])
    seen = answer_evidence(brief, evidence, whole_evidence(drafting), settings)
    # All that writers were shown: what one sentence says beyond what it cites may stand there.
    offered = list(dict.fromkeys([*seen, *drafting.chosen, *drafting.needed]))
    nearest = nearest_told(gaps.unsaid, checked[1:], drafting.statistics)
    judged, edits, review = await together(
        asks,
        mender.judging(checked),
        smoothing(checked[1:], brief, settings, reviews, checked[0]),
        reviewing(answer, brief, evidence, seen, gaps.unsaid, nearest),
    )
    opening, sections = judged[0], judged[1:]
    sections = apply_edits(sections, edits, mender.checker, reviews, opening) if edits else sections
    adds = any(map(citations, review.lacks))
    long = too_long(answer.section, brief.topic, brief.language, settings, adds=adds)
    lacks, gaps = [*review.lacks, *long], replace(gaps, unsaid=review.silent)
    missing = untold(drafting.needed, mender.standing([opening, *sections]).sections, evidence)
    missing = [i for i in missing if i not in drafting.aside]

    places, opening_places = failing(sections), failing([opening])
    # What a sentence tells that is to be repaired is told, or missing only when that did not help.
    waiting = {c for i, n in places for c in sections[i].sentences[n].citations}
    waiting.update(c for _i, n in opening_places if not lacks for c in opening.sentences[n].citations)
    keep = nothing(WrittenAnswer(opening, answer.found))
    repair = partial(mender.repairing, shown_to=offered)
    cited = [s for _i, n in opening_places if (s := opening.sentences[n]).citations]
    full = nearly_full(answer.section, brief.topic, brief.language, settings)
    refused = [*lacks, *map(unborne, cited), *full]
    [opened], mended, better, additions, title = await together(
        asks,
        nothing([opening]) if lacks else await asyncio.to_thread(repair, [opening]),
        await asyncio.to_thread(repair, sections),
        answer_request(drafting, gaps, (WrittenAnswer(opening, answer.found), refused)) if lacks else keep,
        telling_left_out([i for i in missing if i not in waiting], sections, brief, evidence),
        titling(brief, sections),
        jointly=True,
    )
    # A new answer that says nothing, or cites nothing, is no better than the one before.
    anew = bool(lacks) and any(s.citations for s in better.section.sentences)
    opening = mender.checked([better.section])[0] if anew else opened
    new = mender.checked([additions.added, additions.also])
    [opening], sections, new = await together(
        asks,
        mender.judging([opening], None if anew else opening_places),
        mender.judging(mended, places),
        mender.judging(new),
        jointly=True,
    )
    if anew or not lacks:  # else the draft stands, which is mended below
        opening = await _mended(opening, mender, offered, asks, partly=anew)
    before, shorter = judged[0].sentences, bool(long or full)
    if lacks and not (anew and tells_as_much(opening.sentences, before, lacks, shorter=shorter)):
        # The draft, which nobody has mended: what a judge wanted gone goes, and the rest is repaired.
        opening = judged[0].model_copy(update={"sentences": wanted(before, lacks) or before})
        opening, anew = await _mended(opening, mender, offered, asks, partly=True), False
    additions = replace(additions, added=new[0], also=new[1])
    stands, lead = mender.standing(taken_in(sections, additions)), mender.standing([opening])
    late = untold([i for i in missing if i in waiting], [*lead.sections, *stands.sections], evidence)
    told, aside = await _told_late(late, stands.sections, drafting, mender, asks)
    short, told = fitted(lead.sections[0], told, brief.topic, brief.parts, settings, drafting.statistics)
    lead = replace(lead, sections=[short])
    last = better if anew else answer
    lost = _unsupported(missing, [answer.section, *written], drafting)
    reasons = {**lost, **additions.aside, **aside, **drafting.aside}
    stands = replace(stands, sections=told)
    return Finished(stands, lead, title, last.found, reasons, last.unsaid, gaps.unsaid)


async def _mended(
    opening: Section, mender: Repairer, offered: Sequence[str], asks: Asks, *, partly: bool
) -> Section:
    """Return the opening with what fails in it repaired and judged; `partly`: what is borne in part, too."""
    places = failing([opening], partly=partly)
    if not places:
        return opening
    repairing = await asyncio.to_thread(mender.repairing, [opening], partly=partly, shown_to=offered)
    [[opening]] = await together(asks, repairing)
    [[opening]] = await together(asks, mender.judging([opening], places))
    return opening


async def _told_late(
    missing: Sequence[str],
    sections: list[Section],
    drafting: SectionDrafting,
    mender: Repairer,
    asks: Asks,
) -> tuple[list[Section], dict[str, str]]:
    """Take up what was to be told by sentences that no repair has saved; return the reasons of the rest."""
    request = telling_left_out(missing, sections, drafting.brief, drafting.evidence)
    [additions] = await together(asks, request)
    if not request.tasks:
        return sections, {}
    new = mender.checked([additions.added, additions.also])
    [new] = await together(asks, mender.judging(new))
    judged = replace(additions, added=new[0], also=new[1])
    return taken_in(sections, judged), additions.aside


def _unsupported(
    missing: Sequence[str], sections: Sequence[Section], drafting: SectionDrafting
) -> dict[str, str]:
    """Return the general reason for passages that were told by sentences which could not stand."""
    said = {i for section in sections for s in section.sentences for i in s.citations}
    return {i: drafting.phrases.left_unsupported for i in missing if i in said}
