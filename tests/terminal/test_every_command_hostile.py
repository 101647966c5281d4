"""Every command, with hostile names, titles, topics, dates, replies and errors: it acts on no terminal."""

import ast
import asyncio
import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.__main__ import run
from roundtable.cli.group import COMMANDS
from roundtable.output.clean import clean, escape_unshown
from tests.model_server import ModelServer
from tests.web.poison import ESCAPES, MARKUP, hostile_session

NASTY = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eright\u2066\u200f\u061c\x7f\U000e0041"
"""What a file may be called, too."""
WRITING = {
    "click.echo", "click.secho", "click.prompt", "click.confirm", "print", "os.write",
    "sys.stdout.write", "sys.stderr.write", "sys.stdout.buffer.write",
}  # fmt: skip
ALLOWED = {"roundtable/terminal/safe_output.py", "roundtable/__main__.py"}


def harmless(words: str) -> None:
    """Fail for any character that a terminal acts on, but for line ends and tabs."""
    found = {sign for sign in words if sign not in "\n\t" and clean(sign) != sign}
    assert not found, f"{found!r} in {words[:2000]!r}"


@pytest.fixture
def told(capsys):
    """Run a command here, and fail where it wrote anything that acts; return its code and its words."""

    def command(*arguments: str | Path) -> tuple[int, str]:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        harmless(captured.out)
        harmless(captured.err)
        return code, captured.out + captured.err

    return command


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for n in range(4):
        (folder / f"flood{n}.md").write_text(
            f"# Floods {n}\n\nCities flood when rain falls on hard ground {n}.\n"
        )
    return folder


def test_documents_of_hostile_names_and_contents(told, tmp_path: Path):
    folder = tmp_path / f"docs{NASTY}"
    folder.mkdir()
    said = {"title": "Flood " + NASTY, "author": NASTY + "Ann", "date": NASTY}
    head = "".join(f"{name}: {json.dumps(value)}\n" for name, value in said.items())
    for n in range(3):
        text = f"---\n{head}---\n\nCities flood when rain falls on ground {n}, sealed {NASTY} by asphalt.\n"
        (folder / f"flood{n}{NASTY}.md").write_text(text)
    (folder / f"bad{NASTY}\nroundtable: all is well.md").write_bytes(b"\x89PNG\r\n" * 5)
    (folder / f"away{NASTY}.md").symlink_to("/etc/passwd")
    code, words = told("docs", "add", "floods", folder)
    assert code == 0
    assert "bad" in words
    assert "away" in words
    assert not any(line.startswith("roundtable: all is well") for line in words.splitlines())
    told("docs", "list")
    told("docs", "add", f"x{NASTY}", folder)
    told("docs", "remove", f"x{NASTY}")
    topic = f"Why do cities flood? {NASTY}"
    for docs in ("floods", str(folder)):
        out = tmp_path / f"out{NASTY}{len(docs)}"
        code, words = told("run", topic, "--docs", docs, "--offline", "--turns", "2", "--out", out)
        assert code == 0, words
    told("run", topic, "--docs", "floods", "--offline", "--turns", "2", "--json", "--out", tmp_path / "json")
    told("run", topic, "--docs", "floods", "--offline", "--plan", "--out", tmp_path / "plan")
    told("check", tmp_path / "json")
    told("docs", "remove", "floods")
    paper = tmp_path / f"paper{NASTY}.md"
    paper.write_text(
        f"# Floods {NASTY}\n\nCities flood when rain falls on ground 7, sealed {NASTY} by asphalt [1].\n\n"
        f"## References\n\n1. Ann {NASTY}. Flood {NASTY}. 2019. https://example.org/{NASTY}\n"
    )
    wanted = ["--of", f"Cities{NASTY},Ground", "--by", f"rain{NASTY},asphalt"]
    for view in ((), ("--json",)):
        flags = ["--docs", folder, "--offline", "--model", "embedded", *view]
        code, words = told("audit", paper, *flags, "--out", tmp_path / f"audit{NASTY}{len(view)}")
        assert code in (0, 1), words
        assert "Traceback" not in words
        code, words = told("compare", *wanted, *flags, "--out", tmp_path / f"compare{NASTY}{len(view)}")
        assert code == 0, words
        named = [folder, "--fields", f"rain{NASTY},asphalt", *flags[2:]]
        code, words = told("extract", *named, "--out", tmp_path / f"extract{NASTY}{len(view)}")
        assert code == 0, words
    topics = tmp_path / f"topics{NASTY}.jsonl"
    topics.write_text(json.dumps({"topic": topic, "id": NASTY, "turns": 2}))
    flags = ["--docs", folder, "--offline", "--model", "embedded", "--processes", "1"]
    for view in ((), ("--json",)):
        code, words = told("batch", topics, "--out", tmp_path / f"batch{len(view)}", *flags, *view)
        assert code == 0, words


