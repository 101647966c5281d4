"""A site on 127.0.0.1 that answers as a test tells it to."""

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    hold: bool = False
    """Send the headers and half of the body, then wait until the site closes."""
    cut: bool = False
    """Announce twice the body, and hang up after it."""


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: bytes = b""


class Website:
    """Pages by path; a page may be a function of the request. Everything asked for is in `asked`."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer | Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        self.closing = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.answer(self)

            def do_POST(self) -> None:
                site.answer(self)

            def log_message(self, *_args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = False

            def get_request(self):
                site.connections += 1
                return super().get_request()

            def handle_error(self, request, client_address) -> None:
                pass  # the client hung up

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def add(self, path: str, body: bytes | str = b"", status: int = 200, **headers: str) -> str:
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = Answer(data, status, {"Content-Type": "text/html; charset=utf-8"} | named)
        return self.url + path

    def redirect(self, path: str, location: str, status: int = 302) -> str:
        return self.add(path, b"", status, Location=location)

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        asked = Asked(handler.path, headers, handler.rfile.read(int(headers.get("content-length", "0"))))
        self.asked.append(asked)
        page = self.pages.get(handler.path) or self.pages.get(handler.path.partition("?")[0])
        if page is None:
            page = Answer(b"not here", 404)
        elif callable(page):
            page = page(asked)
        handler.send_response(page.status)
        for name, value in page.headers.items():
            if value:
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(page.body) * (2 if page.cut else 1)))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        if page.hold:
            handler.wfile.write(page.body[: len(page.body) // 2])
            handler.wfile.flush()
            self.closing.wait(30)
            return
        handler.wfile.write(page.body)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def website() -> Iterator[Website]:
    site = Website()
    yield site
    site.close()


@pytest.fixture
def answer() -> type[Answer]:
    """For pages that are functions of the request."""
    return Answer


@pytest.fixture(scope="session")
def pages() -> Path:
    """Saved pages of many kinds of markup."""
    return Path(__file__).parent.parent / "pages"


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """An authority and a certificate for a few names, made for this run."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "names").write_text(
        "subjectAltName=DNS:www.mojeek.com,DNS:site.example\nextendedKeyUsage=serverAuth\n"
    )
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    authority = "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign"
    for command in (
        f"req -x509 {key} -days 30 -keyout ca.key -out ca.pem -subj /CN=Authority {authority}",
        f"req {key} -keyout site.key -out site.csr -subj /CN=site.example",
        "x509 -req -in site.csr -CA ca.pem -CAkey ca.key -set_serial 2 -days 30 -extfile names -out site.pem",
    ):
        subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)
    return folder
