"""`roundtable version`: what `--version` shows."""

import click

from roundtable import __version__
from roundtable.terminal.safe_output import say


@click.command("version")
def command() -> None:
    """Show the version."""
    say(f"roundtable {__version__}")
