"""Watched sessions: from the command line, by the timer's service, and while the page is served."""

import asyncio
import json
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from roundtable.cli.running.updating import update_all
from roundtable.config.errors import InputError
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.outputs import claim_folder, default_folder
from roundtable.session.factory import Runtime, start_session
from roundtable.session.updating.watches import WATCHES, Watches, interval, interval_text
from roundtable.web.hosting.session_manager import SessionManager
from roundtable.web.hosting.watch_keeping import keep_watch
from tests.command_process import run_command
from tests.journeys.commands.test_source_update import KEEPER, MUSEUM, TOWER, VISITS, Days
from tests.journeys.session.test_embedded import play, settings_for

ROOT = Path(__file__).parents[3]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("tower", TOWER), ("visits", VISITS), ("keeper", KEEPER)):
        (folder / f"{name}.txt").write_text(text)
    return folder


def roundtable(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments)


@pytest.mark.parametrize(("text", "again"), [("12h", "12h"), ("24h", "1d"), (" 2W ", "2w"), ("90m", "90m")])
def test_how_often_is_read_and_printed(text: str, again: str) -> None:
    assert interval_text(interval(text)) == again


@pytest.mark.parametrize("text", ["", "daily", "0d", "5m", "-1d", "1 day"])
def test_how_often_must_be_said_clearly(text: str) -> None:
    with pytest.raises(InputError, match="10m or more"):
        interval(text)


