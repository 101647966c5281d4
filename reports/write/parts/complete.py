"""A report whose sections stand is completed: counted, with what it leaves out and what stands around it."""

from collections.abc import Mapping, Sequence

from library import Evidence
from reports.brief import Brief
from reports.document import Report
from reports.report_phrases import ReportPhrases
from reports.verify.check import summarize
from reports.write.parts.end_matter import back_matter, front_matter
from reports.write.parts.left_out import left_out, untold


def completed(
    report: Report,
    brief: Brief,
    evidence: Evidence,
    phrases: ReportPhrases,
    needed: Sequence[str],
    reasons: Mapping[str, str],
    unsaid: Sequence[str],
    *,
    uncited: int,
    unsupported: int,
    repeated: int,
) -> Report:
    """Return a report with its figures, its reasons, and what stands before and after its sections.

    Args:
        report: With its sections, checked.
        brief: What the session counted.
        evidence: All that was admitted.
        phrases: In the report's language.
        needed: The passages that the discussion's answers rest on.
        reasons: Why some of them are left out.
        unsaid: What the sources do not say.
        uncited: Sentences that were left out because they cited nothing.
        unsupported: Sentences that were left out because nothing supported them.
        repeated: Sentences of the sections that were left out because the opening or another says them.
    """
    missing = untold(needed, report.sections, evidence)
    otherwise = phrases.left_unchosen if brief.embedded else phrases.left_untold
    summary = summarize(report.sections, evidence).model_copy(
        update={
            "uncited_dropped": uncited,
            "unsupported_dropped": unsupported,
            "repeated_dropped": repeated,
            "resting": len(needed),
            "resting_told": len(needed) - len(missing),
        }
    )
    report = report.model_copy(update={"summary": summary, "left_out": left_out(missing, reasons, otherwise)})
    return report.model_copy(
        update={
            "front": front_matter(report, brief, phrases),
            "back": back_matter(report, brief, unsaid, phrases),
        }
    )
