"""`roundtable resume ID`: go on with a session from its last event."""

from typing import Any

import click

from roundtable.cli.options import model_options, out_options, view_options
from roundtable.config.flags import given_settings


@click.command("resume")
@click.argument("session", metavar="ID")
@click.option(
    "--turns", type=click.IntRange(min=1), metavar="N", help="Go on for N turns more, also when it has ended."
)
@model_options
@out_options
@view_options
def command(session: str, turns: int | None, **flags: Any) -> int:
    """Go on with session ID from its last event; write its files again when it has ended.

    ID may be shortened, or `last`. The session keeps its own settings, except a model named here.
    """
    from roundtable.cli.run_session import go_on

    return go_on(
        session,
        given_settings(flags),
        turns=turns,
        out=flags["out"],
        force=flags["force"],
        as_json=flags["as_json"],
        plain=flags["plain"],
    )
