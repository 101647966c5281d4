"""What an audit says by itself, in each language that it can say it in."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from library.text import phrases_in, translated
from reports.audit.audit_findings import WORDS, Audit, ClaimFinding, FoundWork, ReferenceFinding


@dataclass(frozen=True, slots=True)
class AuditPhrases:
    """One language's words. Names in braces are filled with `str.format`."""

    title: str
    checked: str
    searched: str
    searched_alone: str
    nothing_searched: str
    by_words: str
    by_model: str
    references: str
    claims: str
    copy: str
    notices: str
    look: str
    nothing: str
    reference_counts: str
    claim_counts: str
    comma: str
    colon: str
    """With the space that the language sets after it, if any."""
    dangling: str
    reference_found: str
    reference_differs: str
    reference_not_found: str
    reference_unchecked: str
    retracted: str
    corrected: str
    claim_supported: str
    claim_partial: str
    claim_elsewhere: str
    claim_misplaced: str
    claim_contradicted: str
    claim_near: str
    claim_not_found: str
    claim_unread: str
    claim_uncited: str
    against: str
    nearest: str
    rests_retracted: str
    judge_words: str
    judge: str
    page: str
    cited_by: str
    told_document: str
    """Who tells of a work that is a document of one's own, or a page."""
    told_page: str
    language: str = "en"
    """Its code."""

    def reference(self, finding: ReferenceFinding) -> str:
        """Return the verdict on a reference in words."""
        said = str(getattr(self, f"reference_{finding.verdict}"))
        return f"{said} · {getattr(self, finding.became)}" if finding.became else said

    def told_by(self, work: FoundWork) -> str:
        """Return who told of a work: a catalogue by its name, or what kind of text it is."""
        kinds = {"document": self.told_document, "page": self.told_page}
        return kinds.get(work.told_by, work.told_by)

    def claim(self, finding: ClaimFinding) -> str:
        """Return the verdict on a claim in words."""
        name = "misplaced" if finding.verdict == "elsewhere" and finding.faulty else finding.verdict
        said = str(getattr(self, f"claim_{name}"))
        return f"{said} · {self.rests_retracted}" if finding.rests_on == "retracted" else said

    def lead(self, finding: ClaimFinding) -> str:
        """Return what is said before a claim's passage, with its colon; empty where nothing need be."""
        return f"{self.nearest}{self.colon}" if finding.verdict in ("near", "not_found") else ""

    def reason(self, reason: str) -> str:
        """Return a reason or a notice, which are composed in English, in the audit's language."""
        return translated(reason, self.language)

    def judged(self, finding: ClaimFinding) -> str:
        """Return who judged a claim; empty where nobody did."""
        if not finding.judged_by:
            return ""
        return self.judge_words if finding.judged_by == WORDS else self.judge.format(model=finding.judged_by)

    def _told(self, of: str, counts: Mapping[str, int]) -> str:
        named = {kind: getattr(self, f"{of}_{kind}", None) or getattr(self, kind) for kind in counts}
        return self.comma.join(f"{count} {named[kind]}" for kind, count in counts.items() if count)

    def unlisted(self, audit: Audit) -> str:
        """Return which citations lead to no reference; empty where all do."""
        if not audit.dangling:
            return ""
        return self.dangling.format(n=len(audit.dangling), which=", ".join(audit.dangling[:20]))

    def summary(self, audit: Audit) -> list[str]:
        """Return what was found, how, and by whom, a sentence each."""
        counts = audit.counts()
        models = sorted({one.judged_by for one in audit.claims} - {"", WORDS})
        lines: list[str] = []
        if audit.references:
            told = self._told("reference", counts["references"])
            lines.append(self.reference_counts.format(n=len(audit.references), told=told))
        if audit.claims:
            told = self._told("claim", counts["claims"])
            lines.append(self.claim_counts.format(n=len(audit.claims), told=told))
        lines += filter(None, [self.unlisted(audit)])
        told = self.searched if audit.outside else self.searched_alone
        searched = told.format(places=", ".join(audit.searched))
        lines.append(searched if audit.searched else self.nothing_searched)
        lines.append(self.by_model.format(model=", ".join(models)) if models else self.by_words)
        return lines


def audit_phrases(language: str) -> AuditPhrases:
    """Return the words in a language; in English for one that the program does not speak."""
    return replace(phrases_in(language, AuditPhrases, "audit"), language=language)
