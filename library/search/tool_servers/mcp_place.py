"""A server of the Model Context Protocol as a place to search, and as the reader of what it found.

Each text that it gives is archived as a source of its own, at an address that names the server
(`mcp:notes/12`) and not the page that the server says it is from. Addresses of the web are fetched as any
page's, by the same guard, and cited as what was fetched.
"""

import asyncio
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote, unquote

from library.errors import ReadError, SearchError
from library.evidence import Passage, Source
from library.passages.passage_selection import select
from library.readers.reader import Reader
from library.search.backends.http_backend import plain
from library.search.interface import Hit, NotedHits
from library.search.tool_servers.mcp_connection import McpConnection
from library.search.tool_servers.mcp_results import ToolItem, items_of
from library.search.tool_servers.mcp_settings import McpServer
from library.store.store import Store
from library.text.similarity.tfidf import TextStatistics
from models import install_command

SCHEME = "mcp:"
_LONGEST_QUERY = 400
_LONGEST_KEY = 1000
_LONGEST_SNIPPET = 2000
_PASSAGES = 3
"""Passages of one text that are results of a search; all of it can be read on."""


class McpPlace:
    """A server as a collection to search."""

    def __init__(
        self,
        name: str,
        server: McpServer,
        store: Store,
        reader: Reader,
        *,
        allow: tuple[str, ...],
        environment: Mapping[str, str],
        offline: bool,
    ) -> None:
        """Take a server; it is not asked before it is searched.

        Args:
            name: As in `where`.
            server: How it is reached, and which of its tools may be used.
            store: Where its texts are kept.
            reader: Reads them: they may be files of any kind.
            allow: Hosts opened by name, as in `fetch.allow`.
            environment: Where the variables are that the server is given.
            offline: No address of the web is followed.

        Raises:
            SearchError: the extra is not installed, a variable is not set, or its url may not be asked.
        """
        self.name = name
        self.description = server.description or f"What the server {name} finds."
        self.private = server.private
        self.local = server.local
        self._server = server
        self._store = store
        self._reader = reader
        self._offline = offline
        self._taken: dict[str, str] = {}
        """By tool: the argument that takes the text; settled once, whatever the server says of it later."""
        self._titles: dict[str, str] = {}
        """Of what searches found and `read` is to give: a tool that reads by an id gives text alone."""
        if find_spec("mcp") is None:
            raise SearchError(f"mcp.{name}: install what it needs: {install_command('mcp')}")
        self._connection = McpConnection(name, server, allow, environment)

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search, best first as the server has it. Raises SearchError when it fails."""
        words = " ".join(query.split())[:_LONGEST_QUERY]
        if not words or limit < 1:
            return []
        items = await self._called(self._server.search, self._server.argument, words, self._server.arguments)
        notes: list[str] = []
        hits: list[Hit] = []
        for number, item in enumerate(items[:limit]):
            try:
                hits += await self._hits(item, words, number)
            except ReadError as error:
                notes.append(f"{self.name}: {error}")
        return NotedHits(hits[:limit], notes)

    def reads(self, url: str) -> bool:
        """Tell whether an address is one of this server's."""
        return url.startswith(f"{SCHEME}{self.name}/")

    async def read(self, url: str) -> Source:
        """Read what a search found, and return it as a source; it is not kept yet.

        Raises:
            ReadError: the server does not give it, or it is nothing that can be read.
        """
        key = unquote(url.removeprefix(f"{SCHEME}{self.name}/"))
        tool = self._server.read
        try:
            if tool:
                items = await self._called(tool, self._server.read_argument, key, {})
            else:
                items = items_of(await self._connection.resource(key))
        except (SearchError, ValueError) as error:
            raise ReadError(f"{url}: {error}") from error
        given = [item for item in items if item.text.strip() or item.data]
        if not given:
            raise ReadError(f"{url}: {self.name} gave no text")
        if len(given) > 1 and all(item.text for item in given):
            given = [replace(given[0], text="\n\n".join(item.text for item in given))]
        return await self._source(given[0], url, self._titles.get(url, url))

    async def examine(self) -> str:
        """Ask the server what it offers; return it as one line. Raises SearchError."""
        offered = [tool.name for tool in await self._connection.tools()]
        mine = [tool for tool in (self._server.search, self._server.read) if tool]
        for tool, named in zip(mine, (self._server.argument, self._server.read_argument), strict=False):
            await self._argument(tool, named)
        others = ", ".join(plain(name)[:60] for name in offered[:30] if name not in mine)
        read = f", reads by {self._server.read}" if self._server.read else ""
        return f"{self.name} searches by {self._server.search}{read}; not used: {others or 'nothing'}"

    async def close(self) -> None:
        """End the connection."""
        await self._connection.close()

    async def _called(self, tool: str, named: str, text: str, more: Mapping[str, Any]) -> list[ToolItem]:
        argument = await self._argument(tool, named)
        result = await self._connection.call(tool, {**more, argument: text})
        try:
            return items_of(result)
        except ValueError as error:
            raise SearchError(f"{self.name} {tool}: {error}") from error

    async def _argument(self, tool: str, named: str) -> str:
        """Return which argument of a tool takes the text."""
        if tool not in self._taken:
            offered = {each.name: each for each in await self._connection.tools()}
            if tool not in offered:
                near = difflib.get_close_matches(tool, offered, 1)
                hint = f"did you mean {near[0]}? " if near else ""
                there = ", ".join(plain(name)[:60] for name in list(offered)[:30]) or "none"
                raise SearchError(f"{self.name} has no tool {tool}; {hint}there are: {there}")
            self._taken[tool] = named or self._only_text(tool, offered[tool].input_schema)
        return self._taken[tool]

    def _only_text(self, tool: str, schema: Mapping[str, Any]) -> str:
        fields = schema.get("properties")
        texts = [
            name
            for name, field in (fields.items() if isinstance(fields, Mapping) else ())
            if isinstance(field, Mapping) and field.get("type") == "string"
        ]
        required = schema.get("required")
        needed = [name for name in texts if isinstance(required, list) and name in required]
        found = needed if len(needed) == 1 else texts
        if len(found) != 1:
            key = "argument" if tool == self._server.search else "read_argument"
            there = ", ".join(plain(name)[:40] for name in texts[:20]) or "none"
            raise SearchError(f"{self.name}: say by mcp.{self.name}.{key} what {tool} is asked by: {there}")
        return str(found[0])

    async def _hits(self, item: ToolItem, query: str, number: int) -> list[Hit]:
        """Return an item as results: to be read by the server, fetched, or archived and quoted as it is."""
        key, called = item.key[:_LONGEST_KEY], f"{self.name}: {query}"
        hit = Hit(
            "", item.title or key or called, plain(item.text)[:_LONGEST_SNIPPET], published=item.published
        )
        own = f"{SCHEME}{self.name}/{quote(key, safe='/:,~-._')}"
        if self._server.read and key:
            self._titles[own] = hit.title
            return [replace(hit, url=own)]
        if item.address and not item.embedded:
            if not item.on_the_web:
                return [replace(hit, url=own)]
            if not (self._offline and item.text.strip()):
                return [replace(hit, url=item.address)]
        if not item.text.strip() and not item.data:
            return []
        url = own if key else f"{SCHEME}{self.name}/{quote(self._server.search)}?{quote(query)}#{number + 1}"
        source = await self._source(item, url, key or called)
        passages = await asyncio.to_thread(self._store.add, source)
        return [
            Hit(url, source.title, p.text[:_LONGEST_SNIPPET], passage=p, published=source.published)
            for p in _best(query, passages)
        ]

    async def _source(self, item: ToolItem, url: str, called: str) -> Source:
        """Read an item as what it is; its address, privacy and date are ours to say, not the text's."""
        data = item.data or item.text.encode("utf-8", "surrogatepass")
        retrieved = datetime.now(UTC).isoformat(timespec="seconds")
        source = await self._reader.read_bytes_async(data, url, item.media_type, retrieved)
        title = source.title if source.title != url else ""
        return replace(
            source,
            title=item.title or title or called,
            private=self.private,
            published=item.published or source.published,
        )


def _best(query: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages of a text that a query fits best; its first where none shares a word with it."""
    if len(passages) <= 1:
        return list(passages)
    chosen = select(query, passages, TextStatistics(), limit=_PASSAGES, threshold=0.0)
    return [scored.passage for scored in chosen] or list(passages[:1])
