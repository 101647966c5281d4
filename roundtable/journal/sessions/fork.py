"""Where a session can be left for another course: a new session with the beginning of an old one."""

import secrets
from collections.abc import Sequence

from roundtable.config.errors import InputError
from roundtable.journal.events import Recorded, SessionStarted
from roundtable.journal.session_phrases import session_phrases
from roundtable.journal.storage.journal_store import Journal

_NEXT = frozenset({"turn_taken", "speaker_called", "table_closed", "session_stopped", "session_resumed",
                   "session_taken_up", "commanded"})  # fmt: skip
"""Events that belong no longer to the turn before them."""


def beginning(events: Sequence[Recorded], turn: int) -> list[Recorded]:
    """Return a session's events up to the end of a turn; 0: up to the first speaker's call.

    Raises:
        InputError: the session has no such turn.
    """
    # Turns have the numbers that are told everywhere; of some nothing came.
    told = ((place, item.event) for place, item in enumerate(events))
    turns = {event.turn.n: place for place, event in told if event.kind == "turn_taken"}
    last = max(turns, default=0)
    if not 0 <= turn <= last:
        raise InputError(f"there is no turn {turn}: the session's last is {last}; 0 is before the first")
    start = max((place + 1 for n, place in turns.items() if n <= turn), default=1)
    end = next((p for p in range(start, len(events)) if events[p].event.kind in _NEXT), len(events))
    return list(events[:end])


def fork(journal: Journal, session_id: str, turn: int, identity: str | None = None) -> str:
    """Make a session that begins as another one did, up to the end of a turn; return its id.

    Nothing of the old session changes. The new one has its name with the turn, and no output folder yet.

    Args:
        journal: With the old session; the new one is kept there too.
        session_id: The old one's.
        turn: After which the new one goes its own way; 0: before the first.
        identity: The new one's id; None: any.

    Raises:
        InputError, SessionUnknown, JournalError.
    """
    events = beginning(journal.read(session_id), turn)
    identity = identity or secrets.token_hex(4)
    first = started_anew(events[0])
    assert isinstance(first.event, SessionStarted)
    journal.adopt(identity, [first, *events[1:]], begun_now=True)
    forked = session_phrases(first.event.language).forked
    journal.rename(identity, forked.format(name=journal.session(session_id).topic, n=turn))
    return identity


def started_anew(first: Recorded, **changes: object) -> Recorded:
    """Return a session's first event without the folder that another session writes to."""
    assert isinstance(first.event, SessionStarted)
    return first.model_copy(update={"event": first.event.model_copy(update={"out": "", **changes})})
