"""A real OpenAI-compatible server on this machine's loopback address, for tests and benchmarks.

It answers any task by its schema with text from the prompt's own passages (see `model_answers`), takes
as long as it is told to, speaks in one of four modes, and goes wrong on request.

    with ModelServer(mode="text", troubles=["429", "html"]) as server:
        …  # OPENAI_BASE_URL = server.url
        assert server.requests == 3
"""

import asyncio
import gzip
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Self

from tests.model_answers import Filler, Value
from tests.tool_calls import called, tools_of_anthropic, used_in_anthropic, used_in_ollama

Mode = Literal["structured", "json", "text", "deaf", "tools"]
"""Takes JSON schemas; JSON mode only; refuses both, thinks aloud and fences; the same, but ignores both;
calls tools, and refuses both formats. The first four refuse tools."""
Reply = Callable[["Asked"], Any]
"""What to say to a request: the fields of an output, or the text of a reply; None: made from the schema."""
SHOWN_SCHEMA = "JSON schema:\n"


@dataclass
class Asked:
    """One request as the server saw it."""

    messages: list[Mapping[str, str]]
    body: Mapping[str, Any]
    key: str

    @property
    def format(self) -> str:
        """`json_schema`, `json_object` or `text`."""
        return str((self.body.get("response_format") or {"type": "text"})["type"])

    @property
    def prompt(self) -> str:
        """Everything that was said, in order."""
        return "\n\n".join(str(message["content"]) for message in self.messages)

    @property
    def material(self) -> str:
        """What the user part says: the system part holds rules and examples."""
        return "\n\n".join(str(m["content"]) for m in self.messages if m["role"] == "user")

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema asked for: in the response format, else in the words of the prompt."""
        if self.format == "json_schema":
            return self.body["response_format"]["json_schema"]["schema"]  # type: ignore[no-any-return]
        _, found, rest = self.prompt.partition(SHOWN_SCHEMA)
        return json.JSONDecoder().raw_decode(rest)[0] if found else None  # type: ignore[no-any-return]


@dataclass
class Said:
    """One response, before it is sent; a trouble changes it."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent as it is instead of the body."""
    cut: int | None = None
    """Bytes of the body after which the connection breaks; 0: before the head."""
    endless: bool = False
    flood: int = 0
    """Bytes of spaces before the body, or of a stream."""
    drip: float = 0.0
    """Seconds between two bytes, without end."""
    wait: float = 0.0


def _error(status: int, message: str, code: str | None = None, **headers: str) -> Said:
    body = {"error": {"message": message, "type": "error", "code": code, "param": None}}
    return Said(status, body, headers=headers)


def _message(said: Said, **changes: Any) -> Said:
    said.body["choices"][0]["message"].update(changes)
    return said


def _finish(said: Said, reason: str, content: str | None) -> Said:
    said.body["choices"][0]["finish_reason"] = reason
    return _message(said, content=content)


def _content(said: Said) -> str:
    return str(said.body["choices"][0]["message"]["content"])


def _with(said: Said, **changes: Any) -> Said:
    said.body.update(changes)
    return said


HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202e<script>alert(1)</script>[p99999]\ud800 "
"""In front of every text of a `hostile` answer: for a terminal, a page, the citations, and the journal."""


@cache
def _packed() -> bytes:
    """Return 200 MB of spaces in 200 kB."""
    return gzip.compress(b" " * 200_000_000)


ENORMOUS = "A. [p1] " * 8_000
"""The same for an `enormous` answer."""


def _marked(value: Any, before: str = HOSTILE) -> Any:
    if isinstance(value, dict):
        return {key: _marked(each, before) for key, each in value.items()}
    if isinstance(value, list):
        return [_marked(each, before) for each in value]
    return f"{before}{value}" if isinstance(value, str) and " " in value else value


