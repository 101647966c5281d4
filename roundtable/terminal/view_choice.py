"""Which view fits where it is shown."""

import os
import sys
from collections.abc import Sequence

from roundtable.journal.events import Recorded
from roundtable.terminal.plain_view import EventView, JsonView, PlainView
from roundtable.terminal.terminal_language import told_language


def choose_view(
    *, as_json: bool, plain: bool, language: str, past: Sequence[Recorded] = ()
) -> EventView:
    """Return the view for this process's output: JSON, plain lines, or drawn for a terminal.

    Args:
        as_json: Each event as a line of JSON.
        plain: Lines alone, on a terminal too.
        language: The session's, which it is told in where the locale names none.
        past: Events that are shown again; they have the numbers of the report among them.
    """
    if as_json:
        return JsonView(sys.stdout)
    if plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return PlainView(sys.stdout, told_language(language), past)
    from rich.console import Console

    from roundtable.terminal.live import LiveView

    return LiveView(Console(highlight=False), told_language(language), past)
