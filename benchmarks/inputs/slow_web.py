"""A web on this machine that takes its time: a search engine that speaks SearXNG's JSON, and made pages.

Pages stand on many addresses of the loopback network, as they would on many hosts: what the program leaves
between two requests to one host is left here too.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Self
from urllib.parse import parse_qs, urlsplit

from benchmarks.inputs.made import Page, page

HOSTS = 120
RESULTS = 10


class SlowWeb:
    """Searches and pages, each after its delay. `async with`; every request is counted."""

    def __init__(self, *, search: float, page_delay: float, pages: int = 120, edition: int = 0) -> None:
        """Make the pages.

        Args:
            search: Seconds before the answer to a search.
            page_delay: Seconds before a page; a robots.txt comes at once.
            pages: How many there are.
            edition: Of their texts.
        """
        self._search, self._delay = search, page_delay
        made = [page(number, edition=edition) for number in range(pages)]
        self._pages: Mapping[str, Page] = {each.name: each for each in made}
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        """What is served, and to whom."""
        self.port = 0
        self.searches = self.pages_sent = self.robots = 0

    @property
    def engine(self) -> str:
        """The search engine's address."""
        return f"http://127.0.1.1:{self.port}"

    @property
    def hosts(self) -> list[str]:
        """Every host with its port, as `fetch.allow` takes them."""
        return [f"127.0.1.{number}:{self.port}" for number in range(1, HOSTS + 1)]

    async def __aenter__(self) -> Self:
        first = await asyncio.start_server(self._serve, "127.0.1.1", 0)
        self.port = first.sockets[0].getsockname()[1]
        others = [f"127.0.1.{number}" for number in range(2, HOSTS + 1)]
        self._servers = [first, await asyncio.start_server(self._serve, others, self.port)]
        return self

    async def __aexit__(self, *_error: object) -> None:
        for server in self._servers:
            server.close()
        # A loop that ends before them would leave their sockets open.
        for writer in self._open.values():
            writer.close()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        task.add_done_callback(lambda done: self._open.pop(done, None))
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                await self._answer(head.split(" ", 2)[1], writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> None:
        where = urlsplit(path)
        name = where.path[1:]
        if where.path == "/search":
            self.searches += 1
            await asyncio.sleep(self._search)
            body = json.dumps({"results": self._found(parse_qs(where.query)["q"][0])}).encode()
            _send(writer, 200, "application/json", body)
        elif name in self._pages:
            self.pages_sent += 1
            await asyncio.sleep(self._delay)
            _send(writer, 200, "text/html; charset=utf-8", self._pages[name].html.encode())
        else:
            self.robots += 1
            _send(writer, 404, "text/plain", b"nothing here")
        await writer.drain()

    def _found(self, query: str) -> list[dict[str, str]]:
        """Return the pages whose titles share most words with a query; among equals the query decides."""
        words = set(query.casefold().replace("?", "").split())
        # Of 120 pages the first twelve may lead, of more as many more: a large web has more to find.
        turn = sum(map(ord, query)) % (len(self._pages) // RESULTS) * (len(self._pages) // HOSTS)

        def worth(made: Page) -> tuple[int, int, str]:
            shared = len(words & set(made.title.casefold().replace(":", "").split()))
            return (-shared, (int(made.name[5:]) + turn) % len(self._pages), made.name)

        best = sorted(self._pages.values(), key=worth)[:RESULTS]
        return [
            {"url": self._url(made), "title": made.title, "content": made.paragraphs[0][:300]}
            for made in best
        ]

    def _url(self, made: Page) -> str:
        return f"http://127.0.1.{int(made.name[5:]) % HOSTS + 1}:{self.port}/{made.name}"


def _send(writer: asyncio.StreamWriter, status: int, media_type: str, body: bytes) -> None:
    head = f"HTTP/1.1 {status} x\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
