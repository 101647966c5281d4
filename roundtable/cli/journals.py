"""Opening the journal for commands that only look at it, and folders for sessions that are gone on with."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def claim_unless_running(folder: Path, identity: str, *, force: bool) -> Path:
    """Make a folder a session's own, as `claim_folder` does; of one that runs elsewhere none is made.

    Raises:
        SessionLocked: another process runs the session.
        OutputError: the folder cannot be written to, or holds another session's files.
    """
    from roundtable.output.outputs import claim_folder  # not for who only looks

    with open_journal() as journal, journal.lock(identity):
        return claim_folder(folder, identity, force=force)
