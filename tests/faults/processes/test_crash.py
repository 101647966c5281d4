"""A session whose process dies in the middle goes on from its last event, and ends as if nothing had been."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from models import Event
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.town import (
    TOPIC,
    files_of,
    kept,
    open_town,
    play,
    settings_for,
    surroundings,
    told,
    write_documents,
    written,
)

TURNS = 8
EVERY = int(os.environ.get("ROUNDTABLE_CRASH_EVERY", "24"))
"""Of how many commits one is tried alone, each followed to the end; 1: every one."""


class Crash(BaseException):
    """Stands for the end of the process: nobody may catch it, and nothing is written after it."""


class Doomed:
    """Lets so many commits of the journal pass, and none after them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 10**9
        self.commits = 0
        append = Journal.append

        def doomed(journal: Journal, session_id: str, events: Sequence[Event]) -> list[Recorded]:
            if self.left <= 0:
                raise Crash
            done = append(journal, session_id, events)
            self.commits += 1
            self.left -= 1
            if self.left == 0:
                raise Crash  # committed, and nobody has seen it
            return done

        monkeypatch.setattr(Journal, "append", doomed)

    def allow(self, commits: int) -> None:
        """Let so many more commits pass."""
        self.left = commits


async def until_it_dies(session: Any) -> bool:
    """Run a session until it dies or ends; say whether it died."""
    try:
        async for _ in session.run():
            pass
    except Crash:
        return True
    finally:
        await session.close()
    return session.state.status != "ended"


@dataclass(frozen=True)
class Whole:
    """The session that nothing happened to, and what it ran in."""

    around: Runtime
    documents: Path
    events: list[str]
    commits: int
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    folder = tmp_path_factory.mktemp("whole")
    documents, home = write_documents(folder / "documents"), folder / "home"
    home.mkdir()
    library = open_town(home, documents)
    around = surroundings(home, library)

    async def begin_and_end() -> State:
        settings = settings_for(documents, TURNS)
        session = await start_session(TOPIC, settings, around=around, session_id="whole")
        await play(session)
        return session.state

    with pytest.MonkeyPatch.context() as patch:
        doom = Doomed(patch)
        state = asyncio.run(begin_and_end())
    assert len(state.turns) == TURNS
    yield Whole(around, documents, kept(home, "whole"), doom.commits, files_of(state, folder / "files"))
    library.store.close()


@pytest.mark.slow
async def test_dying_after_every_commit_of_eight_turns_changes_no_byte(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town, events, settings = whole.around, whole.events, settings_for(whole.documents, TURNS)
    doom = Doomed(monkeypatch)
    session = await start_session(TOPIC, settings, around=town, session_id="mortal")
    deaths = 0
    doom.allow(1)
    while await until_it_dies(session):
        deaths += 1
        assert deaths < 2 * len(events), "it dies again and again at the same place"
        doom.allow(10**9)
        session = await resume_session("mortal", around=town)
        doom.allow(1)
        if session.state.status == "ended":
            await session.close()
            break
    assert deaths > 40
    assert told(kept(town.home, "mortal")) == told(events)
    assert written(files_of(session.state, tmp_path / "mortal")) == written(whole.files)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_dying_once_anywhere_in_eight_turns_changes_no_byte(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town, events, settings = whole.around, whole.events, settings_for(whole.documents, TURNS)
    doom = Doomed(monkeypatch)
    for after in range(1, whole.commits, EVERY):
        name = f"once{after}"
        session = await start_session(TOPIC, settings, around=town, session_id=name)
        doom.allow(after)
        assert await until_it_dies(session)
        doom.allow(10**9)
        session = await resume_session(name, around=town)
        await play(session)
        assert told(kept(town.home, name)) == told(events), f"died after commit {after}"
        assert written(files_of(session.state, tmp_path / name)) == written(whole.files)
