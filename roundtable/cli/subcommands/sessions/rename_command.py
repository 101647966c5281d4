"""`roundtable rename ID NAME`: what a session is called in lists."""

import click

from roundtable.terminal.safe_output import say


@click.command("rename")
@click.argument("session", metavar="ID")
@click.argument("name", metavar="NAME")
def command(session: str, name: str) -> None:
    """Call session ID by NAME in lists. ID may be shortened, or `last`.

    Its topic, its report and its files stay as they are.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.errors import InputError
    from roundtable.output.clean import clean_line

    called = clean_line(name, 400).strip()
    if not called:
        raise InputError("the name is empty: say what the session is to be called")
    with open_journal() as journal:
        identity = journal.find(session)
        journal.rename(identity, called)
    say(f"{identity}  {called}")
