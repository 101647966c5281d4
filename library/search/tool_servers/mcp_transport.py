"""How a server is reached: a program's standard input and output, or a guarded HTTP client; both bounded.

The protocol's own SDK reads whatever comes, however long. Here a line, a body or an endless stream that is
larger than it may be ends the connection, and what the server is told of this machine is what was named.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2

from library.web.guarded_transport import GuardedTransport
from models.client import in_turns

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_PATIENCE = 2.0
"""Seconds that a program has to end after its input was closed, and again after it was told to."""
_TOLD = 300
"""Characters of a program's last words that are repeated in a fault."""


class Bound:
    """How much a server may send until it has answered; what is more breaks the connection."""

    def __init__(self, largest: int) -> None:
        """Take the bound, in bytes."""
        self.largest = largest
        self.broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done with the reason when the connection is of no use any more."""
        self._received = 0

    def take(self, size: int) -> bool:
        """Count what was received; return whether it may be used."""
        self._received += size
        if self._received > self.largest:
            self.fail(f"sent more than {self.largest / 1_000_000:g} MB")
        return not self.broken.done()

    def answered(self) -> None:
        """Begin to count anew."""
        self._received = 0

    def fail(self, why: str) -> None:
        """Say that the connection is of no use any more; the first reason counts."""
        if not self.broken.done():
            self.broken.set_result(why)


@asynccontextmanager
async def stdio(
    command: Sequence[str], environment: Mapping[str, str], bound: Bound
) -> "AsyncIterator[TransportStreams]":
    """Start a program and speak to it by lines; it ends, with all that it started, when the block does.

    Args:
        command: The program and its arguments.
        environment: All that it is given.
        bound: On what it sends.

    Raises:
        OSError: it cannot be started.
    """
    import anyio
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environment),
        limit=bound.largest,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    inward, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sent, outward = anyio.create_memory_object_stream[SessionMessage](0)
    last_words = bytearray()

    async def hear() -> None:
        async with inward:
            try:
                while (line := await stdout.readline()) and bound.take(len(line)):
                    try:
                        message = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                    except ValueError as failure:  # something else on its output: the SDK passes over it
                        await inward.send(failure)
                    else:
                        await inward.send(message)
            except ValueError:  # a line longer than the limit
                bound.take(bound.largest + 1)
            await asyncio.wait([listening], timeout=_PATIENCE)
            said = " ".join(last_words.decode("utf-8", "replace").split())[-_TOLD:]
            bound.fail(f"ended{f': … {said}' if said else ''}")

    async def listen() -> None:
        while part := await stderr.read(65_536):
            last_words.extend(part)
            del last_words[: -4 * _TOLD]

    async def speak() -> None:
        async with outward:
            async for item in outward:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                stdin.write(text.encode() + b"\n")
                await stdin.drain()

    listening = asyncio.create_task(listen())
    work = [listening, asyncio.create_task(hear()), asyncio.create_task(speak())]
    try:
        yield received, sent
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        for stream in (inward, received, sent, outward):
            stream.close()
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close a program's input, then end it and what it started."""
    assert process.stdin
    process.stdin.close()
    for number in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if number is not None:
            with contextlib.suppress(ProcessLookupError):
                if sys.platform == "win32":
                    process.kill()
                else:
                    os.killpg(process.pid, number)  # also when it has ended: what it started may not have
        if process.returncode is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _PATIENCE)
    assert process.stdout is not None
    with contextlib.suppress(TimeoutError, ValueError):
        async with asyncio.timeout(_PATIENCE):  # a pipe is let go when its end was read
            while await process.stdout.read(1_000_000):
                pass


class BoundedTransport(httpx2.AsyncBaseTransport):
    """A guarded transport whose answers are counted as they arrive."""

    def __init__(self, allow: Sequence[str], bound: Bound) -> None:
        """Take the hosts that are opened by name, as in `fetch.allow`, and the bound."""
        self._inner = GuardedTransport(allow)
        self._bound = bound

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; what is packed could hold any amount, and is refused."""
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if response.status_code in (401, 403):
            self._bound.fail(_refused(response.status_code, shown="Authorization" in request.headers))
        if response.headers.get("Content-Encoding", "identity") != "identity":
            self._bound.fail("sent its answer packed, which it was asked not to")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        stream = _Counted(response.stream, self._bound)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


def _refused(status: int, *, shown: bool) -> str:
    """Say what to do about a server that lets nobody in who has not signed in."""
    what = f"does not accept the token that it was sent ({status}): set another"
    if not shown:
        what = f"wants you to sign in first ({status}): name the variable that holds your token (token = …)"
    return (
        f"{what}; where a server knows OAuth alone, put a program between that signs in for you: "
        'command = ["npx", "mcp-remote", "URL"]'
    )


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, bound: Bound) -> None:
        self._stream = stream
        self._bound = bound

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in in_turns(self._stream):
            if not self._bound.take(len(part)):
                raise httpx2.ReadError("larger than it may be")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
