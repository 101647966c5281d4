"""A session as lists show it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from roundtable.config.errors import JournalError
from roundtable.journal.storage.tables.journal_tables import JournalTables

_AT_ONCE = 500
"""Sessions whose first event is looked up by one statement."""
_NAME = re.compile(r"[0-9A-Za-z_-][0-9A-Za-z_.-]{0,127}")


def is_id(session_id: str) -> bool:
    """Tell whether a session may be called so: letters, digits, `_`, `-` and `.`, which does not begin it."""
    return _NAME.fullmatch(session_id) is not None


def checked_id(session_id: str) -> str:
    """Return a session's id, which files and folders are called by.

    A journal may be a stranger's, and an id in it the path of a file of ours.

    Raises:
        JournalError: it is no plain name.
    """
    if not is_id(session_id):
        raise JournalError(f"{session_id[:70]!r} is no session's id")
    return session_id


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session, as a list of them shows it."""

    id: str
    topic: str
    state: str
    """`running`, `stopped` (it can be resumed, also after a crash) or `ended`."""
    turns: int
    """What those at the table said; a person's words are none."""
    started: str
    """ISO 8601 date and time, UTC."""
    sentences: int | None = None
    """Of its report; None where there is none, or a version before wrote it."""
    asked: str = ""
    """The topic that it was begun on, where it has another name now."""

    def fits(self, words: str) -> bool:
        """Tell whether the session's name, topic or id holds all of some words, in whatever case."""
        known = f"{self.id} {self.topic} {self.asked}".casefold()
        return all(word in known for word in words.casefold().split())


class FirstTopics:
    """The topics that sessions were begun on: lists show a name in their place, and are searched by both."""

    def __init__(self, tables: JournalTables) -> None:
        self._tables = tables
        self._known: dict[str, str] = {}

    def told(self, rows: Sequence[SessionRow]) -> list[SessionRow]:
        """Return rows with their first topics, where these are others than their names."""
        fresh = [row.id for row in rows if row.id not in self._known]
        for start in range(0, len(fresh), _AT_ONCE):
            some = fresh[start : start + _AT_ONCE]
            holes = ", ".join("?" * len(some))
            found = self._tables.rows(
                f"SELECT session, event FROM events WHERE n = 1 AND session IN ({holes})",  # noqa: S608 - its words are ours  # nosec B608
                some,
            )
            self._known.update({session: _topic(event) for session, event in found})
        first = self._known
        other = {row.id for row in rows if first.get(row.id, row.topic) != row.topic}
        return [replace(row, asked=first[row.id]) if row.id in other else row for row in rows]

    def forget(self, session_id: str) -> None:
        """Forget a session that is no more; another may come under its id."""
        self._known.pop(session_id, None)


def _topic(event: str) -> str:
    """Return the topic that a session's first event names; a damaged one is told of when it is read."""
    try:
        read = json.loads(event)
    except ValueError:
        return ""
    return str(read.get("topic", "")) if isinstance(read, dict) else ""
