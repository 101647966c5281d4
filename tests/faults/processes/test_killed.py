"""SIGKILL at places all over a session of six turns, each in its own process, and resumed from there.

`test_crash.py` tries every place, by an exception that nobody catches; here the process is really gone: no
`finally`, no ROLLBACK, no file closed. Every second time it dies with a transaction open.
"""

import asyncio
import multiprocessing
import os
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import resume_session, start_session
from tests.faults.processes.mortal import live, open_kept
from tests.faults.town import (
    TOPIC,
    files_of,
    kept,
    open_town,
    play,
    settings_for,
    still_clock,
    surroundings,
    told,
    write_documents,
    written,
)

TURNS = 6
PLACES = 30 if os.environ.get("ROUNDTABLE_CRASH_EVERY") == "1" else 5


@dataclass(frozen=True)
class Whole:
    """The session that nothing happened to."""

    home: Path
    documents: Path
    events: list[str]
    commits: int
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    documents = write_documents(folder / "documents")
    home = folder / "home"
    home.mkdir()
    open_town(home, documents).store.close()
    library = open_kept(home)
    commits, append = 0, Journal.append

    def counting(*given: object) -> object:
        nonlocal commits
        commits += 1
        return append(*given)  # type: ignore[arg-type]

    async def begin_and_end() -> State:
        settings = settings_for(documents, TURNS)
        session = await start_session(TOPIC, settings, around=surroundings(home, library), session_id="whole")
        await play(session)
        return session.state

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "append", counting)
        state = asyncio.run(begin_and_end())
    assert len(state.turns) == TURNS
    files = files_of(state, folder / "files")
    library.store.close()
    return Whole(home, documents, kept(home, "whole"), commits, files)


@pytest.fixture(scope="module")
def processes() -> multiprocessing.context.ForkServerContext:
    """A server that forks: what a session needs at first is there."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.faults.processes.warm_server"])
    return context


@pytest.mark.slow
@pytest.mark.parametrize("place", range(PLACES))
def test_killed_once_it_ends_as_if_nothing_had_been(
    place: int, whole: Whole, processes: multiprocessing.context.ForkServerContext, tmp_path: Path
) -> None:
    home = tmp_path / "town"
    home.mkdir()
    shutil.copy(whole.home / "library.sqlite", home)
    commit = 1 + place * (whole.commits - 2) // (PLACES - 1)
    inside = place % 2 == 1
    process = processes.Process(target=live, args=(home, whole.documents, "cut", TURNS, commit, inside))
    process.start()
    process.join(300)
    assert process.exitcode == -signal.SIGKILL

    with Journal(home / "journal.db", still_clock()) as journal:
        assert journal.session("cut").state == "stopped"  # the lock died with its process
        before = journal.read("cut")
    library = open_kept(home)

    async def go_on() -> State:
        session = await resume_session("cut", around=surroundings(home, library))
        assert session.state.last == len(before)
        await play(session)
        return session.state

    state = asyncio.run(go_on())
    library.store.close()
    assert kept(home, "cut")[: len(before)] == [recorded.model_dump_json() for recorded in before]
    assert told(kept(home, "cut")) == told(whole.events)
    assert written(files_of(state, tmp_path / "files")) == written(whole.files)
