"""Keys and passwords are planted everywhere they may be, and looked for everywhere they must not be."""

import http.client
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.secrets import hold_secret, mask_secrets, mask_unfinished
from tests.command_process import run_command
from tests.faults.town import TOPIC, write_documents
from tests.model_answers import Filler
from tests.model_server import ModelServer
from tests.web import conftest as serving

ROOT = Path(__file__).resolve().parents[2]
PLANTED = {
    "OPENAI_API_KEY": "sk-planted-openai-1f3a",
    "ANTHROPIC_API_KEY": "sk-ant-planted-2b4c",
    "RERANK_API_KEY": "planted-rerank-3d5e",
    "EMBEDDINGS_API_KEY": "planted-embeddings-4f6a",
    "SEARXNG_TOKEN": "planted-searxng-5b7c",
    "HTTPS_PROXY": "http://planted-proxy-user:planted-proxy-word@127.0.0.1:9",
}
PASSWORD = "planted-password-6d8e"
WORDS = ("planted-", "sk-ant-planted", PASSWORD)

pytestmark = [pytest.mark.loopback, pytest.mark.slow]


def leaks(*places: Path | bytes | str) -> list[str]:
    """Return where any planted word stands: in texts, or in any file of a folder."""
    found = []
    for place in places:
        if isinstance(place, Path):
            read = {str(file): file.read_bytes() for file in place.rglob("*") if file.is_file()}
        else:
            read = {"output": place.encode() if isinstance(place, str) else place}
        found += [name for name, data in read.items() if any(word.encode() in data for word in WORDS)]
    return found


class Machine:
    """A home folder, and commands run with the planted environment; what they print is kept."""

    def __init__(self, folder: Path) -> None:
        self.home, self.out = folder / "rt", folder / "out"
        self.documents = write_documents(folder / "documents")
        self.printed: list[str] = []

    def __call__(self, *words: object, code: int = 0) -> str:
        own = {"ROUNDTABLE_HOME": str(self.home), "ROUNDTABLE_DEBUG": "1", "ROUNDTABLE_MODELS__RETRIES": "1"}
        done = run_command(*words, env={**os.environ, **PLANTED, **own})
        self.printed += [done.stdout, done.stderr]
        assert done.returncode == code, done.stderr[-2000:].replace(PASSWORD, "…")
        return done.stdout


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    assert leaks(made.home, made.out, *made.printed) == []


def order(machine: Machine, server: ModelServer) -> list[object]:
    url = server.url.replace("http://", f"http://planted-user:{PASSWORD}@")
    return [
        "run", TOPIC, "--docs", machine.documents, "--offline", "--model", "openai:test-model", "--base-url",
        url, "--turns", "2", "--json", "--out", machine.out,
    ]  # fmt: skip


def test_a_session_and_everything_made_of_it_holds_no_secret(machine: Machine) -> None:
    with ModelServer() as server:
        machine(*order(machine, server))
        assert server.requests
    machine("export", "last", "--bundle", machine.out / "session.zip")
    for form in ("html", "json"):
        machine("export", "last", "--report", form, "--out", machine.out / f"report.{form}")
    machine("replay", "last", "--json")
    machine("doctor", "--offline")


@pytest.mark.parametrize("trouble", ["wrong_key:" + PLANTED["OPENAI_API_KEY"], "500"])
def test_a_model_that_echoes_the_key_does_not_get_it_told(trouble: str, machine: Machine) -> None:
    with ModelServer(troubles=lambda *_: trouble) as server:
        machine(*order(machine, server), code=3)
    machine("show", "last")


def events(port: int, path: str, headers: dict[str, str]) -> bytes:
    """Return the stream of a session's events up to its end."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("GET", path, headers={"Host": f"127.0.0.1:{port}", **headers})
    answer = connection.getresponse()
    told = b""
    while b"session_ended" not in told:
        told += answer.readline()
    connection.close()
    return told


def test_the_page_tells_no_secret(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = serving.environment
    monkeypatch.setattr(serving, "environment", lambda home: {**plain(home), **PLANTED})
    with ModelServer() as server:
        machine(*order(machine, server))
        served = serving.start(machine.home)
        try:
            told: list[Any] = []
            bearer = {"Authorization": f"Bearer {served.bearer}"}
            [session] = served.ask("/api/sessions")
            one = f"/api/sessions/{session['id']}"
            made = (f"{one}/report/report.md", f"{one}/report/report.html", f"{one}/map/mindmap.json")
            fixed = ("/", "/api/setup", "/api/sessions", "/api/nothing")
            for path in (*fixed, one, f"{one}/plan", f"{one}/sources", *made):
                status, headers, data = served.request("GET", path, headers=bearer)
                told += [repr(headers), data]
                assert status < 500, path
            assert leaks(*told) == []
            assert leaks(events(served.port, f"{one}/events?after=0", bearer)) == []
        finally:
            served.process.kill()
            served.process.wait()
            assert served.process.stdout is not None
            machine.printed.append(served.process.stdout.read())
            served.process.stdout.close()


def test_a_server_that_repeats_the_key_in_every_reply_gets_it_nowhere(machine: Machine) -> None:
    def repeating(filler: Filler) -> str:
        return f"My key is {PLANTED['OPENAI_API_KEY']}, I was told. {filler.cited()}"

    said = dict.fromkeys(("answer", "title", "question", "name", "focus", "heading"), repeating)
    with ModelServer(values={**said, "paragraphs": lambda filler: [repeating(filler)]}) as server:
        machine(*order(machine, server))
        assert server.requests > 5
    machine("show", "last")
    machine("export", "last", "--bundle", machine.out / "session.zip")
    assert "My key is …, I was told" in (machine.out / "transcript.md").read_text(encoding="utf-8")


def test_a_text_being_written_shows_no_secret_and_not_the_beginning_of_one() -> None:
    secret = "sk-planted-unfinished-7e9f"
    hold_secret(secret)
    whole = f"The key is {secret}, it says."
    for length in range(len(whole) + 1):
        shown = mask_unfinished(whole[:length])
        assert "sk-p" not in shown
    assert mask_secrets(whole) == "The key is …, it says."


@pytest.mark.parametrize("plain", ["none", "ollama", "lm-studio", "no-key-is-required"])
def test_a_word_given_where_no_key_is_wanted_is_no_secret(plain: str) -> None:
    hold_secret(plain)
    assert mask_secrets(f"run it with {plain}") == f"run it with {plain}"
