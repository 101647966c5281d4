"""`roundtable list`: the sessions, the newest first."""

from dataclasses import asdict

import click

from roundtable.terminal.safe_output import say, say_json


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array of {id, topic, state, turns, started}.")
@click.option("--search", metavar="WORDS", help="Those alone whose name or id holds all of these words.")
def command(as_json: bool, search: str | None) -> None:
    """List the sessions, the newest first."""
    from roundtable.cli.journals import open_journal
    from roundtable.output.clean import clean_line, counted

    with open_journal() as journal:
        rows = journal.sessions()
    if search:
        rows = [row for row in rows if row.fits(search)]
    if as_json:
        say_json([asdict(row) for row in rows])
        return
    if not rows and search:
        say(f"No session of these words: {clean_line(search, 200)}", error=True)
    elif not rows:
        say('No sessions yet. Begin one with: roundtable run "TOPIC"', error=True)
    for row in rows:
        started = row.started[:16].replace("T", " ")
        turns = counted(row.turns, "turn")
        say(f"{row.id}  {row.state:<7}  {turns:>9}  {started}  {clean_line(row.topic, 200)}")
