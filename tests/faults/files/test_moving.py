"""Sessions that are forked, shown again, carried to another machine, and saved from a damaged file."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from agents import Turn, TurnTaken
from library import Searched
from roundtable.config import Settings
from roundtable.config.config import joined
from roundtable.config.errors import InputError, JournalError
from roundtable.journal.clock import SystemClock
from roundtable.journal.commands.table_commands import ReadSource, Steer
from roundtable.journal.events import AnyEvent, CommandDone, Commanded, Recorded, SessionStarted
from roundtable.journal.sessions.bundle import take_in, write_bundle
from roundtable.journal.sessions.fork import beginning, fork
from roundtable.journal.sessions.repair import find_damage, repair_journal
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.command_process import run_command
from tests.faults.town import TOPIC, files_of, play, settings_for, still_clock, write_documents
from tests.model_server import ModelServer

TURNS = 5
HERE = Settings(offline=True)
"""The settings of the machine that a session comes to."""


def test_a_bundle_carries_no_names_and_brings_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steer = Steer(text="Stay on costs")
    turn = Turn(
        n=1, speaker="person", name="You", role="person", person="Ada", act="steer", text="Stay on costs",
        citations=[], at="2026-01-01T00:00:00Z", seconds=0.0,
    )  # fmt: skip
    started = SessionStarted(
        topic="Tea", language="en", settings={}, version="0", docs=[], search=[], offline=True,
        model="embedded",
    )  # fmt: skip
    said: list[AnyEvent] = [
        started, Commanded(id="c1", person="Ada", command=steer), TurnTaken(turn=turn), CommandDone(id="c1"),
    ]  # fmt: skip
    events = [Recorded(n=n, at="2026-01-01T00:00:00Z", event=event) for n, event in enumerate(said, 1)]
    write_bundle("a5ca1e00", events, tmp_path / "here", file := tmp_path / "s.zip")
    with zipfile.ZipFile(file) as archive:
        assert b"Ada" not in archive.read("events.jsonl")

    with monkeypatch.context() as patched:
        patched.setattr("roundtable.journal.sessions.bundle.unsigned", lambda recorded: recorded)
        write_bundle("a5ca1e00", events, tmp_path / "here", file)
    with zipfile.ZipFile(file) as archive:
        assert b"Ada" in archive.read("events.jsonl"), "a stranger's bundle claims so"
    with Journal(tmp_path / "there.db", SystemClock()) as journal:
        take_in(file, journal, tmp_path / "there", HERE)
        kept = journal.read("a5ca1e00")
    assert [e.event.person for e in kept if isinstance(e.event, Commanded)] == [""]
    assert [e.event.turn.person for e in kept if isinstance(e.event, TurnTaken)] == [""]


def around(home: Path) -> Runtime:
    home.mkdir(exist_ok=True, parents=True)
    return Runtime(home=home, clock=still_clock(), environment={})


def roundtable(
    *arguments: str | Path, home: Path, code: int = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    done = run_command(*arguments, env={**os.environ, "ROUNDTABLE_HOME": str(home), **environment})
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `kept`; each test has a copy at the same place, `now`, for a session knows its documents."""
    folder = tmp_path_factory.mktemp("ended")
    documents = write_documents(folder / "now" / "documents")

    async def begin_and_end() -> None:
        here = around(folder / "now" / "here")
        settings = settings_for(documents, TURNS)
        await play(await start_session(TOPIC, settings, around=here, session_id="first"))

    asyncio.run(begin_and_end())
    shutil.copytree(folder / "now", folder / "kept")
    return folder


@pytest.fixture
def played(ended: Path) -> tuple[Runtime, Path]:
    """A home with a session `first` that has ended, and its documents."""
    now = ended / "now"
    shutil.rmtree(now)
    shutil.copytree(ended / "kept", now)
    return around(now / "here"), now / "documents"


