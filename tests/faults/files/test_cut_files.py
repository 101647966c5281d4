"""Files that were cut short, or hold another letter somewhere: what is left is saved, the rest is told."""

import asyncio
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from library.store import check_store, salvage_store
from library.store.cut_file import missing_bytes
from roundtable.__main__ import run
from roundtable.config.errors import JournalError
from roundtable.journal.sessions.repair import find_damage, repair_journal
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.files.test_moving import TOPIC, around, play, settings_for, write_documents

SESSIONS = 3


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with sessions that have ended."""
    folder = tmp_path_factory.mktemp("sound")
    documents = write_documents(folder / "documents")
    here = around(folder / "home")
    for number in range(SESSIONS):
        name = f"s{number}"
        asyncio.run(_hold(documents, here, name))
    for path in (here.home / "journal.db", here.home / "library.sqlite"):
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
    return here.home


async def _hold(documents: Path, here: Runtime, name: str) -> None:
    await play(await start_session(TOPIC, settings_for(documents, 3), around=here, session_id=name))


@pytest.fixture
def here(sound: Path, tmp_path: Path) -> Runtime:
    shutil.copytree(sound, tmp_path / "here")
    return around(tmp_path / "here")


def whole(here: Runtime) -> dict[str, list[object]]:
    with Journal(here.home / "journal.db", here.clock) as journal:
        return {row.id: list(journal.read(row.id)) for row in journal.sessions()}


# Two thirds in lies the page that leads to the first events: of a file that ends before it nothing is found.
@pytest.mark.parametrize("share", [0.99, 0.9, 0.75])
async def test_of_a_journal_that_was_cut_short_what_is_left_is_saved_and_goes_on(
    here: Runtime, share: float
) -> None:
    path = here.home / "journal.db"
    before = whole(here)
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    assert missing_bytes(path)
    assert find_damage(path, here.clock)
    saved, aside = repair_journal(path, here.clock)
    assert aside.exists()
    assert not list(path.parent.glob("*.filled*"))
    kept = whole(here)
    assert kept
    for name, events in kept.items():
        assert events == before[name][: len(events)]
    held = sum(map(len, kept.values())) / sum(map(len, before.values()))
    assert held > share * 0.5, f"{held:.0%} of the events of a file that has {share:.0%} of its bytes"
    assert sum(one.events for one in saved) == sum(map(len, kept.values()))
    for name in kept:
        resumed = await resume_session(name, around=here)
        await play(resumed)
        assert resumed.state.status == "ended"


@pytest.mark.parametrize("share", [0.98, 0.9])
def test_of_a_store_that_was_cut_short_texts_are_saved(here: Runtime, share: float) -> None:
    path = here.home / "library.sqlite"
    with sqlite3.connect(path) as database:
        before = {row[0] for row in database.execute("SELECT sha256 FROM sources")}
    database.close()
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    assert check_store(path)
    salvaged = salvage_store(path)
    assert salvaged.texts > 0
    assert check_store(path) is None
    with sqlite3.connect(path) as database:
        assert {row[0] for row in database.execute("SELECT sha256 FROM sources")} <= before
    database.close()


def test_a_head_that_claims_what_no_disk_has_is_not_believed(here: Runtime) -> None:
    path = here.home / "journal.db"
    with path.open("r+b") as file:
        file.seek(28)
        file.write(b"\xff\xff\xff\xff")
    assert missing_bytes(path) == 0
    repair_journal(path, here.clock)
    assert find_damage(path, here.clock) is None


SEEDS = 100 if os.environ.get("ROUNDTABLE_FAULTS") == "all" else 12


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("how", ["cut", "flipped"])
def test_damage_anywhere_ends_in_a_sound_journal_and_no_event_that_was_not(
    here: Runtime, how: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also in its head and its lists: opened, saved and told, or told in one line."""
    path = here.home / "journal.db"
    before = whole(here)
    chance = random.Random(seed)
    data = bytearray(path.read_bytes())
    if how == "cut":
        del data[chance.randrange(1, len(data)) :]
    else:
        for _ in range(8):
            at = chance.randrange(len(data))
            data[at] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    try:
        if find_damage(path, here.clock) is not None:
            repair_journal(path, here.clock)
    except JournalError as told:
        said = str(told)
    else:
        said = ""
        assert find_damage(path, here.clock) is None
        for name, events in whole(here).items():
            if name in before and how == "cut":
                assert events == before[name][: len(events)]
    assert "\n" not in said
    run(["list"])
    assert "Traceback" not in "".join(capsys.readouterr())


@pytest.fixture(scope="module")
def unwritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose last session stands in its log alone, as when the program is killed."""
    folder = tmp_path_factory.mktemp("unwritten")
    documents, here = write_documents(folder / "documents"), around(folder / "home")
    path = here.home / "journal.db"
    with Journal(path, here.clock) as journal:  # who has it open keeps SQLite from joining them
        asyncio.run(_hold(documents, here, "last"))
        (folder / "kept").mkdir()
        for name in ("journal.db", "journal.db-wal"):
            shutil.copy(here.home / name, folder / "kept" / name)
        assert journal.sessions()
    return folder / "kept"


def test_a_log_that_was_cut_or_damaged_at_200_places_costs_what_came_after(
    unwritten: Path, tmp_path: Path
) -> None:
    """Each commit is there whole, or not at all, and nothing needs a repair."""
    clock = around(tmp_path / "none").clock
    log = (unwritten / "journal.db-wal").read_bytes()
    with_all = tmp_path / "all"
    shutil.copytree(unwritten, with_all)
    with Journal(with_all / "journal.db", clock) as journal:
        before = journal.read("last")
    assert len(before) > 50
    chance, found = random.Random(11), set()
    for place in range(200):
        home = tmp_path / f"at-{place}"
        shutil.copytree(unwritten, home)
        at, data = chance.randrange(len(log)), bytearray(log)
        if place % 2:
            data[at] ^= 1 << chance.randrange(8)
        else:
            del data[at:]
        (home / "journal.db-wal").write_bytes(data)
        with Journal(home / "journal.db", clock) as journal:
            assert journal.check() is None
            events = journal.read("last") if journal.sessions() else []
        assert events == before[: len(events)]
        found.add(len(events))
        shutil.rmtree(home)
    assert len(found) > 10, "it was cut in many places"
