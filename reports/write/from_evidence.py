"""A report finished by a language model: the answer is judged, what fails is mended, nothing is lost."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from reports.write.parts.left_out import LateAdditions, taken_in, telling_left_out, untold


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
    finishing = _Finishing(drafting, answer, written, asks, reviews)
    judged = await finishing.judge(gaps)
    return await finishing.tell_rest(judged, await finishing.mend(judged))


@dataclass(frozen=True, slots=True)
class _Judged:
    """The answer and the sections, as judges left them."""

    opening: Section
    sections: list[Section]
    lacks: list[str]
    """For what the answer is to be written anew; with none it is repaired."""
    too_long: bool
    """Whether that it is too long is among it."""
    gaps: Gaps
    missing: list[str]
    """Ids of what no sentence tells that stands."""


@dataclass(frozen=True, slots=True)
class _Better:
    """The answer and the sections, as far as mending brings them."""

    opening: Section
    sections: list[Section]
    answer: WrittenAnswer
    """What the opening is from."""
    additions: LateAdditions
    waiting: list[str]
    """Ids of what was told by sentences that were to be repaired."""
    title: str


class _Finishing:
    """What becomes of a written answer and its sections."""

    def __init__(
        self,
        drafting: SectionDrafting,
        answer: WrittenAnswer,
        written: Sequence[Section],
        asks: Asks,
        reviews: Reviews,
    ) -> None:
        self._drafting, self._answer, self._written = drafting, answer, written
        self._asks, self._reviews = asks, reviews
        self._brief, self._settings, self._evidence = drafting.brief, drafting.settings, drafting.evidence
        self._mender = Repairer(
            self._brief.topic, self._brief.language, self._evidence, self._settings, reviews
        )
        self._seen = answer_evidence(self._brief, self._evidence, whole_evidence(drafting), self._settings)
        # All that writers were shown: what one sentence says beyond what it cites may stand there.
        self._offered = list(dict.fromkeys([*self._seen, *drafting.chosen, *drafting.needed]))

    async def judge(self, gaps: Gaps) -> _Judged:
        """Check every sentence by rules, let judges see what those cannot tell, and smooth the sections."""
        brief, settings, evidence, mender = self._brief, self._settings, self._evidence, self._mender
        checked = await asyncio.to_thread(mender.checked, [self._answer.section, *self._written])
        nearest = nearest_told(gaps.unsaid, checked[1:], self._drafting.statistics)
        [opening, *sections], edits, review = await together(
            self._asks,
            mender.judging(checked),
            smoothing(checked[1:], brief, settings, self._reviews, checked[0]),
            reviewing(self._answer, brief, evidence, self._seen, gaps.unsaid, nearest),
        )
        if edits:
            sections = apply_edits(sections, edits, mender.checker, self._reviews, opening)
        adds = any(map(citations, review.lacks))
        long = too_long(self._answer.section, brief.topic, brief.language, settings, adds=adds)
        missing = untold(self._drafting.needed, mender.standing([opening, *sections]).sections, evidence)
        return _Judged(
            opening,
            sections,
            [*review.lacks, *long],
            bool(long),
            replace(gaps, unsaid=review.silent),
            [i for i in missing if i not in self._drafting.aside],
        )

    async def mend(self, judged: _Judged) -> _Better:
        """Repair what fails, write the answer anew where it lacks something, tell what was left out."""
        brief, mender, lacks = self._brief, self._mender, judged.lacks
        places, opening_places = failing(judged.sections), failing([judged.opening])
        # What a sentence tells that is to be repaired is told, or missing only when that did not help.
        waiting = {c for i, n in places for c in judged.sections[i].sentences[n].citations}
        if not lacks:
            waiting.update(c for _i, n in opening_places for c in judged.opening.sentences[n].citations)
        repair = partial(mender.repairing, shown_to=self._offered)
        full = nearly_full(self._answer.section, brief.topic, brief.language, self._settings)
        [opened], mended, better, additions, title = await together(
            self._asks,
            nothing([judged.opening]) if lacks else await asyncio.to_thread(repair, [judged.opening]),
            await asyncio.to_thread(repair, judged.sections),
            self._asking_anew(judged, full),
            telling_left_out(
                [i for i in judged.missing if i not in waiting], judged.sections, brief, self._evidence
            ),
            titling(brief, judged.sections),
            jointly=True,
        )
        # A new answer that says nothing, or cites nothing, is no better than the one before.
        anew = bool(lacks) and any(s.citations for s in better.section.sentences)
        opening = mender.checked([better.section])[0] if anew else opened
        new = mender.checked([additions.added, additions.also])
        [opening], sections, new = await together(
            self._asks,
            mender.judging([opening], None if anew else opening_places),
            mender.judging(mended, places),
            mender.judging(new),
            jointly=True,
        )
        opening, anew = await self._better_opening(judged, opening, anew=anew, full=bool(full))
        additions = replace(additions, added=new[0], also=new[1])
        late = [i for i in judged.missing if i in waiting]
        return _Better(opening, sections, better if anew else self._answer, additions, late, title)

    def _asking_anew(self, judged: _Judged, full: Sequence[str]) -> BatchedRequest[WrittenAnswer]:
        """Ask for a better answer where the first one lacks something."""
        first = WrittenAnswer(judged.opening, self._answer.found)
        if not judged.lacks:
            return nothing(first)
        failed = [judged.opening.sentences[n] for _i, n in failing([judged.opening])]
        refused = [*judged.lacks, *(unborne(s) for s in failed if s.citations), *full]
        return answer_request(self._drafting, judged.gaps, (first, refused))

    async def _better_opening(
        self, judged: _Judged, opening: Section, *, anew: bool, full: bool
    ) -> tuple[Section, bool]:
        """Return the opening with what still fails mended, and whether it is a new one, not the draft."""
        lacks, before = judged.lacks, judged.opening.sentences
        if anew or not lacks:  # else the draft stands, which is mended below
            opening = await _mended(opening, self._mender, self._offered, self._asks, partly=anew)
        shorter = judged.too_long or full
        if not lacks or (anew and tells_as_much(opening.sentences, before, lacks, shorter=shorter)):
            return opening, anew
        # The draft, which nobody has mended: what a judge wanted gone goes, and the rest is repaired.
        opening = judged.opening.model_copy(update={"sentences": wanted(before, lacks) or before})
        return await _mended(opening, self._mender, self._offered, self._asks, partly=True), False

    async def tell_rest(self, judged: _Judged, better: _Better) -> Finished:
        """Take up what no repair has saved, and put together what stands."""
        brief, drafting, mender = self._brief, self._drafting, self._mender
        stands = mender.standing(taken_in(better.sections, better.additions))
        lead = mender.standing([better.opening])
        late = untold(better.waiting, [*lead.sections, *stands.sections], self._evidence)
        told, aside = await _told_late(late, stands.sections, drafting, mender, self._asks)
        short, told = fitted(
            lead.sections[0], told, brief.topic, brief.parts, self._settings, drafting.statistics
        )
        lost = _unsupported(judged.missing, [self._answer.section, *self._written], drafting)
        return Finished(
            sections=replace(stands, sections=told),
            answer=replace(lead, sections=[short]),
            title=better.title,
            found=better.answer.found,
            reasons={**lost, **better.additions.aside, **aside, **drafting.aside},
            unsaid=better.answer.unsaid,
            silent=judged.gaps.unsaid,
        )


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
