"""What a machine does to a session: full disks, closed folders, second processes, jumping clocks, damage."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from library.store.recovery import check_store, salvage_store
from library.store.store import Store
from models import Budget
from roundtable.config.errors import JournalError
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import event_adapter
from roundtable.journal.fold.state import State
from roundtable.journal.sessions.fork import fork
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.tables.sqlite_tables import SqliteTables
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.command_process import Command, run_command
from tests.faults.town import (
    TOPIC,
    files_of,
    kept,
    open_town,
    play,
    settings_for,
    still_clock,
    write_documents,
)

ROOT = Path(__file__).resolve().parents[3]
TURNS = 5


def surrounded(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "ROUNDTABLE_HOME": str(home), "PYTHONUNBUFFERED": "1"}


@pytest.mark.parametrize("room", [0, 3, 12, 28])
async def test_a_full_disk_loses_no_turn_and_doubles_none(
    room: int, town: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal may grow by so many pages more once it has its tables."""
    settings = settings_for(tmp_path / "documents", TURNS)
    whole = await start_session(TOPIC, settings, around=town, session_id="whole")
    await play(whole)
    prepare = SqliteTables._prepare

    def narrow(tables: SqliteTables) -> None:
        prepare(tables)
        pages = tables.connection.execute("PRAGMA page_count").fetchone()[0]
        tables.connection.execute(f"PRAGMA max_page_count = {pages + room}")

    monkeypatch.setattr(SqliteTables, "_prepare", narrow)
    seen: list[str] = []

    async def until_it_is_full() -> None:
        session = await start_session(TOPIC, settings, around=town, session_id="cut")
        try:
            async for recorded in session.run():
                seen.append(recorded.model_dump_json())  # noqa: PERF401 - what was seen before it fails
        finally:
            await session.close()

    with pytest.raises(JournalError, match=r"disk is full.*free some space"):
        await until_it_is_full()
    monkeypatch.setattr(SqliteTables, "_prepare", prepare)
    with Journal(town.home / "journal.db", still_clock()) as journal:
        if room == 0:
            assert "cut" not in [row.id for row in journal.sessions()]
            return
    assert seen
    assert kept(town.home, "cut")[-len(seen) :] == seen, "what was seen is there, and nothing else"
    again = await resume_session("cut", around=town)
    await play(again)
    assert files_of(again.state, tmp_path / "a") == files_of(whole.state, tmp_path / "b")


def _mounted(folder: Path, *options: str) -> Path:
    """Mount a small disk at a folder; skip where that is not allowed."""
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", ",".join(["mode=700", *options]), "tmpfs", str(folder)]
    if shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = _mounted(tmp_path / "small", "size=900k")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=False)


@pytest.mark.slow
def test_the_command_on_a_disk_that_fills_up_goes_on_when_there_is_room(
    small_disk: Path, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "documents")
    out = tmp_path / "out"
    flags = ["--docs", documents, "--offline", "--model", "embedded", "--turns", "8", "--plain", "--out", out]
    ran = run_command("run", TOPIC, *flags, env=surrounded(small_disk))
    assert ran.returncode == 1, ran.stdout[-300:] + ran.stderr
    assert "Traceback" not in ran.stderr
    assert "full" in ran.stderr
    remount = ["mount", "-o", "remount,size=60m", str(small_disk)]
    subprocess.run(remount, check=True, capture_output=True)
    listed = run_command("list", "--json", env=surrounded(small_disk))
    sessions = json.loads(listed.stdout)
    again = ["resume", "last"] if sessions else ["run", TOPIC, *flags]
    done = run_command(*again, env=surrounded(small_disk))
    assert done.returncode == 0, done.stderr
    turns = [json.loads(line)["n"] for line in (out / "transcript.jsonl").read_text().splitlines()]
    assert turns == list(range(1, len(turns) + 1))


@pytest.fixture
def closed_folder(tmp_path: Path) -> Iterator[Path]:
    """A home that nobody may write to, not even the superuser."""
    if os.geteuid():
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o500)
        yield folder
        return
    folder = _mounted(tmp_path / "closed", "size=100k", "ro")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=False)


