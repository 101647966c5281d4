"""`roundtable version`: what `--version` shows."""

import click

from roundtable import __version__


@click.command("version")
def command() -> None:
    """Show the version."""
    click.echo(f"roundtable {__version__}")
