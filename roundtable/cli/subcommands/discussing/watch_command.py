"""`roundtable watch TOPIC --every 1d`: a session whose report is brought up to date by itself."""

from typing import Any

import click

from roundtable.cli.subcommands.discussing import run_command


@click.command("watch")
@click.option(
    "--every", default="1d", show_default=True, metavar="INTERVAL", help="How often: 12h, 1d, 2w, …"
)
def command(topic: str, every: str, **flags: Any) -> int:
    """Discuss TOPIC, and look its sources up again from then on.

    The session is run as by `roundtable run`, with the same options. When it is due again, `roundtable update
    --due` (from cron or systemd; units come with the program) or a running `roundtable serve` goes on with
    what is new. `roundtable update ID --every never` ends that.
    """
    from roundtable.cli.running.updating import refuse_session, watching
    from roundtable.session.updating.watches import interval

    interval(every)
    refuse_session(topic, every)
    return run_command.start(topic, flags, begun=watching(every))


command.params = [run_command.command.params[0], *command.params, *run_command.command.params[1:]]
