"""A session as its journal tells it: nothing is run, searched or asked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from library import Source, StoreError
from roundtable.journal.event_log import fold_all
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.storage.brought_texts import store_with


@contextmanager
def replayed(events: Sequence[Recorded], home: Path) -> Iterator[State]:
    """Return the state that events lead to; the texts that they speak of are looked up in the store.

    Raises:
        StoreError: the store cannot be opened, or does not hold a text.
        JournalError: the events do not fit together.
    """
    with store_with(events, home) as store:

        def find(sha256: str) -> Source:
            source = store.source(sha256)
            if source is None:
                raise StoreError(f"{store.path}: the text {sha256[:12]} is not in the store")
            return source

        state = State(find)
        fold_all(state, events)
        yield state
