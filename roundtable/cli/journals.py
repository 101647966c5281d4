"""Opening the journal for the commands that only look at it."""

from collections.abc import Iterator
from contextlib import contextmanager

from roundtable.config.home import home
from roundtable.journal.clock import SystemClock
from roundtable.journal.journal_store import Journal

JOURNAL = "journal.db"


@contextmanager
def open_journal() -> Iterator[Journal]:
    """Open the journal of this user."""
    with Journal(home() / JOURNAL, SystemClock()) as journal:
        yield journal
