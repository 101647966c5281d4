"""A journal in PostgreSQL: what only several machines meet; `test_journal.py` holds what all journals do."""

import asyncio
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from roundtable.__main__ import run
from roundtable.config.errors import ConfigError, JournalError, JournalTooNew, SessionLocked
from roundtable.config.home import DATABASE, DATABASE_FILE, journal_place
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import SessionResumed, Warned
from roundtable.journal.replay import replayed
from roundtable.journal.sessions.bundle import write_bundle
from roundtable.journal.sessions.copying import copy_sessions
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.named_texts import texts_of
from roundtable.journal.storage.tables import postgres_tables
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.faults.town import THINGS, TOPIC, play, settings_for, still_clock, write_documents
from tests.postgres_server import PostgresServer
from tests.roundtable.journal.test_journal import started, until


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    return postgres.database()


def journal_at(place: Path | str) -> Journal:
    return Journal(place, SystemClock())


# Who writes


def test_a_writer_that_lost_its_session_cannot_write_on(address: str):
    with journal_at(address) as slow, journal_at(address) as quick:
        slow.create("s1", [started()])
        with quick.lock("s1"):
            quick.append("s1", [SessionResumed()])
        for _ in range(2):
            with pytest.raises(SessionLocked, match="taken over by another process"):
                slow.append("s1", [Warned(text="from the past")])
        assert [recorded.event.kind for recorded in quick.read("s1")] == [
            "session_started",
            "session_resumed",
        ]


HOLDING = """
import sys
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Warned
from roundtable.journal.storage.journal_store import Journal
journal = Journal(sys.argv[1], SystemClock())
with journal.lock("s1"):
    print("held", flush=True)
    sys.stdin.readline()
    journal.append("s1", [Warned(text="from the past")])
"""


