"""What this program wrote itself: a session's notes in a vault, and its files in a folder.

A report that is searched like a document would be cited as a source of what it says, and its own sources
would count twice. So it is left out of a folder of documents, counted, unless somebody wants it.
"""

import os
from collections.abc import Collection
from pathlib import Path

from library.readers.file_kinds import ending_of
from library.readers.text_files.front_matter import LARGEST, front_matter

SESSION_MARKER = ".roundtable"
"""A file that holds the id of the session whose files a folder holds."""
_FILES = ("report", "mindmap", "transcript")
"""What those files are called, whatever their ending."""
_NOTES = (".md", ".markdown")
_KEY = b"\nroundtable:"


def is_session_file(name: str, beside: Collection[str]) -> bool:
    """Tell whether a file is of a session, by its name and the names that stand beside it."""
    return SESSION_MARKER in beside and name.partition(".")[0] in _FILES


def is_session_note(path: Path) -> bool:
    """Tell whether an ordinary file is a note that a session was exported as: its front matter says so."""
    if ending_of(path) not in _NOTES or path.suffix.lower() not in _NOTES:
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False  # who reads it says why it cannot be
    try:
        start = os.read(descriptor, LARGEST)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    if _KEY not in start.replace(b"\r", b"\n"):
        return False
    return front_matter(start.decode("utf-8", "replace")).session is not None
