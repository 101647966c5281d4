"""A session's report in another form, and its outline to be edited: made from the state alone."""

from typing import TYPE_CHECKING

from roundtable.config.errors import InputError
from roundtable.journal.fold.state import State

if TYPE_CHECKING:
    from reports import Exported


def report_as(form: str, state: State, stem: str | None = None) -> "Exported":
    """Return a session's report in one of `reports.FORMS`; with the stem of its file, charts lie beside it.

    Raises:
        InputError: there is no report yet, or the form needs what is not installed.
    """
    from reports import ExportUnavailable, export_report

    if state.report is None:
        raise InputError(
            "the session has no report yet: `roundtable report ID` writes one from what there is, and "
            "`roundtable resume ID` goes on to it"
        )
    try:
        return export_report(form, state.report, state.evidence, state.map, stem)
    except ExportUnavailable as failure:
        raise InputError(str(failure)) from failure


def outline_of(state: State) -> str:
    """Return the outline that the session's report follows, as `report --outline` reads it.

    Where no report is written yet, or it has no sections of its own, as the map is.
    """
    from library import TextStatistics
    from reports import outline_text, phrases_for, plan_report, present_outline
    from roundtable.config import recorded_settings

    if state.report is not None and (there := present_outline(state.report, state.report.outline)):
        return there
    settings = recorded_settings(state.settings).reports
    plans = plan_report(
        state.map, state.usable(), TextStatistics(), phrases_for(state.language), settings.max_sections
    )
    if not plans:
        raise InputError("the session's map holds no passage yet: there is nothing to make an outline of")
    return outline_text(plans)
