"""`roundtable import-map FILE`: a session that begins with an outline a person already has."""

from pathlib import Path
from typing import Any

import click

from roundtable.cli.subcommands.discussing.run_command import command as run_command
from roundtable.cli.subcommands.discussing.run_command import start


def _begin(file: Path, topic: str | None, **flags: Any) -> int:
    from mindmap import OutlineError, read_outline

    outline = read_outline(file)
    named = topic or outline.title
    if not named:
        raise OutlineError(f"{file.name} has no title of its own: say what it is about with --topic")
    return start(named, flags, outline)


command = click.Command(
    "import-map",
    callback=_begin,
    params=[
        click.Argument(["file"], metavar="FILE", type=click.Path(path_type=Path)),
        click.Option(["--topic"], metavar="TOPIC", help="Default: the outline's title."),
        # It is a run in every other way, so it takes whatever `run` takes.
        *(param for param in run_command.params if param.name not in ("topic", "follows")),
    ],
    help="Start a session from an outline: Markdown, OPML, FreeMind (.mm) or JSON.\n\nIts nodes stand in the "
    "map as yours, where reorganizing leaves them alone, and are what the table asks about first.",
)
