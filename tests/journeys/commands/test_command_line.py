"""The command as people run it: in a process of its own, with good and with bad input."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from roundtable.__main__ import run as run_here
from tests.command_process import Command, run_command

HEAVY = (
    "agents", "autogen_agentchat", "autogen_core", "httpx", "httpx2", "library", "lxml", "mindmap", "models",
    "networkx", "numpy", "openai", "pydantic", "pydantic_settings", "reports", "rich", "scipy", "trafilatura",
)  # fmt: skip
TOPIC = "Why do rivers flood?"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "rivers"
    folder.mkdir()
    causes = {
        "rain": "Heavy rain fills rivers faster than they drain. "
        "A storm of three days raised the river by two metres.",
        "snow": "Snow that melts in spring brings floods. "
        "Warm wind on deep snow is the most dangerous weather.",
        "cities": "Cities seal the ground with asphalt. "
        "Water runs off roofs and streets into rivers within an hour.",
        "dykes": "Dykes keep water from fields. "
        "When a dyke breaks, the flood comes suddenly and with great force.",
    }
    for name, text in causes.items():
        (folder / f"{name}.md").write_text(
            f"---\ntitle: On {name}\n---\n\n# {name.title()} and floods\n\n{text}\n"
        )
    return folder


def run(
    *arguments: str | Path, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd, env={**os.environ, **environment})


def refused(code: int, words: str) -> str:
    """Check that a command ended as wrong input does, with one line and no traceback; return the line."""
    assert code == 2, words
    assert len(words.splitlines()) == 1, words
    assert words.startswith("roundtable: ")
    return words


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(flag: str):
    program = (
        "import sys; from roundtable.__main__ import run; code = run(sys.argv[1:]);"
        "print(code, *sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program, flag], capture_output=True, text=True, check=True)
    code, *loaded = done.stdout.splitlines()[-1].split()
    assert code == "0"
    assert not set(loaded) & set(HEAVY)


def test_a_session_whose_output_nobody_reads_stops_and_can_go_on(documents: Path):
    words = ["run", TOPIC, "--turns", "2", "--docs", str(documents), "--offline", "--json"]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Command(*words, **pipes) as begun:
        assert begun.stdout is not None
        assert "session_started" in begun.stdout.readline()
        begun.stdout.close()
        assert begun.stderr is not None
        said = begun.stderr.read()
        assert begun.wait(100) == 3, said
    assert "Nobody reads the output any more; go on with: roundtable resume" in said
    assert run("resume", "last").returncode == 0


def test_a_session_from_start_to_export(documents: Path, tmp_path: Path):
    out = tmp_path / "out"
    done = run("run", TOPIC, "--docs", documents, "--offline", "--turns", "4", "--json", "--out", out)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["event"]["kind"] == "session_started"
    assert events[-1]["event"]["kind"] == "session_ended"
    assert "model: embedded" in done.stderr

    listed = json.loads(run("list", "--json").stdout)
    lines = [json.loads(line) for line in (out / "transcript.jsonl").read_text().splitlines()]
    assert [(row["topic"], row["state"], row["turns"]) for row in listed] == [(TOPIC, "ended", len(lines))]
    assert set(listed[0]) == {"id", "topic", "asked", "state", "turns", "sentences", "started", "watched"}
    shown = json.loads(run("show", "last", "--json").stdout)
    assert shown["transcript"] == lines
    assert {**{key: value for key, value in shown.items() if key in listed[0]}, "watched": ""} == listed[0]
    assert TOPIC in run("show", listed[0]["id"][:4]).stdout

    again = tmp_path / "again"
    exported = run("export", "last", "--out", again)
    assert exported.returncode == 0, exported.stderr
    for file in out.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name

    taken = run("run", TOPIC, "--docs", documents, "--offline", "--out", out)
    assert "--force" in refused(taken.returncode, taken.stderr)
    assert len(json.loads(run("list", "--json").stdout)) == 1, "a refused order begins no session"

    for file in out.iterdir():
        file.unlink()
    resumed = run("resume", "last", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert "has ended, and its files are written again" in resumed.stdout
    for file in again.iterdir():
        assert (out / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", ""], "the topic is empty"),
        (["run", " \n"], "the topic is empty"),
        (["run", "\x1b[31m\u202e \u200b"], "the topic is empty"),
        (["run"], "Missing argument 'TOPIC'"),
        (["run", TOPIC, "--offline"], "--docs"),
        (["run", TOPIC, "--offline", "--docs", "nowhere/at/all"], "no file or folder"),
        (["run", TOPIC, "--offline", "--docs", "python", "--model", "gpt"], "no model 'gpt'"),
        (["run", TOPIC, "--offline", "--docs", "python", "--model", "openai:gpt-x"], "openai:gpt-x"),
        (["run", TOPIC, "--offline", "--docs", "python", "--experts", "9"], "--experts: "),
        (["run", TOPIC, "--offline", "--docs", "python", "--turns", "0"], "--turns: "),
        (
            ["run", TOPIC, "--offline", "--docs", "python", "--out", "/proc/nothing"],
            "cannot write to /proc/nothing",
        ),
        (["run", TOPIC, "--offline", "--docs", "documnts"], "did you mean documents?"),
        (["run", TOPIC, "--docs", "python", "--search", "wikpedia"], "did you mean wikipedia?"),
        (["run", TOPIC, "--preset", "olama"], "did you mean ollama?"),
        (["run", TOPIC, "--config", "none.toml"], "cannot read none.toml"),
        (["run", TOPIC, "--exprts", "3"], "--exprts"),
        (["show", "nothing"], "no sessions yet"),
        (["resume", "last"], "no sessions yet"),
        (["export", "ab"], "no sessions yet"),
        (["docs", "remove", "nothing"], "no collection 'nothing'"),
        (["docs", "add", "python", "."], "choose another name"),
        (["docs", "add", "Python", "."], "choose another name"),
        (["docs", "add", "SESSIONS", "."], "choose another name"),
        (["docs", "add", "a/b", "."], "no name for a collection"),
        (["docs", "add", "name", "nowhere"], "no such file or folder"),
        (["fly"], "No such command 'fly'"),
        (["export", "last", "--report", "htlm"], "'ris'. Did you mean html? (see"),
        (["run", TOPIC, "--style", "artcle"], "'faq'. Did you mean article? (see"),
    ],
)
def test_bad_input_gets_one_line_and_begins_no_session(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "documents").mkdir()
    code = run_here(arguments)
    assert said in refused(code, capsys.readouterr().err)
    assert run_here(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", b"%PDF-1.4 broken"),
        ("a.bin", b"\x00\x01\x02" * 50),
        ("empty.md", b""),
    ],
)
def test_documents_of_which_nothing_can_be_read(name: str, data: bytes, tmp_path: Path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / name).write_bytes(data)
    done = run("run", TOPIC, "--offline", "--docs", folder, "--out", tmp_path / "out")
    refused(done.returncode, done.stderr)


def test_one_bad_file_among_many_is_named_and_skipped(documents: Path, tmp_path: Path):
    (documents / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    done = run("run", TOPIC, "--docs", documents, "--offline", "--turns", "2", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "broken.pdf" in done.stdout


def test_collections_are_added_listed_and_removed(documents: Path):
    added = run("docs", "add", "rivers", documents)
    assert "rivers: 4 new" in added.stdout, added.stderr
    assert "0 new, 0 changed, 0 gone, 4 as before" in run("docs", "add", "rivers", documents).stdout
    assert "rivers" in run("docs", "list").stdout
    assert "rivers: removed" in run("docs", "remove", "rivers").stdout
    assert "rivers" not in run("docs", "list").stdout


def test_a_reader_that_goes_away_is_no_error(documents: Path):
    run("docs", "add", "rivers", documents)
    program = [sys.executable, "-m", "roundtable", "docs", "list"]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(60) == 1
    process.stderr.close()


@pytest.mark.parametrize(("presses", "code", "state"), [(1, 0, "ended"), (2, 130, "stopped")])
def test_ctrl_c_once_writes_the_report_and_twice_stops_at_once(
    presses: int, code: int, state: str, documents: Path, tmp_path: Path
):
    out = tmp_path / "out"
    order = ["run", TOPIC, "--docs", documents, "--offline", "--turns", "200", "--json", "--out", out]
    process = Command(*order, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["event"]["kind"] == "panel_seated":
            break
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        while presses > 1 and process.poll() is None and "Ctrl-C again" not in process.stderr.readline():
            pass
    rest, words = process.communicate(timeout=300)
    assert process.returncode == code, words
    assert json.loads(run("list", "--json").stdout)[0]["state"] == state
    assert (out / "report.md").exists() == (presses == 1)
    assert (out / "transcript.jsonl").exists()
    resumed = run("resume", "last", "--turns", "1")
    assert resumed.returncode == 0, resumed.stderr
    assert (out / "report.md").exists()


def test_the_doctor_says_what_is_there_and_never_a_key():
    done = run("doctor", "--offline", OPENAI_API_KEY="sk-secret-of-mine")
    assert "OPENAI_API_KEY is set" in done.stdout
    assert "sk-secret" not in done.stdout + done.stderr
    assert done.returncode == 0, done.stdout
    assert "the web is asked of ddgs (no key)" in done.stdout
    keys = {f"{name.upper()}_API_KEY": f"{name}-of-mine" for name in ("brave", "tavily", "exa")}
    order = '["brave", "tavily", "ddgs"]'
    done = run("doctor", "--offline", **keys, ROUNDTABLE_LIBRARY__SEARCH__WEB_ORDER=order)
    assert "BRAVE_API_KEY is set" in done.stdout
    assert "EXA_API_KEY is set; library.search.web_order leaves it out" in done.stdout
    told = "the web is asked of brave first; tavily, ddgs (no key) when that fails or finds nothing"
    assert told in done.stdout
    assert "of-mine" not in done.stdout
    broken = run("doctor", "--offline", ROUNDTABLE_HOME="/proc/nothing")
    assert broken.returncode == 1
    assert "bad  home" in broken.stdout


@pytest.mark.parametrize(
    ("to", "code", "said"),
    [
        (">&-", 0, ""),
        (">&- <&- 2>&-", 0, ""),
        (">/dev/full", 1, "No space left on device; what was committed"),
    ],
)
def test_output_that_is_closed_or_full_is_no_unexpected_error(to: str, code: int, said: str):
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m roundtable list --help {to}'], capture_output=True, text=True,
        env=os.environ | {"ROUNDTABLE_DEBUG": ""}, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert said in done.stderr
    assert done.stderr.count("\n") == (1 if said else 0)


def test_debugging_shows_where_an_error_comes_from():
    done = run("run", "", ROUNDTABLE_DEBUG="1")
    assert "Traceback" in done.stderr
    assert done.returncode == 2


def test_a_command_without_what_it_needs_shows_its_help(capsys: pytest.CaptureFixture[str]):
    assert run_here(["docs"]) == 2
    assert capsys.readouterr().err.startswith("Usage: roundtable docs ")


def test_where_nothing_is_found_that_is_said_once(documents: Path, tmp_path: Path):
    topic = "Quokka \x1b[31mzygotes\x1b[0m? " * 60
    done = run("run", topic, "--docs", documents, "--offline", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The discussion is over") == 1
    assert "citation accuracy" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 400
    [row] = json.loads(run("list", "--json").stdout)
    assert row["topic"].startswith("Quokka zygotes? Quokka"), "no rest of a sequence is a part of its name"


@pytest.fixture
def engine() -> Iterator[HTTPServer]:
    """A search engine that finds nothing."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"results": []}')

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Empty) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize(("command", "answers"), [("run", True), ("run", False), ("join", False)])
def test_a_search_that_failed_is_told_from_one_that_found_nothing(
    command: str, answers: bool, engine: HTTPServer, tmp_path: Path
) -> None:
    port = engine.server_port if answers else 9
    config = tmp_path / "own.toml"
    config.write_text(
        f'[library.search.addresses]\nsearxng = "http://127.0.0.1:{port}"\n'
        f'[library.fetch]\nallow = ["127.0.0.1:{port}"]\n'
    )
    done = run(
        command, TOPIC, "--search", "searxng", "--model", "embedded", "--config", config, "--out", "o",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == (0 if answers else 1), done.stderr
    assert ("the report is empty" in done.stderr) is not answers
    assert ("Nothing was found" in done.stdout) is answers
    assert (tmp_path / "o" / "report.md").exists()
