"""The texts that events speak of: which they are, and how one is written where it is kept with a session."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from library import Computed, PageRead, PassagesAdmitted, Searched, Source, Store
from roundtable.config.home import journal_place
from roundtable.config.search_places import STORE
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal

_SOURCE = TypeAdapter(Source)


def texts_of(events: Sequence[Recorded]) -> list[str]:
    """Return the hashes of the texts that events speak of, in order, each once."""
    found: dict[str, None] = {}
    for item in events:
        match item.event:
            case Searched(hits=hits):
                found |= {hit.span[0]: None for hit in hits if hit.span}
            case PageRead(sha256=str() as digest) | Computed(sha256=str() as digest):
                found[digest] = None
            case PassagesAdmitted(passages=admitted):
                found |= {one.span[0]: None for one in admitted}
            case _:
                pass
    return list(found)


def source_line(source: Source) -> str:
    """Return a source as one line of JSON, in ASCII: texts of the web hold what is no Unicode."""
    return json.dumps(asdict(source), ensure_ascii=True)


def read_source(line: str | bytes) -> Source:
    """Return the source of a line. Raises ValueError when it is none."""
    return _SOURCE.validate_python(json.loads(line))


def bring_texts(journal: Journal, events: Sequence[Recorded], store: Store) -> None:
    """Put texts that events speak of and that another machine read into this one's store.

    Raises:
        JournalError: the database cannot be read.
        StoreError: they cannot be kept.
    """
    if not journal.is_shared:
        return
    missing = [digest for digest in texts_of(events) if store.source(digest) is None]
    for source in journal.shared_texts(missing):
        store.add(source)


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
