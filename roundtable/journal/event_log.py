"""The record of a running session.

An event is committed to the journal, folded into the state, then shown.
"""

import asyncio
from collections.abc import Callable, Sequence

from library import LibraryError
from models import Event
from roundtable.config.errors import JournalError, RoundtableError
from roundtable.journal.events import Recorded, SessionTakenUp
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal


class EventLog:
    """The one place through which anything happens."""

    def __init__(self, session_id: str, journal: Journal, state: State) -> None:
        self.session_id = session_id
        self.state = state
        self._journal = journal
        self._listeners: list[asyncio.Queue[Recorded | None]] = []
        self.on_event: Callable[[Recorded], None] = lambda _recorded: None
        """Called with each event as soon as it is committed and folded, before anything else is done."""
        self.observers: list[Callable[[Recorded], None]] = []
        """Told likewise, after it."""
        self.silenced: frozenset[str] = frozenset()
        """Speakers whose turn was broken off: what they still do on their way out is not recorded."""
        self._taken_up: SessionTakenUp | None = None

    def take_up(self, now: str) -> None:
        """Go on, from a time on, with a session whose own process ended without a word, or that waited.

        It is told with the next event, not by itself: who dies again and again would never get further.
        """
        if self.state.status in {"running", "closed"}:
            self._taken_up = SessionTakenUp(since=now)
            self.state.time.reach(now, working=False)

    def add(self, *events: Event) -> None:
        """Commit events at once and together, then fold and show them."""
        if not events:
            return
        if self.silenced and any(getattr(event, "speaker", None) in self.silenced for event in events):
            raise asyncio.CancelledError
        if self._taken_up is not None:
            events = (self._taken_up, *events)
            self._taken_up = None
        for recorded in self._journal.append(self.session_id, events):
            self.state.fold(recorded)
            for listener in self._listeners:
                listener.put_nowait(recorded)
            self.on_event(recorded)
            for observer in self.observers:
                observer(recorded)

    def listen(self) -> asyncio.Queue[Recorded | None]:
        """Return a queue of everything recorded from now on; None in it says that no more comes."""
        queue: asyncio.Queue[Recorded | None] = asyncio.Queue()
        self._listeners.append(queue)
        return queue

    def forget(self, queue: asyncio.Queue[Recorded | None]) -> None:
        """Stop listening."""
        self._listeners.remove(queue)

    def repeat(self, events: Sequence[Recorded]) -> None:
        """Fold events that are in the journal already. Raises JournalError, StoreError; see `fold_all`."""
        fold_all(self.state, events)


def fold_all(state: State, events: Sequence[Recorded]) -> None:
    """Fold events as they were kept.

    Raises:
        JournalError: one does not fit those before it: the file was damaged or written by hand.
        StoreError: a text that they speak of is not in the store.
    """
    for recorded in events:
        try:
            state.fold(recorded)
        except (RoundtableError, LibraryError):
            raise
        except Exception as failure:
            detail = " ".join(f"{type(failure).__name__}: {failure}".split())[:160]
            raise JournalError(
                f"event {recorded.n} ({recorded.event.kind}) does not fit those before it ({detail}): the "
                "journal is damaged; `roundtable doctor --repair` saves what comes before"
            ) from failure
