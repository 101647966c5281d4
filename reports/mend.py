"""Checks what was written, has what fails repaired once, and drops or marks the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

from library.evidence import Evidence, cite, keep_citations
from models.task import Asks
from reports.check import Checker
from reports.document import Section, Sentence
from reports.plain import plain
from reports.review import JudgeSection, Repaired, RepairSentence, claims, judged, shown
from reports.sentences import cited_sentences
from reports.settings import ReportSettings


@dataclass(frozen=True, slots=True)
class Mended:
    """Sections as they may stand, and what was left out of them."""

    sections: list[Section]
    uncited: int = 0
    unsupported: int = 0


async def mend(
    sections: Sequence[Section],
    topic: str,
    language: str,
    evidence: Evidence,
    asks: Asks,
    settings: ReportSettings,
) -> Mended:
    """Check, judge and repair sections. A section may be left with nothing."""
    checker = Checker(evidence, topic, language)
    checked = await _read([checker.section(section) for section in sections], evidence, asks, settings)
    failing = [
        (i, n) for i, section in enumerate(checked) for n, s in enumerate(section.sentences) if fails(s)
    ]
    if failing:
        checked = await _repair(checked, failing, checker, language, evidence, asks, settings)
    if settings.unsupported == "mark":
        return Mended(checked)
    kept, uncited, unsupported = [], 0, 0
    for section in checked:
        stays = [s for s in section.sentences if not fails(s)]
        uncited += sum(not s.citations for s in section.sentences)
        unsupported += sum(fails(s) and bool(s.citations) for s in section.sentences)
        kept.append(section.model_copy(update={"sentences": stays}))
    return Mended(kept, uncited, unsupported)


def fails(sentence: Sentence) -> bool:
    """Tell whether a sentence may not stand as it is: nothing behind it, or no citation at all."""
    return sentence.support == "unsupported" or not sentence.citations


async def _read(
    sections: list[Section], evidence: Evidence, asks: Asks, settings: ReportSettings
) -> list[Section]:
    """Let a judge read what the rules could not settle, a section a request."""
    asked = [i for i, section in enumerate(sections) if claims(section.sentences)] if settings.judge else []
    tasks = [
        JudgeSection(
            claims=(read := claims(sections[i].sentences)),
            passages=shown([p for claim in read for p in claim.citations], evidence),
        )
        for i in asked
    ]
    if not tasks:
        return sections
    found = list(sections)
    for i, verdicts in zip(asked, await asks.ask_all(tasks), strict=True):
        found[i] = found[i].model_copy(update={"sentences": judged(found[i].sentences, verdicts)})
    return found


async def _repair(
    sections: list[Section],
    failing: Sequence[tuple[int, int]],
    checker: Checker,
    language: str,
    evidence: Evidence,
    asks: Asks,
    settings: ReportSettings,
) -> list[Section]:
    tasks = [_task(sections[i], sections[i].sentences[n], language, evidence) for i, n in failing]
    replies = await asks.ask_all(tasks)
    repaired: dict[tuple[int, int], Sentence] = {}
    for place, task, reply in zip(failing, tasks, replies, strict=True):
        old = sections[place[0]].sentences[place[1]]
        new = _repaired(old, task, reply)
        if new is not None:
            repaired[place] = checker.sentence(new)
    # The judge reads the repaired sentences alone: what it said of the others stands.
    alone = [
        section.model_copy(
            update={
                "sentences": [repaired[i, n] for n in range(len(section.sentences)) if (i, n) in repaired]
            }
        )
        for i, section in enumerate(sections)
    ]
    again = await _read(alone, evidence, asks, settings)
    mended = []
    for i, section in enumerate(sections):
        new_ones = iter(again[i].sentences)
        sentences = [next(new_ones) if (i, n) in repaired else s for n, s in enumerate(section.sentences)]
        mended.append(section.model_copy(update={"sentences": sentences}))
    return mended


def _task(section: Section, sentence: Sentence, language: str, evidence: Evidence) -> RepairSentence:
    near = sentence.citations or [i for s in section.sentences for i in s.citations]
    return RepairSentence(
        sentence=f"{sentence.text} {cite(sentence.citations)}".strip(),
        reason=sentence.reason or "not supported",
        language=language,
        passages=shown(near[:12], evidence),
    )


def _repaired(old: Sentence, task: RepairSentence, reply: Repaired) -> Sentence | None:
    kept, _rejected = keep_citations(plain(reply.text), [p.id for p in task.passages])
    # A repair gives one sentence: of more, all words are kept with all their citations.
    found = cited_sentences(kept, lambda text: [(0, len(text))] if text else [])
    if not found:
        return None
    text = " ".join(piece.text for piece in found)
    citations = list(dict.fromkeys(i for piece in found for i in piece.citations))
    return Sentence(text=text, citations=citations, paragraph=old.paragraph)
