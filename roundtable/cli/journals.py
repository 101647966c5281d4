"""Opening the journal for the commands that only look at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from roundtable.config.errors import SessionUnknown
from roundtable.config.home import home
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal, journal_in


def nothing_came_of(identity: str) -> bool:
    """Tell whether a session stopped before anybody had spoken, or ended with nothing: its folder is free."""
    with open_journal() as journal:
        try:
            row = journal.session(identity)
        except SessionUnknown:
            return False
    return (row.state == "stopped" and row.turns == 0) or (row.state == "ended" and row.sentences == 0)


@contextmanager
def open_journal() -> Iterator[Journal]:
    """Open the journal of this user."""
    with journal_in(home(), SystemClock()) as journal:
        yield journal
