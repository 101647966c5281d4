"""What may be searched: judged when a session begins, whenever it is opened to go on, and before each turn.

A session outlives what it was given to search: a collection is removed, and its name taken by somebody else;
a share is taken back. So its owner is asked about anew, by names that are looked up anew.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from roundtable.config.config import recorded_settings
from roundtable.config.errors import InputError, SearchRefused
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
    if (name := _refused(journal, home, session, docs)) is not None:
        raise InputError(f"{name}: there is no collection of that name that this session may search")


def _refused(journal: Journal, home: Path, session: str, docs: Sequence[str]) -> str | None:
    """Return the first of some documents that a session may not search; None: it may search all."""
    named = [name for name in docs if not Path(name).is_absolute()]
    if not named:
        return None
    sharing, known = journal.sharing(home), {*collections(home), SESSIONS}
    owned = sharing.shared("session", session)

    def may(kind: Kind, thing: str) -> bool:
        return owned is None or reaches(sharing.role_of(owned.owner, kind, thing), "reader")

    for name in named:
        there = name in known or name.startswith(SESSION)
        if not there or (owned is not None and not searchable(name, may)):
            return name
    return None


def check_recorded_places(journal: Journal, home: Path, session: str) -> None:
    """Refuse the same of a session that there is, by what it was begun with. Raises SessionUnknown, too."""
    check_places(journal, home, session, _recorded(journal, session))


def check_still_searchable(journal: Journal, home: Path, session: str) -> None:
    """Stop a session at work that searches what its owner may search no longer.

    One that is nobody's, as without accounts, goes on with what it has open: whoever removes a collection
    there runs the session, too.

    Raises:
        SearchRefused: it is gone, or taken back; the message does not tell which.
        SessionUnknown: the session is gone.
    """
    if journal.sharing(home).shared("session", session) is None:
        return
    if (name := _refused(journal, home, session, _recorded(journal, session))) is not None:
        raise SearchRefused(
            f"{name} may no longer be searched by this session: "
            "it can go on once its owner may search that again"
        )


def _recorded(journal: Journal, session: str) -> list[str]:
    first = journal.read(session, 0, 1)[0].event
    assert isinstance(first, SessionStarted)
    return recorded_settings(first.settings).docs