def test_a_session_whose_journal_is_hostile(told, home: Path, documents: Path, tmp_path: Path, monkeypatch):
    asyncio.run(hostile_session(home / "roundtable", documents))
    with sqlite3.connect(home / "roundtable" / "journal.db") as journal:
        journal.execute("UPDATE sessions SET started = ? || started", (NASTY,))
        journal.execute("UPDATE events SET at = ? || at", (NASTY,))
    commands: list[list[str | Path]] = [
        ["list"], ["list", "--json"], ["show", "last"], ["show", "last", "--json"], ["replay", "last"],
        ["replay", "last", "--json"], ["replay", "last", "--plain"], ["check", "last"],
        ["check", "last", "--json"], ["report", "last", "--out", tmp_path / "r"],
        ["export", "last", "--out", tmp_path / f"e{NASTY}"], ["fork", "last", "1"], ["doctor"],
        ["export", "last", "--bundle", tmp_path / "b.zip"], ["resume", "last"],
        ["rename", "last", f"Called{NASTY}"], ["list"],
        ["update", "last", "--every", "1d"], ["sources", "list"], ["man"],
    ]  # fmt: skip
    for again in commands:
        _, words = told(*again)
        assert words, again
        assert "Traceback" not in words
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "elsewhere"))
    code, words = told("import", tmp_path / "b.zip")
    assert code == 0, words
    told("show", "last")
    told("replay", "last")
    told("export", "last", "--report", "md", "--out", tmp_path / "one.md", "--force")


def test_hostile_words_where_none_are_wanted(told, tmp_path: Path):
    bad = tmp_path / f"bad{NASTY}.toml"
    bad.write_text(f"x = {json.dumps(NASTY)}\n")
    for command in COMMANDS:
        told(command, f"--{NASTY}")
        told(command, NASTY, NASTY)
    told(NASTY)
    told("help", NASTY)
    told("version")
    told("delete", NASTY, "--yes")
    told("run", "Floods", "--config", bad)
    told("run", "Floods", "--docs", tmp_path / f"none{NASTY}")
    told("run", "Floods", "--budget", f"{NASTY}=1")
    told("import", bad)
    told("journal", "copy", NASTY, tmp_path / "copy")
    told("journal", "copy", f"postgresql://{NASTY}@127.0.0.1:1/{NASTY}", tmp_path / "copy")
    told("import-map", bad)
    told("batch", bad, "--out", tmp_path / f"batch{NASTY}")


@pytest.mark.loopback
def test_a_model_that_replies_and_fails_with_hostile_words(
    told, documents: Path, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    poison = f"Words {MARKUP}{ESCAPES}{NASTY}"
    named = ("text", "answer", "name", "role", "focus", "question", "title", "heading")
    values = dict.fromkeys(named, poison)
    flagged = ["--docs", documents, "--offline", "--turns", "2", "--model", "openai:test-model"]
    with ModelServer(values=values) as server:
        flags = [*flagged, "--base-url", server.url]
        code, words = told("run", "Why do cities flood?", *flags, "--out", tmp_path / "out")
        assert code == 0, words
        told("show", "last")

    def refuse(*_: object) -> str:
        return f"wrong_key:{NASTY}"

    with ModelServer(troubles=refuse) as server:
        flags = [*flagged, "--base-url", server.url]
        told("run", "Why do cities flood?", *flags, "--out", tmp_path / "out2")


def test_an_exported_file_that_is_printed_on_a_terminal(home: Path, documents: Path):
    asyncio.run(hostile_session(home / "roundtable", documents))
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "roundtable", "export", "last", "--map", "mermaid", "--out", "-"],
        stdout=theirs, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    ) as process:  # fmt: skip
        os.close(theirs)
        words = b""
        with contextlib.suppress(OSError):  # it has ended
            while piece := os.read(ours, 65_536):
                words += piece
        assert process.wait(60) == 0, process.stderr and process.stderr.read()
    os.close(ours)
    shown = words.decode().replace("\r\n", "\n")
    assert "Mine" in shown
    harmless(shown)


def test_json_with_what_a_terminal_acts_on_stands_for_the_same_values():
    every = "".join(map(chr, range(0x3000))) + "\ufeff\U000e0041\ud800"
    written = escape_unshown(json.dumps({"a": every}, ensure_ascii=False))
    harmless(written)
    assert json.loads(written) == {"a": every}


def test_nothing_is_written_to_a_terminal_but_by_the_one_writer():
    for path in sorted(Path("roundtable").rglob("*.py")):
        if path.as_posix() in ALLOWED or "node_modules" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in WRITING or _painted(path, node), f"{path}:{node.lineno}: {called}"


def _painted(path: Path, node: ast.Call) -> bool:
    """Whether it writes what rich has drawn of lines, which are clean whoever makes them."""
    return path.name == "seat.py" and ast.unparse(node.args[0]) == "painted.getvalue()"


def test_accounts_of_hostile_names(told):
    told("accounts", "add", f"Ada{NASTY}")
    told("accounts", "add", "Bo")
    told("accounts", "token", "Bo", f"laptop{NASTY}")
    told("accounts", "list")
    told("accounts", "remove", f"Ada{NASTY}")


def test_no_command_is_missing_here():
    words = Path(__file__).read_text(encoding="utf-8")
    # Tested with the seat, the page, the protocol, updates, the queue.
    needs_more = {"join", "serve", "mcp", "watch", "worker"}
    assert {name for name in COMMANDS if f'"{name}"' not in words} <= needs_more
