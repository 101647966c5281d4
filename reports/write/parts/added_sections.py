"""Sections that are put into a written report: what changed in its sources, what a person had compared."""

from library import Evidence
from reports.document import Report, Section
from reports.verify.check import summarize

_SAID_BEFORE = ("uncited_dropped", "unsupported_dropped", "repeated_dropped", "resting", "resting_told")
"""Figures of a summary that the sections do not tell."""


def without_additions(report: Report) -> Report:
    """Return a report as it was written, without what was put into it."""
    sections = [section for section in report.sections if not (section.changes or section.compared)]
    return report.model_copy(update={"sections": sections})


def with_addition(report: Report, section: Section, evidence: Evidence) -> Report:
    """Return a report with a section more, right behind its answer.

    Args:
        report: As it was written.
        section: What is put in.
        evidence: All that the report and the section cite.
    """
    behind = 1 if report.answer.sentences else 0
    sections = [*report.sections[:behind], section, *report.sections[behind:]]
    kept = {name: getattr(report.summary, name) for name in _SAID_BEFORE}
    summary = summarize(sections, evidence).model_copy(update=kept)
    return report.model_copy(update={"sections": sections, "summary": summary})
