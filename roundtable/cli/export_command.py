"""`roundtable export ID`: a session's files, from the journal alone."""

from pathlib import Path

import click

from roundtable.cli.options import out_options


@click.command("export")
@click.argument("session", metavar="ID")
@out_options
def command(session: str, out: Path | None, force: bool) -> None:
    """Write the files of session ID to a folder, as it stands. ID may be shortened, or `last`."""
    from roundtable.cli.journals import open_journal
    from roundtable.config import home
    from roundtable.outputs import claim_folder, default_folder, write_outputs
    from roundtable.replay import replayed

    with open_journal() as journal:
        identity = journal.find(session)
        events = journal.read(identity)
    with replayed(events, home()) as state:
        folder = claim_folder(out or default_folder(state.topic, identity), identity, force=force)
        for path in write_outputs(state, folder):
            click.echo(str(path))
