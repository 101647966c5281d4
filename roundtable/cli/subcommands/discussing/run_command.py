"""`roundtable run TOPIC`: a session from its first event to its report."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.options import out_options, session_options, settings_options, view_options
from roundtable.config.flags import given_settings, is_file

if TYPE_CHECKING:
    from mindmap import Outline


@click.command("run")
@click.argument("topic")
@session_options
@click.option(
    "--from", "follows", metavar="ID",
    help="Go on from session ID: its map, what its report says, its texts; and where it searched, if nothing "
    "else is named.",
)  # fmt: skip
@click.option(
    "--plan", "planning", flag_value="show",
    help="Print who would talk, their first questions and what it would cost; resume goes on.",
)  # fmt: skip
@click.option(
    "--confirm", "planning", flag_value="confirm", help="Show the plan, let it be changed, then begin."
)
@out_options
@view_options
@settings_options
def command(topic: str, **flags: Any) -> int:
    """Discuss TOPIC and write a report.

    The results are written to roundtable-out/TOPIC-ID/ unless --out says otherwise. Ctrl-C once stops after
    the turn under way and writes the report from what there is; twice stops at once, and
    `roundtable resume ID` goes on.
    """
    return start(topic, flags)


def start(
    topic: str,
    flags: Mapping[str, Any],
    outline: "Outline | None" = None,
    begun: "Callable[[str], None] | None" = None,
) -> int:
    """Run a session with the flags of this command; return the exit code.

    `begun` is told its id once it has begun.
    """
    from roundtable.cli.running.run_session import begin
    from roundtable.config.config import load_settings
    from roundtable.config.errors import InputError

    if not topic.strip():
        raise InputError(
            'the topic is empty: say what to talk about, as in roundtable run "Why do cities flood?"'
        )
    settings = load_settings(given_settings(dict(flags)), config=flags["config"], preset=flags["preset"])
    return begin(
        topic,
        settings,
        out=flags["out"],
        force=flags["force"],
        as_json=flags["as_json"],
        plain=flags["plain"],
        outline=outline,
        begun=begun,
        follows=flags.get("follows") or "",
        planning=flags.get("planning"),
        experts=[Path(text) for text in flags["invited"] if is_file(text)],
    )
