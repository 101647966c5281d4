"""Checks what was written, has what fails repaired once, and drops or marks the rest."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from library import Evidence, citations, cite, keep_citations
from models import estimate
from reports.cite.cited_sentences import cited_sentences
from reports.cite.lead_ins import joined_in_vain, joins, left_out
from reports.document import Section, Sentence
from reports.extract.sentence_context import takes_up
from reports.plan.layout import needed_there, said_by, says_no_more
from reports.report_phrases import phrases_for
from reports.settings import ReportSettings
from reports.tasks.prompt_texts import shown
from reports.verify.check import Checker
from reports.verify.code_cited import cite_code
from reports.verify.kept_reviews import Reviews
from reports.verify.review import (
    UNANSWERED,
    JudgedClaim,
    JudgeSection,
    RefusedSentence,
    Repaired,
    Repairs,
    RepairSentences,
    Verdicts,
    claims,
    judged,
)
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing
from reports.write.drafting.batch_tasks import JUDGING, dealt, with_room

_BESIDE = 3
"""Passages that a sentence may cite beside its own when it is repaired."""
_REPAIRED_FROM = 6
"""Passages that it is repaired from at most, unless it cites more itself."""
_TRIED = 12
"""Of what writers were shown, how many are tried where a sentence says what its own do not hold; twice that
of those that hold a word of it."""
_ROOM = 9_000
"""Tokens of sentences and passages that a judge reads in one request at most."""
_WORD = re.compile(r"\w+")
_FENCED = re.compile(r"```[a-z]*\n([^`]*)```")
"""Code between lines of backquotes."""
_TOLD = "other sentences tell all that it cites"
"""The reason of a sentence that was given up and goes for that: it need not have been wrong."""
_Place = tuple[int, int]
"""Number of the section, number of the sentence in it."""


@dataclass(frozen=True, slots=True)
class Mended:
    """Sections as they may stand, and what was left out of them."""

    sections: list[Section]
    uncited: int = 0
    unsupported: int = 0
    told: int = 0
    """Sentences that were given up because others tell all that they cite."""


def fails(sentence: Sentence) -> bool:
    """Tell whether a sentence may not stand as it is: nothing behind it, or no citation at all."""
    return sentence.support == "unsupported" or not sentence.citations


def failing(sections: Sequence[Section], *, partly: bool = True) -> list[_Place]:
    """Return the places of the sentences that may not stand, and (`partly`) of those supported in part.

    Of code only what may not stand: a step without its command cannot be done. Not of what only joins others:
    that goes.
    """
    return [
        (i, n)
        for i, section in enumerate(sections)
        for n, s in enumerate(section.sentences)
        if not joins(s) and (fails(s) or (partly and s.support == "partial" and s.form != "code"))
    ]


class Repairer:
    """Checks, judges and repairs sections; each step is an errand, so that steps can go out together."""

    def __init__(
        self, topic: str, language: str, evidence: Evidence, settings: ReportSettings, reviews: Reviews
    ) -> None:
        self._reviews = reviews
        self.checker = Checker(evidence, topic, language)
        self._topic = topic
        self._language = language
        self._phrases = phrases_for(language)
        self._evidence = evidence
        self._settings = settings

    def checked(self, sections: Sequence[Section]) -> list[Section]:
        """Return the sections as far as rules can tell; commands cite what holds them."""
        cited = [cite_code(section, self.checker, self._evidence) for section in sections]
        return [self.checker.section(section) for section in cited]

    def judging(
        self, sections: list[Section], only: Collection[_Place] | None = None
    ) -> BatchedRequest[list[Section]]:
        """Let a judge read what the rules could not settle: of all sentences, or only of some.

        What a judge said of a sentence before stands.
        """
        sections = [self._remembered(section) for section in sections]
        wanted = [
            (i, [c for c in claims(section.sentences) if only is None or (i, c.n - 1) in only])
            for i, section in enumerate(sections)
        ]
        groups = dealt([(i, found) for i, found in wanted if found], JUDGING) if self._settings.judge else []
        if not groups:
            return nothing(sections)
        numbered = [part for group in groups for part in with_room(_numbered(group), self._has_room)]
        tasks: list[Any] = [self._judged(each) for each in numbered]

        def read(replies: list[Verdicts]) -> list[Section]:
            found = list(sections)
            for each, verdicts in zip(numbered, replies, strict=True):
                self._learn(each, verdicts)
                for i, own in _told_apart(each, verdicts).items():
                    found[i] = found[i].model_copy(update={"sentences": judged(found[i].sentences, own)})
            return found

        return BatchedRequest(tasks, read)

    def _judged(self, each: "Sequence[tuple[_Place, JudgedClaim]]") -> JudgeSection:
        """Return the request to judge some claims."""
        return JudgeSection(
            claims=[claim for _, claim in each],
            passages=shown([p for _, claim in each for p in claim.citations], self._evidence),
            topic=self._topic,
            language=self._language,
        )

    def _has_room(self, each: "Sequence[tuple[_Place, JudgedClaim]]") -> bool:
        """Tell whether the verdicts on some claims go into one reply: one too long would be cut off."""
        fields = self._judged(each).fields()
        return estimate(fields["sentences"]) + estimate(fields["passages"]) <= _ROOM

    def _remembered(self, section: Section) -> Section:
        claimed = [(n, s) for n, s in enumerate(section.sentences, 1) if s.support == "unchecked"]
        known = [verdict for n, s in claimed if (verdict := self._reviews.verdict(n, s)) is not None]
        if not known or not self._settings.judge:
            return section
        return section.model_copy(update={"sentences": judged(section.sentences, Verdicts(verdicts=known))})

    def _learn(self, each: "_Numbered", verdicts: Verdicts) -> None:
        claimed = {claim.n: claim for _place, claim in each}
        for verdict in reversed(verdicts.verdicts):  # the first word on each counts
            if (claim := claimed.get(verdict.n)) is not None:
                self._reviews.judged(claim.text, claim.citations, verdict)

    def repairing(
        self, sections: list[Section], *, partly: bool = True, shown_to: Sequence[str] = ()
    ) -> BatchedRequest[list[Section]]:
        """Have the sentences that fail repaired; the new ones are checked, not yet judged.

        What each may cite beside is looked for here, which may take a while: not for an event loop.

        One that is supported in part and comes back no better stays as it was, to be marked; one that is
        given up goes, where others tell of all that it cites and none behind it takes up what it names.

        Args:
            sections: As they were judged.
            partly: Whether those that are supported in part are repaired too.
            shown_to: Ids of the passages that writers were shown: where one of them holds what a sentence
                says beyond its own citations, the sentence may cite it.
        """
        places = failing(sections, partly=partly)
        if not places:
            return nothing(sections)
        parts = [_refused(sections[i], n, self.checker, self._evidence, shown_to) for i, n in places]

        def read(replies: list[Repairs]) -> list[Section]:
            answered = replies[0].of(len(parts))
            new = {
                (i, n): checked
                for (i, n), part, reply in zip(places, parts, answered, strict=True)
                if (sentence := _repaired(sections[i].sentences[n], part, reply)) is not None
                and not (
                    fails(checked := self.checker.sentence(sentence)) and not fails(sections[i].sentences[n])
                )
            }
            given_up = [
                place for place, reply in zip(places, answered, strict=True)
                if reply is not UNANSWERED and not plain(reply.text)
            ]  # fmt: skip
            new |= {place: _given_up(sections, place) for place in _dispensable(sections, given_up)}
            return [
                section.model_copy(
                    update={"sentences": [new.get((i, n), s) for n, s in enumerate(section.sentences)]}
                )
                for i, section in enumerate(sections)
            ]

        task = RepairSentences(topic=self._topic, language=self._language, refused=parts)
        return BatchedRequest([task], read)

    def standing(self, sections: Sequence[Section]) -> Mended:
        """Leave out what fails, or mark it. A section may be left with nothing; a lost step is told."""
        if self._settings.unsupported == "mark":
            return Mended(list(sections))
        kept, uncited, unsupported, elsewhere = [], 0, 0, 0
        for section in sections:
            told_of = section.sentences
            gone = {n for n, s in enumerate(told_of) if fails(s) or joined_in_vain(told_of, n)}
            stays = left_out(section.sentences, gone)
            uncited += sum(not s.citations for s in section.sentences)
            lost = [s for s in section.sentences if fails(s) and s.citations]
            elsewhere += sum(s.reason == _TOLD for s in lost)
            unsupported += sum(s.reason != _TOLD for s in lost)
            told = said_by(stays)
            holes = any(
                fails(s) and s.form == "step" and not says_no_more(s, told) for s in section.sentences
            )
            closing = " ".join(filter(None, [section.closing, self._phrases.step_left_out if holes else ""]))
            kept.append(section.model_copy(update={"sentences": stays, "closing": closing}))
        return Mended(kept, uncited, unsupported, elsewhere)


_Numbered = list[tuple[_Place, JudgedClaim]]
"""Claims of a request, each with its section and its own number there."""


def _numbered(group: Sequence[tuple[int, list[JudgedClaim]]]) -> _Numbered:
    """Number the claims of a request: by their place in their section where there is one, else from 1."""
    found = [((i, claim.n), claim) for i, claims_of_it in group for claim in claims_of_it]
    if len(group) == 1:
        return found
    return [(place, claim.model_copy(update={"n": n})) for n, (place, claim) in enumerate(found, 1)]


def _told_apart(each: _Numbered, verdicts: Verdicts) -> dict[int, Verdicts]:
    """Return a request's verdicts by section, numbered as there; those on nothing that was asked are gone."""
    places = {claim.n: place for place, claim in each}
    found: dict[int, Verdicts] = {}
    for verdict in verdicts.verdicts:
        if verdict.n in places:
            i, n = places[verdict.n]
            found.setdefault(i, Verdicts(verdicts=[])).verdicts.append(verdict.model_copy(update={"n": n}))
    return found


