"""A process that runs a session until it is killed at a place that was chosen: SIGKILL, no farewell."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from library import Library
from library.search.local_collection import LocalCollection
from library.store.store import Store
from models import Event
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import start_session
from tests.faults.town import TOPIC, Pages, keep_pages, play, settings_for, surroundings


def open_kept(home: Path) -> Library:
    """Open the library of a home in which `open_town` has read the documents."""
    store = Store(home / "library.sqlite")
    [held] = store.collections()
    return Library(store, [LocalCollection(store, held), Pages(keep_pages(store))])


def live(home: Path, documents: Path, name: str, turns: int, commit: int, inside: bool) -> None:
    """Begin a session in this process, and be killed.

    Args:
        home: With the store, filled.
        documents: What it holds.
        name: The session's id.
        turns: How many it would have.
        commit: Which commit is the last, from 1.
        inside: Killed when that commit is begun and its events are written; else when it is done.
    """
    insert, append, commits = Journal._insert, Journal.append, 0

    def inserting(journal: Journal, session_id: str, events: Sequence[Event], now: str) -> list[Recorded]:
        done = insert(journal, session_id, events, now)
        if inside and commits == commit:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    def appending(journal: Journal, session_id: str, events: Sequence[Event]) -> list[Recorded]:
        nonlocal commits
        commits += 1
        done = append(journal, session_id, events)
        if commits == commit:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    Journal._insert = inserting  # type: ignore[method-assign]
    Journal.append = appending  # type: ignore[method-assign]

    async def begin() -> None:
        around = surroundings(home, open_kept(home))
        settings = settings_for(documents, turns)
        await play(await start_session(TOPIC, settings, around=around, session_id=name))

    asyncio.run(begin())
