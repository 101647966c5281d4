"""`roundtable delete ID`: a session goes from the journal."""

import sys

import click

from roundtable.terminal.safe_output import confirm, say, tell


@click.command("delete")
@click.argument("sessions", metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(sessions: tuple[str, ...], yes: bool) -> None:
    """Delete sessions from the journal, with the files that were brought to them on the page, for good.

    IDs may be shortened. Reports and other files in folders stay, and so do documents and what was read of
    them. A session that is running is refused.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.cli.lines.session_lines import session_line
    from roundtable.config.errors import InputError
    from roundtable.config.home import home, shared_folder
    from roundtable.session.removal import delete_session

    with open_journal() as journal:
        found = [journal.session(journal.find(each)) for each in dict.fromkeys(sessions)]
        for row in found:
            say(session_line(row))
        if not yes:
            if not sys.stdin.isatty():
                raise InputError("nothing was deleted: add --yes to delete without being asked")
            confirm("Delete for good?")
        for row in found:
            delete_session(journal, home(), shared_folder(home()), row.id)
            tell(f"deleted {row.id}")
