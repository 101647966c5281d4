"""`roundtable resume ID`: go on with a session from its last event."""

from pathlib import Path
from typing import Any

import click

from roundtable.cli.options import expert_options, model_options, out_options, view_options
from roundtable.config.flags import given_settings, is_file


@click.command("resume")
@click.argument("session", metavar="ID")
@click.option(
    "--turns", type=click.IntRange(min=1), metavar="N", help="Go on for N turns more, also when it has ended."
)
@click.option(
    "--use-imported",
    metavar="NAME,…",
    default="",
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
    from roundtable.cli.running.run_session import go_on
    from roundtable.config.errors import InputError

    if new := [text for text in flags["invited"] if not is_file(text)]:
        raise InputError(
            f"--expert {new[0]!r}: seats are given when a session begins; "
            "roundtable join ID and /invite NAME: FOCUS seat another one later"
        )
    return go_on(
        session,
        given_settings(flags),
        use_imported=[name for name in use_imported.split(",") if name],
        turns=turns,
        experts=[Path(text) for text in flags["invited"] if is_file(text)],
        out=flags["out"],
        force=flags["force"],
        as_json=flags["as_json"],
        plain=flags["plain"],
    )
