"""A connection to a server: begun when it is first asked, held as long as it is well.

The server can ask nothing back: neither a model, nor the person, nor what files there are. What its tools
return is taken as it is and never held against a schema of the server's own making, whose patterns could keep
this process busy.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from library.errors import FetchError, SearchError
from library.search.tool_servers.mcp_settings import McpServer
from models import hold_secret, mask_secrets
from models.client import is_loopback

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult, ReadResourceResult, Tool

    from library.search.tool_servers.mcp_transport import Bound

_Answer = TypeVar("_Answer")
_GIVEN = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "USERPROFILE")
_GIVEN_TOO = ("APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP")
"""Variables that programs need to run at all, those of Windows apart."""
_PAGES = 20
"""Pages of a list of tools that are looked at."""
_PATIENCE = 15.0
"""Seconds in which a connection may end by itself."""


class McpConnection:
    """Calls tools of one server; each call is bounded in time and size, and fails in one line."""

    def __init__(
        self, name: str, server: McpServer, allow: tuple[str, ...], environment: Mapping[str, str]
    ) -> None:
        """Take a server; nothing is started or asked yet.

        Args:
            name: As in faults.
            server: How it is reached.
            allow: Hosts opened by name, as in `fetch.allow`.
            environment: Where the variables are that the server names.

        Raises:
            SearchError: its url may not be asked, or a variable that it names is not set.
        """
        self._name = name
        self._server = server
        self._allow = allow
        self._environment = environment
        self._runner: asyncio.Task[None] | None = None
        self._stop: asyncio.Event
        self._ready: asyncio.Future[tuple[Client, Bound]]
        for variable in (*server.environment, *([server.token] if server.token else [])):
            if not environment.get(variable, "").strip():
                raise SearchError(f"mcp.{name}: the variable {variable} is not set")
            hold_secret(environment[variable].strip())
        if server.url:
            self._judge_url()

    def _judge_url(self) -> None:
        import httpx2

        from library.web.url_policy import target

        try:
            host = httpx2.URL(self._server.url).netloc.decode("ascii", "replace")
            if is_loopback(httpx2.URL(self._server.url).host):
                # It was named for this: the connection may be made, pages are still not fetched from there.
                self._allow = (*self._allow, host)
            target(self._server.url, self._allow)
        except (FetchError, httpx2.InvalidURL) as error:
            raise SearchError(f"mcp.{self._name}.url: {error}") from error

    async def tools(self) -> "list[Tool]":
        """Return the tools that the server offers now. Raises SearchError."""
        from mcp_types import PaginatedRequestParams

        async def ask(client: "Client") -> "list[Tool]":
            listed = await client.session.list_tools()
            found = list(listed.tools)
            for _ in range(_PAGES):
                if not listed.next_cursor:
                    break
                wanted = PaginatedRequestParams(cursor=listed.next_cursor)
                listed = await client.session.list_tools(params=wanted)
                found += listed.tools
            return found

        return await self._asked(ask)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> "CallToolResult":
        """Call a tool. Raises SearchError, also when the tool says that it failed."""
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=dict(arguments)))
        result = await self._asked(lambda client: client.session.send_request(request, CallToolResult))
        if result.is_error:
            texts = (getattr(block, "text", "") for block in result.content)
            raise SearchError(self._fault(f"{tool} failed: {' '.join(texts)}"))
        return result

    async def resource(self, uri: str) -> "ReadResourceResult":
        """Read a resource of the server. Raises SearchError."""
        from mcp_types import ReadResourceRequest, ReadResourceRequestParams, ReadResourceResult

        request = ReadResourceRequest(params=ReadResourceRequestParams(uri=uri))
        return await self._asked(lambda client: client.session.send_request(request, ReadResourceResult))

    async def close(self) -> None:
        """End the connection, and the program that was started."""
        runner, self._runner = self._runner, None
        if runner is None:
            return
        self._stop.set()
        if self._ready.done():
            await asyncio.wait([runner], timeout=_PATIENCE)
        runner.cancel()
        await asyncio.wait([runner])

    async def _asked(self, ask: "Callable[[Client], Awaitable[_Answer]]") -> _Answer:
        from mcp import MCPError

        bound: Bound | None = None
        try:
            async with asyncio.timeout(self._server.seconds):
                client, bound = await self._connected()
                answer = await _unless_broken(ask(client), bound)
        except TimeoutError as error:
            await self.close()
            raise SearchError(self._fault(f"gave no answer in {self._server.seconds:g} s")) from error
        except Exception as error:
            # Whatever a server sends that the SDK cannot make sense of ends in errors of many kinds.
            if not isinstance(error, MCPError):  # it is not well: the next who asks begins anew
                await self.close()
            raise SearchError(self._fault(_reason(error, bound))) from error
        bound.answered()
        return answer

    async def _connected(self) -> "tuple[Client, Bound]":
        if self._runner is None or self._runner.done():
            self._ready = asyncio.get_running_loop().create_future()
            self._stop = asyncio.Event()
            self._runner = asyncio.create_task(self._run(self._ready, self._stop))
        return await asyncio.shield(self._ready)

    async def _run(self, ready: "asyncio.Future[tuple[Client, Bound]]", stop: asyncio.Event) -> None:
        """Hold the connection, from its beginning to its end in one task, as the SDK wants it."""
        from library.search.tool_servers.mcp_transport import Bound

        bound = Bound(int(self._server.megabytes * 1_000_000))
        try:
            async with self._client(bound) as client:
                if not ready.done():
                    ready.set_result((client, bound))
                stopped = asyncio.create_task(stop.wait())
                awaited: list[asyncio.Future[Any]] = [stopped, bound.broken]
                await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
                stopped.cancel()
        except Exception as error:  # noqa: BLE001 - told to whoever asked, if anybody still waits
            if not ready.done():
                ready.set_exception(ConnectionError(_reason(error, bound)))
                ready.exception()
        finally:
            ready.cancel()

    @asynccontextmanager
    async def _client(self, bound: "Bound") -> "AsyncIterator[Client]":
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        from library.search.tool_servers.mcp_transport import BoundedTransport, stdio

        server, environment = self._server, self._environment
        if not server.url:
            names = (*_GIVEN, *(_GIVEN_TOO if os.name == "nt" else ()), *server.environment)
            given = {name: environment[name] for name in names if name in environment}
            async with Client(stdio(server.command, given, bound), cache=None) as client:
                yield client
            return
        sent = {"Authorization": f"Bearer {environment[server.token].strip()}"} if server.token else {}
        async with (
            httpx2.AsyncClient(
                transport=BoundedTransport(self._allow, bound),
                headers=sent,
                timeout=server.seconds,
                trust_env=False,
            ) as http,
            Client(streamable_http_client(server.url, http_client=http), cache=None) as client,
        ):
            yield client

    def _fault(self, why: str) -> str:
        return mask_secrets(f"{self._name} {' '.join(why.split())[:300]}")


async def _unless_broken(answer: Awaitable[_Answer], bound: "Bound") -> _Answer:
    """Wait for an answer, no longer than the connection is of use."""
    asked = asyncio.ensure_future(answer)
    try:
        awaited: list[asyncio.Future[Any]] = [asked, bound.broken]
        await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise ConnectionError(bound.broken.result())
        return asked.result()
    finally:
        asked.cancel()


def _reason(error: BaseException, bound: "Bound | None") -> str:
    """Say in words what went wrong: what ended the connection, else the innermost of several errors."""
    if bound is not None and bound.broken.done():
        return bound.broken.result()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"cannot be started: there is no program {error.filename}"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"failed: {error}"
