"""Reports: written from the map and the evidence, checked sentence by sentence, printed in many forms."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.bibliography import Bibliography, bibliography
    from reports.brief import Brief, Contradiction, Counts, Expert, Side
    from reports.check import Checker, check
    from reports.document import Report, ReportWritten, Section, SectionWritten, Sentence, Summary
    from reports.export.extra import ExportUnavailable
    from reports.export.forms import FORMS, Exported, export
    from reports.export.json import report_json, sources_json
    from reports.export.markdown import report_markdown
    from reports.outline import outline
    from reports.phrases import phrases
    from reports.plan_file import OutlineUnreadable, outline_text, read_outline
    from reports.settings import ReportSettings
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
    "Section",
    "SectionWritten",
    "Sentence",
    "Side",
    "Summary",
    "bibliography",
    "check",
    "export",
    "outline",
    "outline_text",
    "phrases",
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
    "Section": "reports.document",
    "SectionWritten": "reports.document",
    "Sentence": "reports.document",
    "Side": "reports.brief",
    "Summary": "reports.document",
    "bibliography": "reports.bibliography",
    "check": "reports.check",
    "export": "reports.export.forms",
    "outline": "reports.outline",
    "outline_text": "reports.plan_file",
    "phrases": "reports.phrases",
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
