"""A server in a process of its own, with a home folder of its own, and a few documents to talk about."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from roundtable.web.access.keys import Keys
from tests import command_process

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.loopback,
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (apt install chromium)"),
]
"""Marks of tests that look at the page as people do."""


@dataclass
class Server:
    """A running `roundtable serve`."""

    home: Path
    port: int
    url: str
    process: subprocess.Popen[str]
    bearer: str
    lines: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request as it is; nothing is added but what HTTP needs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        data = json.dumps(body).encode() if body is not None and not isinstance(body, bytes) else body
        sent = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        connection.request(method, path, body=data, headers=sent)  # type: ignore[arg-type]
        answer = connection.getresponse()
        told = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        connection.close()
        return told

    def ask(self, path: str, body: object = None) -> Any:
        """Ask as a script does, with the bearer token."""
        headers = {"Authorization": f"Bearer {self.bearer}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        status, _, data = self.request("GET" if body is None else "POST", path, body, headers)
        assert status < 300, (status, data)
        return json.loads(data)

    def discuss(self, documents: Path) -> str:
        """Begin a session of three turns with the model that the environment names; return its id."""
        identity: str = self.ask("/api/sessions", {
            "topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 3,
            "model": "openai:test-model",
        })["id"]  # fmt: skip
        return identity

    def join(self, url: str | None = None) -> str:
        """Follow the link that was printed; return the cookie it gives."""
        parts = urlsplit(url or self.url)
        status, headers, _ = self.request("GET", f"{parts.path}?{parts.query}")
        assert status == 303, status
        assert headers["location"] == "/"
        return headers["set-cookie"].partition(";")[0]

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal and wait; return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=300)


def run_command(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_process.run_command(*arguments, env=environment(home))


def environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ROUNDTABLE_") and not k.endswith("_KEY")}
    meanings = os.environ["ROUNDTABLE_MEANINGS"]
    return {**kept, "ROUNDTABLE_HOME": str(home), "HOME": str(home), "ROUNDTABLE_MEANINGS": meanings}


def start(home: Path, *arguments: str, shared: Path | None = None) -> Server:
    more = {} if shared is None else {"ROUNDTABLE_SHARED": str(shared)}
    process = command_process.Command(
        "serve", *(arguments or ("--port", "0")),
        env=environment(home) | more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    assert url.startswith(("http://", "https://")), url + process.stdout.read()
    port = urlsplit(url).port
    assert port is not None
    return Server(home, port, url, process, Keys(shared or home).bearer())


def put_away(server: Server) -> None:
    """End a server for good, whatever it does."""
    with contextlib.suppress(ProcessLookupError):
        server.process.kill()
    server.process.wait()
    assert server.process.stdout is not None
    server.process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers on the test's own home; all are ended with the test."""
    started: list[Server] = []

    def begin(*arguments: str) -> Server:
        home = tmp_path / "served"
        started.append(start(home, *arguments))
        return started[-1]

    yield begin
    for server in started:
        put_away(server)


@pytest.fixture
def server(serve: Callable[..., Server]) -> Server:
    return serve()


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A dozen short documents about floods in cities."""
    return write_floods(tmp_path / "floods")


def write_floods(folder: Path) -> Path:
    """Write the documents into a folder of their own, which is returned."""
    folder.mkdir()
    lines = (Path(__file__).parent / "floods.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        title, _, text = line.partition(": ")
        (folder / f"{number:02}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Any, Any]]:
    """A real browser, begun once for all tests of a process, and the event loop by which it is steered.

    Where no test is at work with it, that loop counts as not running: others run loops of their own.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=180_000)  # where others work, a page is slow and not wrong
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(chromium: tuple[Any, Any]) -> Iterator[Any]:
    """The browser; what a test opens in it is closed with the test."""
    begun, loop = chromium
    asyncio._set_running_loop(loop)
    yield begun
    for context in begun.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def page(browser: Any) -> Any:
    """A page of a real browser; `errors` holds what its console told."""
    # What moves is drawn sixty times a second for as long as a test waits.
    look = {"viewport": {"width": 1400, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"}
    context = browser.new_context(**look)
    context.set_default_timeout(180_000)
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda told: page.errors.append(told.text) if told.type == "error" else None)
    return page
