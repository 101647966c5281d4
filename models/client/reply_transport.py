"""The HTTP client under the providers' clients: replies are bounded, read whole, and mended before parsing.

Servers that call themselves OpenAI-compatible answer with null token counts, errors under status 200, content
in parts, web pages. AutoGen's client fails on these after the reply was paid for, so what can be mended is.
"""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2

from models.client.body_parts import in_turns
from models.client.error_classes import Address, Fault, by_status
from models.client.tls import trusted

LARGEST_REPLY = 16_000_000
"""Bytes of one reply; more is not an answer but a flood."""
LARGEST_STREAM = 4 * LARGEST_REPLY
"""Bytes of one that comes piece by piece: each piece brings its own frame."""
_MOST_TOKENS = 10**9
"""A server that counts more of them, or fewer than none, cannot count."""


class CarefulClient(httpx2.AsyncClient):
    """An HTTP client for model servers: no redirects, bounded replies, mended JSON."""

    def __init__(self, address: Address, *, timeout: float, connections: int, trust_env: bool) -> None:
        """Build it.

        Args:
            address: Who is asked; for the words of errors.
            timeout: Seconds between two pieces of a reply; the whole is bounded by the caller.
            connections: How many at a time.
            trust_env: Whether proxies named in the environment are used: never towards this machine itself.
        """
        super().__init__(
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)),
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            # A redirect could carry the question, and with `--offline` a socket, to somewhere else.
            follow_redirects=False,
            trust_env=trust_env,
            verify=trusted(trust_env=trust_env),
        )
        self._address = address

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request; the reply comes whole and mended, unless a stream was asked for."""
        if stream:
            request.headers["Accept-Encoding"] = "identity"
        response = await super().send(request, stream=True, **options)
        if stream:
            return self._bounded(response)
        try:
            body = await self._read(response)
        finally:
            await response.aclose()
        status = response.status_code
        if status == 200:
            body = mend(body, self._address)
        headers = [
            (name, value)
            for name, value in response.headers.multi_items()
            if name.lower() not in {"content-encoding", "content-length", "transfer-encoding"}
        ]
        return httpx2.Response(status, headers=headers, content=body, request=request)

    def _bounded(self, response: httpx2.Response) -> httpx2.Response:
        """Let a stream come to no more than its bound: packed it could hold any amount."""
        refuse_packed(response.headers, self._address)
        response.stream = Bounded(response.stream, self._address, LARGEST_STREAM)
        return response

    async def _read(self, response: httpx2.Response) -> bytes:
        pieces, size = [], 0
        async for piece in in_turns(response.aiter_bytes()):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST_REPLY:
                raise without_end(self._address)
        return b"".join(pieces)


class Bounded(httpx2.AsyncByteStream):
    """A stream that ends in a fault when it is too long."""

    def __init__(self, stream: Any, address: Address, most: int) -> None:
        """Take a stream of bytes, who sends it, and how many bytes it may have."""
        self._stream = stream
        self._address = address
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in in_turns(self._stream):
            size += len(piece)
            if size > self._most:
                raise without_end(self._address)
            yield piece

    async def aclose(self) -> None:
        """Let go of the stream."""
        await self._stream.aclose()


def refuse_packed(headers: Mapping[str, str], address: Address) -> None:
    """Raise Fault where a server packs what was to come as it is: it may stand for any amount."""
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Fault("retry", f"{address.model} packs what was to come as it is", broken=True)


def without_end(address: Address) -> Fault:
    """Return the fault of a server that sends more than an answer can be."""
    return Fault("retry", f"{address.model} sends without end", broken=True)


def mend(body: bytes, address: Address) -> bytes:
    """Return the body of a reply as the clients can read it.

    Raises:
        Fault: it is no reply: a web page, an error sent as if it were none.
    """
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        who = f"{address.model} at {address.server}"
        if b"<html" in body[:2000].lower() or b"<!doctype" in body[:200].lower():
            page = f"{who} answers with a web page; does --base-url lack /v1?"
            raise Fault("retry", page, about="server") from None
        raise Fault("retry", f"{who} answers with something that is no JSON", broken=True) from None
    if not isinstance(reply, dict):
        return body
    if reply.get("error") and not reply.get("choices") and not reply.get("content"):
        raise _hidden_error(reply["error"], address)
    choices = reply.get("choices")
    if isinstance(choices, list):
        _mend_usage(reply)
        for choice in choices[:1]:
            if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
                _mend_choice(choice, choice["message"])
        return json.dumps(reply).encode()
    return body


def _hidden_error(error: object, address: Address) -> Fault:
    """Class an error that was sent with status 200."""
    fields: dict[str, Any] = error if isinstance(error, dict) else {"message": error}
    code = str(fields.get("code") or fields.get("status") or "")
    status = int(code) if code.isascii() and code.isdecimal() and 400 <= int(code) < 600 else 502
    return by_status(status, address.clean(str(fields.get("message") or code or "an error")), {}, address)


def _mend_usage(reply: dict[str, Any]) -> None:
    usage = reply.get("usage")
    counts = ("prompt_tokens", "completion_tokens", "total_tokens")
    if not isinstance(usage, dict) or any(usage.get(name, 0) != counted(usage.get(name)) for name in counts):
        reply["usage"] = None


def counted(tokens: object) -> int:
    """Return a count of tokens as a server told it; 0, for unknown, where it cannot be one."""
    return tokens if isinstance(tokens, int) and 0 <= tokens <= _MOST_TOKENS else 0


def _mend_choice(choice: dict[str, Any], message: dict[str, Any]) -> None:
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text", "") for part in content if isinstance(part, dict)]
        message["content"] = "".join(part for part in parts if isinstance(part, str))
    elif content is not None and not isinstance(content, str):
        # Some servers parse the JSON they were asked for.
        message["content"] = json.dumps(content, ensure_ascii=False)
    if message.get("refusal") and not message.get("content"):
        message["content"] = str(message["refusal"])
        choice["finish_reason"] = "content_filter"
    message.pop("function_call", None)
