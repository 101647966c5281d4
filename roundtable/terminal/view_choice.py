"""Which view fits where it is shown."""

import os
import sys

from roundtable.terminal.plain_view import EventView, JsonView, PlainView


def choose_view(*, as_json: bool, plain: bool) -> EventView:
    """Return the view for this process's output: JSON, plain lines, or drawn for a terminal."""
    if as_json:
        return JsonView(sys.stdout)
    if plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return PlainView(sys.stdout)
    from rich.console import Console

    from roundtable.terminal.live import LiveView

    return LiveView(Console(highlight=False))
