"""`roundtable list`: the sessions, the newest first."""

from dataclasses import asdict

import click

from roundtable.terminal.safe_output import say, say_json, tell
from roundtable.terminal.terminal_language import in_terminal_language


@click.command("list")
@click.option(
    "--json", "as_json", is_flag=True,
    help="One JSON array of {id, topic, state, turns, started, watched}.",
)  # fmt: skip
@click.option("--search", metavar="WORDS", help="Those alone whose name or id holds all of these words.")
def command(as_json: bool, search: str | None) -> None:
    """List the sessions, the newest first."""
    from roundtable.cli.journals import open_journal
    from roundtable.cli.lines.session_lines import session_line
    from roundtable.output.clean import clean_line

    with open_journal() as journal:
        rows = journal.sessions()
    watched = _watched()
    if search:
        rows = [row for row in rows if row.fits(search)]
    if as_json:
        say_json([asdict(row) | {"watched": watched.get(row.id, "")} for row in rows])
        return
    if not rows and search:
        say(f"{in_terminal_language('No session of these words')}: {clean_line(search, 200)}", error=True)
    elif not rows:
        tell('No sessions yet. Begin one with: roundtable run "TOPIC"', error=True)
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        say(session_line(row, watched.get(row.id, ""), width))


def _watched() -> dict[str, str]:
    """Return how often sessions are looked up again by themselves, by id: `every day`."""
    from roundtable.config.home import home

    if not (home() / "watches.sqlite").exists():  # most homes: nothing of it is loaded
        return {}
    from roundtable.config.errors import JournalError
    from roundtable.session.updating.watches import Watches, often

    try:
        return {one.session: often(one.every) for one in Watches(home()).all()}
    except JournalError as damaged:  # the sessions are told all the same
        say(str(damaged), error=True)
        return {}
