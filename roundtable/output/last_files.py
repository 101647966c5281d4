"""The files that a process writes when it lets go of a session, if the session is still its own by then.

A process that stood still for long (a laptop that slept, a worker that was cut off) may find that another
has gone on with its session. What it remembers is then of an earlier time: written over that one's files, it
would take the report away.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from roundtable.config.errors import JournalError, SessionUnknown
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal


def write_unless_taken_over(
    session: str,
    state: State,
    write: Callable[[], object],
    journal: Callable[[], AbstractContextManager[Journal]],
    say: Callable[[str], object],
) -> None:
    """Write a session's files, unless another process has written on in its journal.

    Args:
        session: Its id.
        state: The session as this process has it.
        write: Writes its files, by that state.
        journal: Opens the journal anew: the connection that the session had may have been cut off.
        say: Is told a line when nothing is written.
    """
    if _written_on(session, state.last, journal):
        say(f"session {session} was gone on with by another process meanwhile, so its files are left to that")
        return
    write()


def _written_on(session: str, last: int, journal: Callable[[], AbstractContextManager[Journal]]) -> bool:
    """Tell whether a journal holds more of a session than its first events, so many."""
    try:
        with journal() as opened:
            return bool(opened.texts(session, last, 1))
    except SessionUnknown:  # it was deleted, and nobody has it
        return False
    except JournalError:  # the database is away: the files are all that a person has for now
        return False
