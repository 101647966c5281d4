"""What a version before has kept opens as it is, and what a later one has kept is refused in one line."""

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from roundtable.__main__ import run
from roundtable.config import load_settings, recorded_settings
from roundtable.config.errors import ConfigError, InputError, JournalError, JournalTooNew
from roundtable.config.gone_settings import GONE, GoneSetting
from roundtable.journal.clock import SteppingClock
from roundtable.journal.events import SessionStopped, Warned
from roundtable.journal.replay import replayed
from roundtable.journal.sessions.bundle import take_in, write_bundle
from roundtable.journal.sessions.repair import find_damage, repair_journal
from roundtable.journal.storage import upcast
from roundtable.journal.storage.journal_store import Journal
from roundtable.output.exports import outline_of
from roundtable.session.factory import Runtime, resume_session

JOURNALS = Path(__file__).parents[2] / "journals"
CLOCK = SteppingClock(datetime(2026, 1, 1, tzinfo=UTC))
SESSIONS = ["steered", "forked", "resumed", "computed", "unpriced", "headings", "live", "chinese", "planned"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that the version before has left."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    shutil.copy(JOURNALS / "v1.db", home / "journal.db")
    shutil.copy(JOURNALS / "v1-library.sqlite", home / "library.sqlite")
    monkeypatch.setenv("ROUNDTABLE_HOME", str(home))
    return home


def opened(home: Path) -> Journal:
    return Journal(home / "journal.db", CLOCK)


def execute(home: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    with sqlite3.connect(home / "journal.db") as database:
        rows = database.execute(statement, values).fetchall()
    database.close()
    return rows


def one_line(told: str) -> str:
    [line] = told.strip().splitlines()
    return line


@pytest.fixture
def renamed_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version of today has renamed a field: what was `message` is `text`, and `notice` is `warned`."""
    step = {"notice": lambda values: {"kind": "warned", "text": values["message"]}}
    monkeypatch.setattr(upcast, "STEPS", (step,))


# -- what a version before has kept ---------------------------------------------------------------


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_of_the_version_before_is_opened_shown_and_exported(
    home: Path, session: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with opened(home) as journal:
        events = journal.read(session)
        assert [r.n for r in events] == list(range(1, len(events) + 1))
        assert [json.loads(text)["kind"] for _, _, text in journal.texts(session)] == [
            r.event.kind for r in events
        ]
        row = journal.session(session)
    with replayed(events, home) as state:
        assert len(state.turns) == row.turns
        if state.map.placed():
            assert outline_of(state)
    assert run(["replay", session, "--plain"]) == 0
    assert state.topic in capsys.readouterr().out
    assert run(["export", session, "--out", str(tmp_path / "out")]) == 0
    assert len((tmp_path / "out" / "transcript.jsonl").read_text().splitlines()) == row.turns
    assert (tmp_path / "out" / "report.md").exists() is (state.report is not None)


def test_the_file_is_brought_up_once_and_what_stands_in_it_is_not_touched(home: Path) -> None:
    before = execute(home, "SELECT * FROM events")
    with opened(home) as journal:
        journal.append("live", [Warned(text="Written today.")])
    with opened(home) as journal:
        assert journal.read("live")[-1].event == Warned(text="Written today.")
    rows = execute(home, "SELECT * FROM events")
    assert [row for row in rows if row[:-1] in set(before)] == [(*row, 1) for row in before]
    assert execute(home, "PRAGMA user_version") == [(6,)]


def test_a_journal_of_the_version_before_that_is_damaged_is_repaired(home: Path) -> None:
    path = home / "journal.db"
    execute(home, "UPDATE events SET event = '{' WHERE session = 'live' AND n = 20")
    saved, _ = repair_journal(path, CLOCK)
    assert [(s.session, s.events) for s in saved if s.lost] == [("live", 19)]
    assert {s.session for s in saved} == set(SESSIONS)
    assert find_damage(path, CLOCK) is None


async def test_a_bundle_of_the_version_before_is_taken_in_and_gone_on_with(tmp_path: Path) -> None:
    here = Runtime(home=tmp_path, clock=CLOCK, environment={})
    with opened(tmp_path) as journal:
        mine = load_settings(environment={})
        assert take_in(JOURNALS / "v1.bundle.zip", journal, tmp_path, mine)[0] == "chinese"
    session = await resume_session("chinese", around=here)
    before = len(session.state.turns)
    async for _ in session.run(turns=1):
        pass
    await session.close()
    assert session.state.status == "ended"
    assert len(session.state.turns) > before


async def test_a_session_of_the_version_before_goes_on_and_tells_which_settings_have_gone(home: Path) -> None:
    documents = home / "harbour"
    documents.mkdir()
    with opened(home) as journal, replayed(journal.read("live"), home) as state:
        for number, source in enumerate(state.evidence.sources.values()):
            (documents / f"{number}.md").write_text(source.text)
    # The folder stands elsewhere on this machine.
    moved = "json_set(event, '$.docs', json_array(?), '$.settings.docs', json_array(?))"
    query = f"UPDATE events SET event = {moved} WHERE session = 'live' AND n = 1"  # noqa: S608
    execute(home, query, str(documents), str(documents))
    session = await resume_session("live", around=Runtime(home=home, clock=CLOCK, environment={}))
    before = session.state.taken
    async for _ in session.run():
        pass
    await session.close()
    assert session.state.status == "ended"
    assert session.state.taken > before
    told = [text for text in session.state.warnings if text.startswith("the session's settings: ")]
    assert any("agents.prompt_passages: it has gone; agents.passage_tokens says" in text for text in told)


def test_settings_of_the_version_before_are_read() -> None:
    settings = load_settings(config=JOURNALS / "v1.toml", environment={})
    assert settings.moderator.after_answers == 2
    named = [line.partition(".toml: ")[2].partition(":")[0] for line in settings.notices]
    assert "agents.prompt_passages" in named
    assert set(named) <= GONE.keys()
    assert load_settings(environment={}).notices == ()


# -- a change since then ----------------------------------------------------------------------------


@pytest.mark.usefixtures("renamed_field")
def test_an_event_of_the_form_before_is_read_as_what_it_is_today(home: Path, tmp_path: Path) -> None:
    old = '{"kind": "notice", "message": "The web is slow."}'
    n = 1 + execute(home, "SELECT max(n) FROM events WHERE session = 'live'")[0][0]
    execute(home, "INSERT INTO events VALUES ('live', ?, '2026-01-01T00:00:00Z', ?)", n, old)
    with opened(home) as journal:
        events = journal.read("live")
        assert events[-1].event == Warned(text="The web is slow.")
        assert json.loads(journal.texts("live")[-1][2]) == {"kind": "warned", "text": "The web is slow."}
        journal.append("live", [SessionStopped(reason="enough")])
        journal.adopt("copy", events)
    query = "SELECT event, format FROM events WHERE session = ? AND n >= ? ORDER BY n"
    stopped = SessionStopped(reason="enough").model_dump_json()
    assert execute(home, query, "live", n) == [(old, 1), (stopped, 2)]
    assert execute(home, query, "copy", n) == [(Warned(text="The web is slow.").model_dump_json(), 2)]
    assert find_damage(home / "journal.db", CLOCK) is None
    write_bundle("live", events, home, tmp_path / "new.zip")
    with zipfile.ZipFile(tmp_path / "new.zip") as archive:
        assert json.loads(archive.read("bundle.json"))["events"] == 2


def test_steps_follow_each_other_from_the_form_that_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first = {"a": lambda values: {**values, "kind": "b", "steps": 1}}
    second: dict[str, upcast.Upcaster] = {}
    third = {"b": lambda values: {**values, "steps": values.get("steps", 0) + 1}}
    monkeypatch.setattr(upcast, "STEPS", (first, second, third))
    kept = {"kind": "a"}
    assert upcast.current_format() == 4
    assert upcast.upcast(kept, 1) == {"kind": "b", "steps": 2}
    assert upcast.upcast(kept, 2) == {"kind": "a"}
    assert upcast.upcast({"kind": "b"}, 3) == {"kind": "b", "steps": 1}
    assert upcast.upcast({"kind": "b"}, 4) == {"kind": "b"}
    assert kept == {"kind": "a"}


@pytest.mark.usefixtures("renamed_field")
@pytest.mark.parametrize("text", ["{", "[1]", '{"kind": "notice"}', "7", '{"kind": 3}', ""])
def test_an_event_of_the_form_before_that_is_none_is_damage(home: Path, text: str) -> None:
    execute(home, "UPDATE events SET event = ? WHERE session = 'live' AND n = 9", text)
    with opened(home) as journal, pytest.raises(JournalError, match="event 9 .* it is damaged") as told:
        journal.read("live")
    assert not isinstance(told.value, JournalTooNew)
    assert find_damage(home / "journal.db", CLOCK) == "session live cannot be read to its end"


# -- what a later version has kept --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "written", "says"),
    [
        ('{"kind": "warned", "text": "x"}', 2, "is of format 2, and this one reads up to 1"),
        ('{"kind": "dream_told", "text": "x"}', 1, "has the kind 'dream_told', unknown here"),
        ('{"kind": "warned", "text": "x", "grade": 3}', 1, "has the field 'warned.grade', unknown here"),
    ],
)
def test_an_event_of_a_later_version_is_refused_in_one_line_and_never_cut_off(
    home: Path, event: str, written: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(home).close()
    execute(home, "UPDATE events SET event = ?, format = ? WHERE session = 'live' AND n = 9", event, written)
    with opened(home) as journal:
        assert len(journal.sessions()) == len(SESSIONS)
        assert journal.read("steered")
        with pytest.raises(JournalTooNew, match="a later version wrote it; upgrade the program"):
            journal.read("live")
    for words in (["replay", "live"], ["resume", "live"]):
        assert run(words) == 1
        assert says in one_line(capsys.readouterr().err)
    with pytest.raises(JournalTooNew):
        find_damage(home / "journal.db", CLOCK)
    assert run(["doctor", "--repair"]) == 1
    assert execute(home, "SELECT event FROM events WHERE session = 'live' AND n = 9") == [(event,)]


@pytest.mark.parametrize("written", ["", "1", None, b"\x00", 0, -3, 1.5])
def test_what_is_no_format_is_damage(written: Any) -> None:
    with pytest.raises(upcast.EventUnreadable, match="of no format") as refused:
        upcast.read_event('{"kind": "map_grown", "changes": []}', written)
    assert not refused.value.too_new


def test_a_known_name_with_one_letter_changed_is_damage_and_nothing_new(home: Path) -> None:
    opened(home).close()
    text = '{"kind": "warned", "text": "x", "texu": 3}'
    execute(home, "UPDATE events SET event = ? WHERE session = 'live' AND n = 9", text)
    assert find_damage(home / "journal.db", CLOCK) == "session live cannot be read to its end"


def rewritten(file: Path, target: Path, about: dict[str, Any], events: Sequence[str] = ()) -> Path:
    """Write a bundle again with other words about it, and with more events."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["events.jsonl"] += "".join(f"{event}\n" for event in events).encode()
    told = json.loads(members["bundle.json"]) | about
    told["digests"]["events.jsonl"] = sha256(members["events.jsonl"]).hexdigest()
    members["bundle.json"] = json.dumps(told).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target


@pytest.mark.parametrize(
    ("about", "events", "says"),
    [
        ({"version": 99}, [], "newer roundtable"),
        ({"events": 9}, [], "is of format 9, and this one reads up to 1: a later version wrote it"),
        ({}, ['{"n": 77, "at": "", "event": {"kind": "dream_told"}}'], "event 77 has the kind 'dream_told'"),
        ({}, ['{"n": 77, "at": ""}'], "cannot be read: it is damaged"),
    ],
)
def test_a_bundle_of_a_later_version_is_refused_in_one_line(
    tmp_path: Path, about: dict[str, Any], events: list[str], says: str
) -> None:
    file = rewritten(JOURNALS / "v1.bundle.zip", tmp_path / "later.zip", about, events)
    with opened(tmp_path) as journal, pytest.raises(InputError) as told:
        take_in(file, journal, tmp_path, load_settings(environment={}))
    assert says in one_line(str(told.value))
    with opened(tmp_path) as journal:
        assert journal.sessions() == []


def test_settings_of_a_later_version_are_refused_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigError, match="no setting agents.mood: a later version wrote it; upgrade"):
        recorded_settings({"agents": {"mood": "merry"}})
    changed = "json_set(event, '$.settings.agents.mood', 'merry')"
    execute(home, f"UPDATE events SET event = {changed} WHERE session = 'live' AND n = 1")  # noqa: S608
    assert run(["resume", "live"]) == 2
    assert "agents.mood" in one_line(capsys.readouterr().err)


# -- settings that have gone --------------------------------------------------------------------------


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two settings have gone: one is known by another name, one has no successor."""
    moved = GoneSetting("", moved_to="moderator.turns")
    given_up = GoneSetting("the report is as long as there is to say")
    monkeypatch.setattr(
        "roundtable.config.gone_settings.GONE", {"agents.length": moved, "reports.pages": given_up}
    )


@pytest.mark.usefixtures("gone")
def test_a_setting_that_has_gone_is_named_with_what_replaces_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[agents]\nlength = 5\n[reports]\npages = 3\n")
    settings = load_settings(config=file, environment={})
    assert settings.moderator.turns == 5
    assert settings.notices == (
        f"{file}: agents.length: it is moderator.turns now",
        f"{file}: reports.pages: it has gone; the report is as long as there is to say",
    )
    environment = {"ROUNDTABLE_AGENTS__LENGTH": "7"}
    both = load_settings({"moderator": {"turns": 9}}, config=file, environment=environment)
    assert both.moderator.turns == 9
    assert both.notices[0] == "environment: agents.length: it is moderator.turns now"
    assert load_settings(config=file, environment=environment).moderator.turns == 7
    assert both.model_copy(update={"docs": ["x"]}).notices == both.notices


@pytest.mark.usefixtures("gone")
def test_a_moved_setting_is_held_to_the_bounds_of_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[agents]\nlength = 0\n")
    with pytest.raises(ConfigError, match=r"mine\.toml: moderator\.turns: input should be greater than"):
        load_settings(config=file, environment={})


def test_no_setting_that_has_gone_is_there_and_all_that_replace_one_are() -> None:
    from roundtable.config.config import Settings, _keys_at

    for name, became in GONE.items():
        *tables, key = name.split(".")
        assert key not in set(_keys_at(Settings, tables)), f"{name} has not gone"
        if became.moved_to:
            *tables, key = became.moved_to.split(".")
            assert key in set(_keys_at(Settings, tables)), f"{became.moved_to} is no setting"
        assert became.instead or became.moved_to
