"""A session over a server of tools, as a person runs it: from a file of settings to a cited report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.config.config import Settings, load_settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import destinations, settle_places
from roundtable.web.hosting.outgoing import outgoing
from tests.command_process import run_command

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "tests" / "tool_servers" / "notes.py"


def command(home: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, env={**os.environ, "ROUNDTABLE_HOME": str(home)})


def configured(tmp_path: Path, *more: str) -> Path:
    file = tmp_path / "settings.toml"
    program = json.dumps([sys.executable, str(NOTES)])
    lines = ["[mcp.notes]", f"command = {program}", 'search = "search_notes"', 'read = "fetch_note"', *more]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_report_cites_what_a_tool_gave_and_a_bundle_does_not_bring_the_tool(tmp_path: Path):
    settings, home, out = configured(tmp_path, "local = true"), tmp_path / "home", tmp_path / "out"
    looked = command(home, "doctor", "--offline", "--config", settings)
    assert "mcp         notes searches by search_notes, reads by fetch_note; not used: " in looked.stdout
    ran = command(
        home, "run", "How do heat pumps work in the cold?", "--config", settings, "--offline", "--turns", "3",
        "--model", "embedded", "--out", out, "--plain",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Searching notes; offline: nothing leaves this machine" in ran.stdout
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "minus 15 degrees Celsius" in report
    assert "**Heat pumps in the cold**. mcp:notes/12" in report
    assert "nature.example" not in report
    sources = json.loads((out / "sources.json").read_text(encoding="utf-8"))["sources"]
    assert {source["url"] for source in sources} >= {"mcp:notes/12"}
    assert all(len(source["sha256"]) == 64 for source in sources)

    bundle, away = tmp_path / "s.zip", tmp_path / "away"
    assert command(home, "export", "last", "--bundle", bundle).returncode == 0
    imported = command(away, "import", bundle)
    assert imported.returncode == 0, imported.stderr
    gone_on = command(away, "resume", "last", "--turns", "1", "--out", tmp_path / "out2", "--plain")
    assert gone_on.returncode == 0, gone_on.stderr
    assert "notes" not in gone_on.stdout.splitlines()[0]
    assert "minus 15 degrees" in (tmp_path / "out2" / "report.md").read_text(encoding="utf-8")


def test_a_server_is_searched_wherever_it_is_set_and_that_is_told(tmp_path: Path):
    file = configured(tmp_path)

    def settled(**flags: object) -> Settings:
        return settle_places(load_settings(flags, config=file, environment={}), tmp_path)

    assert settled().search == ["notes", "web"]
    assert settled(docs=["python"]).search == ["notes"]
    told = destinations(settled(docs=["python"]), "model: embedded")
    assert told == "Searching python, notes; the topic and queries go to notes; model: embedded"
    assert outgoing(settled(docs=["python"]), None)["places"] == ["notes"]
    with pytest.raises(InputError, match="nothing to search"):
        settled(offline=True)
    configured(tmp_path, "local = true")
    assert destinations(settled(), "m") == "Searching notes, web; the topic and queries go to web; m"
    assert outgoing(settled(), None)["places"] == ["web"]
    assert settled(offline=True).search == ["notes"]


def test_a_wrong_setting_is_one_line(tmp_path: Path):
    for line, told in (
        ('url = "http://x.example/"', "mcp.notes: give either a command or a url"),
        ('serch = "x"', r"no setting mcp.notes.serch"),
        ('token = "KEY"', "a command is given variables by `environment`, a url a `token`"),
    ):
        ran = command(tmp_path, "run", "Why?", "--config", configured(tmp_path, line))
        assert ran.returncode == 2
        assert told in ran.stderr
        assert len(ran.stderr.splitlines()) == 1
    both = command(
        tmp_path,
        "run",
        "Why?",
        "--offline",
        "--docs",
        "python",
        "--config",
        configured(tmp_path, "private = 7"),
    )
    assert "mcp.notes.private" in both.stderr
