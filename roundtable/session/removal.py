"""What goes with a session that is deleted."""

import shutil
from pathlib import Path

from roundtable.journal.storage.journal_store import Journal
from roundtable.session.updating.watches import Watches

UPLOADS = "uploads"
"""The folder, in the shared one, of files that were brought to sessions on the page; one of each session."""


def delete_session(journal: Journal, home: Path, shared: Path, session_id: str) -> None:
    """Delete a session for good, with its watch and what was brought to it; what it wrote into folders stays.

    Args:
        journal: Holds it.
        home: The folder of this machine, where its watch is kept.
        shared: The folder of what several servers share, where brought files are; on one machine `home`.
        session_id: Its id.

    Raises:
        SessionUnknown: there is none.
        SessionLocked: it is running.
        JournalError: the journal cannot be written.
        OSError: a file that was brought cannot be removed; the session itself is gone then.
    """
    journal.delete(session_id)
    brought = shared / UPLOADS / session_id
    if brought.exists():
        shutil.rmtree(brought)
    Watches(home).end(session_id)
