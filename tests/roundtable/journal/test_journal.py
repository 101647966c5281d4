import errno
import fcntl
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import pytest

from agents.events import SpeakerCalled, TurnTaken
from agents.turn import Turn
from library import PageRead, Source, Store
from moderator import CloseCause
from reports import Report, ReportWritten
from roundtable.config import Settings
from roundtable.config.config import joined, unresolved
from roundtable.config.errors import InputError, JournalError, JournalTooNew, SessionLocked, SessionUnknown
from roundtable.journal.clock import SteppingClock, SystemClock
from roundtable.journal.events import (
    AnyEvent,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    TableClosed,
    Warned,
    event_adapter,
)
from roundtable.journal.sessions.copying import copy_sessions
from roundtable.journal.sessions.fork import fork
from roundtable.journal.sessions.repair import find_damage, repair_journal
from roundtable.journal.storage.journal_store import _OF_A_TURN_UNDER_WAY, Journal, SessionRow
from roundtable.journal.storage.tables.locks import is_held


def started(topic: str = "Tea") -> SessionStarted:
    return SessionStarted(
        topic=topic,
        language="en",
        settings={},
        version="0",
        docs=[],
        search=[],
        offline=True,
        model="embedded",
    )


def turn(n: int) -> TurnTaken:
    return TurnTaken(
        turn=Turn(n=n, speaker="a", name="A", role="expert", act="answer", text="“x” [p1]", citations=["p1"],
                  at="2026-01-01T00:00:00Z", seconds=0.1)
    )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.db"


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, path: Path) -> Path | str:
    """Every kind of place that a journal may be in: what is tested with it holds for all."""
    return path if request.param == "file" else request.getfixturevalue("postgres").database()


@pytest.fixture
def journal(place: Path | str):
    with Journal(place, SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))) as journal:
        yield journal


@pytest.fixture
def in_file(path: Path):
    with Journal(path, SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))) as journal:
        yield journal


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true: a server notices only after a moment that a process is gone."""
    for _ in range(200):
        if true():
            return
        time.sleep(0.02)
    assert true()


def reopened(place: Path | str) -> Journal:
    return Journal(place, SteppingClock(datetime(2027, 1, 1, tzinfo=UTC)))


def written(place: Path | str) -> str:
    """Return a place as a program writes it."""
    return f"Path({str(place)!r})" if isinstance(place, Path) else repr(place)


def test_events_are_numbered_from_one_and_come_back_as_they_were(journal: Journal, place: Path | str):
    first = journal.create("s1", [started()])
    second = journal.append("s1", [Warned(text="雨\n“x”"), turn(1)])
    assert [r.n for r in first + second] == [1, 2, 3]
    with reopened(place) as other:
        assert other.read("s1") == first + second
        assert other.read("s1", after=2) == second[1:]


def test_sessions_do_not_mix(journal: Journal):
    for name in ("a", "b"):
        journal.create(name, [started(name)])
    journal.append("a", [Warned(text="for a")])
    journal.append("b", [Warned(text="for b")])
    assert [r.n for r in journal.read("b")] == [1, 2]
    assert [getattr(r.event, "text", None) for r in journal.read("b")] == [None, "for b"]


def test_an_append_is_one_commit_all_or_nothing(journal: Journal):
    journal.create("s1", [started()])

    class Broken(Warned):
        def model_dump_json(self, **_: object) -> str:
            raise OSError("disk full")

    with pytest.raises(JournalError, match="disk full"):
        journal.append("s1", [Warned(text="one"), Broken(text="two")])
    assert [r.n for r in journal.read("s1")] == [1]
    assert [r.n for r in journal.append("s1", [Warned(text="three")])] == [2]


def test_what_was_appended_is_there_after_sigkill(place: Path | str):
    program = f"""
import os, signal
from pathlib import Path
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionStarted, Warned
from roundtable.journal.sessions.copying import copy_sessions
from roundtable.journal.sessions.fork import fork
from roundtable.journal.storage.journal_store import Journal
journal = Journal({written(place)}, SystemClock())
with journal.lock("s1"):
    journal.create("s1", [SessionStarted(topic="Tea", language="en", settings={{}}, version="0",
                                         docs=[], search=[], offline=True, model="embedded")])
    for n in range(20):
        journal.append("s1", [Warned(text=str(n))])
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    with reopened(place) as journal:
        until(lambda: journal.sessions()[0].state == "stopped")
        assert [r.event.text for r in journal.read("s1", after=1)] == [str(n) for n in range(20)]
        with journal.lock("s1"):
            journal.append("s1", [SessionResumed()])


