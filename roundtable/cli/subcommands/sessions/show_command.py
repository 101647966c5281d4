"""`roundtable show ID`: a session and what was said in it so far."""

from dataclasses import asdict
from typing import Any

import click

from roundtable.terminal.safe_output import say, say_json, tell


@click.command("show")
@click.argument("session", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="{id, topic, state, turns, started, transcript}.")
def command(session: str, as_json: bool) -> None:
    """Show session ID and what was said in it. ID may be shortened, or `last`."""
    from roundtable.cli.journals import open_journal
    from roundtable.cli.lines.session_lines import started_said, turns_said
    from roundtable.terminal.plain_view import plain_lines

    with open_journal() as journal:
        identity = journal.find(session)
        row = journal.session(identity)
        events = journal.read(identity)
    if as_json:
        transcript = [_turn(r.event.turn) for r in events if r.event.kind == "turn_taken"]
        say_json(asdict(row) | {"transcript": transcript})
        return
    tell(f"session {row.id}, {row.state}, {turns_said(row.turns)}, started {started_said(row)}")
    for line in plain_lines(events, working=False):
        say(line)


def _turn(turn: Any) -> dict[str, Any]:
    from roundtable.output.outputs import turn_values

    return turn_values(turn)
