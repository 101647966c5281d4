"""Connections that only go where they may: a network backend for httpcore2 and the transport around it.

Give `GuardedTransport` to any `httpx2.AsyncClient` (of a model, of embeddings, of MCP) and it keeps to the
same rules. The host is resolved once; every address is judged; the connection is made to a judged address,
never to the name. TLS still checks the certificate against the name.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from typing import Any

import httpcore2
import httpx2

from library.errors import FetchError
from library.web.url_policy import is_opened, refusal
from models.client import trusted

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives all addresses of a host. Raises OSError when there are none."""

MOST_ADDRESSES_TRIED = 4
_LOOKUPS = ThreadPoolExecutor(8, thread_name_prefix="names")
"""Nobody ends a question to a name server that does not answer: it has no thread that others wait for."""


async def resolve(host: str, port: int) -> list[str]:
    """Ask the system for all addresses of a host, in the order in which they are to be tried."""
    with suppress(ValueError):
        return [str(ip_address(host))]
    loop = asyncio.get_running_loop()
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    found = await loop.run_in_executor(_LOOKUPS, ask)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens TCP connections to public addresses and to hosts that the user opened by name."""

    def __init__(self, allow: Sequence[str] = (), resolve: Resolve = resolve) -> None:
        self._allow = tuple(allow)
        self._resolve = resolve
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve once, judge every address, connect to the first that answers."""
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        addresses = await self._judged(host, port, timeout)
        failure: Exception | None = None
        for n, address in enumerate(addresses):
            # A share of what is left for each, so that one silent address does not use up the time of the
            # next.
            left = None if deadline is None else max(deadline - loop.time(), 0.01) / (len(addresses) - n)
            try:
                return await self._backend.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} has no address")

    async def _judged(self, host: str, port: int, seconds: float | None) -> list[str]:
        name = host.strip("[]").lower().removesuffix(".")
        try:
            async with asyncio.timeout(seconds):
                addresses = list(await self._resolve(name, port))
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"the name server did not answer for {host}") from error
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} has no address ({error})") from error
        if not is_opened(name, port, self._allow):
            for address in addresses:
                if why := refusal(address):
                    raise FetchError(f"{host} is not fetched: {why} (fetch.allow opens named hosts)")
        return addresses[:MOST_ADDRESSES_TRIED]

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - the signature is httpcore's
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: nothing that is fetched lives in a file."""
        raise FetchError(f"unix sockets are not fetched: {path}")

    async def sleep(self, seconds: float) -> None:
        """Wait between httpcore's own attempts."""
        await asyncio.sleep(seconds)


class GuardedTransport(httpx2.AsyncBaseTransport):
    """An httpx2 transport over `GuardedBackend`. It reads no environment variables."""

    def __init__(
        self,
        allow: Sequence[str] = (),
        *,
        resolve: Resolve = resolve,
        proxy: str | None = None,
        context: ssl.SSLContext | None = None,
        connections: int = 20,
    ) -> None:
        """Prepare a pool of connections.

        Args:
            allow: Hosts opened by name, as in `fetch.allow`.
            resolve: How names become addresses.
            proxy: The url of an HTTP proxy that the user configured. It resolves names itself, so that only
                the notation of a url is judged here, and no longer its addresses.
            context: For TLS; the default verifies certificates against the names.
            connections: How many may be open at once.
        """
        backend = GuardedBackend((*allow, _host_and_port(proxy)) if proxy else allow, resolve)
        context = context or trusted(trust_env=False)
        self._pool: httpcore2.AsyncConnectionPool = (
            httpcore2.AsyncHTTPProxy(
                proxy, ssl_context=context, max_connections=connections, network_backend=backend
            )
            if proxy
            else httpcore2.AsyncConnectionPool(
                ssl_context=context,
                max_connections=connections,
                keepalive_expiry=15.0,
                network_backend=backend,
            )
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        url = request.url
        wanted = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx_errors():
            response = await self._pool.handle_async_request(wanted)
        assert isinstance(response.stream, AsyncIterable)
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: AsyncIterable[bytes]) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx_errors():
            async for part in self._stream:
                yield part

    async def aclose(self) -> None:
        if close := getattr(self._stream, "aclose", None):
            await close()


# From the most specific to the most general: the first that fits is raised.
_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (httpcore2.ConnectTimeout, httpx2.ConnectTimeout),
    (httpcore2.ReadTimeout, httpx2.ReadTimeout),
    (httpcore2.WriteTimeout, httpx2.WriteTimeout),
    (httpcore2.PoolTimeout, httpx2.PoolTimeout),
    (httpcore2.TimeoutException, httpx2.TimeoutException),
    (httpcore2.ConnectError, httpx2.ConnectError),
    (httpcore2.ReadError, httpx2.ReadError),
    (httpcore2.WriteError, httpx2.WriteError),
    (httpcore2.NetworkError, httpx2.NetworkError),
    (httpcore2.ProxyError, httpx2.ProxyError),
    (httpcore2.UnsupportedProtocol, httpx2.UnsupportedProtocol),
    (httpcore2.LocalProtocolError, httpx2.LocalProtocolError),
    (httpcore2.RemoteProtocolError, httpx2.RemoteProtocolError),
    (httpcore2.ProtocolError, httpx2.ProtocolError),
)


@contextmanager
def _as_httpx_errors() -> Any:
    try:
        yield
    except Exception as error:
        for found, raised in _ERRORS:
            if isinstance(error, found):
                raise raised(str(error)) from error
        raise


def _host_and_port(proxy: str) -> str:
    url = httpx2.URL(proxy)
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port or (443 if url.scheme == 'https' else 80)}"