def test_a_turn_s_end_waits_for_the_disk_and_what_leads_to_it_does_not(in_file: Journal):
    journal = in_file

    def waited() -> bool:
        return journal._tables.connection.execute("PRAGMA synchronous").fetchone()[0] == 2

    call = SpeakerCalled(turn=1, speaker="ada", question=None)
    journal.create("s1", [started()])
    assert waited()
    journal.append("s1", [call])
    assert not waited()
    journal.append("s1", [call, turn(1)])
    assert waited()
    journal.append("s1", [call])
    journal.append("s1", [Warned(text="a person's")])
    assert waited()
    journal.append("s1", [call])
    journal.create("s2", [started()])
    assert waited()


def test_only_known_events_need_not_wait_for_the_disk():
    kinds = {get_args(kind.model_fields["kind"].annotation)[0] for kind in get_args(get_args(AnyEvent)[0])}
    assert kinds > _OF_A_TURN_UNDER_WAY
    assert not _OF_A_TURN_UNDER_WAY & {
        "turn_taken", "turn_failed", "commanded", "map_edited", "plan_changed", "report_written",
        "question_raised", "question_reworded", "question_closed", "sections_drafted", "sentences_reviewed",
        "session_started", "session_resumed", "session_stopped", "session_ended",
    }  # fmt: skip


def test_the_list_is_newest_first_with_states_and_turns(journal: Journal):
    for name in ("one", "two", "three"):
        journal.create(name, [started(name.upper())])
    journal.append("one", [turn(1), turn(2), said := turn(3)])
    words = said.turn.model_copy(update={"n": 4, "role": "person", "act": "question"})
    journal.append("one", [TurnTaken(turn=words), SessionStopped(reason="x"), SessionResumed()])
    journal.append("one", [SessionEnded(reason="turns")])
    journal.append("two", [SessionStopped(reason="no server")])
    with journal.lock("three"):
        rows = journal.sessions()
    assert [(r.id, r.topic, r.state, r.turns) for r in rows] == [
        ("three", "THREE", "running", 0),
        ("two", "TWO", "stopped", 0),
        ("one", "ONE", "ended", 3),
    ]
    assert rows[2].started == "2026-01-01T00:00:00.000Z"
    assert rows[2].sentences is None
    journal.append("one", [ReportWritten(report=Report(title="T", topic="ONE", sections=[]))])
    assert journal.session("one").sentences == 0
    assert journal.session("three") == SessionRow("three", "THREE", "stopped", 0, rows[0].started)


def test_find_takes_a_unique_prefix_or_last(journal: Journal):
    with pytest.raises(SessionUnknown, match="no sessions yet"):
        journal.find("last")
    for name in ("abc1", "abd2", "abc"):
        journal.create(name, [started()])
    assert journal.find("abd") == "abd2"
    assert journal.find("abc") == "abc"
    assert journal.find("last") == "abc"
    with pytest.raises(SessionUnknown, match="3 sessions begin with 'ab': abc, abd2, abc1"):
        journal.find("ab")
    for unknown in ("zz", "", "%", "_"):
        with pytest.raises(SessionUnknown, match="no session begins with"):
            journal.find(unknown)


def test_unknown_sessions_and_ids_given_twice_are_refused(journal: Journal):
    with pytest.raises(SessionUnknown):
        journal.read("nobody")
    with pytest.raises(SessionUnknown):
        journal.append("nobody", [Warned(text="x")])
    journal.create("s1", [started()])
    with pytest.raises(JournalError, match="already"):
        journal.create("s1", [started()])


def test_a_second_process_is_refused_with_the_owners_pid(journal: Journal, place: Path | str):
    program = f"""
from pathlib import Path
from roundtable.journal.clock import SystemClock
from roundtable.journal.sessions.copying import copy_sessions
from roundtable.journal.sessions.fork import fork
from roundtable.journal.storage.journal_store import Journal
with Journal({written(place)}, SystemClock()).lock("s1"):
    pass
"""
    with journal.lock("s1"):
        refused = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert f"SessionLocked: session s1 is being run by process {os.getpid()}" in refused.stderr
        with pytest.raises(SessionLocked, match=str(os.getpid())), journal.lock("s1"):
            pass
        assert [r.state for r in journal.sessions()] == []
        again = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert "SessionLocked" in again.stderr, "looking at the lock must not give it up"
    freed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert freed.returncode == 0, freed.stderr


