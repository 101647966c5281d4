"""Two of everything at once, and what does not open: nothing is done twice, nothing stays open."""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from library import Computed, LibraryError
from roundtable.config import Settings
from roundtable.config.config import joined, load_settings
from roundtable.config.errors import ConfigError, RoundtableError, SessionUnknown
from roundtable.journal.events import SessionStarted, event_adapter
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.bundle import take_in, texts_of, write_bundle
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from roundtable.session.session import Session
from roundtable.web.hosting import replayed_sessions
from roundtable.web.hosting.session_manager import SessionManager
from tests.faults.town import (
    THINGS,
    TOPIC,
    kept,
    play,
    settings_for,
    still_clock,
    write_documents,
)
from tests.journeys.research.research_world import World, acts, answers


@pytest.fixture
def things() -> tuple[str, ...]:
    return THINGS[:3]


async def ended(town: Runtime, tmp_path: Path, name: str, turns: int = 3) -> State:
    settings = settings_for(tmp_path / "documents", turns)
    session = await start_session(TOPIC, settings, around=town, session_id=name)
    await play(session)
    return session.state


def reports(home: Path, name: str) -> int:
    return sum('"kind":"report_written"' in text for text in kept(home, name))


async def test_who_asks_for_the_report_at_the_same_time_gets_the_same_one(
    town: Runtime, tmp_path: Path
) -> None:
    session = await start_session(TOPIC, settings_for(tmp_path / "documents", 3), around=town, session_id="a")
    async with contextlib.aclosing(session.run()) as events:
        async for recorded in events:
            if recorded.event.kind == "turn_taken" and recorded.event.turn.n == 3:
                break
    first, second = await asyncio.gather(session.report(), session.report())
    await session.close()
    assert first is second
    assert reports(town.home, "a") == 1


async def test_nobody_writes_while_somebody_else_is_at_work_on_the_session(
    town: Runtime, tmp_path: Path
) -> None:
    session = await start_session(TOPIC, settings_for(tmp_path / "documents", 3), around=town, session_id="b")
    refused = 0
    async for recorded in session.run():
        if recorded.event.kind in {"turn_taken", "table_closed"}:
            for asked in (session.report, session.write_again, session.plan):
                with pytest.raises(RuntimeError, match="is running already"):
                    await asked()
                refused += 1
    writing = asyncio.create_task(session.write_again())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="is running already"):
        await anext(session.run(1))
    await writing
    await session.close()
    assert refused
    assert reports(town.home, "b") == 2
    again = await resume_session("b", around=town)  # its events fit each other
    await again.close()