def test_a_frozen_process_loses_its_session_and_cannot_write_when_it_goes_on(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    with (
        journal_at(address) as journal,
        subprocess.Popen(
            [sys.executable, "-c", HOLDING, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        ) as frozen,
    ):  # fmt: skip
        journal.create("s1", [started()])
        assert frozen.stdout is not None
        assert frozen.stdout.readline() == "held\n"
        with pytest.raises(SessionLocked, match=f"run by process {frozen.pid} on "), journal.lock("s1"):
            pass
        assert journal.session("s1").state == "running"
        try:
            frozen.send_signal(signal.SIGSTOP)
            monkeypatch.setattr(postgres_tables, "SILENT", 0.5)
            time.sleep(0.6)
            assert journal.session("s1").state == "stopped"
            with journal.lock("s1"):
                journal.append("s1", [SessionResumed()])
                frozen.send_signal(signal.SIGCONT)
                _, said = frozen.communicate("\n", timeout=300)
                assert "JournalError" in said
        finally:
            frozen.kill()  # one that is frozen ends by nothing else
        assert [r.event.kind for r in journal.read("s1")] == ["session_started", "session_resumed"]


def test_who_runs_a_session_says_so_again_and_again(address: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgres_tables, "_BEAT", 0.1)
    with journal_at(address) as journal, journal_at(address) as other, psycopg.connect(address) as look:
        journal.create("s1", [started()])

        def beat() -> object:
            row = look.execute("SELECT beat FROM roundtable.owners").fetchone()
            look.rollback()
            return row

        with journal.lock("s1"):
            first = beat()
            until(lambda: beat() != first)
            assert other.session("s1").state == "running"
        assert beat() is None
        assert other.session("s1").state == "stopped"


def test_writers_at_the_same_time_do_not_mix(address: str):
    def write(name: str) -> None:
        with journal_at(address) as journal:
            journal.create(name, [started(name)])
            for n in range(20):
                journal.append(name, [Warned(text=f"{name} {n}")])

    names = [f"s{n}" for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, names))
    with journal_at(address) as journal:
        for name in names:
            events = journal.read(name)
            assert [recorded.n for recorded in events] == list(range(1, 22))
            assert [r.event.text for r in events[1:]] == [f"{name} {n}" for n in range(20)]  # type: ignore[attr-defined]
        assert journal.check() is None


def test_news_wake_who_waits_and_come_after_the_commit(address: str):
    with journal_at(address) as writer, journal_at(address) as reader:
        writer.create("s1", [started()])
        seen: list[int] = []

        def follow() -> None:
            reader.wait_for_news("s1", 30.0)
            seen.append(len(reader.read("s1")))

        reader.wait_for_news("s1", 0.0)
        following = threading.Thread(target=follow)
        following.start()
        writer.create("s2", [started()])  # another session's news wake nobody
        assert seen == []
        writer.append("s1", [Warned(text="x")])
        following.join(20)
        assert seen == [2]


# The tables


def test_several_that_come_first_make_the_tables_once(address: str):
    with ThreadPoolExecutor(6) as pool:
        for journal in pool.map(lambda _: journal_at(address), range(6)):
            assert journal.sessions() == []
            journal.close()


def test_tables_of_a_newer_version_are_refused_and_left_alone(address: str):
    journal_at(address).close()
    with psycopg.connect(address, autocommit=True) as database:
        database.execute("UPDATE roundtable.about SET version = 99")
    with pytest.raises(JournalTooNew, match="newer roundtable"):
        journal_at(address)
    with psycopg.connect(address) as database:
        assert database.execute("SELECT version FROM roundtable.about").fetchone() == (99,)


def test_tables_of_an_earlier_version_are_brought_to_this_one(address: str, monkeypatch: pytest.MonkeyPatch):
    with journal_at(address) as journal:
        journal.create("s1", [started()])
    more = (*postgres_tables._MIGRATIONS, "ALTER TABLE sessions ADD COLUMN place_of_test text")
    monkeypatch.setattr(postgres_tables, "_MIGRATIONS", more)
    for _ in range(2):
        with journal_at(address) as journal:
            assert [row.id for row in journal.sessions()] == ["s1"]
    with psycopg.connect(address) as database:
        assert database.execute("SELECT version FROM roundtable.about").fetchone() == (len(more),)
        assert database.execute("SELECT place_of_test FROM roundtable.sessions").fetchone() == (None,)


def test_texts_that_no_database_takes_are_kept_all_the_same(address: str):
    with journal_at(address) as journal:
        journal.create("s1", [started("Tea\x00 and more")])
        journal.append("s1", [Warned(text="nul \x00 here")])
        assert journal.session("s1").topic == "Tea\ufffd and more"
        assert journal.read("s1")[1].event.text == "nul \x00 here"  # type: ignore[attr-defined]


def test_a_server_that_is_not_there_is_one_line_without_the_password(tmp_path: Path):
    with pytest.raises(JournalError, match="cannot open the journal sessions in PostgreSQL at ") as failure:
        journal_at(f"postgresql://ann:sesame@/sessions?host={tmp_path}")
    assert "sesame" not in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_server_that_ends_stops_the_session_which_goes_on_when_it_is_back(
    tmp_path: Path, postgres: PostgresServer
):
    address = postgres.database()
    with journal_at(address) as journal, journal.lock("s1"):
        journal.create("s1", [started()])
        postgres.stop()
        try:
            with pytest.raises(JournalError, match="cannot write the journal"):
                journal.append("s1", [Warned(text="lost")])
        finally:
            postgres.start()
    with journal_at(address) as again, again.lock("s1"):
        again.append("s1", [SessionResumed()])
        assert [recorded.n for recorded in again.read("s1")] == [1, 2]


def test_a_journal_that_holds_no_session_finds_a_server_that_was_away(
    tmp_path: Path, postgres: PostgresServer
):
    address = postgres.database()
    with journal_at(address) as reading, journal_at(address) as holding:
        holding.create("s1", [started()])
        with holding.lock("s1"):
            postgres.stop()
            try:
                with pytest.raises(JournalError):
                    reading.sessions()
            finally:
                postgres.start()
            assert [row.id for row in reading.sessions()] == ["s1"]
            assert reading.abandoned() == ["s1"]
            for _ in range(2):  # another may have it: whoever held it does not go on unasked
                with pytest.raises(JournalError):
                    holding.append("s1", [Warned(text="lost")])
        holding.rename("s1", "Mills")
        assert reading.session("s1").topic == "Mills"


def test_the_environment_wins_over_the_file_in_the_home_folder(tmp_path: Path):
    assert journal_place(tmp_path, {}) == tmp_path / "journal.db"
    file = tmp_path / DATABASE_FILE
    file.write_text('database = "postgresql://here/one"\n')
    assert journal_place(tmp_path, {}) == "postgresql://here/one"
    assert journal_place(tmp_path, {DATABASE: "postgres://there/two"}) == "postgres://there/two"
    for text in ('databse = "postgresql://x"', "database = 3", "database = ", 'database = "mysql://x"'):
        file.write_text(text)
        with pytest.raises(ConfigError, match=DATABASE_FILE):
            journal_place(tmp_path, {})


# Whole sessions


def there(home: Path, address: str) -> Runtime:
    return Runtime(home=home, clock=still_clock(), environment={DATABASE: address})


async def test_a_session_goes_on_and_is_told_on_a_machine_that_has_read_nothing(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    documents = write_documents(tmp_path / "documents")
    settings = settings_for(documents, 4)
    whole = await start_session(TOPIC, settings, around=there(tmp_path / "a", address), session_id="whole")
    await play(whole)
    cut = await start_session(TOPIC, settings, around=there(tmp_path / "b", address), session_id="cut")
    async for recorded in cut.run():
        if recorded.event.kind == "turn_taken":
            break
    await cut.close()
    on = await resume_session("cut", around=there(tmp_path / "c", address))
    await play(on)
    assert [(t.speaker, t.text) for t in on.state.turns] == [(t.speaker, t.text) for t in whole.state.turns]
    assert on.state.report is not None
    assert on.state.report.sections == whole.state.report.sections  # type: ignore[union-attr]

    shutil.rmtree(documents)
    monkeypatch.setenv(DATABASE, address)
    with journal_at(address) as journal:
        events = journal.read("whole")
        assert len(journal.shared_texts.read(texts_of(events))) == len(texts_of(events)) > 0
    with replayed(events, tmp_path / "d") as state:
        assert state.evidence == whole.state.evidence
    write_bundle("whole", events, tmp_path / "e", tmp_path / "whole.zip")


def test_the_commands_work_over_a_database_from_another_home(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    documents = write_documents(tmp_path / "documents", THINGS[:4])
    monkeypatch.setenv(DATABASE, address)

    def typed(home: str, *words: str | Path) -> str:
        monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / home))
        code = run([str(word) for word in words])
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    flags = ["--docs", documents, "--offline", "--turns", "2"]
    typed("a", "run", TOPIC, *flags, "--out", tmp_path / "out")
    assert not (tmp_path / "a" / "journal.db").exists()
    assert "ended" in typed("b", "list")
    assert " in PostgreSQL at " in typed("b", "doctor", "--offline")
    assert TOPIC in typed("b", "show", "last")
    typed("b", "export", "last", "--out", tmp_path / "again")
    for name in ("report.md", "sources.json", "mindmap.json", "transcript.md"):
        assert (tmp_path / "again" / name).read_text() == (tmp_path / "out" / name).read_text()
    file = tmp_path / "topics.txt"
    file.write_text("What is known of the harbour?\n")
    typed("c", "batch", file, *flags, "--out", tmp_path / "many")
    assert typed("b", "list").count("ended") == 2
    typed("b", "delete", "last", "--yes")
    assert typed("c", "list").count("ended") == 1


# From one place to another


async def test_sessions_are_copied_to_a_database_and_back_as_they_were(address: str, tmp_path: Path):
    documents = write_documents(tmp_path / "documents")
    here, back = tmp_path / "here", tmp_path / "back"
    around = Runtime(home=here, clock=still_clock(), environment={})
    for name in ("one", "two"):
        await play(await start_session(TOPIC, settings_for(documents, 2), around=around, session_id=name))
    cut = await start_session(TOPIC, settings_for(documents, 4), around=around, session_id="cut")
    async for recorded in cut.run():
        if recorded.event.kind == "turn_taken":
            break
    with journal_at(here / "journal.db") as journal:
        journal.rename("one", "Called otherwise")
        assert [(c.session, c.done) for c in copy_sessions(str(here), address)] == [
            ("one", "copied"), ("two", "copied"), ("cut", "left"),
        ]  # fmt: skip
        await cut.close()
        assert [c.done for c in copy_sessions(str(here), address)] == ["there", "there", "copied"]
        await play(await resume_session("cut", around=around))
        assert [c.done for c in copy_sessions(str(here), address)] == ["there", "there", "continued"]
        assert [c.done for c in copy_sessions(address, str(back))] == ["copied"] * 3
        with journal_at(back / "journal.db") as copied:
            assert copied.sessions() == journal.sessions()
            assert [copied.as_kept(row.id) for row in copied.sessions()] == [
                journal.as_kept(row.id) for row in journal.sessions()
            ]
            events = copied.read("two")
        with replayed(events, back) as state:
            assert state.report is not None
    with journal_at(address) as journal:
        journal.append("one", [Warned(text="said there")])
    with journal_at(here / "journal.db") as journal:
        journal.append("one", [Warned(text="said here")])
    left = [c for c in copy_sessions(str(here), address) if c.done == "left"]
    assert [(c.session, "another session of the id one is there" in c.why) for c in left] == [("one", True)]


async def test_a_session_whose_texts_are_gone_is_left_out_and_told(address: str, tmp_path: Path):
    documents = write_documents(tmp_path / "documents")
    around = Runtime(home=tmp_path, clock=still_clock(), environment={})
    await play(await start_session(TOPIC, settings_for(documents, 1), around=around, session_id="one"))
    await asyncio.to_thread((tmp_path / "library.sqlite").unlink)
    [left] = copy_sessions(str(tmp_path), address)
    assert left.done == "left"
    assert "texts that it speaks of are not in" in left.why
