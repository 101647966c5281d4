"""A session that searches and reads pages: real HTTP on loopback, the fetcher, trafilatura."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session
from tests.journeys.session.test_embedded import play

PAGES = Path(__file__).parents[2] / "pages"


class Site(BaseHTTPRequestHandler):
    """A search engine that speaks SearXNG's JSON, and the pages that it finds."""

    def __init__(self, names: list[str], asked: list[str], *arguments: object) -> None:
        self.names, self.asked = names, asked
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        self.asked.append(where.path)
        if where.path == "/search":
            assert parse_qs(where.query)["format"] == ["json"]
            host = self.headers["Host"]
            results = [{"url": f"http://{host}/{n}", "title": n, "content": "found"} for n in self.names]
            results.insert(1, {"url": f"http://{host}/gone.html", "title": "gone", "content": "was here"})
            self.answer(200, "application/json", json.dumps({"results": results}).encode())
        elif where.path[1:] in self.names:
            self.answer(200, "text/html; charset=utf-8", (PAGES / where.path[1:]).read_bytes())
        else:
            self.answer(404, "text/plain", b"nothing here")

    def answer(self, status: int, media_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    names = ["article.html", "news.html", "docs.html", "blog.html"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, names, asked))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.loopback
async def test_pages_of_the_web_are_searched_read_and_cited(
    site: tuple[str, list[str]], around: Runtime
) -> None:
    host, asked = site
    settings = load_settings(
        {
            "search": ["searxng"],
            "models": {"model": "embedded"},
            "moderator": {"turns": 5},
            "library": {"fetch": {"allow": [host]}, "search": {"addresses": {"searxng": f"http://{host}"}}},
        },
        environment={},
    )
    topic = json.loads((PAGES / "expected.json").read_text())["article.html"]["title"]
    session = await start_session(topic, settings, around=around)
    await play(session)
    state = session.state
    assert state.status == "ended"
    assert {p.url for p in state.evidence.passages.values()} >= {f"http://{host}/article.html"}
    read = state.work.pages
    assert read[f"http://{host}/article.html"].sha256
    assert "404" in (read[f"http://{host}/gone.html"].error or "")
    assert state.report is not None
    assert sum(len(s.sentences) for s in state.report.sections) > 3
    assert len([path for path in asked if path == "/article.html"]) == 1
