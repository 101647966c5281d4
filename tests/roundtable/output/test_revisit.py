"""Cited pages looked up again, over real sockets."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from library import Source
from library.settings import LibrarySettings
from library.web.fetch_settings import FetchSettings
from roundtable.output.revisit import CitedPage, compared, revisitor

TEXT = "The tower was built in 1871 on a reef far from the coast. Its lamp was lit by hand for a century."
PAGES = {
    "/same": TEXT,
    "/changed": f"{TEXT} In 2024 the town bought it and opened the stairs to visitors.",
    "/lost": "The tower was built in 1872 on a reef far from here. Its lamp was lit by hand for decades.",
}


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = PAGES.get(self.path)
        body = (found or "not here").encode()
        self.send_response(200 if found else 503 if self.path == "/busy" else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def cited(url: str) -> CitedPage:
    source = Source("0" * 64, url, "The tower", TEXT)
    return CitedPage(source, (source.passage(0, 57, "p1"), source.passage(58, len(TEXT), "p2")))


@pytest.mark.loopback
async def test_pages_are_told_apart_by_what_became_of_them(site: str) -> None:
    settings = LibrarySettings(fetch=FetchSettings(allow=(site,), pause=0, robots=False))
    places = [f"http://{site}/{name}" for name in ("same", "changed", "lost", "nowhere")]
    async with revisitor(settings) as visitor:
        seen = [cited(f"http://{site}/{name}#as-it-looks") for name in ("lost", "nowhere")]
        found = await visitor.visit([*map(cited, places), cited("file:///papers/notes.md"), *seen])
    fates = ["same", "changed", "lost", "gone", "unread", "unread", "gone"]
    assert [page.fate for page in found] == fates
    assert found[2].lost == ("p1", "p2")
    async with revisitor(settings, offline=True) as visitor:
        assert [page.fate for page in await visitor.visit([cited(places[0])])] == ["unreachable"]


def test_layout_and_punctuation_are_no_change() -> None:
    old = cited("https://a.example/")
    now = Source("1" * 64, "https://a.example/", "t", TEXT.upper().replace(". ", "!\n\n"))
    assert compared(old, now).fate == "same"
