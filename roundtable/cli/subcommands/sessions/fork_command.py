"""`roundtable fork ID --at N`: the same beginning, another course."""

import click

from roundtable.terminal.safe_output import tell


@click.command("fork")
@click.argument("session", metavar="ID")
@click.option(
    "--at", "turn", type=click.IntRange(min=0), required=True, metavar="N",
    help="The turn after which the new session goes its own way; 0: before the first.",
)  # fmt: skip
def command(session: str, turn: int) -> None:
    """Begin a new session with the first N turns of session ID.

    Nothing is run yet: `roundtable resume` with the new id goes on, with another model if you name one. ID
    may be shortened, or `last`.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.journal.sessions.fork import fork

    with open_journal() as journal:
        source = journal.find(session)
        identity = fork(journal, source, turn)
    tell(f"Session {identity} begins as {source} did, up to turn {turn}.")
    tell(f"Go on with: roundtable resume {identity}, or sit down there: roundtable join {identity}")
