"""`roundtable resume ID`: go on with a session from its last event."""

from typing import Any

import click

from roundtable.cli.options import expert_options, model_options, out_options, view_options
from roundtable.config.flags import given_settings


@click.command("resume")
@click.argument("session", metavar="ID")
@click.option(
    "--turns", type=click.IntRange(min=1), metavar="N", help="Go on for N turns more, also when it has ended."
)
@click.option(
    "--use-imported", metavar="NAME,…", default="",
    help="Of a session that was imported: take these settings that it was run with elsewhere.",
)
@expert_options
@model_options
@out_options
@view_options
def command(session: str, turns: int | None, use_imported: str, **flags: Any) -> int:
    """Go on with session ID from its last event; write its files again when it has ended.

    ID may be shortened, or `last`. The session keeps its own settings, except a model named here.
    """
    from roundtable.cli.run_session import go_on

    return go_on(
        session,
        given_settings(flags),
        use_imported=[name for name in use_imported.split(",") if name],
        turns=turns,
        experts=flags["invited"],
        out=flags["out"],
        force=flags["force"],
        as_json=flags["as_json"],
        plain=flags["plain"],
    )