def test_the_lock_does_not_outlive_its_owner_in_a_child(tmp_path: Path):
    file = tmp_path / "lock"
    program = f"""
import os, signal
from pathlib import Path
from roundtable.journal.storage.tables.locks import hold
with hold(Path({str(file)!r}), "it"):
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "20"])
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], check=False, stdout=subprocess.DEVNULL)
    with file.open("r+") as handle:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_journal_of_a_newer_version_is_refused_and_left_alone(in_file: Journal, path: Path):
    journal = in_file
    journal.create("s1", [started()])
    journal.close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(JournalTooNew, match="newer roundtable"):
        reopened(path)


def test_an_event_of_another_version_is_named_and_not_swallowed(in_file: Journal, path: Path):
    journal = in_file
    journal.create("s1", [started()])
    with sqlite3.connect(path) as database:
        database.execute("""INSERT INTO events VALUES ('s1', 2, 'now', '{"kind": "moon_landed"}', 1)""")
    database.close()
    with pytest.raises(JournalError, match="moon_landed"):
        journal.read("s1")


def test_a_file_that_is_no_journal_is_one_clear_error(path: Path):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"this is not a database, but it is long enough to be taken for one" * 40)
    with pytest.raises(JournalError, match=r"cannot open the journal .*journal.db"):
        reopened(path)


@pytest.mark.parametrize(
    ("reason", "cause", "early"),
    [
        ("stopped", CloseCause.STOPPED, True),
        ("budget spent: tokens", CloseCause.BUDGET, True),
        ("12 turns taken", CloseCause.TURNS, False),
        ("nothing new: of the last answers 3% was new", CloseCause.NOTHING_NEW, False),
        ("nothing was found about the topic", CloseCause.NOTHING_FOUND, False),
    ],
)
def test_an_event_from_before_causes_had_names_is_read(reason: str, cause: CloseCause, early: bool) -> None:
    event = event_adapter.validate_python({"kind": "table_closed", "reason": reason})
    assert isinstance(event, TableClosed)
    assert (event.cause, event.cause.early) == (cause, early)


@pytest.mark.parametrize(
    ("reason", "cause"), [("the plan is made", "planned"), ("no server answers", "failed")]
)
def test_a_stop_from_before_causes_had_names_is_read(reason: str, cause: str) -> None:
    event = event_adapter.validate_python({"kind": "session_stopped", "reason": reason})
    assert isinstance(event, SessionStopped)
    assert event.cause == cause


def test_a_mistyped_address_is_no_folder_and_a_journal_is_not_copied_onto_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hall").mkdir()
    Journal(tmp_path / "hall" / "journal.db", SystemClock()).close()
    with pytest.raises(InputError, match="postgre://u@h/db: no address of a database is known"):
        list(copy_sessions("hall", "postgre://u@h/db"))
    with pytest.raises(InputError, match="are the same journal"):
        list(copy_sessions("hall", "other/../hall"))
    assert not (tmp_path / "postgre:").exists()


@pytest.mark.parametrize(("brought", "named"), [
    ({"mcp": {"x": {"command": ["touch", "here"], "search": "s"}}}, "mcp.x.command, mcp.x.search"),
    ({"models": {"model": "openai:m", "base_url": "http://collects.example/v1"}}, "models.base_url"),
    ({"library": {"fetch": {"allow": ["intranet"]}}, "moderator": {"turns": 3}}, "library.fetch.allow"),
])  # fmt: skip
def test_a_copied_session_asks_no_server_that_nobody_named_here(
    brought: dict[str, Any], named: str, tmp_path: Path
):
    theirs, mine = str(tmp_path / "theirs"), str(tmp_path / "mine")
    Path(theirs).mkdir()
    with Journal(tmp_path / "theirs" / "journal.db", SystemClock()) as journal:
        settings = {**Settings().model_dump(mode="json"), **brought}
        journal.create("sent", [started("A mill?").model_copy(update={"settings": settings})])
        journal.create("plain", [started("A mill?")])
    done = {each.session: each for each in copy_sessions(theirs, mine, unresolved(Settings()), own=False)}
    assert done["plain"].done == "copied"
    assert (done["sent"].done, f"not set here: {named}. If it is yours" in done["sent"].why) == ("left", True)
    here = joined(unresolved(Settings()), brought)
    assert [each.done for each in copy_sessions(theirs, mine, here, own=False)] == ["copied", "there"]
    owned = copy_sessions(theirs, str(tmp_path / "again"))
    assert [each.done for each in owned] == ["copied", "copied"]


def test_a_fork_is_told_from_its_ancestor_and_a_renamed_session_is_found_by_its_topic(journal: Journal):
    journal.create("one", [started("How do towns flood?")])
    journal.append("one", [turn(1), turn(2)])
    journal.rename("one", "Evil red")
    new = fork(journal, "one", 1)
    row, ancestor = journal.sessions()
    assert (row.id, row.topic) == (new, "Evil red (from turn 1)")
    assert row.started > ancestor.started, "where the newest stand first, it is the newer one"
    assert [one.id for one in journal.sessions() if one.fits("FLOOD towns")] == [new, "one"]
    assert ancestor.asked == "How do towns flood?"
    journal.rename("one", "How do towns flood?")
    assert journal.session("one").asked == ""
    journal.delete(new)
    journal.create(new, [started("Another")])
    assert journal.session(new).asked == ""


@pytest.mark.parametrize("own", [False, True])
def test_a_copied_session_s_texts_are_what_their_hashes_say_and_stand_for_no_address(
    tmp_path: Path, own: bool
) -> None:
    told = "It was built in 1871."
    text = Source(sha256(told.encode()).hexdigest(), "https://mill.example/", "A mill", told)
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    with Journal(theirs / "journal.db", SystemClock()) as journal, Store(theirs / "library.sqlite") as store:
        store.add(text)
        for name in ("sent", "forged"):
            journal.create(name, [started("A mill?")])
        journal.append("sent", [PageRead(speaker="mara", url=text.url, sha256=text.sha256)])
        journal.append("forged", [PageRead(speaker="mara", url=text.url, sha256="0" * 64)])
        store.add(replace(text, sha256="0" * 64, text="It was never built."))
    done = {e.session: e for e in copy_sessions(str(theirs), str(mine), unresolved(Settings()), own=own)}
    assert (done["sent"].done, done["forged"].done) == ("copied", "left")
    assert "is not what its hash says" in done["forged"].why
    with Store(mine / "library.sqlite") as store:
        assert store.source(text.sha256) == text
        assert store.source("0" * 64) is None
        assert store.find(text.url) == (text if own else None)


ENDLESS = """
ALTER TABLE events RENAME TO kept;
CREATE VIEW events AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)
SELECT session, n, at, event, format FROM kept JOIN x USING (n);
"""
DISGUISED = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET {} WHERE rowid = (SELECT max(rowid) FROM sqlite_master WHERE sql LIKE 'CREATE V%')"  # noqa: E501
"""SQLite reads a file whose own list of its tables says this as it did before."""
NO_TEXT = "name = CAST(x'6d7920ffff' AS TEXT), tbl_name = CAST(x'6d7920ffff' AS TEXT), sql = CAST(x'435245415445205649455720226d7920ffff222041532053454c4543542031' AS TEXT)"  # noqa: E501
OTHER_CASE = "type = 'VIEW'"
COMMENTED = "sql = 'CREATE/**/VIRTUAL TABLE more USING fts5 (a)'"


@pytest.mark.parametrize(
    ("made", "named"),
    [
        (ENDLESS, "view events"),
        ("CREATE TABLE more (a, b TEXT AS (hex(zeroblob(400000000))))", "generated column more.b"),
        ("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM sessions; END", "trigger more"),
        ("CREATE VIRTUAL TABLE more USING fts5 (a)", "virtual table more"),
        (f"{ENDLESS}{DISGUISED.format(OTHER_CASE)}", "view events"),
        (f"CREATE VIEW [my view] AS SELECT 1 AS a;{DISGUISED.format(NO_TEXT)}", "view my \ufffd\ufffd"),
        (f"CREATE VIRTUAL TABLE more USING fts5 (a);{DISGUISED.format(COMMENTED)}", "table more"),
    ],
)  # fmt: skip
def test_a_journal_that_works_out_what_it_says_is_not_opened(tmp_path: Path, made: str, named: str) -> None:
    """Somebody's file: `journal copy` read rows without end, and heard no Ctrl-C."""
    path = tmp_path / "theirs" / "journal.db"
    with Journal(path, SystemClock()) as journal:
        journal.create("s", [started()])
    with sqlite3.connect(path) as database:
        database.executescript(made)
    database.close()
    with pytest.raises(JournalError, match=f"not opened, for it works out what it says .{named}"):
        list(copy_sessions(str(path.parent), str(tmp_path / "ours"), unresolved(Settings())))
    assert find_damage(path, SystemClock())
    with pytest.raises(JournalError, match=f"cannot repair .*: it works out what it says .{named}"):
        repair_journal(path, SystemClock())
    assert list(path.parent.glob("journal.db*")) == [path]


def test_a_session_is_taken_to_run_where_no_file_can_be_opened_to_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    assert not is_held(tmp_path / "lock")
    (tmp_path / "lock").touch()
    assert not is_held(tmp_path / "lock")
    monkeypatch.setattr(os, "open", none_left)
    assert is_held(tmp_path / "lock")
