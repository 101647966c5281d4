"""Sessions are found, renamed and deleted on the command line; what is nearly right is told what is meant."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from roundtable.__main__ import run
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.session_counts import near_ids

RECORDED = Path(__file__).parents[2] / "journals" / "v1.db"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(RECORDED, tmp_path / "journal.db")
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path))
    return tmp_path


def test_a_session_is_renamed_found_and_deleted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rename", "live", "Harbour\x1b[31m walls"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert run(["list", "--search", "WALLS harbour"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("live ")
    assert run(["list", "--search", "no such words"]) == 0
    assert "No session of these words" in capsys.readouterr().err
    assert run(["delete", "live"]) == 2
    assert "--yes" in capsys.readouterr().err
    assert run(["delete", "live", "forked", "--yes"]) == 0
    with Journal(home / "journal.db", SystemClock()) as journal:
        left = {row.id for row in journal.sessions()}
        assert left
        assert not left & {"live", "forked"}
        assert journal.check() is None


def test_what_stands_behind_a_forks_name_is_said_in_the_readers_language(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for identity, name in (("live", "Tides (from turn 3) (from turn 2)"), ("forked", "潮汐（自第 2 轮起）")):
        assert run(["rename", identity, name]) == 0
    for locale, told in (
        ("zh_CN.UTF-8", ("Tides（自第 3 轮起）（自第 2 轮起）", "潮汐（自第 2 轮起）")),
        ("en_GB.UTF-8", ("Tides (from turn 3) (from turn 2)", "潮汐 (from turn 2)")),
    ):
        monkeypatch.setenv("LC_ALL", locale)
        capsys.readouterr()
        assert run(["list"]) == 0
        listed = capsys.readouterr().out.splitlines()
        assert all(any(line.endswith(f"  {name}") for line in listed) for name in told), listed
    assert home


def test_a_session_that_runs_is_not_deleted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "journal.db", SystemClock()) as journal, journal.lock("live"):
        assert run(["delete", "live", "--yes"]) != 0
        assert journal.read("live")
    assert "live" in capsys.readouterr().err


def test_near_names_are_offered(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home
    assert run(["lst"]) == 2
    assert "Did you mean list?" in capsys.readouterr().err
    assert run(["update", "last", "--offline"]) == 2
    told = capsys.readouterr().err
    assert "No such option '--offline'" in told
    assert "ean" not in told, "its dashes alone are near"
    assert run(["update", "last", "--plan"]) == 2
    assert "Did you mean '--plain'?" in capsys.readouterr().err
    assert run(["show", "resumd"]) == 2
    assert "did you mean resumed" in capsys.readouterr().err
    assert run(["join", "1f24824f"]) == 2
    assert "no session begins with '1f24824f'" in capsys.readouterr().err
    assert near_ids("deadbeef", ["ce7aeebe", "4879abe9"]) == [], "that is another name"
    assert near_ids("4879abe8", ["ce7aeebe", "4879abe9"]) == ["4879abe9"]
    assert near_ids("lsat", ["ce7aeebe"]) == ["last"]
    assert near_ids("487a", ["ce7aeebe", "4879abe9"]) == ["4879abe9"], "the beginning of an id is one too"
    with closing(sqlite3.connect(home / "journal.db")) as kept, kept:
        kept.execute("UPDATE sessions SET id = '9f31c2ab' WHERE id = 'live'")
        kept.execute("UPDATE events SET session = '9f31c2ab' WHERE session = 'live'")
    assert run(["rename", "9f31c2ab", "Harbour"]) == 0
    with Journal(home / "journal.db", SystemClock()) as journal:
        before = {row.id for row in journal.sessions()}
    for mistyped in ("deadbeef", "9f31x2ab", "9f31c2aB", "zzzz9999"):
        assert run(["join", mistyped]) == 2
        assert f"no session begins with '{mistyped}'" in capsys.readouterr().err
    for slip, meant in (("lastt", "last"), ("lst", "last"), ("Harbor", "9f31c2ab (Harbour)")):
        assert run(["join", slip]) == 2
        assert f"no session has the id '{slip}'; did you mean {meant}?" in capsys.readouterr().err
    with Journal(home / "journal.db", SystemClock()) as journal:
        assert {row.id for row in journal.sessions()} == before, "nothing was begun"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sessions", " Did you mean list?"), ("sesion", " Did you mean list?"), ("ls", " Did you mean list?"),
        ("History", " Did you mean list?"), ("rm", " Did you mean delete?"), ("ask", " Did you mean run?"),
        ("open", " Did you mean join or show?"), ("start", " Did you mean run or serve?"),
        ("serv", " Did you mean serve?"), ("docs rm", " Did you mean remove?"),
        ("sources delete", " Did you mean forget?"), ("help new", " Did you mean run?"), ("quit", ""),
        ("rum", " Did you mean run?"), ("rnu", " Did you mean run?"), ("runn", " Did you mean run?"),
        ("shwo", " Did you mean show?"), ("sesions", " Did you mean list?"),
    ],
)  # fmt: skip
def test_commands_are_offered_for_words_that_mean_the_same(
    typed: str, offered: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(typed.split()) == 2
    assert f"No such command {typed.split()[-1]!r}.{offered} (see " in capsys.readouterr().err


def test_help_and_version_are_commands_and_help_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["version"]) == 0
    assert capsys.readouterr().out.startswith("roundtable ")
    assert run(["help"]) == 0
    told = capsys.readouterr().out
    assert "\\b" not in told
    assert '\n  roundtable run "Should cities ban cars?"' in told
    assert run(["help", "list"]) == 0
    assert "--search" in capsys.readouterr().out
    assert run(["help", "lst"]) == 2
    assert "Did you mean list?" in capsys.readouterr().err