async def test_a_fork_goes_on_from_its_turn_and_leaves_the_first_alone(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    here, _ = played
    with Journal(here.home / "journal.db", here.clock) as journal:
        before = journal.read("first")
        journal.rename("first", "The flood, once more")
        name = fork(journal, "first", 3)
        assert journal.session(name).topic == "The flood, once more (from turn 3)"
        assert [r.event for r in journal.read(name)[1:]] == [r.event for r in beginning(before, 3)[1:]]
        assert journal.session(name).turns == 3
    session = await resume_session(name, around=here)
    await play(session)
    assert session.state.status == "ended"
    assert len(session.state.turns) == TURNS
    with Journal(here.home / "journal.db", here.clock) as journal:
        assert journal.read("first") == before
        # The same model from the same beginning takes the same course.
        turns = [r.event.turn.text for r in before if r.event.kind == "turn_taken"]
        assert [turn.text for turn in session.state.turns] == turns


async def test_a_fork_can_begin_before_every_turn_and_at_no_other(played: tuple[Runtime, Path]) -> None:
    here, _ = played
    with Journal(here.home / "journal.db", here.clock) as journal:
        for turn in range(TURNS + 1):
            name = fork(journal, "first", turn)
            assert journal.session(name).turns == turn
            assert journal.read(name)[0].event.out == ""  # type: ignore[union-attr]
        with pytest.raises(InputError, match="there is no turn 6: the session's last is 5"):
            fork(journal, "first", 6)


def _as_others_hear(recorded: Recorded) -> Recorded:
    """Return an event without what it says of texts, which is not for whoever sends it to say."""
    quiet, event = {"told": None, "work": None}, recorded.event
    if isinstance(event, Searched):
        quiet = {"hits": [hit.model_copy(update=quiet) for hit in event.hits]}
    return recorded.model_copy(update={"event": event.model_copy(update=quiet)})


async def test_a_bundle_is_shown_checked_and_continued_elsewhere(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    here, documents = played
    file = tmp_path / "carried" / "session.zip"
    with Journal(here.home / "journal.db", here.clock) as journal:
        events = journal.read("first")
        private = write_bundle("first", events, here.home, file, "The  flood\nonce more")
    assert private
    for document in documents.iterdir():
        document.unlink()
    documents.rmdir()
    there = around(tmp_path / "there")
    with Journal(there.home / "journal.db", there.clock) as journal:
        identity, started = take_in(file, journal, there.home, HERE)
        assert (identity, started.topic) == ("first", TOPIC)
        assert journal.session("first").turns == TURNS
        assert journal.session("first").topic == "The flood once more"
        assert journal.read("first")[1:] == [_as_others_hear(each) for each in events[1:]]
        with pytest.raises(InputError, match="there is a session first already"):
            take_in(file, journal, there.home, HERE)
    session = await resume_session("first", around=there)
    files = files_of(session.state, tmp_path / "files")
    assert b"documents/" in files["report.md"]
    async for _ in session.run(turns=2):
        pass
    await session.close()
    assert session.state.status == "ended"
    assert len(session.state.turns) > TURNS


def _forged(played: tuple[Runtime, Path], tmp_path: Path, **settings: Any) -> Path:
    """Return a bundle as a stranger would make it: sound by its digests, with settings of their own."""
    here, documents = played
    good = tmp_path / "good.zip"
    with Journal(here.home / "journal.db", here.clock) as journal:
        events = list(journal.read("first"))
    first = events[0].event
    assert isinstance(first, SessionStarted)
    brought = joined(first.settings, {**settings, "offline": False, "docs": [str(documents)]})
    theirs = first.model_copy(update={"settings": brought, "docs": [str(documents)], "offline": False})
    events[0] = events[0].model_copy(update={"event": theirs})
    secret = documents / "secret.md"
    secret.write_text("# Secret\n\nThe password of the lighthouse is moonlight.\n", encoding="utf-8")
    wish = Commanded(id="c77", command=ReadSource.of(place=str(secret)))
    last = events[-1]
    events.append(last.model_copy(update={"n": last.n + 1, "event": wish}))
    write_bundle("first", events, here.home, good)
    return good


@pytest.mark.loopback
async def test_a_strangers_bundle_brings_no_server_no_path_and_no_wish(
    played: tuple[Runtime, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as stranger:
        bundle = _forged(
            played, tmp_path,
            models={"model": "openai:their-model", "base_url": stranger.url},
            moderator={"budget": {"money": 900.0}},
            library={"fetch": {"allow": ["127.0.0.1"]}},
        )  # fmt: skip
        home = tmp_path / "elsewhere"
        told = roundtable("import", bundle, home=home, OPENAI_API_KEY="sk-my-own-key-1234").stdout
        assert "models.base_url" in told
        assert stranger.url in told
        ran = roundtable(
            "resume", "first", "--turns", "2", "--model", "embedded", "--plain", home=home,
            OPENAI_API_KEY="sk-my-own-key-1234",
        )  # fmt: skip
        assert "--use-imported" in ran.stdout
        assert stranger.requests == 0
        assert stranger.other_requests == 0
    with Journal(home / "journal.db", SystemClock()) as journal:
        events = [item.event for item in journal.read("first")]
        began = events[0]
    assert not [event.url for event in events if event.kind == "page_read" and "secret" in event.url]
    [done] = [event for event in events if event.kind == "command_done" and event.id == "c77"]
    assert "on another machine" in done.problem
    assert isinstance(began, SessionStarted)
    assert began.imported["models.model"] == "openai:their-model"
    assert all(Path(place).is_relative_to(home) for place in began.docs)
    assert began.settings["models"]["base_url"] is None
    assert began.settings["moderator"]["budget"]["money"] is None


@pytest.mark.loopback
def test_what_an_imported_session_brought_is_taken_by_name(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    home = tmp_path / "elsewhere"
    with ModelServer() as theirs:
        bundle = _forged(played, tmp_path, models={"model": "openai:their-model", "base_url": theirs.url})
        roundtable("import", bundle, home=home)
        wrong = roundtable("resume", "first", "--use-imported", "tools", home=home, code=2)
        assert "no such setting" in wrong.stderr
        assert len(wrong.stderr.splitlines()) == 1
        roundtable("resume", "first", "--turns", "2", "--use-imported", "models", "--plain", home=home)
        assert theirs.requests > 0


async def test_the_same_session_gives_the_same_bundle(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    here, _ = played
    with Journal(here.home / "journal.db", here.clock) as journal:
        events = journal.read("first")
    for name in ("one", "two"):
        write_bundle("first", events, here.home, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def _changed(file: Path, out: Path, member: str, data: bytes) -> Path:
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, data if name == member else old.read(name))
    return out


async def test_a_bundle_that_is_damaged_forged_or_newer_changes_nothing(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    here, _ = played
    file = tmp_path / "good"
    with Journal(here.home / "journal.db", here.clock) as journal:
        write_bundle("first", journal.read("first"), here.home, file)
    with zipfile.ZipFile(file) as archive:
        about = json.loads(archive.read("bundle.json"))
        sources = archive.read("sources.jsonl")
    newer = json.dumps({**about, "version": 99}).encode()
    named = json.dumps({**about, "session": "../../etc/passwd"}).encode()
    other = json.dumps({**about, "format": "something"}).encode()
    whole = file.read_bytes()
    bad = {
        "damaged: sources.jsonl": _changed(file, tmp_path / "a", "sources.jsonl", sources + b" "),
        "newer roundtable": _changed(file, tmp_path / "b", "bundle.json", newer),
        "no session's id": _changed(file, tmp_path / "c", "bundle.json", named),
        "is no bundle": _changed(file, tmp_path / "d", "bundle.json", other),
        "is no bundle of a session, or": tmp_path / "e",
        "damaged": tmp_path / "f",
        "cannot read": tmp_path / "nowhere",
    }
    bad["is no bundle of a session, or"].write_bytes(b"what is this?")
    bad["damaged"].write_bytes(whole[: len(whole) // 2])
    there = around(tmp_path / "there")
    with Journal(there.home / "journal.db", there.clock) as journal:
        for words, wrong in bad.items():
            with pytest.raises(InputError, match=words):
                take_in(wrong, journal, there.home, HERE)
        assert journal.sessions() == []


async def test_texts_of_a_bundle_are_held_against_their_hashes(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    from hashlib import sha256

    here, _ = played
    file = tmp_path / "good"
    with Journal(here.home / "journal.db", here.clock) as journal:
        write_bundle("first", journal.read("first"), here.home, file)
    with zipfile.ZipFile(file) as archive:
        about = json.loads(archive.read("bundle.json"))
        forged = archive.read("sources.jsonl").replace(b"crowns", b"pounds")
    about["digests"]["sources.jsonl"] = sha256(forged).hexdigest()
    step = _changed(file, tmp_path / "step", "sources.jsonl", forged)
    wrong = _changed(step, tmp_path / "wrong", "bundle.json", json.dumps(about).encode())
    there = around(tmp_path / "there")
    with Journal(there.home / "journal.db", there.clock) as journal:
        with pytest.raises(InputError, match="not what its hash says"):
            take_in(wrong, journal, there.home, HERE)
        assert journal.sessions() == []


async def test_a_bundle_whose_sources_have_addresses_that_are_none_is_taken_in(
    played: tuple[Runtime, Path], tmp_path: Path
) -> None:
    from hashlib import sha256

    here, _ = played
    file = tmp_path / "good"
    with Journal(here.home / "journal.db", here.clock) as journal:
        write_bundle("first", journal.read("first"), here.home, file)
    with zipfile.ZipFile(file) as archive:
        about = json.loads(archive.read("bundle.json"))
        lines = [json.loads(line) for line in archive.read("sources.jsonl").splitlines()]
    forged = b"".join(json.dumps({**line, "url": "http://[::1"}).encode() + b"\n" for line in lines)
    about["digests"]["sources.jsonl"] = sha256(forged).hexdigest()
    step = _changed(file, tmp_path / "step", "sources.jsonl", forged)
    wrong = _changed(step, tmp_path / "wrong", "bundle.json", json.dumps(about).encode())
    there = around(tmp_path / "there")
    with Journal(there.home / "journal.db", there.clock) as journal:
        take_in(wrong, journal, there.home, HERE)
    session = await resume_session("first", around=there)
    assert files_of(session.state, tmp_path / "files")["report.md"]
    await session.close()


def _damage(path: Path, table: str, share: float) -> int:
    """Overwrite the page of a table that lies at a share of its pages; return how many pages there are."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
        pages = [
            number for (number,) in database.execute(
                "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (table,)
            )
        ]  # fmt: skip
    database.close()
    with path.open("r+b") as file:
        file.seek((pages[int(share * (len(pages) - 1))] - 1) * size)
        file.write(b"\xde\xad" * (size // 2))
    return len(pages)


# Not in the middle: the page there may hold the end of one session and the beginning of the other.
@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
async def test_what_can_be_read_of_a_damaged_journal_is_saved_and_goes_on(
    played: tuple[Runtime, Path], share: float
) -> None:
    here, documents = played
    session = await start_session(TOPIC, settings_for(documents, 3), around=here, session_id="second")
    await play(session)
    path = here.home / "journal.db"
    with Journal(path, here.clock) as journal:
        before = {name: journal.read(name) for name in ("first", "second")}
    try:
        assert _damage(path, "events", share) > 4
    except sqlite3.OperationalError as failure:
        pytest.skip(f"this SQLite cannot tell where its pages are: {failure}")
    saved, aside = repair_journal(path, here.clock)
    assert aside.exists()
    assert any(one.lost for one in saved)
    with Journal(path, here.clock) as journal:
        assert journal.check() is None
        kept = {row.id: journal.read(row.id) for row in journal.sessions()}
        for name, events in kept.items():
            assert events == before[name][: len(events)]
        assert any(events == before[name] for name, events in kept.items())
        whole = max(kept, key=lambda name: len(kept[name]))
        assert journal.session(whole).topic == TOPIC
    for name in kept:
        resumed = await resume_session(name, around=here)
        await play(resumed)
        assert resumed.state.status == "ended"
        assert [turn.n for turn in resumed.state.turns] == list(range(1, len(resumed.state.turns) + 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind":"', '"kind:"'),
        ('"kind":"turn_taken"', '"kind":"turn_tak\x01n"'),
        ('"node":"n0"', '"node":"n99"'),
    ],
)
async def test_events_that_are_damaged_within_count_as_damage(
    played: tuple[Runtime, Path], old: str, new: str
) -> None:
    here, _ = played
    path = here.home / "journal.db"
    assert find_damage(path, here.clock) is None
    with sqlite3.connect(path) as database:
        query = "SELECT n, event FROM events WHERE instr(event, ?) AND n > 20 ORDER BY n LIMIT 1"
        n, text = database.execute(query, (old,)).fetchone()
        database.execute("UPDATE events SET event = ? WHERE n = ?", (text.replace(old, new), n))
    database.close()
    assert find_damage(path, here.clock) == "session first cannot be read to its end"
    [saved], _ = repair_journal(path, here.clock)
    assert saved.lost
    assert saved.events == n - 1
    assert find_damage(path, here.clock) is None


async def test_an_event_of_another_version_is_no_damage(played: tuple[Runtime, Path]) -> None:
    here, _ = played
    path = here.home / "journal.db"
    with sqlite3.connect(path) as database:
        database.execute("""UPDATE events SET event = '{"kind":"dream_told","text":"x"}' WHERE n = 30""")
    database.close()
    with pytest.raises(JournalError, match="the kind 'dream_told', unknown here: a later version"):
        find_damage(path, here.clock)


async def test_a_damaged_list_of_sessions_is_made_again_from_the_events(
    played: tuple[Runtime, Path],
) -> None:
    here, _ = played
    path = here.home / "journal.db"
    with Journal(path, here.clock) as journal:
        before, row = journal.read("first"), journal.session("first")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA foreign_keys=OFF")
        database.execute("DELETE FROM sessions")
    database.close()
    repair_journal(path, here.clock)
    with Journal(path, here.clock) as journal:
        assert journal.session("first") == row
        assert journal.read("first") == before


async def test_a_journal_is_not_repaired_while_a_session_runs(played: tuple[Runtime, Path]) -> None:
    here, _ = played
    path = here.home / "journal.db"
    running = pytest.raises(JournalError, match="session first is running")
    with Journal(path, here.clock) as journal, journal.lock("first"), running:
        repair_journal(path, here.clock)
    assert [p.name for p in here.home.glob("journal.db.*") if "-" not in p.name] == []


@pytest.mark.slow
def test_the_doctor_repairs_and_says_so(tmp_path: Path) -> None:
    home = tmp_path / "rt"
    documents = write_documents(tmp_path / "documents")
    ran = roundtable(
        "run", TOPIC, "--docs", documents, "--offline", "--turns", "4", "--plain", "--out", tmp_path / "out",
        home=home,
    )  # fmt: skip
    assert "sound, nothing to do" in roundtable("doctor", "--offline", "--repair", home=home).stdout
    replayed = roundtable("replay", "last", "--plain", home=home).stdout
    told, _, offer = replayed.strip().rpartition("\n")
    not_again = ("Reading for meaning", "From here on sources have the numbers of the report")
    lines = [line for line in ran.stdout.splitlines() if not line.startswith(not_again)]
    # What a slow machine tells of its pace is no event; sources have the report's numbers, once there is one.
    number = re.compile(r"\[\d+(?=\.\d)")
    assert number.sub("[", told) in number.sub("[", "\n".join(lines))
    assert "roundtable join" in offer
    assert len(replayed.splitlines()) > 20
    as_json = roundtable("replay", "last", "--json", home=home).stdout
    assert [json.loads(line)["n"] for line in as_json.splitlines()] == list(
        range(1, len(as_json.splitlines()) + 1)
    )
    forked = roundtable("fork", "last", "--at", "2", home=home).stdout
    name = forked.splitlines()[-1].split()[-1]
    roundtable("resume", name, "--plain", "--out", tmp_path / "forked", home=home)
    assert (tmp_path / "forked" / "report.md").exists()
    bundled = roundtable("export", name, "--bundle", tmp_path / "s.zip", home=home)
    assert "documents of your own" in bundled.stderr
    elsewhere = tmp_path / "elsewhere"
    assert f"Session {name}" in roundtable("import", tmp_path / "s.zip", home=elsewhere).stdout
    texts = elsewhere / "imported" / name
    # A fork began when it was made; of the copy its first event tells, which is its ancestor's.
    began = re.compile(r"started \S+ \S+")
    there, here = (began.sub("", roundtable("show", name, home=at).stdout) for at in (elsewhere, home))
    assert there == here.replace(str(documents), str(texts), 1)
    refused = roundtable("import", tmp_path / "s.zip", home=elsewhere, code=2)
    assert "nothing was taken in" in refused.stderr
    data = (home / "journal.db").read_bytes()
    (home / "journal.db").write_bytes(b"SQLite format 3\0" + data[16:4096] + b"\xff" * (len(data) - 4096))
    told = roundtable("doctor", "--offline", "--repair", home=home).stdout
    assert "the damaged file is" in told
    assert roundtable("list", home=home).returncode == 0
