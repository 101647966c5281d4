"""`roundtable list`: the sessions, the newest first."""

from dataclasses import asdict

import click

from roundtable.terminal.safe_output import say, say_json


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array of {id, topic, state, turns, started}.")
def command(as_json: bool) -> None:
    """List the sessions, the newest first."""
    from roundtable.cli.journals import open_journal
    from roundtable.output.clean import clean_line

    with open_journal() as journal:
        rows = journal.sessions()
    if as_json:
        say_json([asdict(row) for row in rows])
        return
    if not rows:
        say('No sessions yet. Begin one with: roundtable run "TOPIC"', error=True)
    for row in rows:
        started = row.started[:16].replace("T", " ")
        say(f"{row.id}  {row.state:<7}  {row.turns:>3} turns  {started}  {clean_line(row.topic, 200)}")
