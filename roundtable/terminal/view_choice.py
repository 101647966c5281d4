"""Which view fits where it is shown."""

import os
import sys

from roundtable.terminal.plain_view import EventView, JsonView, PlainView


def choose_view(*, as_json: bool, plain: bool, language: str = "en") -> EventView:
    """Return the view for this process's output: JSON, plain lines, or drawn for a terminal.

    What is said before the session has begun is said in the language.
    """
    if as_json:
        return JsonView(sys.stdout)
    if plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return PlainView(sys.stdout, language)
    from rich.console import Console

    from roundtable.terminal.live import LiveView

    return LiveView(Console(highlight=False), language)
