"""`roundtable join TOPIC|ID`: a seat at the table, in the terminal."""

from pathlib import Path
from typing import Any

import click

from roundtable.cli.options import (
    depth_option,
    expert_options,
    model_options,
    out_options,
    report_options,
    search_options,
    verbose_option,
)
from roundtable.config.flags import given_settings, is_file


@click.command("join")
@click.argument("topic", metavar="TOPIC|ID")
@click.option("--docs", multiple=True, metavar="PATH_OR_NAME",
              help="Search a folder, a file, or a named collection. Repeatable.")  # fmt: skip
@search_options
@click.option("--follow-links", is_flag=True, help="With --docs: follow links that lead out of a folder.")
@click.option(
    "--own-notes", is_flag=True,
    help="With --docs: read also reports and notes that Roundtable wrote into a folder.",
)  # fmt: skip
@verbose_option
@model_options
@depth_option
@report_options
@click.option("--experts", type=int, metavar="N", help="Experts at the table, 1 to 8. Default: 3.")
@expert_options
@click.option("--turns", type=int, metavar="N", help="Turns after which the table closes. Default: 12.")
@click.option("--language", metavar="CODE", help="Language of the discussion. Default: the topic's.")
@click.option("--wait", is_flag=True, help="The table waits for you after each round, and before the first.")
@click.option("--read-only", is_flag=True, help="Look on at session ID, also while another process runs it.")
@click.option("--plain", is_flag=True, help="Read lines and write plain text, also on a terminal.")
@out_options
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
@click.option("--preset", metavar="NAME", help="Settings that come with the program: embedded, …")
def command(topic: str, **flags: Any) -> int:
    """Sit down at the table: discuss TOPIC, or take up session ID (`last`: the newest).

    What you type is heard after the turn under way and answered first. /help lists what else you can do: ask
    one expert, steer, break in, drop a source, read a page, edit the map, pause. Ctrl-C once stops after the
    turn and writes the report, twice stops at once; Ctrl-D or /quit leaves, and the session can be taken up
    again. On a pipe, lines are read and plain text is written.
    """
    from roundtable.cli.running.interactive import sit_down
    from roundtable.config.config import load_settings
    from roundtable.config.errors import InputError

    if not topic.strip():
        raise InputError("the topic is empty: say what to talk about, or name a session")
    if flags["read_only"]:
        from roundtable.cli.running.watching import look_on

        return look_on(topic, plain=flags["plain"])
    given = given_settings(flags)
    settings = load_settings(given, config=flags["config"], preset=flags["preset"])
    return sit_down(
        topic, settings, out=flags["out"], force=flags["force"], plain=flags["plain"], wait=flags["wait"],
        experts=[Path(text) for text in flags["invited"] if is_file(text)],
    )  # fmt: skip
