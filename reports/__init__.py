"""Reports: written from the map and the evidence, checked sentence by sentence, printed in many forms."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.ahead import prepare
    from reports.bibliography import Bibliography
    from reports.brief import Brief, Contradiction, Counts, Expert, Side
    from reports.check import Checker, check_report
    from reports.check_figures import faults_in_figures
    from reports.document import Report, ReportWritten, Section, SectionWritten, Sentence, Summary
    from reports.drafts import SectionsDrafted
    from reports.export.extra import ExportUnavailable
    from reports.export.forms import FORMS, Exported, export_report
    from reports.export.json import report_json, sources_json
    from reports.export.markdown import report_markdown
    from reports.outline import plan_report
    from reports.phrases import phrases_for
    from reports.plan_file import OutlineUnreadable, outline_text, read_outline
    from reports.reviews import Review, SentencesReviewed
    from reports.settings import ReportSettings
    from reports.tasks import SectionText
    from reports.writer import write_report

__all__ = [
    "FORMS",
    "Bibliography",
    "Brief",
    "Checker",
    "Contradiction",
    "Counts",
    "Expert",
    "ExportUnavailable",
    "Exported",
    "OutlineUnreadable",
    "Report",
    "ReportSettings",
    "ReportWritten",
    "Review",
    "Section",
    "SectionText",
    "SectionWritten",
    "SectionsDrafted",
    "Sentence",
    "SentencesReviewed",
    "Side",
    "Summary",
    "check_report",
    "export_report",
    "faults_in_figures",
    "outline_text",
    "phrases_for",
    "plan_report",
    "prepare",
    "read_outline",
    "report_json",
    "report_markdown",
    "sources_json",
    "write_report",
]

_WHERE = {
    "Bibliography": "reports.bibliography",
    "Brief": "reports.brief",
    "Checker": "reports.check",
    "Contradiction": "reports.brief",
    "Counts": "reports.brief",
    "Expert": "reports.brief",
    "ExportUnavailable": "reports.export.extra",
    "Exported": "reports.export.forms",
    "FORMS": "reports.export.forms",
    "OutlineUnreadable": "reports.plan_file",
    "Report": "reports.document",
    "ReportSettings": "reports.settings",
    "ReportWritten": "reports.document",
    "Review": "reports.reviews",
    "Section": "reports.document",
    "SectionText": "reports.tasks",
    "SectionWritten": "reports.document",
    "SectionsDrafted": "reports.drafts",
    "Sentence": "reports.document",
    "SentencesReviewed": "reports.reviews",
    "Side": "reports.brief",
    "Summary": "reports.document",
    "check_report": "reports.check",
    "export_report": "reports.export.forms",
    "faults_in_figures": "reports.check_figures",
    "outline_text": "reports.plan_file",
    "phrases_for": "reports.phrases",
    "plan_report": "reports.outline",
    "prepare": "reports.ahead",
    "read_outline": "reports.plan_file",
    "report_json": "reports.export.json",
    "report_markdown": "reports.export.markdown",
    "sources_json": "reports.export.json",
    "write_report": "reports.writer",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