TROUBLES: Mapping[str, Callable[[Said, str], Said]] = {
    # Statuses; what follows a colon is Retry-After, or the window.
    "429": lambda _, wait: _error(429, "Rate limit reached", **({"Retry-After": wait} if wait else {})),
    "500": lambda *_: _error(500, "The server had an error"),
    "503": lambda _, wait: _error(503, "Overloaded", **({"Retry-After": wait} if wait else {})),
    "400": lambda *_: _error(400, "Something about this request is wrong"),
    "307": lambda _, to: Said(307, {}, headers={"Location": to or "http://127.0.0.1:9/"}),
    "wrong_key": lambda _, key: _error(401, f"Incorrect API key provided: {key}", "invalid_api_key"),
    "forbidden": lambda *_: _error(403, "Project has no access to the model"),
    "unknown_model": lambda *_: _error(404, "The model `x` does not exist", "model_not_found"),
    "wrong_path": lambda *_: _error(404, "Not Found"),
    "no_credit": lambda *_: _error(429, "You exceeded your current quota", "insufficient_quota"),
    "too_long": lambda _, window: _error(
        400, f"This model's maximum context length is {window or 2048} tokens. Please reduce the length.",
        "context_length_exceeded",
    ),
    "policy": lambda *_: _error(400, "The prompt triggered the content management policy", "content_filter"),
    "no_temperature": lambda *_: _error(400, "Unsupported value: 'temperature' does not support 0.5"),
    "no_max_tokens": lambda *_: _error(
        400, "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    ),
    # Broken on the way.
    "slow": lambda said, seconds: (setattr(said, "wait", float(seconds or 3600)), said)[1],
    "cut": lambda said, _: (setattr(said, "cut", 40), said)[1],
    "reset": lambda said, _: (setattr(said, "cut", 0), said)[1],
    "endless": lambda said, _: (setattr(said, "endless", True), said)[1],
    "drip": lambda said, seconds: (setattr(said, "drip", float(seconds or 0.02)), said)[1],
    "flood": lambda said, megabytes: (setattr(said, "flood", int(megabytes or 50) * 1_000_000), said)[1],
    # Answers that are none.
    "html": lambda *_: Said(raw=b"<!DOCTYPE html><html><body>Welcome</body></html>",
                            headers={"Content-Type": "text/html"}),
    "not_json": lambda *_: Said(raw=b'{"choices": [', headers={"Content-Type": "application/json"}),
    "a_list": lambda *_: Said(body=[1, 2]),
    "error_in_200": lambda *_: Said(body={"error": {"message": "upstream failed", "code": 502}}),
    "no_choices": lambda said, _: _with(said, choices=[]),
    "null_choices": lambda said, _: _with(said, choices=None),
    "null_message": lambda said, _: _with(said, choices=[{"index": 0, "message": None}]),
    "bad_utf8": lambda said, _: Said(
        raw=json.dumps(said.body).encode().replace(b'"content": "', b'"content": "\xff')
    ),
    "packed": lambda *_: Said(raw=_packed(), headers={"Content-Encoding": "gzip"}),
    "long_number": lambda *_: Said(raw=b'{"choices": ' + b"9" * 100_000 + b"}"),
    "nested": lambda *_: Said(raw=b'{"choices": ' + b"[" * 200_000),
    # Answers of no use.
    "nested_content": lambda said, _: _message(said, content='{"text": ' + "[" * 200_000),
    "braces": lambda said, _: _message(said, content="{[" * 400_000),
    "thoughts": lambda said, _: _message(said, content="<think>" * 100_000),
    "enormous": lambda said, _: _message(
        said, content=json.dumps(_marked(json.loads(_content(said)), ENORMOUS))
    ),
    "unoffered": lambda said, _: _message(said, content=None, tool_calls=[{
        "id": "call_1", "type": "function", "function": {"name": "shell\n", "arguments": '{"command": "id"}'},
    }]),
    "empty": lambda said, _: _message(said, content=""),
    "null_content": lambda said, _: _message(said, content=None),
    "prose": lambda said, _: _message(said, content="I would rather talk about something else."),
    "wrong_schema": lambda said, _: _message(said, content='{"unexpected": [1, 2, 3]}'),
    "bad_json": lambda said, _: _message(said, content='{"text": "unclosed'),
    "refusal": lambda said, _: _message(said, content=None, refusal="I cannot help with that."),
    "filtered": lambda said, _: _finish(said, "content_filter", ""),
    "truncated": lambda said, _: _finish(said, "length", _content(said)[: len(_content(said)) // 2]),
    "think_only": lambda said, _: _message(said, content="<think>What would {they} want? Hm.</think>"),
    "endless_thought": lambda said, _: _finish(said, "length", "<think>" + "Wait. " * 400),
    # Oddities that are to be borne.
    "null_usage": lambda said, _: _with(said, usage=None),
    "null_counts": lambda said, _: _with(
        said, usage={"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}
    ),
    "no_usage": lambda said, _: (said.body.pop("usage"), said)[1],
    "negative_usage": lambda said, _: _with(
        said, usage={"prompt_tokens": -5_000_000, "completion_tokens": -7, "total_tokens": 10**40}
    ),
    "hostile": lambda said, _: _message(said, content=json.dumps(_marked(json.loads(_content(said))))),
    "parts": lambda said, _: _message(said, content=[{"type": "text", "text": _content(said)}]),
    "parsed": lambda said, _: _message(said, content=json.loads(_content(said))),
    "fenced": lambda said, _: _message(said, content=f"Sure!\n```json\n{_content(said)}\n```\nMore?"),
    "trailing_comma": lambda said, _: _message(said, content=_content(said)[:-1] + ",}"),
    "other_finish": lambda said, _: _finish(said, "eos", _content(said)),
}  # fmt: skip


def _from_ollama(body: dict[str, Any]) -> dict[str, Any]:
    shape = body.get("format")
    if isinstance(shape, dict):
        body["response_format"] = {"type": "json_schema", "json_schema": {"schema": shape}}
    elif shape:
        body["response_format"] = {"type": "json_object"}
    return body


def _to_ollama(body: dict[str, Any]) -> dict[str, Any]:
    [choice], usage = body["choices"], body["usage"]
    return {
        "model": body["model"], "created_at": "2025-01-01T00:00:00Z",
        "message": used_in_ollama(choice["message"]),
        "done": True, "done_reason": choice["finish_reason"].replace("tool_calls", "stop"),
        "prompt_eval_count": usage["prompt_tokens"],
        "eval_count": usage["completion_tokens"],
    }  # fmt: skip


def _from_anthropic(body: dict[str, Any]) -> dict[str, Any]:
    system = [{"role": "system", "content": body["system"]}] if "system" in body else []
    tools = {"tools": tools_of_anthropic(body["tools"])} if body.get("tools") else {}
    return {**body, **tools, "messages": system + body["messages"]}


def _to_anthropic(body: dict[str, Any]) -> dict[str, Any]:
    [choice], usage = body["choices"], body["usage"]
    reasons = {
        "stop": "end_turn", "length": "max_tokens", "content_filter": "refusal", "tool_calls": "tool_use",
    }  # fmt: skip
    stop = reasons[choice["finish_reason"]]
    return {
        "id": body["id"], "type": "message", "role": "assistant", "model": body["model"],
        "content": used_in_anthropic(choice["message"]), "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }  # fmt: skip


DIALECTS: Mapping[str, tuple[Callable[..., dict[str, Any]], Callable[..., dict[str, Any]]]] = {
    "/chat/completions": (lambda body: body, lambda body: body),
    "/api/chat": (_from_ollama, _to_ollama),
    "/messages": (_from_anthropic, _to_anthropic),
}
"""How requests are read and answers written, by the end of the path."""


class ModelServer:
    """An OpenAI-compatible server in a thread of its own."""

    def __init__(
        self,
        *,
        mode: Mode = "structured",
        latency: float = 0.0,
        per_token: float = 0.0,
        troubles: Sequence[str | None] | Callable[[int, Asked], str | None] = (),
        values: Mapping[str, Value] | None = None,
        count: int = 3,
        key: str | None = None,
        streams: bool = True,
        reply: Reply | None = None,
    ) -> None:
        """Set it up.

        Args:
            mode: What it takes and how it speaks.
            latency: Seconds before each answer.
            per_token: Seconds more for each token of it.
            troubles: What goes wrong with the first, second, … request (`429:2`: with Retry-After 2), or a
                function of the request's number (from 1) and the request. None: nothing.
            values: Answers by the name of a field; see `model_answers`.
            count: Items of lists, sentences of texts.
            key: The only key it takes; None: any.
            streams: Whether it streams when asked to; else it answers at once all the same.
            reply: What to say, in the place of what the schema alone would give.
        """
        self.reply = reply
        self.mode, self.latency, self.per_token = mode, latency, per_token
        self.troubles, self.values, self.count, self.key = troubles, dict(values or {}), count, key
        self.streams, self.pieces, self.flooded = streams, 0, 0
        self.asked: list[Asked] = []
        self.in_flight = self.most_in_flight = 0
        self.prompt_tokens = self.completion_tokens = 0
        self.other_requests = 0
        """Requests for anything but an answer: embeddings, for instance."""
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def requests(self) -> int:
        """Questions asked so far."""
        return len(self.asked)

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read one request and answer it; tell whether the connection stays."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *rest = head.split("\r\n")
        method, path, _ = line.split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (h.partition(":") for h in rest if h)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if method == "GET" and path.endswith("/models"):
            return await self._send(writer, Said(body={"object": "list", "data": [{"id": "test-model"}]}))
        dialect = next((name for name in DIALECTS if path.endswith(name)), None)
        if dialect is None:
            self.other_requests += 1
            return await self._send(writer, _error(404, "Not Found"))
        key = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        fields = DIALECTS[dialect][0](json.loads(body))
        asked = Asked(fields["messages"], fields, key)
        self.asked.append(asked)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            said = self._answer(asked, self._trouble(asked))
            if said.status == 200 and isinstance(said.body, dict) and "choices" in said.body:
                said.body = DIALECTS[dialect][1](said.body)
            whole = said.raw is None and said.cut != 0 and not said.endless
            if fields.get("stream") and self.streams and whole:
                return await self._stream(writer, said, fields)
            await asyncio.sleep(said.wait or self.latency + self.per_token * _tokens(said))
            return await self._send(writer, said)
        finally:
            self.in_flight -= 1

    def _trouble(self, asked: Asked) -> str | None:
        number = self.requests
        if callable(self.troubles):
            return self.troubles(number, asked)
        return self.troubles[number - 1] if number <= len(self.troubles) else None

    def _answer(self, asked: Asked, trouble: str | None) -> Said:
        if self.key is not None and asked.key != self.key:
            return TROUBLES["wrong_key"](Said(), asked.key)
        takes = {"structured": {"json_schema", "json_object", "text"}, "json": {"json_object", "text"}}
        if self.mode != "deaf" and asked.format not in takes.get(self.mode, {"text"}):
            return _error(400, f"'response_format' of type '{asked.format}' is not supported with this model")
        if asked.body.get("tools") and self.mode != "tools":
            return _error(400, "'tools' are not supported with this model")
        said = self._completion(asked)
        if trouble:
            kind, _, detail = trouble.partition(":")
            said = TROUBLES[kind](said, detail)
        return said

    def _completion(self, asked: Asked) -> Said:
        filled = self.reply(asked) if self.reply else None
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if asked.body.get("tools") and not isinstance(filled, str):
            message |= called(asked.body["tools"], filled, self._filler(asked))
        else:
            message["content"] = self._text(asked, filled)
        said = str(message["content"] or json.dumps(message.get("tool_calls"), ensure_ascii=False))
        prompt, completion = len(asked.prompt) // 4, len(said) // 4
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        return Said(body={
            "id": f"chatcmpl-{self.requests}", "object": "chat.completion", "created": 0,
            "model": asked.body.get("model"),
            "choices": [{
                "index": 0, "message": message,
                "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
            }],
            "usage": {
                "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
            },
        })  # fmt: skip

    def _filler(self, asked: Asked) -> Filler:
        return Filler(asked.material, self.values, self.count)

    def _text(self, asked: Asked, filled: Any) -> str:
        """Return a reply as text in the manner of the mode."""
        deaf = self.mode == "deaf" and SHOWN_SCHEMA not in asked.prompt
        schema = None if deaf else asked.schema
        if isinstance(filled, str):
            return filled
        if schema is None:
            return "Well, that depends."
        filled = self._filler(asked).fill(schema) if filled is None else filled
        text = json.dumps(filled, ensure_ascii=False)
        if self.mode in {"text", "deaf"}:
            text = f"<think>The user wants {{}} as JSON.\nLet me see.</think>\n\n```json\n{text}\n```"
        return text

    async def _stream(self, writer: asyncio.StreamWriter, said: Said, fields: Mapping[str, Any]) -> bool:
        """Send an answer piece by piece, as server-sent events; `cut` is where it breaks off."""
        body = said.body if isinstance(said.body, dict) else {}
        if said.status != 200 or not body.get("choices") or not body["choices"][0].get("message"):
            return await self._send(writer, said)
        await asyncio.sleep(said.wait or self.latency)
        [choice], usage = body["choices"], body.get("usage")
        text = str(choice["message"].get("content") or "")
        chunk = {"id": body["id"], "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        writer.write(b"HTTP/1.1 200 x\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        while said.drip:
            writer.write(b": wait\n\n")
            await writer.drain()
            await asyncio.sleep(said.drip)
        for _ in range(0, said.flood, 100_000):
            much = {"index": 0, "delta": {"content": "x" * 99_000}, "finish_reason": None}
            piece = {**chunk, "choices": [much]}
            writer.write(f"data: {json.dumps(piece)}\n\n".encode())
            await writer.drain()
            self.flooded += 100_000
        step = max(8, len(text) // 500)
        for start in range(0, min(len(text), said.cut or len(text)), step):
            delta = {"role": "assistant", "content": text[start : start + step]}
            piece = {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            writer.write(f"data: {json.dumps(piece)}\n\n".encode())
            await writer.drain()
            self.pieces += 1
            await asyncio.sleep(self.per_token * 2)
        if said.cut is None:
            last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
            writer.write(f"data: {json.dumps({**chunk, 'choices': [last]})}\n\n".encode())
            if (fields.get("stream_options") or {}).get("include_usage"):
                writer.write(f"data: {json.dumps({**chunk, 'choices': [], 'usage': usage})}\n\n".encode())
            writer.write(b"data: [DONE]\n\n")
        await writer.drain()
        return False

    async def _send(self, writer: asyncio.StreamWriter, said: Said) -> bool:
        if said.cut == 0:
            return False
        body = said.raw if said.raw is not None else json.dumps(said.body).encode()
        headers = {"Content-Type": "application/json", **said.headers}
        if said.endless:
            headers["Transfer-Encoding"] = "chunked"
        else:
            headers["Content-Length"] = str(len(body) + said.flood + (10**9 if said.drip else 0))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {said.status} x\r\n{lines}\r\n".encode())
        while said.drip:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(said.drip)
        for _ in range(0, said.flood, 100_000):
            writer.write(b" " * 100_000)
            await writer.drain()
            self.flooded += 100_000
        while said.endless:
            writer.write(b"10000\r\n" + b" " * 65_536 + b"\r\n")
            await writer.drain()
        writer.write(body if said.cut is None else body[: said.cut])
        await writer.drain()
        return said.cut is None


def _tokens(said: Said) -> int:
    usage = said.body.get("usage") if isinstance(said.body, dict) else None
    return int((usage or {}).get("completion_tokens") or 0)
