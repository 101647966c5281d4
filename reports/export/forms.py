"""All forms of a report by name: what a command offers and calls."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from library import Evidence
from reports.document import Report
from reports.plan.map_reader import Map


@dataclass(frozen=True, slots=True)
class Exported:
    """A report in one form."""

    data: bytes
    suffix: str
    """Of a file that holds it, with the dot."""
    warnings: tuple[str, ...] = ()
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Files that it shows and that must lie beside it, by name."""


def export_report(
    form: str, report: Report, evidence: Evidence, tree: Map | None = None, stem: str | None = None
) -> Exported:
    """Return a report in a form.

    Args:
        form: One of `FORMS`.
        report: The report.
        evidence: What it cites.
        tree: The mind map, for the forms that show it.
        stem: The name, without ending, of the file that it will be: its charts may then lie beside it. None
            when it stands alone: charts that it cannot hold itself are then shown as tables only.

    Raises:
        KeyError: there is no such form; `FORMS` names them.
        ExportUnavailable: it needs the extra `[export]`, and the message says so.
    """
    if stem is None or form not in {*_BESIDE, "ris"} or not re.fullmatch(r"[\w.-]+", stem):
        return FORMS[form](report, evidence, tree)
    if form == "ris":
        from reports.export.references import archived_texts, ris

        beside = archived_texts(report, evidence, stem)
        return Exported(ris(report, evidence, stem).encode(), ".ris", beside=beside)
    from reports.export.pictures import chart_files

    files = chart_files(report, stem, _BESIDE[form])
    return replace(_BESIDE_PRINT[form](report, evidence, stem, files), beside=files)


_BESIDE: dict[str, Literal["svg", "png"]] = {"md": "svg", "tex": "png"}
"""Forms that show pictures in files of their own, and of which kind."""


def _markdown_beside(report: Report, evidence: Evidence, stem: str, pictures: Collection[str]) -> Exported:
    from reports.export.markdown import report_markdown

    return Exported(report_markdown(report, evidence, stem, pictures).encode(), ".md")


def _tex_beside(report: Report, evidence: Evidence, stem: str, pictures: Collection[str]) -> Exported:
    from reports.export.tex import report_tex

    return Exported(report_tex(report, evidence, stem, pictures).encode(), ".tex")


_BESIDE_PRINT = {"md": _markdown_beside, "tex": _tex_beside}


def _markdown(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.markdown import report_markdown

    return Exported(report_markdown(report, evidence).encode(), ".md")


def _html(report: Report, evidence: Evidence, tree: Map | None) -> Exported:
    from reports.export.html import report_html

    return Exported(report_html(report, evidence, tree).encode(), ".html")


def _pdf(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.pdf import report_pdf

    made = report_pdf(report, evidence)
    return Exported(made.data, ".pdf", made.warnings)


def _docx(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.docx import report_docx

    return Exported(report_docx(report, evidence), ".docx")


def _json(report: Report, _evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.json import report_json

    return Exported(report_json(report).encode(), ".json")


def _tex(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.tex import report_tex

    return Exported(report_tex(report, evidence).encode(), ".tex")


def _drb(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.drb import report_drb

    return Exported(report_drb(report, evidence).encode(), ".jsonl")


def _csl(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.references import csl_json

    return Exported(csl_json(report, evidence).encode(), ".csl.json")


def _bib(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.references import bibtex

    return Exported(bibtex(report, evidence).encode(), ".bib")


def _ris(report: Report, evidence: Evidence, _tree: Map | None) -> Exported:
    from reports.export.references import ris

    return Exported(ris(report, evidence).encode(), ".ris")


FORMS: dict[str, Callable[[Report, Evidence, Map | None], Exported]] = {
    "md": _markdown,
    "html": _html,
    "pdf": _pdf,
    "docx": _docx,
    "json": _json,
    "tex": _tex,
    "drb": _drb,
    "csl": _csl,
    "bib": _bib,
    "ris": _ris,
}
"""The bibliography alone: `csl`, `bib`, `ris`; the others are the whole report."""
