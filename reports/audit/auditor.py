"""An audit from a text to its findings: references, then what each claim rests on, then what judges say."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from library import Library, LibraryError, Passage, SearchError, Source
from library.claims import contradictions
from models import Model, ModelError, ModelUnavailable, Usage
from reports.audit.audit_findings import (
    WORDS,
    Audit,
    ClaimFinding,
    ClaimVerdict,
    FoundPassage,
    ReferenceFinding,
)
from reports.audit.claim_check import WordsVerdict, judge_by_words, unless_denied
from reports.audit.claim_evidence import Candidate, EvidencePool, same_document
from reports.audit.judge_claims import ClaimJudgement, ClaimToJudge, JudgeClaims
from reports.audit.manuscript import Manuscript, ManuscriptClaim
from reports.audit.quoted_words import quoted_words
from reports.audit.reference_check import CheckedReference, ReferenceChecker
from reports.tasks.prompt_texts import shown
from reports.verify.check import Checker

_TOGETHER = 8
"""Claims that a model judges in one request."""
_FOUND = 8
"""Passages of a collection that are looked at for a claim."""
_READ = 2
"""Pages that are read of what a search outside finds."""
_NEAR = 0.25
"""Share of a claim's words that a passage of what is cited holds to be shown as the nearest."""
_MOST_SHOWN = 5
"""Passages that a model reads for one claim."""
CATALOGUES = frozenset({"crossref", "openalex", "arxiv", "semanticscholar"})
"""Places that hold references, where claims are not looked for."""


@dataclass(frozen=True, slots=True)
class AuditStep:
    """How far an audit is."""

    stage: str
    """`references`, `claims` or `judge`."""
    done: int
    of: int


@dataclass(slots=True)
class _Work:
    """A claim, and what was found for it."""

    claim: ManuscriptClaim
    cited: list[Candidate] = field(default_factory=list)
    """Of what is cited for it, or beside it in its paragraph."""
    others: list[Candidate] = field(default_factory=list)
    unread: bool = False
    """Something that is cited for it could not be read, or not all of it."""
    by_words: WordsVerdict | None = None
    elsewhere: WordsVerdict | None = None
    judged: ClaimJudgement | None = None
    against: FoundPassage | None = None


