"""Looking on at a session that another process runs: what it records is shown, and nothing is said to it."""

from typing import Any

from roundtable.cli.journals import open_journal
from roundtable.terminal.plain_view import EventView
from roundtable.terminal.view_choice import choose_view

_PAUSE = 0.3
"""Seconds between two looks at the journal."""


def look_on(prefix: str, *, plain: bool) -> int:
    """Show a session from its beginning, and what is recorded while it runs; return the exit code.

    Raises:
        SessionUnknown: there is none of that id.
    """
    with open_journal() as journal:
        past = journal.read(journal.find(prefix))
    first: Any = past[0].event
    view = choose_view(as_json=False, plain=plain, language=first.language, past=past)
    try:
        return _follow(prefix, view)
    finally:
        view.close()


def _follow(prefix: str, view: EventView) -> int:
    with open_journal() as journal:
        identity, seen = journal.find(prefix), 0
        again = f"go on with it: roundtable resume {identity}; take part: roundtable join {identity}"
        try:
            while True:
                running = journal.session(identity).state == "running"
                for recorded in journal.read(identity, after=seen):
                    view.show(recorded)
                    seen = recorded.n
                if not running:
                    view.say(f"Nobody runs session {identity} now; {again}")
                    return 0
                journal.wait_for_news(identity, _PAUSE)
        except KeyboardInterrupt:
            view.say(f"You stopped looking on; session {identity} is not touched by that")
            return 0
