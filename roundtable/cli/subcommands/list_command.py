"""`roundtable list`: the sessions, the newest first."""

import json
from dataclasses import asdict

import click


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array of {id, topic, state, turns, started}.")
def command(as_json: bool) -> None:
    """List the sessions, the newest first."""
    from roundtable.cli.journals import open_journal
    from roundtable.output.clean import clean_line

    with open_journal() as journal:
        rows = journal.sessions()
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        return
    if not rows:
        click.echo('No sessions yet. Begin one with: roundtable run "TOPIC"', err=True)
    for row in rows:
        started = row.started[:16].replace("T", " ")
        click.echo(f"{row.id}  {row.state:<7}  {row.turns:>3} turns  {started}  {clean_line(row.topic, 200)}")
