"""What goes with a session that is deleted."""

import shutil
from pathlib import Path

from roundtable.journal.storage.journal_store import Journal

UPLOADS = "uploads"
"""The folder, in the home folder, of files that were brought to sessions on the page; one of each session."""


def delete_session(journal: Journal, home: Path, session_id: str) -> None:
    """Delete a session for good, with the files that were brought to it; what it wrote into folders stays.

    Raises:
        SessionUnknown: there is none.
        SessionLocked: it is running.
        JournalError: the journal cannot be written.
        OSError: a file that was brought cannot be removed; the session itself is gone then.
    """
    journal.delete(session_id)
    brought = home / UPLOADS / session_id
    if brought.exists():
        shutil.rmtree(brought)