class Auditor:
    """Holds one manuscript against a library; `steps` works, `audit` is what was found."""

    def __init__(
        self, text: Manuscript, library: Library, model: Model | None, *, searches: int = 40
    ) -> None:
        """Take a manuscript.

        Args:
            text: What is looked at.
            library: What is searched and read.
            model: Judges the claims; None: rules alone do.
            searches: Claims that are looked for outside, at most.
        """
        self._text = text
        self._library = library
        self._model = model
        self._searches = searches
        self._pool = EvidencePool(library)
        self._references: list[CheckedReference] = []
        """In the order of the text."""
        self._labelled: dict[str, list[CheckedReference]] = {}
        """By the label that the text cites: numbering that begins anew gives one to several."""
        self._notices: list[str] = []
        self._works = [_Work(claim) for claim in text.claims]
        self.usage: list[Usage] = []
        """What each request to a model cost."""

    async def steps(self) -> AsyncIterator[AuditStep]:
        """Do the work; yield how far it is. What fails for one claim is told in the audit's notices."""
        listed = self._text.references
        checker = ReferenceChecker(self._library, self._text.source)
        yield AuditStep("references", 0, len(listed))
        for start in range(0, len(listed), _TOGETHER):
            some = listed[start : start + _TOGETHER]
            for checked in await checker.check(some):
                self._references.append(checked)
                self._labelled.setdefault(checked.finding.key, []).append(checked)
            yield AuditStep("references", min(start + _TOGETHER, len(listed)), len(listed))
        self._tell_of_labels()
        yield AuditStep("claims", 0, len(self._works))
        for work in self._works:
            await asyncio.to_thread(self._gather, work)
        await asyncio.to_thread(self._judge_cited)
        for n, work in enumerate(self._works, 1):
            if work.by_words is None or work.by_words.verdict != "supported":
                await self._look_elsewhere(work)
            if n % _TOGETHER == 0 or n == len(self._works):
                yield AuditStep("claims", n, len(self._works))
        await asyncio.to_thread(self._judge_elsewhere)
        async for step in self._ask_model():
            yield step

    def _tell_of_labels(self) -> None:
        """Tell of labels that lead to several references, and of brackets that may be citations."""
        for key, several in self._labelled.items():
            if len(several) > 1:
                told = f"the label {key} stands before {len(several)} references"
                self._notice(f"{told}: what cites it was held against each")
        for written in self._text.doubtful:
            self._notice(f"{written} may be a citation, and stands in no list of references")

    def _gather(self, work: _Work) -> None:
        """Find the passages of what is cited for a claim; where nothing is, of what its paragraph cites."""
        claim = work.claim
        for key in claim.references or claim.beside:
            for checked in self._labelled.get(key, ()):
                work.unread = work.unread or not checked.whole
                if checked.source is not None:
                    work.cited += self._pool.best(claim.text, checked.source, key)

    def _checker(self) -> Checker:
        return Checker(self._pool.evidence, self._text.source.title, self._text.language)

    def _judge_cited(self) -> None:
        checker, statistics = self._checker(), self._library.statistics
        for work in self._works:
            if work.cited:
                said = judge_by_words(work.claim.text, work.cited, checker, statistics, cited=True)
                if said.verdict == "supported":
                    said = unless_denied(work.claim.text, said, statistics, self._text.language)
                work.by_words = said

    async def _look_elsewhere(self, work: _Work) -> None:
        """Search for a claim in every collection, and, as long as searches are left, outside."""
        text = work.claim.text
        cited = {candidate.passage.key for candidate in work.cited}
        own = self._text.source
        for place in self._library.collections:
            try:
                if place.local:
                    hits = await self._library.search(text, place.name, _FOUND)
                    found = [hit.passage for hit in hits if hit.passage is not None]
                elif place.name not in CATALOGUES and self._searches > 0:
                    self._searches -= 1
                    for source in await self._read_found(text, place.name):
                        if not same_document(source, own):
                            work.others += self._pool.best(text, source)
                    continue
                else:
                    continue
            except SearchError as error:
                self._notice(str(error))
                continue
            fresh = [one for one in found if one.key not in cited and not same_document(one, own)]
            work.others += [self._pool.of_hit(text, passage) for passage in fresh]
        work.others.sort(key=lambda one: -one.share)

    async def _read_found(self, text: str, where: str) -> list[Source]:
        hits = await self._library.search(text, where, _READ * 2)
        sources: list[Source] = []
        for hit in hits:
            if len(sources) < _READ:
                try:
                    sources.append(await self._library.read(hit.url, [hit]))
                except LibraryError as error:
                    self._notice(str(error))
        return sources

    def _judge_elsewhere(self) -> None:
        """Judge by words what was found elsewhere, and note which of it tells the same otherwise."""
        checker, statistics = self._checker(), self._library.statistics
        for work in self._works:
            otherwise: WordsVerdict | None = None
            for candidate in work.others[:_MOST_SHOWN]:
                said = judge_by_words(work.claim.text, [candidate], checker, statistics)
                if said.verdict == "supported":
                    said = unless_denied(work.claim.text, said, statistics, self._text.language)
                if said.verdict == "supported":
                    work.elsewhere = said
                    break
                if said.verdict == "contradicted" and otherwise is None and not work.cited:
                    otherwise = said
            work.against = self._against(work)
            # What nobody cited is shown beside a claim whose reference could not be read; it judges nothing.
            if work.against is None and work.elsewhere is None and otherwise and otherwise.candidate:
                passage = otherwise.candidate.passage
                work.against = self._shown(work.claim.text, passage, "", otherwise.sentence)

    def _against(self, work: _Work) -> FoundPassage | None:
        """Return what says something else of the same, by figures, dates, offices and denials."""
        claim, source = work.claim, self._text.source
        if claim.end > len(source.text) or not claim.text:
            return None
        own = replace(source.passage(claim.start, claim.end, "claim"), text=claim.text)
        known = [candidate.passage for candidate in (*work.cited, *work.others)]
        found = contradictions([own], known, self._library.statistics, self._text.source.title, most=None)
        for each in found:
            other, said = (each.a, each.sentences[0]) if each.b.id == "claim" else (each.b, each.sentences[1])
            if other.id != "claim" and each.kind != "values":
                key = next((c.reference for c in work.cited if c.passage.id == other.id), "")
                return self._shown(claim.text, other, key, " ".join(said.split()))
        return None

    async def _ask_model(self) -> AsyncIterator[AuditStep]:
        """Have a model judge the claims for which passages were found, some in each request."""
        model = self._model
        asked = [work for work in self._works if work.cited or work.others]
        if model is None or not asked:
            return
        groups = [asked[start : start + _TOGETHER] for start in range(0, len(asked), _TOGETHER)]
        yield AuditStep("judge", 0, len(asked))
        try:
            # One goes ahead: a key that is refused is refused to all.
            done = await self._judged(model, groups[0])
        except ModelUnavailable as error:
            self._notice(f"{len(asked)} claims were judged by words alone: {error}")
            yield AuditStep("judge", len(asked), len(asked))
            return
        yield AuditStep("judge", done, len(asked))
        pending = [asyncio.ensure_future(self._judged(model, group)) for group in groups[1:]]
        try:
            for finished in asyncio.as_completed(pending):
                try:
                    done += await finished
                except ModelUnavailable as error:
                    self._notice(f"claims were judged by words alone: {error}")
                yield AuditStep("judge", done, len(asked))
        finally:
            for task in pending:
                task.cancel()

    async def _judged(self, model: Model, group: Sequence[_Work]) -> int:
        claims = [
            ClaimToJudge(
                n=work.claim.n, text=work.claim.text,
                cited=[c.passage.id for c in _best(work.cited)],
                others=[c.passage.id for c in work.others[: max(0, _MOST_SHOWN - len(_best(work.cited)))]],
            )
            for work in group
        ]  # fmt: skip
        ids = list(dict.fromkeys(i for claim in claims for i in (*claim.cited, *claim.others)))
        task = JudgeClaims(claims=claims, passages=shown(ids, self._pool.evidence))
        try:
            reply = await model.ask(task)
        except ModelUnavailable:
            raise
        except ModelError as error:
            self._notice(f"{len(group)} claims were judged by words alone: {error}")
            return len(group)
        self.usage.append(reply.usage)
        said = {verdict.n: verdict for verdict in reversed(reply.output.verdicts)}
        for work, claim in zip(group, claims, strict=True):
            verdict = said.get(work.claim.n)
            allowed = {
                *claim.cited,
                *claim.others,
                *([""] if verdict and verdict.verdict == "not_found" else []),
            }
            if verdict is not None and verdict.passage in allowed:
                work.judged = verdict
        return len(group)

    def _notice(self, text: str) -> None:
        if text not in self._notices:
            self._notices.append(text)

    def audit(self, *, file: str, checked_at: str, model: str) -> Audit:
        """Return what was found.

        Args:
            file: The text's file as the person named it.
            checked_at: Now, ISO 8601.
            model: The name of the model that judged, or `embedded`.
        """
        text = self._text
        claims = [self._finding(work, model) for work in self._works]
        counts: dict[str, int] = {}
        for work in self._works:
            for key in work.claim.references:
                counts[key] = counts.get(key, 0) + 1
        found = self.references
        references = [one.model_copy(update={"cited": counts.get(one.key, 0)}) for one in found]
        return Audit(
            title=text.source.title, file=file, sha256=text.source.sha256, language=text.language,
            checked_at=checked_at, model=model, searched=tuple(p.name for p in self._library.collections),
            references=tuple(references), claims=tuple(claims), dangling=text.dangling,
            notices=tuple(self._notices), outside=self._library.registry is not None,
        )  # fmt: skip

    def _finding(self, work: _Work, model: str) -> ClaimFinding:
        verdict, reason, candidate, judge = self._verdict(work, model)
        claim = work.claim
        became = [one.finding.became for key in claim.references for one in self._labelled.get(key, ())]
        said = work.by_words.sentence if work.by_words and candidate is work.by_words.candidate else ""
        return ClaimFinding(
            n=claim.n, text=claim.text, start=claim.start, end=claim.end, section=claim.section,
            references=claim.references, verdict=verdict, reason=reason, judged_by=judge,
            passage=self._shown(claim.text, candidate.passage, candidate.reference, said)
            if candidate is not None else None,
            against=work.against if verdict != "contradicted" else None,
            read=bool(claim.references) and not work.unread,
            rests_on="retracted" if "retracted" in became else "corrected" if "corrected" in became else "",
        )  # fmt: skip

    def _verdict(self, work: _Work, model: str) -> tuple[ClaimVerdict, str, Candidate | None, str]:
        """Return verdict, reason, passage and judge: the model's word where it gave one, else the rules'."""
        rules = work.by_words
        judged = work.judged
        if judged is not None:
            # A figure or a name that stands nowhere in what is cited is no matter of opinion.
            objected = rules is not None and rules.verdict == "contradicted" and judged.verdict == "supported"
            if not objected:
                return self._by_model(work, judged, model)
        if rules is not None and rules.verdict == "supported":
            return "supported", "", rules.candidate, WORDS
        if rules is not None and rules.verdict == "contradicted" and work.claim.references:
            return "contradicted", rules.reason, rules.candidate, WORDS
        if work.elsewhere is not None:
            return "elsewhere", rules.reason if rules else "", work.elsewhere.candidate, WORDS
        if rules is not None and rules.verdict == "near" and work.claim.references:
            return "near", rules.reason, rules.candidate, WORDS
        return self._nowhere(work, rules.reason if rules else "", WORDS)

    def _by_model(
        self, work: _Work, judged: ClaimJudgement, model: str
    ) -> tuple[ClaimVerdict, str, Candidate | None, str]:
        every = (*work.cited, *work.others)
        candidate = next((one for one in every if one.passage.id == judged.passage), None)
        cited = candidate is not None and bool(candidate.reference)
        if judged.verdict == "not_found" or candidate is None:
            return self._nowhere(work, judged.words, model)
        if judged.verdict == "supported" and not cited:
            return "elsewhere", judged.words, candidate, model
        return judged.verdict, judged.words, candidate, model

    def _nowhere(
        self, work: _Work, reason: str, judge: str
    ) -> tuple[ClaimVerdict, str, Candidate | None, str]:
        if not work.claim.references:
            return "uncited", "", None, judge if work.cited or work.others else ""
        if work.unread:
            return ("unread", "only a part of it could be read", None, judge) if work.cited else (
                "unread", "", None, ""
            )  # fmt: skip
        nearest = max(work.cited, key=lambda one: one.share, default=None)
        return "not_found", reason, nearest if nearest and nearest.share >= _NEAR else None, judge

    def _shown(self, claim: str, passage: Passage, reference: str, said: str) -> FoundPassage:
        """Return a passage with its words that tell of a claim; `said` is quoted whatever else is."""
        source = self._pool.evidence.sources[passage.sha256]
        quote, heading = quoted_words(claim, passage, source, self._library.statistics, said)
        return FoundPassage(
            text=passage.text, title=passage.title, url=passage.url, quote=quote, heading=heading,
            reference=reference, page=passage.page, start=passage.start, end=passage.end,
            sha256=passage.sha256,
        )  # fmt: skip

    @property
    def references(self) -> list[ReferenceFinding]:
        """What was found of the references, so far."""
        return [checked.finding for checked in self._references]


def _best(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the best passages of what is cited: the best of each source first."""
    order = sorted(candidates, key=lambda one: -one.share)
    firsts = {one.passage.sha256: one for one in reversed(order)}
    chosen = [*firsts.values(), *(one for one in order if one not in firsts.values())]
    return chosen[:_MOST_SHOWN]