async def test_threads_that_replay_at_once_do_not_take_the_same_place_twice(
    town: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ended(town, tmp_path, "one")
    events = kept(town.home, "one")
    names = [f"copy-{number}" for number in range(12)]
    with Journal(town.home / "journal.db", still_clock()) as journal:
        for name in names:
            journal.adopt(name, journal.read("one"))
    replays: list[int] = []
    replayed = replayed_sessions.replayed

    def counted(recorded: object, home: Path) -> object:
        replays.append(1)
        return replayed(recorded, home)  # type: ignore[arg-type]

    monkeypatch.setattr(replayed_sessions, "replayed", counted)
    manager = SessionManager(town)
    same = await asyncio.gather(*(manager.at_rest("one") for _ in range(8)))
    assert len({id(state) for state in same}) == 1
    assert len(replays) == 1, "those who came meanwhile had what the first one left"
    for _ in range(3):
        states = await asyncio.gather(*(manager.at_rest(name) for name in names))
        assert [state.last for state in states] == [len(events)] * len(names)
    await manager.close()


def _spans(schema: object) -> bool:
    """Tell whether a form holds the hash of a text, anywhere."""
    if isinstance(schema, dict):
        return bool({"sha256", "span"} & set(schema.get("properties", {}))) or any(
            _spans(value) for value in schema.values()
        )
    return isinstance(schema, list) and any(_spans(value) for value in schema)


def test_every_kind_of_event_that_speaks_of_a_text_is_known_to_bundles() -> None:
    definitions = event_adapter.json_schema()["$defs"]
    kinds = {name: form.get("properties", {}).get("kind", {}) for name, form in definitions.items()}
    holders = {name for name, kind in kinds.items() if "const" in kind and _spans(definitions[name])}
    nested = {"Searched", "PassagesAdmitted"}  # by FoundHit and AdmittedPassage
    assert holders | nested == {"Searched", "PassagesAdmitted", "PageRead", "Computed"}, "see `texts_of`"


async def test_a_bundle_takes_computations_along(tmp_path: Path) -> None:
    """Cut off after computing and before the answer: the turn that is done again needs the result's text."""

    def computes(task: object) -> object:
        if getattr(task, "rounds_left", 0):
            first = task.passages[0].id  # type: ignore[attr-defined]
            return acts({"kind": "compute", "query": "growth", "code": "6 * 7", "passages": [first]})
        return answers(f"Nobody knows [{task.passages[0].id}].")  # type: ignore[attr-defined]

    (tmp_path / "here").mkdir()
    world = World(tmp_path / "here")
    await world.play({"respond": computes}, rounds=2)
    assert world.session is not None
    with Journal(world.home / "journal.db", still_clock()) as journal:
        events = journal.read(world.session.id)
    computed = next(item for item in events if isinstance(item.event, Computed))
    cut = events[: computed.n]
    assert isinstance(computed.event, Computed)
    assert computed.event.sha256 in texts_of(cut)
    file = tmp_path / "session.zip"
    write_bundle("cut", cut, world.home, file)
    there = tmp_path / "there"
    there.mkdir()
    with Journal(there / "journal.db", still_clock()) as journal:
        identity, _ = take_in(file, journal, there, Settings(offline=True))
    folder = there / "imported" / identity
    assert not [path for path in folder.iterdir() if "Python code:" in path.read_text()], "no document"
    around = Runtime(home=there, clock=still_clock(), environment={}, model=world.model)
    session = await resume_session(identity, around=around)
    await play(session)
    assert session.state.status == "ended"
    assert not session.state.failed


def _open_files() -> set[str]:
    found = set()
    for handle in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{handle} {os.readlink(f'/proc/self/fd/{handle}')}")
        except OSError:  # the handle that listed them
            continue
    return found


Opening = Callable[[Runtime, Path], Awaitable[Session]]


async def _nowhere(around: Runtime, documents: Path) -> Session:
    return await start_session(TOPIC, settings_for(documents / "gone", 3), around=around)


async def _backend(around: Runtime, documents: Path) -> Session:
    settings = settings_for(documents, 3)
    places = {"offline": False, "search": ["wikipedia", "no-such-place"]}
    wanted = load_settings(joined(settings.model_dump(mode="json"), places), environment={})
    return await start_session(TOPIC, wanted, around=around)


async def _unknown(around: Runtime, documents: Path) -> Session:
    return await resume_session("ffffffff", around=around)


async def _damaged(around: Runtime, documents: Path) -> Session:
    (around.home / "library.sqlite").write_bytes(b"no database at all" * 1000)
    return await start_session(TOPIC, settings_for(documents, 3), around=around)


async def _no_such_setting(around: Runtime, documents: Path) -> Session:
    with Journal(around.home / "journal.db", around.clock) as journal:
        settings = joined(settings_for(documents, 3).model_dump(mode="json"), {"agents": {"bees": 7}})
        journal.create("older", [SessionStarted(topic=TOPIC, language="en", settings=settings, version="0",
                       docs=[], search=[], offline=True, model="embedded", out="")])  # fmt: skip
    return await resume_session("older", around=around)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted by /proc")
@pytest.mark.parametrize("opening", [_nowhere, _backend, _unknown, _damaged, _no_such_setting])
async def test_what_does_not_open_leaves_nothing_open_and_says_one_line(
    opening: Opening, tmp_path: Path
) -> None:
    home = tmp_path / "here"
    home.mkdir()
    documents = write_documents(tmp_path / "documents", THINGS[:3])
    around = Runtime(home=home, clock=still_clock(), environment={})
    await play(await start_session(TOPIC, settings_for(documents, 3), around=around))  # what stays is open
    before = _open_files()
    with pytest.raises((LibraryError, RoundtableError, ConfigError, SessionUnknown)) as failure:
        await opening(around, documents)
    assert "\n" not in str(failure.value)
    left = {each.partition(" ")[2] for each in _open_files() - before}
    assert not [each for each in left if str(home) in each], left
    sqlite3.connect(home / "journal.db").close()
