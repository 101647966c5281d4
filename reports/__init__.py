"""Reports: written from the map and the evidence, checked sentence by sentence, printed in many forms."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.brief import Brief, Counts, PanelMember, ReportedContradiction, Side
    from reports.cite.source_numbering import Bibliography
    from reports.document import Report, ReportWritten, Section, SectionWritten, Sentence, Summary
    from reports.export.forms import FORMS, Exported, export_report
    from reports.export.json import report_json, sources_json
    from reports.export.markdown import report_markdown
    from reports.export.optional_packages import ExportUnavailable
    from reports.extract.cache_warming import prepare
    from reports.plan.outline import plan_report
    from reports.plan.outline_file import OutlineUnreadable, outline_text, read_outline
    from reports.report_phrases import phrases_for
    from reports.settings import ReportSettings
    from reports.tasks import SectionText
    from reports.verify.check import Checker, check_report
    from reports.verify.check_figures import faults_in_figures
    from reports.verify.kept_reviews import Review, SentencesReviewed
    from reports.write.drafts import SectionsDrafted
    from reports.write.writer import write_report

__all__ = [
    "FORMS",
    "Bibliography",
    "Brief",
    "Checker",
    "ReportedContradiction",
    "Counts",
    "PanelMember",
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
    "Bibliography": "reports.cite.source_numbering",
    "Brief": "reports.brief",
    "Checker": "reports.verify.check",
    "Contradiction": "reports.brief",
    "Counts": "reports.brief",
    "Expert": "reports.brief",
    "ExportUnavailable": "reports.export.optional_packages",
    "Exported": "reports.export.forms",
    "FORMS": "reports.export.forms",
    "OutlineUnreadable": "reports.plan.outline_file",
    "Report": "reports.document",
    "ReportSettings": "reports.settings",
    "ReportWritten": "reports.document",
    "Review": "reports.verify.kept_reviews",
    "Section": "reports.document",
    "SectionText": "reports.tasks",
    "SectionWritten": "reports.document",
    "SectionsDrafted": "reports.write.drafts",
    "Sentence": "reports.document",
    "SentencesReviewed": "reports.verify.kept_reviews",
    "Side": "reports.brief",
    "Summary": "reports.document",
    "check_report": "reports.verify.check",
    "export_report": "reports.export.forms",
    "faults_in_figures": "reports.verify.check_figures",
    "outline_text": "reports.plan.outline_file",
    "phrases_for": "reports.report_phrases",
    "plan_report": "reports.plan.outline",
    "prepare": "reports.extract.cache_warming",
    "read_outline": "reports.plan.outline_file",
    "report_json": "reports.export.json",
    "report_markdown": "reports.export.markdown",
    "sources_json": "reports.export.json",
    "write_report": "reports.write.writer",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
