"""The web through ddgs: over a proxy of the test's own, and its silences told apart."""

import random
import socket
import ssl
import threading

import pytest

from library.errors import SearchError
from library.search.backends import backend
from library.search.backends.web import WebCollection
from library.search.interface import Hit
from library.search.search_settings import SearchSettings
from library.web.fetcher import Fetcher


class Engines:
    """What ddgs would find, one answer after the other; the last one again and again."""

    def __init__(self, *answers) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, text: str, limit: int):
        self.asked.append(text)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


FOUND = [{"title": "A", "href": "https://a.example/", "body": "About A"}]
DOWN = SearchError("the web could not be searched (timed out)")


@pytest.fixture
def web(monkeypatch):
    def make(*answers, **settings):
        time = [0.0]
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(round(seconds, 3))
            time[0] += seconds

        engines = Engines(*answers)
        collection = WebCollection(
            SearchSettings(**settings), now=lambda: time[0], sleep=sleep, chance=random.Random(1)
        )
        monkeypatch.setattr(collection, "_ask", engines)
        collection.engines, collection.waits, collection.time = engines, waits, time
        return collection

    return make


async def test_results_become_hits(web):
    assert await web(FOUND).search("  some   words ", 5) == [Hit("https://a.example/", "A", "About A")]


async def test_searches_keep_their_distance(web):
    collection = web(FOUND, web_pause=2.0)
    for _ in range(3):
        await collection.search("x", 5)
    assert collection.waits == [2.0, 2.0]


async def test_a_failure_is_tried_again_later_and_later(web):
    collection = web(DOWN, DOWN, FOUND, web_pause=1.0, web_attempts=3)
    assert await collection.search("x", 5)
    assert len(collection.engines.asked) == 3
    first, second = collection.waits
    assert 1.0 <= first <= 1.5
    assert 2.0 <= second <= 3.0


async def test_a_failure_that_lasts_is_an_error(web):
    with pytest.raises(SearchError, match="timed out"):
        await web(DOWN, web_attempts=2).search("x", 5)


async def test_nothing_found_is_believed_when_a_plain_question_is_answered(web):
    collection = web([], [], [], FOUND, web_attempts=3)
    assert await collection.search("xyzzy plugh", 5) == []
    assert collection.engines.asked == ["xyzzy plugh"] * 3 + ["weather"]


async def test_nothing_found_is_believed_shortly_after_an_answer_without_asking(web):
    collection = web(FOUND, [], [], [], web_attempts=1)
    await collection.search("words", 5)
    assert await collection.search("xyzzy", 5) == []
    assert collection.engines.asked == ["words", "xyzzy"]
    collection.time[0] += 600
    with pytest.raises(SearchError):
        await collection.search("xyzzy", 5)


async def test_silence_to_everything_is_taken_for_a_refusal(web):
    with pytest.raises(SearchError, match="not even for a plain question: its engines seem to limit us"):
        await web([], web_attempts=2).search("tree rings", 5)


async def test_an_empty_query_asks_nothing(web):
    collection = web(FOUND)
    assert await collection.search(" ", 5) == []
    assert await collection.search("x", 0) == []
    assert collection.engines.asked == []


async def test_offline_nothing_is_asked():
    async with Fetcher(offline=True) as fetcher:
        with pytest.raises(SearchError, match="^offline"):
            await backend("web", fetcher).search("x", 5)


RESULTS = b"""<html><body><ul class="results-standard">
<li><h2><a href="https://a.example/rings">Rings &amp; trees</a></h2><p class="s">About rings.</p></li>
<li><h2><a href="https://b.example/">Second</a></h2><p class="s">More.</p></li></ul></body></html>"""


class Proxy:
    """An HTTP proxy for CONNECT that answers itself, in the name of every host."""

    def __init__(self, context: ssl.SSLContext | None, page: bytes = RESULTS) -> None:
        self.hosts: list[str] = []
        self.requests: list[str] = []
        self._context = context
        self._page = page
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                try:
                    self._answer(connection)
                except OSError:
                    continue  # the client hung up

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        first = connection.recv(4096).decode("latin-1")
        if not first:
            return
        self.hosts.append(first.split()[1])
        if self._context is None:
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        with self._context.wrap_socket(connection, server_side=True) as secure:
            self.requests.append(secure.recv(8192).decode("latin-1").splitlines()[0])
            headers = (
                "HTTP/1.1 200 OK",
                "Content-Type: text/html",
                f"Content-Length: {len(self._page)}",
                "",
                "",
            )
            secure.sendall("\r\n".join(headers).encode() + self._page)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@pytest.fixture
def proxy(certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "site.pem", certificates / "site.key")
    proxy = Proxy(context)
    yield proxy
    proxy.close()


def settings_for(proxy: Proxy, certificates=None) -> SearchSettings:
    return SearchSettings(
        web_proxy=proxy.url,
        web_certificates=str(certificates / "ca.pem") if certificates else None,
        web_engines=("mojeek",),
        web_attempts=1,
        web_seconds=5,
    )


@pytest.mark.loopback
async def test_ddgs_itself_asks_an_engine_through_the_proxy(proxy, certificates):
    async with Fetcher() as fetcher:
        hits = await backend("web", fetcher, settings_for(proxy, certificates)).search("tree rings", 2)
    assert hits == [
        Hit("https://a.example/rings", "Rings & trees", "About rings."),
        Hit("https://b.example/", "Second", "More."),
    ]
    assert proxy.hosts == ["www.mojeek.com:443"]
    assert proxy.requests[0].startswith("GET /search?q=tree+rings")


@pytest.mark.loopback
async def test_ddgs_checks_certificates(proxy):
    async with Fetcher() as fetcher:
        with pytest.raises(SearchError, match="the web could not be searched"):
            await backend("web", fetcher, settings_for(proxy)).search("tree rings", 2)
    assert proxy.requests == []


@pytest.mark.loopback
async def test_a_proxy_that_refuses_is_an_error():
    proxy = Proxy(None)
    try:
        async with Fetcher() as fetcher:
            with pytest.raises(SearchError, match="the web could not be searched"):
                await backend("web", fetcher, settings_for(proxy)).search("tree rings", 2)
    finally:
        proxy.close()
    assert proxy.hosts


@pytest.mark.loopback
async def test_an_engine_that_shows_no_results_counts_as_silence(certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "site.pem", certificates / "site.key")
    proxy = Proxy(context, b"<html><body>Are you a robot?</body></html>")
    try:
        async with Fetcher() as fetcher:
            with pytest.raises(SearchError, match="seem to limit us"):
                await backend("web", fetcher, settings_for(proxy, certificates)).search("tree rings", 2)
    finally:
        proxy.close()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("DNSError: error resolving DNS > no records found", "no search engine can be reached"),
        ("invalid peer certificate", "invalid peer certificate"),
    ],
)
async def test_an_engine_out_of_reach_is_told_in_a_few_words(said, told, monkeypatch):
    from ddgs.exceptions import DDGSException

    def fails(*_arguments, **_named):
        raise DDGSException(said)

    monkeypatch.setattr("ddgs.ddgs.DDGS.text", fails)  # the class itself: `ddgs.DDGS` stands for it
    async with Fetcher() as fetcher:
        with pytest.raises(SearchError, match=told):
            await backend("web", fetcher, SearchSettings(web_attempts=1)).search("tree rings", 2)
