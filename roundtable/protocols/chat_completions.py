"""OpenAI's way of asking: the last message is a topic or a follow-up, the report is the answer.

What goes on meanwhile comes as reasoning text. A session is found again by the line that each answer ends
with, so clients keep nothing but the talk, and nothing is kept here. Like everything under
`roundtable serve` it stands behind the guard; a client that hangs up leaves its session running.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from time import time
from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from library import LibraryError
from models import ModelError
from roundtable.config.errors import InputError, QuotaReached, RoundtableError, SessionUnknown, wrong_value
from roundtable.journal.fold.state import State
from roundtable.protocols.chat_answers import ChatAnswer, report_answer, turns_answer, usage_of
from roundtable.protocols.chat_schema import MODEL, ChatRequest
from roundtable.protocols.session_tools import SessionTools
from roundtable.web.access.viewer import viewer_of
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.routes.request_body import bounded_json

_MOST_BYTES = 2_000_000
"""Of a request: a talk of many reports."""
_PIECE = 400
"""Characters of the answer that a stream sends at once."""


class ChatCompletions:
    """The routes `/v1/models` and `/v1/chat/completions`."""

    def __init__(self, sessions: SessionThread, *, any_documents: bool = False) -> None:
        self._tools = SessionTools(sessions, any_documents=any_documents)
        self.routes: Sequence[BaseRoute] = [
            Route("/v1/models", self.models),
            Route("/v1/models/{name:path}", self.model),
            Route("/v1/chat/completions", self.complete, methods=["POST"]),
        ]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Nothing of its own runs."""
        yield

    def _listed(self, request: Request) -> list[dict[str, Any]]:
        names = [MODEL, *(f"{MODEL}/{name}" for name in self._of(request).collections())]
        return [{"id": name, "object": "model", "created": 0, "owned_by": "roundtable"} for name in names]

    def _of(self, request: Request) -> SessionTools:
        return self._tools.of(viewer_of(request))

    async def models(self, request: Request) -> Response:
        """The models: one for the web, and one for each named collection."""
        return JSONResponse({"object": "list", "data": self._listed(request)})

    async def model(self, request: Request) -> Response:
        """One of them."""
        name = request.path_params["name"]
        found = next((model for model in self._listed(request) if model["id"] == name), None)
        return JSONResponse(found) if found else _refused(404, f"there is no model {name!r}")

    async def complete(self, request: Request) -> Response:
        """An answer, whole or as a stream."""
        try:
            tools = self._of(request)
            asked = ChatRequest.model_validate(await bounded_json(request, _MOST_BYTES))
            identity, after = await self._begun(tools, asked)
        except HTTPException as failure:
            return _refused(failure.status_code, failure.detail)
        except ValidationError as failure:
            first = failure.errors(include_url=False)[0]
            return _refused(400, f"{'.'.join(map(str, first['loc']))}: {wrong_value(first)}")
        except SessionUnknown as failure:
            return _refused(404, str(failure))
        except QuotaReached as failure:
            return _refused(429, str(failure))
        except (RoundtableError, LibraryError, ModelError) as failure:
            return _refused(400, str(failure))
        head = {
            "id": f"chatcmpl-{identity}-{after or 0}", "created": int(time()), "model": asked.model,
        }  # fmt: skip
        if asked.stream:
            usage = bool(asked.stream_options and asked.stream_options.include_usage)
            chunks = self._stream(tools, head, identity, after, usage=usage)
            return StreamingResponse(chunks, media_type="text/event-stream")
        thoughts = [text async for text in self._thoughts(tools, identity, after)]
        answer, usage_values = await self._answer(tools, identity, after)
        message = {"role": "assistant", "content": answer.text, "refusal": None,
                   "annotations": answer.annotations, "reasoning_content": "".join(thoughts)}  # fmt: skip
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage_values}
        return JSONResponse(whole)

    async def _begun(self, tools: SessionTools, asked: ChatRequest) -> tuple[str, int | None]:
        """Begin or go on; return the session, and of a follow-up the last turn before it."""
        said, identity, collection = asked.said(), asked.session(), asked.collection()
        if identity is not None:
            before = await tools.follow(identity, seconds=0)
            await tools.tell(identity, "say", said)
            return identity, before["next"]
        order = {key: value for key, value in asked.roundtable.items() if key != "session"}
        if "plan" in order:
            raise InputError("roundtable.plan: a plan is looked at on the page, or by the API")
        if collection is not None:
            named = order.get("docs") or []
            order["docs"] = [*named, collection] if isinstance(named, list) else named  # `start` refuses it
        return await tools.start({**order, "topic": said}), None

    async def _thoughts(
        self, tools: SessionTools, identity: str, after: int | None
    ) -> AsyncIterator[str]:
        """Yield what goes on, until the session stands still."""
        last, told = after or 0, ""
        while True:
            seen = await tools.follow(identity, last, 25.0)
            for turn in seen["turns"]:
                yield f"**{turn['speaker']}**: {turn['text']}\n\n"
            last = seen["next"]
            if not seen["turns"] and seen["doing"] != told:
                yield f"({seen['doing']})\n\n"
                told = seen["doing"]
            if seen["state"] != "running" and not seen["turns"]:
                return

    async def _answer(
        self, tools: SessionTools, identity: str, after: int | None
    ) -> tuple[ChatAnswer, dict[str, int]]:
        def made(state: State) -> tuple[ChatAnswer, dict[str, int]]:
            told = report_answer(state, identity) if after is None else turns_answer(state, after, identity)
            return told, usage_of(state)

        return await tools.made(identity, made)

    async def _stream(
        self, tools: SessionTools, head: Mapping[str, Any], identity: str, after: int | None, *, usage: bool
    ) -> AsyncIterator[bytes]:
        def chunk(delta: Mapping[str, Any], reason: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
            return _frame({**head, "object": "chat.completion.chunk", "choices": [choice]})

        yield chunk({"role": "assistant", "content": ""})
        try:
            async for thought in self._thoughts(tools, identity, after):
                yield chunk({"reasoning_content": thought})
            answer, usage_values = await self._answer(tools, identity, after)
        except (RoundtableError, LibraryError, ModelError) as failure:
            yield _frame(_error(str(failure)))
            return
        for at in range(0, len(answer.text), _PIECE):
            yield chunk({"content": answer.text[at : at + _PIECE]})
        yield chunk({"annotations": answer.annotations})
        yield chunk({}, "stop")
        if usage:
            yield _frame({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage_values})
        yield b"data: [DONE]\n\n"


def _frame(values: object) -> bytes:
    return f"data: {json.dumps(values, ensure_ascii=True, separators=(',', ':'))}\n\n".encode()


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def _refused(status: int, message: str) -> Response:
    return JSONResponse(_error(message), status)
