"""`roundtable update ID`: what became of a session's sources since, told in its report."""

from typing import Any

import click

from roundtable.cli.options import model_options, view_options
from roundtable.config.flags import given_settings


@click.command("update")
@click.argument("sessions", metavar="[ID]...", nargs=-1)
@click.option("--due", is_flag=True, help="All watched sessions that are due; for cron and systemd.")
@click.option(
    "--every", metavar="INTERVAL",
    help="Watch it from now on: 12h, 1d, 2w; `never` ends that. It is done by `update --due`, or while "
    "`serve` runs.",
)  # fmt: skip
@model_options
@view_options
def command(sessions: tuple[str, ...], *, due: bool, every: str | None, **flags: Any) -> int:
    """Look the sources of session ID up again, search again, and go on with what is new.

    Pages that changed, documents that changed or came, and results that were not found before go to the
    table; the report is written again and tells what changed, with both versions of each sentence. Where
    nothing is new no model is asked. ID may be shortened, or `last`.
    """
    from roundtable.cli.running.updating import update_all, watch_from_now
    from roundtable.config.errors import InputError

    if not sessions and not due:
        raise InputError("update: name a session, or --due for those that are watched and due")
    if every is not None:
        if due:
            raise InputError("update: --every is for sessions that are named, not for --due")
        if watch_from_now(sessions, every):
            return 0
    named = given_settings(flags)
    return update_all(sessions, named, due=due, as_json=flags["as_json"], plain=flags["plain"])
