"""A report looked over once more: does each sentence stand in what it cites, are its pages still there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from library import Evidence
from reports import Report, Sentence, check_report, faults_in_figures
from reports.cite import bibliography
from roundtable.config.config import load_settings
from roundtable.output.revisit import CitedPage, Revisit, revisitor


@dataclass(frozen=True, slots=True)
class ReportCheck:
    """What looking a report over found."""

    report: Report
    """With what was found of each sentence."""
    wrong_figures: Sequence[tuple[str, str]]
    """Sections of tables and charts that say what their passages do not, each with what that is."""
    pages: Sequence[Revisit]
    """The cited pages as they are now; empty when they were not fetched."""

    @property
    def failing(self) -> list[tuple[str, Sentence]]:
        """The sentences that do not wholly stand, each with its section's heading."""
        return [
            (section.heading, one)
            for section in self.report.sections
            for one in section.sentences
            if one.support in ("unsupported", "partial") or not one.citations
        ]

    @property
    def sound(self) -> bool:
        """Whether nothing is unsupported, and no page is gone or says no longer what is cited."""
        wrong = any(one.support == "unsupported" or not one.citations for _, one in self.failing)
        died = any(page.fate in ("gone", "lost") for page in self.pages)
        return not (wrong or self.wrong_figures or died)


async def checked_again(report: Report, evidence: Evidence, *, online: bool) -> ReportCheck:
    """Look a report over; `online`: fetch the pages that it cites, too. No model is asked."""
    checked = check_report(report, evidence)
    pages = await _revisited(checked, evidence) if online else []
    return ReportCheck(checked, faults_in_figures(report, evidence), pages)


async def _revisited(report: Report, evidence: Evidence) -> list[Revisit]:
    entries = bibliography(report, evidence).entries
    settings = load_settings()
    async with revisitor(settings.library, offline=settings.offline) as visitor:
        return await visitor.visit([CitedPage(entry.source, entry.passages) for entry in entries])


def check_values(check: ReportCheck) -> dict[str, Any]:
    """Return what was found as plain values: {summary, sentences, figures, pages, fates}."""
    report = check.report
    values: dict[str, Any] = {
        "summary": report.summary.model_dump(),
        "sentences": [
            {"section": section.heading, **s.model_dump(include={"text", "citations", "support", "reason"})}
            for section in report.sections
            for s in section.sentences
        ],
        "figures": [{"section": heading, "fault": fault} for heading, fault in check.wrong_figures],
        "pages": [
            {"url": p.cited.source.url, "fate": p.fate, "reason": p.reason, "lost": list(p.lost)}
            for p in check.pages
        ],
        "fates": dict(sorted(Counter(p.fate for p in check.pages).items())),
    }
    return values
