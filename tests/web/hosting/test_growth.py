"""Sessions that are over leave nothing behind in a server; `benchmarks.load.soak` measures a thousand."""

import asyncio
import gc
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from benchmarks.load.soak import play
from library import Library
from library.text import sentence_vectors
from roundtable.config.errors import SessionUnknown
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime
from roundtable.session.session import Session
from roundtable.web.hosting import replayed_sessions
from roundtable.web.hosting.session_manager import SessionManager

WATCHED = (Session, State, Library, Journal)
MOST = 2
"""How many of those at rest are kept here."""


def there() -> Counter[str]:
    """Count what a session is made of, as far as it is still held."""
    gc.collect()
    found = [type(each).__name__ for each in gc.get_objects() if type(each) in WATCHED]
    return Counter(found)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0


def remembered() -> Counter[str]:
    """Count what is kept of texts, by what keeps it."""
    kept = [each for each in gc.get_objects() if isinstance(each, type(lru_cache(len)))]
    texts = [each for each in kept if each.__module__.startswith("library.text.")]
    bounded = [each for each in texts if (each.cache_info().maxsize or 0) >= 500]
    return Counter({f"{each.__module__}.{each.__name__}": each.cache_info().currsize for each in bounded})


@pytest.mark.slow
async def test_what_is_remembered_of_texts_goes_with_the_last_session(tmp_path: Path) -> None:
    manager = SessionManager(Runtime(home=tmp_path / "home", environment={}))
    before = remembered()  # what other tests left where nothing reaches it any more
    await play(manager, 1, tmp_path / "documents-1")
    more = remembered() - before
    assert more.total() < 100, f"more than what looking at it afterwards takes: {more}"
    assert not sentence_vectors()._kept
    await manager.close()


@pytest.mark.slow
async def test_a_session_that_is_over_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replayed_sessions, "KEPT_SECONDS", 0.3)
    monkeypatch.setattr(replayed_sessions, "KEPT", MOST)
    before = there()
    manager = SessionManager(Runtime(home=tmp_path / "home", environment={}))
    await play(manager, 1, tmp_path / "documents-1")
    files = open_files()
    for number in range(2, MOST + 5):
        await play(manager, number, tmp_path / f"documents-{number}")
        assert there()["State"] - before["State"] <= MOST + 1
    with pytest.raises(SessionUnknown):
        await manager.do("0000aaaa", lambda session: session)
    await asyncio.sleep(1.6)
    after = there() - before
    assert after == {"Journal": 1}, "the manager's own"
    assert not len(manager._opening) + len(manager._replayed) + len(manager._failures)
    assert open_files() <= files
    await manager.close()
