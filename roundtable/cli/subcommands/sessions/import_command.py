"""`roundtable import FILE`: a session from another machine."""

from pathlib import Path

import click

from roundtable.terminal.safe_output import tell


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def command(file: Path) -> None:
    """Take in a session from a bundle that `roundtable export ID --bundle FILE` has written.

    Every text is checked against its hash. The session's documents are kept as text files in the home folder
    and searched when it goes on. A bundle brings no models, servers, paths, places to search or budgets:
    those are this machine's. What it was run with elsewhere is shown, and `resume --use-imported` takes it.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.cli.lines.settings_left_out import left_out
    from roundtable.config.config import home, load_settings
    from roundtable.journal.sessions.bundle import take_in
    from roundtable.output.clean import clean_line

    with open_journal() as journal:
        identity, started = take_in(file, journal, home(), load_settings())
    tell(f"Session {identity}: {clean_line(started.topic)}")
    for line in left_out(started.imported):
        tell(line)
    tell(f"Look at it with: roundtable show {identity}; go on with: roundtable resume {identity}")
