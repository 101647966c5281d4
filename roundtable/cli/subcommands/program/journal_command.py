"""`roundtable journal`: sessions in another place."""

import click

from roundtable.cli.help_words import WholeGroup
from roundtable.terminal.safe_output import tell


@click.group("journal", cls=WholeGroup)
def command() -> None:
    """Move sessions between a home folder and a database.

    Sessions are kept in ROUNDTABLE_HOME, or in PostgreSQL when ROUNDTABLE_DATABASE has its address.
    """


@command.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option(
    "--own", is_flag=True, help="The sessions are yours: copy also what names servers and programs."
)
def copy(source: str, target: str, *, own: bool) -> int:
    """Copy all sessions with their texts. FROM and TO are home folders, or postgresql://user@host/name.

    What is there already is left as it is; the same again copies what has come since. Exit code 1 when a
    session had to be left out, for instance because it is running, or would ask servers or start programs
    that are not set on this machine.
    """
    from roundtable.config.config import load_settings, unresolved
    from roundtable.journal.sessions.copying import copy_sessions
    from roundtable.output.clean import counted

    done = {"copied": 0, "continued": 0, "there": 0, "left": 0}
    for copied in copy_sessions(source, target, unresolved(load_settings()), own=own):
        done[copied.done] += 1
        if copied.done == "left":
            tell(f"roundtable: session {copied.session} was left out: {copied.why}", error=True)
    more = f", {done['continued']} continued" if done["continued"] else ""
    rest = f"{done['there']} there before, {done['left']} left out"
    tell(f"{counted(done['copied'], 'session')} copied{more}, {rest}")
    return 1 if done["left"] else 0
