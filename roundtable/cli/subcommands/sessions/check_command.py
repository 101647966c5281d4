"""`roundtable check ID|FOLDER`: does each sentence of a report stand in what it cites?"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

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
    from library.text import catalogue, translated
    from roundtable.output.closing_figures import figures_line
    from roundtable.output.report_check import check_values, checked_again
    from roundtable.terminal.terminal_language import told_language

    check = asyncio.run(checked_again(*_read(which), online=online))
    if as_json:
        say_json(check_values(check))
    else:
        language = told_language(check.report.language)
        kind_of = catalogue(language, "page").say
        for heading, sentence in check.failing:
            why = translated(sentence.reason or "no citation", language)
            say(f"{kind_of(sentence.support)}: {heading}: {sentence.text} ({why})")
        for heading, fault in check.wrong_figures:
            say(f"{kind_of('unsupported')}: {heading}: {translated(fault, language)}")
        for line in map(_page_line, check.pages):
            say(translated(line, language))
        say(figures_line(check.report.summary, language))
    return SOUND if check.sound else FAULTY


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
