"""A journal that a stranger made, in which a session's id is the path of somebody's file."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roundtable.config.errors import JournalError
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionStarted
from roundtable.journal.sessions.copying import copy_sessions
from roundtable.journal.sessions.repair import repair_journal
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.session_row import checked_id
from roundtable.output.outputs import default_folder
from roundtable.session.removal import UPLOADS, delete_session

WORDS = "Today I planted beans."
Act = Callable[[Journal, Path, str], object]


def lock(journal: Journal, _home: Path, identity: str) -> object:
    with journal.lock(identity):
        return None


def copied(_journal: Journal, home: Path, _identity: str) -> object:
    return list(copy_sessions(str(home), str(home.parent / "other")))


def deleted(journal: Journal, home: Path, identity: str) -> object:
    return delete_session(journal, home, home, identity)


def placed(_journal: Journal, _home: Path, identity: str) -> object:
    return default_folder("Tea", identity)


def told_by(act: Act, *given: Any) -> str:
    """Return what comes of it, or why it is refused."""
    try:
        return str(act(*given))
    except JournalError as refused:
        return str(refused)


@pytest.fixture(params=["absolute", "upwards"])
def forged(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, str]:
    """Return a home whose journal has one session, called by the path of a file; the file; and that path."""
    home, file = tmp_path / "home", tmp_path / "kept" / "diary.txt"
    for folder in (home / "locks", home / UPLOADS, file.parent):
        folder.mkdir(parents=True)
    file.write_text(WORDS)
    identity = str(file) if request.param == "absolute" else "../../kept/diary.txt"
    begun = SessionStarted(
        topic="Tea",
        language="en",
        settings={},
        version="0",
        docs=[],
        search=[],
        offline=True,
        model="embedded",
    )
    with Journal(home / "journal.db", SystemClock()) as journal:
        journal.create("tea", [begun])
    with sqlite3.connect(home / "journal.db") as raw:
        raw.execute("UPDATE sessions SET id = ?, state = 'stopped'", (identity,))
        raw.execute("UPDATE events SET session = ?", (identity,))
    raw.close()
    return home, file, identity


@pytest.mark.parametrize("act", [lock, copied, deleted, placed])
def test_what_is_done_with_a_session_touches_no_file_that_its_id_names(
    forged: tuple[Path, Path, str], act: Act
) -> None:
    home, file, identity = forged
    with Journal(home / "journal.db", SystemClock()) as journal:
        assert [row.id for row in journal.sessions()] == [identity]
        assert "is no session's id" in told_by(act, journal, home, identity)
    assert file.read_text() == WORDS
    assert sorted(file.parent.iterdir()) == [file]


def test_a_folder_that_a_session_s_id_names_is_not_deleted_with_it(
    forged: tuple[Path, Path, str], tmp_path: Path
) -> None:
    home, file, _ = forged
    with sqlite3.connect(home / "journal.db") as raw:
        raw.execute("UPDATE sessions SET id = ?", (str(file.parent),))
    raw.close()
    with (
        Journal(home / "journal.db", SystemClock()) as journal,
        pytest.raises(JournalError, match="is no session's id"),
    ):
        delete_session(journal, home, home, str(file.parent))
    assert file.read_text() == WORDS


def test_a_repair_leaves_out_a_session_of_such_an_id_and_says_so(forged: tuple[Path, Path, str]) -> None:
    home, file, identity = forged
    saved, _ = repair_journal(home / "journal.db", SystemClock())
    assert [(one.session, one.events, one.lost) for one in saved] == [(identity, 0, True)]
    assert file.read_text() == WORDS


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a\\b", "a\0", "a b", "tea\n", "x" * 200])
def test_what_is_no_plain_name_is_no_id(name: str) -> None:
    with pytest.raises(JournalError):
        checked_id(name)
    assert checked_id("what-is-tea-dc3afb7a06") == "what-is-tea-dc3afb7a06"
