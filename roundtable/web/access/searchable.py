"""What may be searched: judged when a session begins, and again whenever it is opened to go on.

A session outlives what it was given to search: a collection is removed, and its name taken by somebody else;
a share is taken back. So its owner is asked about anew, by names that are looked up anew.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from roundtable.config.config import recorded_settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import PYTHON, SESSION, SESSIONS, collections
from roundtable.journal.events import SessionStarted
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.people.sharing import Kind, reaches


def searchable(name: str, may: Callable[[Kind, str], bool]) -> bool:
    """Tell whether documents of a name may be searched by somebody; `may` tells what they may read."""
    if name.startswith(SESSION):
        return may("session", name.removeprefix(SESSION))
    return name == PYTHON or (name != SESSIONS and may("collection", name))


def check_places(journal: Journal, home: Path, session: str, docs: Sequence[str]) -> None:
    """Refuse a session whose documents are not there, or are not its owner's to search.

    Args:
        journal: With the session's owner, where there are accounts.
        home: The folder of the collections.
        session: Its id.
        docs: As they are recorded: names, and paths from the root. These were given by whoever runs the
            server, and are not judged; a name is never taken for a path.

    Raises:
        InputError: one of them; the message does not tell which of both it is.
    """
    named = [name for name in docs if not Path(name).is_absolute()]
    if not named:
        return
    sharing, known = journal.sharing(home), {*collections(home), SESSIONS}
    owned = sharing.shared("session", session)

    def may(kind: Kind, thing: str) -> bool:
        return owned is None or reaches(sharing.role_of(owned.owner, kind, thing), "reader")

    for name in named:
        there = name in known or name.startswith(SESSION)
        if not there or (owned is not None and not searchable(name, may)):
            raise InputError(f"{name}: there is no collection of that name that this session may search")


def check_recorded_places(journal: Journal, home: Path, session: str) -> None:
    """Refuse the same of a session that there is, by what it was begun with. Raises SessionUnknown, too."""
    first = journal.read(session, 0, 1)[0].event
    assert isinstance(first, SessionStarted)
    check_places(journal, home, session, recorded_settings(first.settings).docs)
