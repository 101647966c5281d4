"""`roundtable check ID|FOLDER`: does each sentence of a report stand in what it cites?"""

import asyncio
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roundtable.terminal.safe_output import say, say_json

if TYPE_CHECKING:
    from library import Evidence
    from reports import Report
    from roundtable.output.revisit import Revisit

SOUND, FAULTY = 0, 1


@click.command("check")
@click.argument("which", metavar="ID|FOLDER")
@click.option("--online", is_flag=True, help="Fetch the cited pages again; say which changed or are gone.")
@click.option("--json", "as_json", is_flag=True, help="{summary, sentences, figures, pages} as JSON.")
def command(which: str, *, online: bool, as_json: bool) -> int:
    """Check the report of session ID, or the one in FOLDER, against its sources.

    Every citation, quotation, number, date and name, in tables and charts too, is looked up in the archived
    passages; no model is asked.
    What a model judged when the report was written is shown as it was. Ends with 1 when something is not
    supported, or, with --online, when a page is gone or no longer says what is cited.
    """
    from reports import check_report, faults_in_figures
    from roundtable.cli.closing_figures import figures_line

    report, evidence = _read(which)
    checked = check_report(report, evidence)
    wrong_figures = faults_in_figures(report, evidence)
    pages = asyncio.run(_revisited(checked, evidence)) if online else []
    failing = [
        (section.heading, s)
        for section in checked.sections
        for s in section.sentences
        if s.support in ("unsupported", "partial") or not s.citations
    ]
    if as_json:
        say_json(_values(checked, wrong_figures, pages))
    else:
        for heading, sentence in failing:
            say(f"{sentence.support}: {heading}: {sentence.text} ({sentence.reason or 'no citation'})")
        for heading, fault in wrong_figures:
            say(f"unsupported: {heading}: {fault}")
        for line in map(_page_line, pages):
            say(line)
        say(figures_line(checked.summary))
    wrong = any(s.support == "unsupported" or not s.citations for _, s in failing)
    died = any(page.fate in ("gone", "lost") for page in pages)
    return FAULTY if wrong or wrong_figures or died else SOUND


def _read(which: str) -> "tuple[Report, Evidence]":
    """Return the report of a folder, or of a session by id."""
    from roundtable.cli.journals import open_journal
    from roundtable.config.errors import InputError
    from roundtable.config.home import home
    from roundtable.journal.replay import replayed
    from roundtable.output.saved_report import read_saved

    folder = Path(which).expanduser()
    if folder.is_dir():
        return read_saved(folder, home())
    with open_journal() as journal:
        identity = journal.find(which)
        events = journal.read(identity)
    with replayed(events, home()) as state:
        if state.report is None:
            raise InputError(f"session {identity} has no report: `roundtable report {identity}` writes one")
        return state.report, state.evidence


async def _revisited(report: "Report", evidence: "Evidence") -> "list[Revisit]":
    from reports.cite import bibliography
    from roundtable.config.config import load_settings
    from roundtable.output.revisit import CitedPage, revisitor

    entries = bibliography(report, evidence).entries
    settings = load_settings()
    async with revisitor(settings.library, offline=settings.offline) as visitor:
        return await visitor.visit([CitedPage(entry.source, entry.passages) for entry in entries])


def _page_line(page: "Revisit") -> str:
    said = {
        "same": "as it was",
        "changed": "changed; what is cited still stands there",
        "lost": f"changed; no longer there: {', '.join(page.lost)}",
        "gone": f"gone ({page.reason})",
        "unreachable": f"could not be had now ({page.reason})",
        "unread": f"not on the web ({page.reason})",
    }
    return f"page: {page.cited.source.url}: {said[page.fate]}"


def _values(report: "Report", wrong_figures: list[tuple[str, str]], pages: "list[Revisit]") -> dict[str, Any]:

    values: dict[str, Any] = {
        "summary": report.summary.model_dump(),
        "sentences": [
            {"section": section.heading, **s.model_dump(include={"text", "citations", "support", "reason"})}
            for section in report.sections
            for s in section.sentences
        ],
        "figures": [{"section": heading, "fault": fault} for heading, fault in wrong_figures],
        "pages": [
            {"url": p.cited.source.url, "fate": p.fate, "reason": p.reason, "lost": list(p.lost)}
            for p in pages
        ],
        "fates": dict(sorted(Counter(p.fate for p in pages).items())),
    }
    return values
