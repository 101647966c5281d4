"""`roundtable import FILE`: a session from another machine."""

from pathlib import Path

import click


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def command(file: Path) -> None:
    """Take in a session from a bundle that `roundtable export ID --bundle FILE` has written.

    Every text is checked against its hash. Documents of the session that are not on this machine are kept as
    text files in the home folder and searched when the session goes on.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.config import home
    from roundtable.journal.bundle import take_in
    from roundtable.output.clean import clean_line

    with open_journal() as journal:
        identity, topic = take_in(file, journal, home())
    click.echo(f"Session {identity}: {clean_line(topic)}")
    click.echo(f"Look at it with: roundtable show {identity}; go on with: roundtable resume {identity}")