def _refused(
    section: Section, n: int, checker: Checker, evidence: Evidence, shown_to: Sequence[str]
) -> RefusedSentence:
    sentence = section.sentences[n]
    # What its own passages say in part another that its writer saw may say whole: the nearest first.
    order = sorted(range(len(section.sentences)), key=lambda other: abs(other - n))
    near = list(dict.fromkeys(i for other in order for i in section.sentences[other].citations))
    if own := list(dict.fromkeys(sentence.citations)):
        more = [i for i in dict.fromkeys([*near, *shown_to]) if i not in own and i in evidence.passages]
        near = [*own, *_holding_more(sentence, own, more, len(near) - len(own), checker, evidence)]
    behind = section.sentences[n + 1].text if n + 1 < len(section.sentences) else ""
    return RefusedSentence(
        behind=behind if takes_up(behind) else "",
        sentence=f"{_as_written(sentence)} {cite(sentence.citations)}".strip(),
        reason=sentence.reason or ("supported in part" if sentence.support == "partial" else "not supported"),
        passages=shown(near[: max(_REPAIRED_FROM, len(own) + _BESIDE)], evidence),
    )


def _holding_more(
    sentence: Sentence, own: list[str], others: list[str], near: int, checker: Checker, evidence: Evidence
) -> list[str]:
    """Return which other passages hold what a sentence says and its own do not; a few at most.

    Args:
        sentence: It was refused.
        own: What it cites.
        others: What it might cite beside, the first `near` of them from its own section.
        near: How many of them are taken for what a judge refused: rules know no words of that.
        checker: Knows what is lost.
        evidence: Holds the passages.
    """
    lost = checker.lost(sentence.text, own)
    if not lost:
        return others[:near][:_BESIDE] if sentence.support == "partial" else []
    words = {word.casefold() for each in lost for word in _WORD.findall(each)}
    # What holds none of the words may still say them (a number in letters): the nearest are tried.
    tried = [
        i for k, i in enumerate(others)
        if k < _TRIED or any(word in evidence.passages[i].text.casefold() for word in words)
    ][: 2 * _TRIED]  # fmt: skip
    chosen: list[str] = []
    while lost and tried and len(chosen) < _BESIDE:
        left = {i: checker.lost(sentence.text, [*own, *chosen, i]) for i in tried}
        best = min(tried, key=lambda i: len(left[i]))
        if len(left[best]) >= len(lost):
            break
        chosen, lost = [*chosen, best], left[best]
        tried.remove(best)
    return chosen


