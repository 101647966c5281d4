"""A real `/v1/embeddings` server on this machine's loopback address: vectors from the words of a text."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

AXES = ("rain", "snow", "asphalt", "dyke")


class EmbeddingServer:
    """Answers with one number for each of `AXES`; `broken` sends something else, after so many answers.

    `length` tells how long vectors are in the answer of a number, from 1 on.
    """

    def __init__(
        self, *, broken: bool = False, broken_after: int | None = None,
        length: Callable[[int], int] | None = None,
    ) -> None:  # fmt: skip
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append({"path": self.path, **body})
                server.keys.append(self.headers.get("Authorization", ""))
                vectors = [[0.1 + text.lower().count(axis) for axis in AXES] for text in body["input"]]
                if length is not None:
                    vectors = [[0.5] * length(len(server.asked)) for _ in vectors]
                entries = [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]
                # Servers may answer in any order: the index says which is which.
                late = broken_after is not None and len(server.asked) > broken_after
                answer = json.dumps({"data": [] if broken or late else entries[::-1]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
