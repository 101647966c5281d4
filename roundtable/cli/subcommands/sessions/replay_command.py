"""`roundtable replay ID`: what a session showed, shown again from the journal alone."""

from typing import Any

import click

from roundtable.cli.options import view_options


@click.command("replay")
@click.argument("session", metavar="ID")
@view_options
def command(session: str, as_json: bool, plain: bool) -> None:
    """Show session ID as it was shown while it ran. ID may be shortened, or `last`.

    Nothing is searched, read or asked: the journal holds it all.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.terminal.view_choice import choose_view

    with open_journal() as journal:
        identity = journal.find(session)
        events = journal.read(identity)
    first: Any = events[0].event
    view = choose_view(as_json=as_json, plain=plain, language=first.language, past=events)
    try:
        for recorded in events:
            view.show(recorded)
        view.say(f"Session {identity}. Sit down there with: roundtable join {identity}")
    finally:
        view.close()