def _dispensable(sections: Sequence[Section], given_up: Collection[_Place]) -> list[_Place]:
    """Return which sentences that were given up may go: others tell of all that they cite."""
    found = list[_Place]()
    for i, n in given_up:
        others = (
            s for j, section in enumerate(sections) for m, s in enumerate(section.sentences)
            if (j, m) not in given_up and not fails(s)
        )  # fmt: skip
        told = {passage for s in others for passage in s.citations}
        if told.issuperset(sections[i].sentences[n].citations) and not needed_there(sections[i], [n]):
            found.append((i, n))
    return found


def _given_up(sections: Sequence[Section], place: _Place) -> Sentence:
    sentence = sections[place[0]].sentences[place[1]]
    reason = sentence.reason if fails(sentence) else _TOLD
    return sentence.model_copy(update={"support": "unsupported", "reason": reason})


def _as_written(sentence: Sentence) -> str:
    return f"```\n{sentence.text}\n```" if sentence.form == "code" else sentence.text


def _repaired(old: Sentence, part: RefusedSentence, reply: Repaired) -> Sentence | None:
    allowed = [p.id for p in part.passages]
    if old.form == "code" and (fenced := _FENCED.search(reply.text)):
        cited = [i for i in citations(reply.text) if i in allowed]
        code = fenced[1].strip("\n")
        return Sentence(text=code, citations=cited, paragraph=old.paragraph, form="code") if code else None
    kept, _rejected = keep_citations(plain(reply.text), allowed)
    # A repair gives one sentence: of more, all words are kept with all their citations.
    found = cited_sentences(kept, lambda text: [(0, len(text))] if text else [])
    if not found:
        return None
    text = " ".join(piece.text for piece in found)
    held = list(dict.fromkeys(i for piece in found for i in piece.citations))
    # Code may be told in words, in the paragraph of its step.
    form = "prose" if old.form == "code" else old.form
    return Sentence(text=text, citations=held, paragraph=old.paragraph, form=form, step=old.step)
