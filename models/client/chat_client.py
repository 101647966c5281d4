"""AutoGen's model clients, one for each provider, behind one interface: messages in, text out.

This is the wall: whatever a client raises — its own errors, its HTTP library's, or the JSONDecodeError,
AttributeError, TypeError, IndexError of a reply that is none — leaves here as a `Fault`. AutoGen and the
providers' libraries are imported when the first request is made, not before.
"""

import asyncio
import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from models.client.error_classes import classify
from models.client.limits import turns_at
from models.client.providers import Built, Endpoint, build, load
from models.client.retry_policy import RetryOptions
from models.client.streaming import Streaming
from models.prompting.output_schemas import response_format
from models.prompting.tools import Tool, ToolCall, parameters
from models.secrets import mask_secrets
from models.settings import ModelSettings, ToolUse

if TYPE_CHECKING:
    from autogen_core import FunctionCall
    from autogen_core.models import ChatCompletionClient, LLMMessage
    from autogen_core.tools import ToolSchema

_OLLAMA_WINDOW = 16_384
"""Ollama cuts prompts silently at 4,096 tokens unless told otherwise."""
_LONGEST_TEXT = 2_000_000
"""Characters of an answer: several times what the longest limit of tokens allows."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[str, ...] = ()
    """PNG files in base64; a user's message alone may have any."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said, before it is read."""

    text: str
    finish: str
    """`stop`, `length`, `content_filter` or `unknown`."""
    prompt_tokens: int
    """0 when the server does not tell."""
    completion_tokens: int
    calls: tuple[ToolCall, ...] = ()
    """Tools that it called."""
    requests: int = 1
    """That it took: 2 where it was asked for as a stream in vain."""

    @property
    def written(self) -> str:
        """Return all that was said, calls included, as text."""
        made = [{"tool": call.name, "arguments": call.arguments} for call in self.calls]
        return "\n".join([*([self.text] if self.text else []), *([json.dumps(made)] if made else [])])


class Client:
    """One model on one server."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings) -> None:
        self.address = endpoint.address
        self._endpoint = endpoint
        self._settings = settings
        self._client: Built | None = None
        self._streaming = Streaming(endpoint.address, able=endpoint.provider == "openai")

    async def create(
        self,
        messages: Sequence[Message],
        output: type[BaseModel],
        manner: RetryOptions,
        limit: int,
        tools: Sequence[Tool] = (),
    ) -> ModelAnswer:
        """Ask once.

        Args:
            messages: The conversation so far.
            output: What the reply is to be read into.
            manner: What the server takes.
            limit: Tokens that the reply may have.
            tools: What can be called; then no format is asked for.

        Raises:
            Fault: it did not work, for whatever reason.
        """
        # A server of this machine is another one on each machine.
        where = f"{socket.gethostname()} " if self._endpoint.loopback else ""
        async with turns_at(f"{where}{self._endpoint.server}").turn(self._settings.concurrency):
            try:
                client = await self._ready()
                async with asyncio.timeout(self._settings.timeout):
                    return await self._create(client, messages, output, manner, limit, tools)
            except Exception as error:  # noqa: BLE001 - the wall: see the head of this file
                # `from None`: a client's error holds the request, and with it the key.
                raise classify(error, self.address) from None

    async def warm_up(self) -> None:
        """Import the provider's libraries now, in a thread: the first request need not wait for them."""
        await asyncio.to_thread(load, self._endpoint.provider)

    async def close(self) -> None:
        """Release connections."""
        if self._client is not None:
            built, self._client = self._client, None
            await built.close()

    async def _ready(self) -> "ChatCompletionClient":
        if self._client is None:
            await self.warm_up()
        # Others may have waited for the same import; only the first of them builds.
        if self._client is None:
            self._client = build(self._endpoint, self._settings)
        return self._client.client

    async def _create(
        self,
        client: "ChatCompletionClient",
        messages: Sequence[Message],
        output: type[BaseModel],
        manner: RetryOptions,
        limit: int,
        tools: Sequence[Tool],
    ) -> ModelAnswer:
        arguments = self._arguments(output, manner, limit, tools)
        result, requests = await self._streaming.create(client, _messages(messages), arguments)
        from models.client.reply_transport import counted, without_end

        said = result.content
        text = said if isinstance(said, str) else str(result.thought or "")
        if len(text) > _LONGEST_TEXT:
            raise without_end(self.address)
        return ModelAnswer(
            text=mask_secrets(text),
            calls=() if isinstance(said, str) else tuple(map(_called, said)),
            finish=result.finish_reason,
            prompt_tokens=counted(result.usage.prompt_tokens),
            completion_tokens=counted(result.usage.completion_tokens),
            requests=requests,
        )

    def _arguments(
        self, output: type[BaseModel], manner: RetryOptions, limit: int, tools: Sequence[Tool]
    ) -> dict[str, Any]:
        temperature = self._settings.temperature if manner.temperature else None
        warm = {} if temperature is None else {"temperature": temperature}
        if self._endpoint.provider == "ollama":
            window = self._settings.context_window or _OLLAMA_WINDOW
            shape = None if tools else {"schema": output, "object": True, "text": None}[manner.format]
            return {
                "json_output": shape,
                "tools": _told(tools),
                "extra_create_args": {"options": {"num_ctx": window, "num_predict": limit, **warm}},
            }
        arguments: dict[str, Any] = dict(warm)
        if manner.limit != "none":
            arguments[manner.limit] = limit
        if tools:
            return {"tools": _told(tools), "extra_create_args": arguments}
        if manner.format == "schema":
            arguments["response_format"] = response_format(output)
        elif manner.format == "object":
            arguments["response_format"] = {"type": "json_object"}
        return {"extra_create_args": arguments}


