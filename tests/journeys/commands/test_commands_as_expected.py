"""What people expect of a command line: names that they give, folders used again, looking on, refusals."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_process import run_command

TOPIC = "Why do rivers flood?"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "rivers").mkdir()
    (tmp_path / "rivers" / "rain.md").write_text(
        "# Rain and rivers\n\nHeavy rain fills rivers faster than they drain. Dykes keep water from fields. "
        "When a dyke breaks, the flood comes suddenly. Snow that melts in spring brings floods to rivers.\n"
    )
    return tmp_path


def command(*arguments: str | bytes) -> list[str | bytes]:
    return [sys.executable, "-m", "roundtable", *arguments]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path.cwd()), "ROUNDTABLE_HOME": str(home / "home")}


def run(home: Path, *arguments: str | bytes) -> subprocess.CompletedProcess[str]:
    return run_command(*map(os.fsdecode, arguments), cwd=home, env=environment(home))


def discuss(home: Path, *arguments: str, model: str = "embedded") -> subprocess.CompletedProcess[str]:
    return run(home, "run", TOPIC, "--docs", "rivers", "--offline", "--model", model, *arguments)


def test_a_folder_of_a_run_that_failed_is_used_again_and_one_with_results_is_not(home: Path) -> None:
    failed = discuss(home, "--base-url", "http://127.0.0.1:9/v1", "--out", "out", model="openai:x")
    assert failed.returncode == 3
    assert f"or join {_last(home)}" in failed.stderr
    assert discuss(home, "--turns", "2", "--out", "out").returncode == 0
    report = (home / "out" / "report.md").read_text()
    again = discuss(home, "--turns", "2", "--out", "out")
    assert (again.returncode, "add --force" in again.stderr) == (2, True)
    assert (home / "out" / "report.md").read_text() == report


def test_a_folder_of_a_session_that_found_nothing_is_used_again(home: Path) -> None:
    (home / "empty").mkdir()
    (home / "empty" / "a.md").write_text("# Notes\n\nNothing.\n")
    where = ["--docs", "empty", "--offline", "--model", "embedded", "--out", "out"]
    failed = run(home, "run", "quantum frobnication", *where)
    assert "Nothing was found" in failed.stdout
    assert (home / "out" / "report.md").exists()
    assert discuss(home, "--turns", "2", "--out", "out").returncode == 0
    assert "Dykes" in (home / "out" / "report.md").read_text()


def test_an_export_has_the_name_that_it_is_given(home: Path) -> None:
    discuss(home, "--turns", "1", "--out", "out")
    done = run(home, "export", "last", "--report", "html", "--name", "To read", "--out", "kept")
    assert Path(done.stdout.strip()) == home / "kept" / "To read.html"
    assert (home / "kept" / "To read.html").read_text().lower().startswith("<!doctype html>")
    (home / "kept" / ".roundtable").write_text("0123abcd\n")
    beside = run(home, "export", "last", "--map", "svg", "--name", "地图", "--out", "kept")
    assert Path(beside.stdout.strip()) == home / "kept" / "地图.svg", "it takes the place of no other file"
    over = run(home, "export", "last", "--report", "html", "--name", "To read", "--out", "kept")
    assert "holds the files of session 0123abcd" in over.stderr
    for wrong in (["--name", "../x", "--report", "md"], ["--name", "x"], ["--name", " ", "--map", "svg"]):
        refused = run(home, "export", "last", *wrong)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), wrong


def test_bytes_that_are_no_text_are_one_clear_line(home: Path) -> None:
    wrongs: list[list[str | bytes]] = [
        ["run", b"\xff\xfe rivers", "--offline"], ["rename", "last", b"\xff"], ["join", b"\xff"],
    ]  # fmt: skip
    for wrong in wrongs:
        refused = run(home, *wrong)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), wrong
        assert "is not UTF-8 text" in refused.stderr


def test_a_fork_and_a_replay_tell_how_to_sit_down_and_working_time_alone_is_counted(home: Path) -> None:
    discuss(home, "--turns", "2", "--out", "out")
    first = _last(home)
    forked = run(home, "fork", "last", "--at", "1")
    assert f"roundtable join {_last(home)}" in forked.stdout
    assert f"roundtable join {first}" in run(home, "replay", first).stdout
    one = run(home, "list").stdout.splitlines()[0]
    assert "1 turn " in one
    time.sleep(2)  # a fork that waits does not work
    run(home, "resume", "last", "--out", "forked")
    own, before = (json.loads((home / name / "usage.json").read_text()) for name in ("forked", "out"))
    assert own["seconds"] < before["seconds"] + 60
    assert "Section written" not in forked.stdout


def test_somebody_looks_on_at_a_session_that_another_process_runs(home: Path) -> None:
    with subprocess.Popen(
        command("join", TOPIC, "--docs", "rivers", "--offline", "--model", "embedded", "--wait", "--plain"),
        cwd=home, env=environment(home), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        assert running.stdin is not None
        assert running.stdout is not None
        while "waits for you" not in running.stdout.readline():
            pass
        for command_name in ("report", "resume", "join"):
            refused = run(home, command_name, "last", "--out", "mine")
            assert not refused.stdout, "nothing is told before it is refused"
            assert not (home / "mine").exists(), "no folder is taken for what is not written"
        assert f"is being run by process {running.pid}" in refused.stderr
        assert "look on with: roundtable join" in refused.stderr
        with subprocess.Popen(
            command("join", "last", "--read-only", "--plain"), cwd=home, env=environment(home), text=True,
            stdout=subprocess.PIPE,
        ) as looking:  # fmt: skip
            assert looking.stdout is not None
            while "waits for a person to speak" not in looking.stdout.readline():
                pass
            running.stdin.write("What do dykes do?\n/write\n")
            running.stdin.close()
            seen = looking.stdout.read()
            told = running.stdout.read()
    assert told.count("Report: roundtable-out/") == 1, "the report is named once"
    assert "What do dykes do?" in seen
    assert "Report: " in seen
    assert "Nobody runs session" in seen
    assert looking.returncode == 0


def _last(home: Path) -> str:
    return run(home, "list").stdout.split()[0]


def test_a_collection_is_described_and_what_was_written_stays(home: Path) -> None:
    assert run(home, "docs", "add", "rivers", "rivers", "--description", "On rain").returncode == 0
    assert "On rain" in run(home, "docs", "list").stdout
    assert run(home, "docs", "describe", "rivers", "What floods\nrivers").stdout == "rivers: described\n"
    assert run(home, "docs", "add", "rivers", "rivers").returncode == 0
    assert "What floods rivers" in run(home, "docs", "list").stdout
    unknown = run(home, "docs", "describe", "seas", "x")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    assert "no collection 'seas'" in unknown.stderr


def test_a_folder_that_was_given_by_its_path_is_called_by_its_name(home: Path) -> None:
    run(home, "extract", "rivers", "--fields", "height", "--offline")
    listed = run(home, "docs", "list").stdout
    assert re.search(r"^rivers +\d+ files? ", listed, re.MULTILINE)
    assert not re.search(r"rivers-[0-9a-f]{8}", listed)
    assert re.search(r"collections: .*\brivers(,|$)", run(home, "doctor").stdout, re.MULTILINE)
    assert run(home, "docs", "describe", "rivers", "On rain").stdout == "rivers: described\n"
    assert run(home, "docs", "remove", "rivers").returncode == 0
    assert "rivers" not in run(home, "docs", "list").stdout


def test_two_folders_of_one_name_are_told_apart_by_what_stands_before_it(home: Path) -> None:
    for folder in ("old", "new"):
        (home / folder / "rivers").mkdir(parents=True)
        (home / folder / "rivers" / "weir.md").write_text(f"The {folder} weir is 3 metres high.\n")
        run(
            home, "extract", f"{folder}/rivers", "--fields", "height", "--offline", "--out", f"{folder}-table"
        )  # fmt: skip
    listed = run(home, "docs", "list").stdout
    assert {"old/rivers", "new/rivers"} <= {line.split()[0] for line in listed.splitlines()}, listed
    assert run(home, "docs", "describe", "new/rivers", "On weirs").stdout == "new/rivers: described\n"
    unclear = run(home, "docs", "remove", "rivers")
    assert unclear.returncode == 2
    assert "old/rivers" in unclear.stderr


def test_a_seat_begins_with_what_goes_where(home: Path) -> None:
    sat = subprocess.run(
        command("join", TOPIC, "--docs", "rivers", "--offline", "--model", "embedded", "--turns", "2"),
        input="/quit\n", capture_output=True, text=True, check=False, timeout=300, cwd=home,
        env=environment(home),
    )  # fmt: skip
    first, second, *_ = sat.stdout.splitlines()
    assert first.startswith("Searching ")
    assert first.endswith("offline: nothing leaves this machine; model: embedded")
    assert "/help lists all that you can do" in second
