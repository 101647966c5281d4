"""A store with the texts that a session's events speak of, also where another machine read them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from library import Store
from roundtable.config.home import journal_place
from roundtable.config.search_places import STORE
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.named_texts import texts_of


def bring_texts(journal: Journal, events: Sequence[Recorded], store: Store) -> None:
    """Put texts that events speak of and that another machine read into this one's store.

    Raises:
        JournalError: the database cannot be read.
        StoreError: they cannot be kept.
    """
    if not journal.is_shared:
        return
    missing = [digest for digest in texts_of(events) if store.source(digest) is None]
    for source in journal.shared_texts.read(missing):
        store.add(source, named=False, heard=True)  # it may have come from a bundle there


@contextmanager
def store_with(events: Sequence[Recorded], home: Path) -> Iterator[Store]:
    """Open the store of a home folder with the texts that events speak of, wherever they were read.

    Raises:
        StoreError, JournalError.
    """
    with Store(home / STORE) as store:
        place = journal_place(home)
        if isinstance(place, str):
            with Journal(place, SystemClock()) as journal:
                bring_texts(journal, events, store)
        yield store
