"""AutoGen's model clients, one for each provider, behind one interface: messages in, text out.

This is the wall: whatever a client raises — its own errors, its HTTP library's, or the JSONDecodeError,
AttributeError, TypeError, IndexError of a reply that is none — leaves here as a `Fault`. AutoGen and the
providers' libraries are imported when the first request is made, not before.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from models.faults import classify
from models.patience import Manner
from models.providers import Built, Endpoint, build, load
from models.schemas import response_format
from models.settings import ModelSettings

if TYPE_CHECKING:
    from autogen_core.models import ChatCompletionClient, LLMMessage

_OLLAMA_WINDOW = 16_384
"""Ollama cuts prompts silently at 4,096 tokens unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, before it is read."""

    text: str
    finish: str
    """`stop`, `length`, `content_filter` or `unknown`."""
    prompt_tokens: int
    """0 when the server does not tell."""
    completion_tokens: int


class Client:
    """One model on one server."""

    def __init__(self, endpoint: Endpoint, settings: ModelSettings) -> None:
        self.address = endpoint.address
        self._endpoint = endpoint
        self._settings = settings
        self._client: Built | None = None
        self._in_flight = asyncio.Semaphore(settings.concurrency)

    async def create(
        self, messages: Sequence[Message], output: type[BaseModel], manner: Manner, limit: int
    ) -> Answer:
        """Ask once.

        Args:
            messages: The conversation so far.
            output: What the reply is to be read into.
            manner: What the server takes.
            limit: Tokens that the reply may have.

        Raises:
            Fault: it did not work, for whatever reason.
        """
        async with self._in_flight:
            try:
                client = await self._ready()
                async with asyncio.timeout(self._settings.timeout):
                    return await self._create(client, messages, output, manner, limit)
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
        manner: Manner,
        limit: int,
    ) -> Answer:
        result = await client.create(_messages(messages), **self._arguments(output, manner, limit))
        return Answer(
            text=result.content if isinstance(result.content, str) else "",
            finish=result.finish_reason,
            prompt_tokens=result.usage.prompt_tokens,
            completion_tokens=result.usage.completion_tokens,
        )

    def _arguments(self, output: type[BaseModel], manner: Manner, limit: int) -> dict[str, Any]:
        temperature = self._settings.temperature if manner.temperature else None
        warm = {} if temperature is None else {"temperature": temperature}
        if self._endpoint.provider == "ollama":
            window = self._settings.context_window or _OLLAMA_WINDOW
            shape = {"schema": output, "object": True, "text": None}[manner.format]
            return {
                "json_output": shape,
                "extra_create_args": {"options": {"num_ctx": window, "num_predict": limit, **warm}},
            }
        arguments: dict[str, Any] = dict(warm)
        if manner.limit != "none":
            arguments[manner.limit] = limit
        if manner.format == "schema":
            arguments["response_format"] = response_format(output)
        elif manner.format == "object":
            arguments["response_format"] = {"type": "json_object"}
        return {"extra_create_args": arguments}


def first_manner(endpoint: Endpoint) -> Manner:
    """Return how a model is asked at first: as AutoGen knows it, else hoping for the best."""
    if endpoint.provider == "anthropic":
        # AutoGen's client knows neither schema nor JSON mode of these models.
        return Manner(format="text")
    if endpoint.provider == "ollama" or endpoint.own_server:
        return Manner()
    from autogen_ext.models.openai import _model_info as known

    try:
        info = known.get_info(endpoint.address.name)
    except ValueError:
        return Manner(limit="max_completion_tokens")
    reasons = str(info["family"]) in {"o1", "o3", "o4", "gpt-5"}
    return Manner(
        format="schema" if info["structured_output"] else "object" if info["json_output"] else "text",
        limit="max_completion_tokens",
        temperature=not reasons,
    )


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
    from autogen_core.models import AssistantMessage, SystemMessage, UserMessage

    kinds: Mapping[str, Any] = {
        "system": lambda text: SystemMessage(content=text),
        "user": lambda text: UserMessage(content=text, source="user"),
        "assistant": lambda text: AssistantMessage(content=text, source="assistant"),
    }
    return [kinds[message.role](message.text) for message in messages]
