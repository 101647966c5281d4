"""A session whose process dies in the middle goes on from its last event, and ends as if nothing had been."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from models import Event
from roundtable.journal.events import Recorded
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.town import (
    TOPIC,
    but_requests,
    files_of,
    kept,
    play,
    settings_for,
    written,
)

TURNS = 20
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


def told(events: list[str]) -> list[str]:
    """Return what is said, asked and written, whatever its order: who works beside whom may come first.

    What waits for its place when a session dies may be placed with the next turn: the map is the same then,
    and so is its file; its events are not. A report counts the requests that were made, again ones too.
    """
    kinds = ("turn_taken", "question_raised", "passages_admitted", "searched", "page_read", "report_written")
    wanted = tuple(f'"event":{{"kind":"{kind}"' for kind in kinds)
    return sorted(
        but_requests(text.partition(',"at":')[2]) for text in events if any(kind in text for kind in wanted)
    )


async def whole(around: Runtime, documents: Path, folder: Path) -> tuple[list[str], dict[str, bytes]]:
    """Run a session that nothing happens to; return its journal and its files."""
    session = await start_session(TOPIC, settings_for(documents, TURNS), around=around, session_id="whole")
    await play(session)
    assert len(session.state.turns) == TURNS
    return kept(around.home, "whole"), files_of(session.state, folder)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_dying_after_every_commit_of_twenty_turns_changes_no_byte(
    town: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "documents"
    events, files = await whole(town, documents, tmp_path / "whole")
    doom = Doomed(monkeypatch)
    session = await start_session(TOPIC, settings_for(documents, TURNS), around=town, session_id="mortal")
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
    assert deaths > 100
    assert told(kept(town.home, "mortal")) == told(events)
    assert written(files_of(session.state, tmp_path / "mortal")) == written(files)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_dying_once_anywhere_in_twenty_turns_changes_no_byte(
    town: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "documents"
    doom = Doomed(monkeypatch)
    events, files = await whole(town, documents, tmp_path / "whole")
    commits = doom.commits
    for after in range(1, commits, EVERY):
        name = f"once{after}"
        session = await start_session(TOPIC, settings_for(documents, TURNS), around=town, session_id=name)
        doom.allow(after)
        assert await until_it_dies(session)
        doom.allow(10**9)
        session = await resume_session(name, around=town)
        await play(session)
        assert told(kept(town.home, name)) == told(events), f"died after commit {after}"
        assert written(files_of(session.state, tmp_path / name)) == written(files)