@pytest.mark.parametrize(
    "arguments", [["run", TOPIC, "--docs", "python", "--offline"], ["list"], ["docs", "remove", "notes"]]
)
def test_a_home_that_cannot_be_written_to_is_said_in_one_line(
    arguments: list[str], closed_folder: Path
) -> None:
    done = run_command(*arguments, env=surrounded(closed_folder), cwd=closed_folder.parent)
    assert done.returncode in {1, 2}, done.stdout
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert str(closed_folder) in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is bounded by RLIMIT_AS")
@pytest.mark.parametrize("megabytes", [200, 300, 450])
def test_a_machine_without_memory_is_said_in_one_line(megabytes: int, tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    bound = f"import resource as r; r.setrlimit(r.RLIMIT_AS, ({megabytes}_000_000,) * 2); "
    words = ["run", TOPIC, "--docs", str(documents), "--offline", "--out", str(tmp_path / "out")]
    started = f"{bound}from roundtable.__main__ import run; raise SystemExit(run({words!r}))"
    done = subprocess.run(
        [sys.executable, "-c", started], env=surrounded(tmp_path / "home"), cwd=ROOT, capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "not enough memory" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def _stop_between_commits(process: subprocess.Popen[str], home: Path) -> None:
    """Stop a process where it holds no lock of a database: one that is stopped in a commit keeps it."""
    for _ in range(1000):
        process.send_signal(signal.SIGSTOP)
        try:
            for file in home.glob("*.*"):
                if file.suffix in {".db", ".sqlite"}:
                    with contextlib.closing(sqlite3.connect(file, timeout=0.2, isolation_level=None)) as base:
                        base.execute("BEGIN IMMEDIATE")
                        base.execute("ROLLBACK")
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the process is never outside a commit")


@pytest.mark.slow
def test_a_second_process_on_a_session_is_refused_with_the_pid_of_the_first(tmp_path: Path) -> None:
    documents, home = write_documents(tmp_path / "documents"), tmp_path / "rt"
    flags = ["--docs", documents, "--offline", "--model", "embedded", "--turns", "200", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with Command("run", TOPIC, *flags, "--out", tmp_path / "out", env=surrounded(home), **pipes) as first:
        assert first.stdout is not None
        assert json.loads(first.stdout.readline())["n"] == 1
        _stop_between_commits(first, home)  # it stays where it is, however slow the others are
        try:
            before = kept(home, _only(home))
            for again in (["resume", "last"], ["resume", "last", "--out", str(tmp_path / "other")]):
                second = run_command(*again, env=surrounded(home))
                assert second.returncode == 2, second.stderr
                assert f"is being run by process {first.pid}" in second.stderr
                assert len(second.stderr.strip().splitlines()) == 1, second.stderr
            repair = run_command("doctor", "--offline", "--repair", env=surrounded(home))
            assert "sound, nothing to do" in repair.stdout
            assert kept(home, _only(home)) == before
        finally:
            first.kill()
    # The lock died with its owner.
    fork = run_command("resume", "last", "--turns", "1", env=surrounded(home))
    assert fork.returncode == 0, fork.stderr


def _only(home: Path) -> str:
    with Journal(home / "journal.db", still_clock()) as journal:
        [row] = journal.sessions()
        return row.id


class JumpingClock:
    """A clock that jumps a year back or forth each time somebody looks at it."""

    def __init__(self) -> None:
        self._looks = 0

    def now(self) -> datetime:
        self._looks += 1
        year = timedelta(days=365 * (1 if self._looks % 3 else -2))
        return datetime(2026, 1, 1, tzinfo=UTC) + year * (self._looks % 5)

    def monotonic(self) -> float:
        return 0.0


async def test_a_clock_that_jumps_changes_nothing_but_times(town: Runtime, tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "documents", TURNS)
    calm = await start_session(TOPIC, settings, around=town, session_id="calm")
    await play(calm)
    around = replace(town, clock=JumpingClock())
    session = await start_session(TOPIC, settings, around=around, session_id="jumpy")
    async for recorded in session.run():
        if recorded.n > 40:
            break
    await session.close()
    session = await resume_session("jumpy", around=around)
    await play(session)
    told = [(t.n, t.speaker, t.text, t.citations) for t in session.state.turns]
    assert told == [(t.n, t.speaker, t.text, t.citations) for t in calm.state.turns]
    assert all(turn.seconds >= 0 for turn in session.state.turns)
    with Journal(town.home / "journal.db", still_clock()) as journal:
        events = journal.read("jumpy")
        assert [r.n for r in events] == list(range(1, len(events) + 1))
        assert [row.id for row in journal.sessions()] == ["jumpy", "calm"], "the newest first, by no clock"
    assert session.state.report == calm.state.report


async def test_a_fork_that_waited_has_all_its_seconds_left(town: Runtime, tmp_path: Path) -> None:
    """Four minutes lie between the session and its fork: they are no work, and no budget is spent on them."""
    settings = settings_for(tmp_path / "documents", TURNS)
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    step = timedelta(milliseconds=1)
    first = replace(town, clock=SteppingClock(begun, step))
    session = await start_session(TOPIC, settings, around=first, session_id="first")
    await play(session)
    worked = session.state.time.worked
    limited = settings.model_copy(
        update={"moderator": settings.moderator.model_copy(update={"budget": Budget(seconds=60)})}
    )
    with Journal(town.home / "journal.db", first.clock) as journal:
        forked = fork(journal, "first", 2)
    later = replace(town, clock=SteppingClock(begun + timedelta(minutes=4), step))
    again = await resume_session(forked, limited, around=later)
    await play(again)
    assert "budget" not in again.state.reason
    assert len(again.state.turns) == len(session.state.turns)
    assert 0 < again.state.time.worked < worked + 10


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns"])
async def test_the_hour_that_comes_twice_is_no_time_of_a_session(
    zone: str, town: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks go back in Berlin at 01:00 UTC on 25 October 2026, in Newfoundland at 04:30 on 1 November."""
    settings = settings_for(tmp_path / "documents", TURNS)
    begins = "2026-10-25T00:59:30+00:00" if zone == "Europe/Berlin" else "2026-11-01T04:29:30+00:00"
    made = []
    try:
        for name in ("UTC", zone):
            monkeypatch.setenv("TZ", name)
            time.tzset()
            around = replace(town, clock=SteppingClock(datetime.fromisoformat(begins)))
            session = await start_session(TOPIC, settings, around=around, session_id=f"in-{name[:3].lower()}")
            await play(session)
            made.append((files_of(session.state, tmp_path / name[:3]), session.state.time.worked))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert made[0] == made[1]


def as_before(text: str) -> str:
    """Return an event as an older program wrote it: without any field that has a default today."""
    event = event_adapter.validate_json(text)
    whole, least = event.model_dump(mode="json"), event.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(_named(whole, least))


def _named(whole: Any, least: Any) -> Any:
    """Put back by what kinds of things are told apart: it was always written."""
    if isinstance(least, list):
        return [_named(a, b) for a, b in zip(whole, least, strict=True)]
    if not isinstance(least, dict):
        return least
    kinds = {key: whole[key] for key in ("kind", "op", "do") if key in whole}
    return {**kinds, **{key: _named(whole[key], value) for key, value in least.items()}}


async def test_a_journal_of_an_older_program_is_read_and_goes_on(town: Runtime, tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "documents", TURNS)
    session = await start_session(TOPIC, settings, around=town, session_id="old")
    async for recorded in session.run():
        if recorded.event.kind == "turn_taken" and recorded.event.turn.n == 3:
            break
    await session.close()
    path = town.home / "journal.db"
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT n, event FROM events ORDER BY n").fetchall()
        old = [(as_before(text), n) for n, text in rows]
        assert sum(len(text) for text, _ in old) < sum(len(text) for _, text in rows)
        database.executemany("UPDATE events SET event = ? WHERE n = ?", old)
    database.close()
    again = await resume_session("old", around=town)
    state: State = again.state
    assert len(state.turns) == 3
    await play(again)
    assert state.status == "ended"
    whole = await start_session(TOPIC, settings, around=town)
    await play(whole)
    assert len(state.turns) > 3
    assert [turn.text for turn in state.turns] == [turn.text for turn in whole.state.turns]


def _leaf(path: Path, table: str, share: float) -> None:
    """Overwrite a leaf page of a table that lies at a share of its pages."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
        try:
            pages = [number for (number,) in database.execute(query, (table,))]
        except sqlite3.OperationalError as failure:
            pytest.skip(f"this SQLite cannot tell where its pages are: {failure}")
    database.close()
    with path.open("r+b") as file:
        file.seek((pages[int(share * (len(pages) - 1))] - 1) * size)
        file.write(b"\xde\xad" * (size // 2))


@pytest.mark.parametrize(
    ("table", "share"), [("sources", 0.0), ("sources", 0.5), ("passages", 0.5), ("urls", 0.0)]
)
def test_what_can_be_read_of_a_damaged_store_is_saved(table: str, share: float, tmp_path: Path) -> None:
    home = tmp_path / "town"
    home.mkdir()
    documents = write_documents(tmp_path / "documents")
    path = home / "library.sqlite"
    open_town(home, documents).store.close()
    with Store(path) as store, store.reading() as connection:
        before = {row[0] for row in connection.execute("SELECT sha256 FROM sources")}
        [held] = store.collections()
    assert check_store(path) is None
    _leaf(path, table, share)
    assert check_store(path)
    saved = salvage_store(path)
    assert saved.aside.exists()
    assert saved.collections == (held.name,)
    assert check_store(path) is None
    with Store(path) as store:
        after = {digest for digest in before if store.source(digest) is not None}
        assert len(after) == saved.texts
        assert len(after) >= len(before) - 3
        assert table == "sources" or after == before
        assert all(store.passages(digest) for digest in after)
    # The documents are read again under the name that they had.
    open_town(home, documents).store.close()
    with Store(path) as store, store.reading() as connection:
        assert {row[0] for row in connection.execute("SELECT sha256 FROM sources")} == before


@pytest.mark.slow
def test_the_doctor_repairs_a_store_and_its_sessions_go_on(tmp_path: Path) -> None:
    documents, home = write_documents(tmp_path / "documents"), tmp_path / "rt"
    flags = ["--docs", documents, "--offline", "--model", "embedded", "--turns", "3", "--plain"]
    environment = surrounded(home)

    def roundtable(*words: str | Path, code: int = 0) -> str:
        done = run_command(*words, env=environment)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    roundtable("run", TOPIC, *flags, "--out", tmp_path / "out")
    _leaf(home / "library.sqlite", "sources", 0.5)
    assert "doctor --repair" in roundtable("doctor", "--offline", code=1)
    told = roundtable("doctor", "--offline", "--repair")
    assert "texts saved" in told
    assert "is read again when it is next searched" in told
    roundtable("resume", "last", "--turns", "2")
    turns = [
        json.loads(line)["n"] for line in (tmp_path / "out" / "transcript.jsonl").read_text().splitlines()
    ]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 3
