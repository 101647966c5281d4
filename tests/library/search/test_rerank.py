"""A reranker is asked over a real socket; what it answers is held to be a stranger's word."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from library.errors import FetchError, SearchError
from library.search.rerank import Reranker, RerankSettings

pytestmark = pytest.mark.loopback


class Service(BaseHTTPRequestHandler):
    """Scores a document by its length, unless it is told to answer something else."""

    def __init__(self, told: dict[str, Any], asked: list[Any], *arguments: object) -> None:
        self.told, self.asked = told, asked
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((body, self.headers.get("Authorization")))
        results = [{"index": n, "relevance_score": len(t) / 100} for n, t in enumerate(body["documents"])]
        results.sort(key=lambda result: -result["relevance_score"])
        data = self.told.get("raw") or json.dumps({"results": results}).encode()
        self.send_response(self.told.get("status", 200))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    told: dict[str, Any] = {}
    asked: list[Any] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Service, told, asked))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", told, asked
    server.shutdown()
    thread.join()
    server.server_close()


def reranker(host: str, **more: Any) -> Reranker:
    return Reranker(RerankSettings(url=f"http://{host}/v1/rerank", model="m", **more), "secret", [host])


async def test_scores_come_in_the_order_of_the_texts(service: Any) -> None:
    host, _, asked = service
    one = reranker(host)
    assert await one.rerank("q", ["aa", "aaaaaa", "a"]) == [0.02, 0.06, 0.01]
    await one.close()
    body, key = asked[0]
    assert (body["query"], body["model"], key) == ("q", "m", "Bearer secret")


@pytest.mark.parametrize(
    "told",
    [
        {"status": 500}, {"raw": b"<html>"}, {"raw": b"[]"}, {"raw": b'{"results": []}'},
        {"raw": b'{"results": [{"index": 9, "relevance_score": 1}]}'},
        {"raw": b'{"results": [{"index": 0, "relevance_score": NaN}]}'},
    ],
)  # fmt: skip
async def test_an_answer_without_scores_is_an_error_that_names_the_service(service: Any, told: Any) -> None:
    host, answer, _ = service
    answer.update(told)
    one = reranker(host)
    with pytest.raises(SearchError, match=r"127\.0\.0\.1"):
        await one.rerank("q", ["a", "b"])
    await one.close()


async def test_a_private_host_that_nobody_opened_is_not_asked(service: Any) -> None:
    host, _, asked = service
    with pytest.raises(FetchError):
        Reranker(RerankSettings(url=f"http://{host}/v1/rerank"))
    assert asked == []