def _called(call: "FunctionCall") -> ToolCall:
    return ToolCall(mask_secrets(call.name), mask_secrets(call.arguments))


def _told(tools: Sequence[Tool]) -> "list[ToolSchema]":
    return [
        {"name": tool.name, "description": tool.description, "parameters": dict(parameters(tool))}  # type: ignore[typeddict-item]
        for tool in tools
    ]


def first_manner(endpoint: Endpoint, tools: ToolUse = "never") -> RetryOptions:
    """Return how a model is asked at first: as AutoGen knows it, else hoping for the best."""
    manner, calls = _known_manner(endpoint)
    return replace(manner, tools=tools == "always" or (tools == "auto" and calls))


def _known_manner(endpoint: Endpoint) -> tuple[RetryOptions, bool]:
    """Return how a model takes formats, and whether calling tools is the surest way to reach it."""
    if endpoint.provider == "anthropic":
        # AutoGen's client knows neither schema nor JSON mode of these models; all of them call tools.
        return RetryOptions(format="text"), True
    if endpoint.provider == "ollama" or endpoint.own_server:
        return RetryOptions(), False
    from autogen_ext.models.openai import _model_info as known

    try:
        info = known.get_info(endpoint.address.name)
    except ValueError:
        return RetryOptions(limit="max_completion_tokens"), False
    reasons = str(info["family"]) in {"o1", "o3", "o4", "gpt-5"}
    manner = RetryOptions(
        format="schema" if info["structured_output"] else "object" if info["json_output"] else "text",
        limit="max_completion_tokens",
        temperature=not reasons,
    )
    return manner, bool(info["function_calling"]) and not info["structured_output"]


def context_window(endpoint: Endpoint, settings: ModelSettings) -> int | None:
    """Return the tokens that a model takes, None when nobody knows."""
    if settings.context_window:
        return settings.context_window
    if endpoint.provider == "ollama":
        return _OLLAMA_WINDOW
    if endpoint.own_server:
        return None
    if endpoint.provider == "anthropic":
        return 200_000
    from autogen_ext.models.openai import _model_info as known

    try:
        return int(known.get_token_limit(endpoint.address.name))
    except KeyError:
        return None


def _messages(messages: Sequence[Message]) -> "list[LLMMessage]":
    from autogen_core import Image
    from autogen_core.models import AssistantMessage, SystemMessage, UserMessage

    kinds: Mapping[str, Any] = {
        "system": lambda text: SystemMessage(content=text),
        "user": lambda text: UserMessage(content=text, source="user"),
        "assistant": lambda text: AssistantMessage(content=text, source="assistant"),
    }
    return [
        UserMessage(content=[m.text, *map(Image.from_base64, m.pictures)], source="user")
        if m.pictures
        else kinds[m.role](m.text)
        for m in messages
    ]
