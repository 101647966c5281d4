"""Where a session can be left for another course: a new session with the beginning of an old one."""

import secrets
from collections.abc import Sequence

from roundtable.config.errors import InputError
from roundtable.journal.events import Recorded, SessionStarted
from roundtable.journal.storage.journal_store import Journal

_NEXT = frozenset({"turn_taken", "speaker_called", "table_closed", "session_stopped", "session_resumed",
                   "commanded"})  # fmt: skip
"""Events that belong no longer to the turn before them."""


def beginning(events: Sequence[Recorded], turn: int) -> list[Recorded]:
    """Return a session's events up to the end of a turn; 0: up to the first speaker's call.

    Raises:
        InputError: the session has no such turn.
    """
    turns = [place for place, item in enumerate(events) if item.event.kind == "turn_taken"]
    if not 0 <= turn <= len(turns):
        raise InputError(f"there is no turn {turn}: the session has {len(turns)}; 0 is before the first")
    start = turns[turn - 1] + 1 if turn else 1
    end = next((p for p in range(start, len(events)) if events[p].event.kind in _NEXT), len(events))
    return list(events[:end])


def fork(journal: Journal, session_id: str, turn: int) -> str:
    """Make a session that begins as another one did, up to the end of a turn; return its id.

    Nothing of the old session changes. The new one has its name, and no output folder yet.

    Raises:
        InputError, SessionUnknown, JournalError.
    """
    events = beginning(journal.read(session_id), turn)
    identity = secrets.token_hex(4)
    journal.adopt(identity, [started_anew(events[0]), *events[1:]])
    journal.rename(identity, journal.session(session_id).topic)
    return identity


def started_anew(first: Recorded, **changes: object) -> Recorded:
    """Return a session's first event without the folder that another session writes to."""
    assert isinstance(first.event, SessionStarted)
    return first.model_copy(update={"event": first.event.model_copy(update={"out": "", **changes})})
