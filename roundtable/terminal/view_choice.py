"""Which view fits where it is shown."""

import os
import sys
from collections.abc import Sequence

from roundtable.journal.events import Recorded
from roundtable.terminal.plain_view import EventView, JsonView, PlainView


def choose_view(
    *, as_json: bool, plain: bool, language: str = "en", past: Sequence[Recorded] = ()
) -> EventView:
    """Return the view for this process's output: JSON, plain lines, or drawn for a terminal.

    What is said before the session has begun is said in the language. Events of the past that are shown again
    have the numbers of the report among them.
    """
    if as_json:
        return JsonView(sys.stdout)
    if plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return PlainView(sys.stdout, language, past)
    from rich.console import Console

    from roundtable.terminal.live import LiveView

    return LiveView(Console(highlight=False), language, past)