def test_a_damaged_file_of_watches_hides_no_session() -> None:
    home = Path(os.environ["ROUNDTABLE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / WATCHES).write_bytes(b"no database at all" * 100)
    listed = roundtable("list", "--json")
    assert listed.returncode == 0
    assert json.loads(listed.stdout) == []
    assert WATCHES in listed.stderr


def test_a_session_is_due_when_its_time_is_over_and_not_twice(tmp_path: Path) -> None:
    watches, now = Watches(tmp_path), datetime(2026, 11, 22, 8, tzinfo=UTC)
    assert watches.due(now) == []
    watches.set("a", timedelta(days=1), now)
    watches.set("b", timedelta(hours=1), now)
    assert watches.due(now + timedelta(hours=2)) == ["b"]
    watches.looked("b", now + timedelta(hours=2))
    assert watches.due(now + timedelta(hours=2)) == []
    assert watches.end("a")
    assert not watches.end("a")
    assert watches.due(now + timedelta(days=9)) == ["b"]
    watches.looked("b", now + timedelta(days=3650))  # by a clock that was wrong
    assert watches.due(now) == ["b"]


def test_a_topic_is_watched_from_the_command_line(documents: Path, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    flags = ["--docs", str(documents), "--offline", "--model", "embedded", "--turns", "4", "--out", str(out)]
    begun = roundtable("watch", "The lighthouse of Orrin", "--every", "1d", *flags)
    assert begun.returncode == 0, begun.stderr
    assert "is watched every day" in begun.stderr
    assert "(looked up again every day)" in roundtable("list").stdout
    [row] = json.loads(roundtable("list", "--json").stdout)
    assert row["watched"] == "every day"
    for named in ("last", row["id"]):  # a session, and no topic
        again = roundtable("watch", named, "--every", "2d", *flags, "--force")
        assert (again.returncode, f"`roundtable update {row['id']} --every 2d`" in again.stderr) == (2, True)
    assert len(json.loads(roundtable("list", "--json").stdout)) == 1
    early = roundtable("update", "--due")
    assert (early.returncode, "Nothing is due" in early.stderr) == (0, True)
    nothing = roundtable("update", "last")
    assert nothing.returncode == 0, nothing.stderr
    assert "Nothing new." in nothing.stdout
    (documents / "visits.txt").write_text(VISITS.replace("12 pounds", "15 pounds"))
    (documents / "museum.txt").write_text(MUSEUM)
    [watched] = Watches(home / "roundtable").all()
    Watches(home / "roundtable").looked(watched.session, datetime.now(UTC) - timedelta(days=2))
    due = roundtable("update", "--due")
    assert due.returncode == 0, due.stderr
    report = (out / "report.md").read_text()
    changed = report.split("## What changed since ")[1].split("\n## ")[0]
    assert "12 pounds" in changed.split("15 pounds")[0]
    assert "museum" in changed
    ended = roundtable("update", "last", "--every", "never")
    assert "is watched no longer" in ended.stdout
    assert "looked up again" not in roundtable("list").stdout
    assert roundtable("update").returncode == 2
    assert "--every soon" in roundtable("update", "last", "--every", "soon").stderr
    roundtable("update", "last", "--every", "1d")
    assert roundtable("delete", "last", "--yes").returncode == 0
    assert Watches(home / "roundtable").all() == [], "what is deleted is watched no longer"


async def test_what_is_due_is_looked_up_while_the_page_is_served(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "home"
    session = await start_session(
        "The lighthouse of Orrin", settings_for(documents, moderator={"turns": 4}), around=days.runtime(home)
    )
    await play(session)
    Watches(home).set(session.id, timedelta(days=1), days.now)
    days.pass_by(2)
    (documents / "museum.txt").write_text(MUSEUM)
    manager = SessionManager(Runtime(home=home, clock=SystemClock(), environment={}, wall=lambda: days.now))
    assert manager.stands(manager.row(session.id))["watched"] == "1d"
    news = asyncio.Event()
    manager.on_news = lambda _identity: news.set()
    watching = asyncio.create_task(keep_watch(manager, pause=0.05))
    with Journal(home / "journal.db", SystemClock()) as journal:
        kinds: list[str] = []
        async with asyncio.timeout(300):
            while "session_ended" not in kinds or manager.running_here():
                await news.wait()
                news.clear()
                kinds = [r.event.kind for r in journal.read(session.id, session.state.last)]
    watching.cancel()
    await manager.close()
    assert kinds.count("sources_updated") == 1, "once a day"
    assert kinds[-1] == "session_ended"


def test_a_table_that_waits_for_a_person_does_not_hold_up_the_command(
    documents: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)

    async def begun() -> None:
        around, settings = Runtime(home=home / "roundtable"), settings_for(documents, moderator={"turns": 2})
        session = await start_session("The lighthouse", settings, session_id="waits", around=around)
        session.do("/mode wait")
        await session.close()

    asyncio.run(begun())
    assert update_all(["waits"], {}, due=False, as_json=False, plain=True) == 0
    assert "roundtable join waits" in capsys.readouterr().out


async def test_one_that_waits_for_a_person_keeps_no_other_from_it(documents: Path, tmp_path: Path) -> None:
    days, home = Days(), tmp_path / "home"
    topic, settings = "The lighthouse of Orrin", settings_for(documents, moderator={"turns": 2})
    waits = await start_session(topic, settings, session_id="waits", around=days.runtime(home))
    waits.do("/mode wait")
    await waits.close()  # its server ended
    await play(await start_session(topic, settings, session_id="other", around=days.runtime(home)))
    for number, identity in enumerate(("waits", "other")):
        Watches(home).set(identity, timedelta(days=1), days.now + timedelta(minutes=number))
    days.pass_by(2)
    (documents / "museum.txt").write_text(MUSEUM)
    manager = SessionManager(Runtime(home=home, clock=SystemClock(), environment={}, wall=lambda: days.now))
    news = asyncio.Event()
    manager.on_news = lambda _identity: news.set()
    watching = asyncio.create_task(keep_watch(manager, pause=0.05))
    try:
        with Journal(home / "journal.db", SystemClock()) as journal:
            async with asyncio.timeout(120):
                while not journal.of_kinds(("sources_updated",), "other"):
                    await news.wait()
                    news.clear()
        assert manager.stands_still("waits")
    finally:
        watching.cancel()
        await manager.close()


def test_one_that_cannot_be_brought_up_to_date_stays_due_and_keeps_no_other_from_it(
    documents: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    hall, ago = home / "roundtable", datetime.now(UTC) - timedelta(days=2)

    async def ended(identity: str) -> None:
        settings = settings_for(documents, moderator={"turns": 1})
        await play(await start_session(identity, settings, session_id=identity, around=Runtime(home=hall)))

    for number, identity in enumerate(("first", "second")):
        asyncio.run(ended(identity))
        Watches(hall).set(identity, timedelta(days=1), ago + timedelta(minutes=number))
    folder = claim_folder(default_folder("first", "first"), "other")
    assert update_all([], {}, due=True, as_json=False, plain=True) == 1
    told = capsys.readouterr()
    assert f"roundtable: first: {folder} holds the files of session other" in told.err
    assert "Nothing new." in told.out
    assert Watches(hall).due(datetime.now(UTC)) == ["first"]


async def test_a_watch_that_cannot_be_read_goes_on_when_it_can_be_and_harms_no_session(
    documents: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "hall"
    session = await start_session(
        "The lighthouse of Orrin", settings_for(documents, moderator={"turns": 1}), around=Runtime(home=home)
    )
    await session.close()
    (home / WATCHES).write_text("this is no database " * 200)
    manager = SessionManager(Runtime(home=home, environment={}))
    stands = manager.stands(manager.row(session.id))
    assert (stands["state"], stands["watched"], WATCHES in stands["trouble"]) == ("stopped", "", True)
    watching = asyncio.create_task(keep_watch(manager, pause=0.01))
    await asyncio.sleep(0.2)
    assert not watching.done()
    assert [record.getMessage()[:18] for record in caplog.records] == ["watched sessions: "], "once"
    (home / WATCHES).unlink()
    now = datetime.now(UTC)
    Watches(home).set("gone", timedelta(days=1), now - timedelta(days=2))
    async with asyncio.timeout(300):
        while await asyncio.to_thread(Watches(home).all):  # of a session that was deleted: the watch ends
            pass
    watching.cancel()
    await manager.close()


def test_the_units_are_ones_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    units = sorted((ROOT / "docs" / "systemd").iterdir())
    assert [unit.suffix for unit in units] == [".service", ".timer"]
    for unit in units:
        shutil.copy(unit, tmp_path)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", *(str(tmp_path / unit.name) for unit in units)],
        capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    ours = [line for line in checked.stderr.splitlines() if "roundtable" in line]
    assert ours == []
