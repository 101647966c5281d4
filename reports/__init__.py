"""Reports: written from the map and the evidence, checked sentence by sentence, printed in many forms."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.bibliography import Bibliography, bibliography
    from reports.brief import Brief, Contradiction, Counts, Expert, Side
    from reports.check import check
    from reports.document import Report, ReportWritten, Section, SectionWritten, Sentence, Summary
    from reports.export.json import report_json, sources_json
    from reports.export.markdown import report_markdown
    from reports.settings import ReportSettings
    from reports.writer import write_report

__all__ = [
    "Bibliography",
    "Brief",
    "Contradiction",
    "Counts",
    "Expert",
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
    "report_json",
    "report_markdown",
    "sources_json",
    "write_report",
]

_WHERE = {
    "Bibliography": "reports.bibliography",
    "bibliography": "reports.bibliography",
    "Brief": "reports.brief",
    "Contradiction": "reports.brief",
    "Counts": "reports.brief",
    "Expert": "reports.brief",
    "Side": "reports.brief",
    "check": "reports.check",
    "Report": "reports.document",
    "ReportWritten": "reports.document",
    "Section": "reports.document",
    "SectionWritten": "reports.document",
    "Sentence": "reports.document",
    "Summary": "reports.document",
    "report_json": "reports.export.json",
    "sources_json": "reports.export.json",
    "report_markdown": "reports.export.markdown",
    "ReportSettings": "reports.settings",
    "write_report": "reports.writer",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
