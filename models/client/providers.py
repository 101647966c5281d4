"""The providers: what their servers are, and how AutoGen's client for each is built.

The libraries are imported when the first client is built, not before. All clients are built alike: no retries
of their own (ours are counted, and patient in our way), no redirects, no proxies towards this machine.
"""

import importlib
import logging
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from models.client.error_classes import Address
from models.install_command import install_command
from models.settings import ModelSettings

if TYPE_CHECKING:
    from autogen_core.models import ChatCompletionClient

Provider = Literal["openai", "anthropic", "ollama"]

_TALKATIVE = ("autogen_core", "autogen_core.events", "autogen_core.trace", "openai", "anthropic", "httpx2",
              "httpx")  # fmt: skip
_NO_KEY = "none"
"""The clients want some key, also for servers that ask for none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server."""

    provider: Provider
    address: Address
    own_server: bool
    """Not the provider's own server: its capabilities and prices are not known by name."""
    loopback: bool
    key: str = field(default="", repr=False)
    url: str = field(default="", repr=False)
    """Where it is asked, credentials included; empty: `address.server`."""

    @property
    def server(self) -> str:
        """Return where it is asked."""
        return self.url or self.address.server


@dataclass(frozen=True, slots=True)
class Built:
    """A client, and how to let go of it."""

    client: "ChatCompletionClient"
    close: Callable[[], Awaitable[None]]


def quiet_autogen() -> None:
    """Keep prompts out of logs and advice out of the terminal: AutoGen logs whole prompts at INFO."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    # Its table of model names lags behind; what it says of that helps nobody.
    warnings.filterwarnings("ignore", message="Resolved model mismatch")
    warnings.filterwarnings("ignore", message="Finish reason mismatch")


def missing_package(provider: Provider) -> str | None:
    """Return what must be installed to ask this provider, None when all is there."""
    if provider == "openai":
        return None
    from importlib.util import find_spec

    return None if find_spec(provider) else install_command(provider)


def load(provider: Provider) -> None:
    """Import a provider's libraries: about a second, once."""
    for module in ("autogen_core.models", f"autogen_ext.models.{provider}", "models.client.reply_transport"):
        importlib.import_module(module)


def build(endpoint: Endpoint, settings: ModelSettings) -> Built:
    """Build AutoGen's client for a model."""
    quiet_autogen()
    makers = {"openai": _openai, "anthropic": _anthropic, "ollama": _ollama}
    return makers[endpoint.provider](endpoint, settings)


# AutoGen need not forbid anything: we decide ourselves what is asked for, and learn from refusals.
_ANYTHING: Any = {
    "vision": True,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": "unknown",
    "multiple_system_messages": False,
}


def _connection(endpoint: Endpoint, settings: ModelSettings) -> dict[str, Any]:
    """Return what the OpenAI and the Anthropic library are both built with."""
    from models.client.reply_transport import CarefulClient

    return {
        "api_key": endpoint.key or _NO_KEY,
        "base_url": endpoint.server,
        "timeout": settings.timeout,
        "max_retries": 0,
        "http_client": CarefulClient(
            endpoint.address,
            timeout=settings.timeout,
            connections=settings.concurrency,
            trust_env=not endpoint.loopback,
        ),
    }


def _openai(endpoint: Endpoint, settings: ModelSettings) -> Built:
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    client = OpenAIChatCompletionClient(
        model=endpoint.address.name,
        model_info=_ANYTHING,
        include_name_in_message=False,
        **_connection(endpoint, settings),
    )
    return Built(client, client.close)


def _anthropic(endpoint: Endpoint, settings: ModelSettings) -> Built:
    from anthropic import AsyncAnthropic
    from autogen_ext.models.anthropic import BaseAnthropicChatCompletionClient

    library = AsyncAnthropic(**_connection(endpoint, settings))
    client = BaseAnthropicChatCompletionClient(
        _Anthropic(library), create_args={"model": endpoint.address.name}, model_info=_ANYTHING
    )
    return Built(client, library.close)


def _ollama(endpoint: Endpoint, settings: ModelSettings) -> Built:
    from autogen_ext.models.ollama._ollama_client import BaseOllamaChatCompletionClient
    from ollama import AsyncClient

    library = AsyncClient(
        endpoint.server,
        timeout=settings.timeout,
        follow_redirects=False,
        trust_env=not endpoint.loopback,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_bounding(endpoint.address)]},
    )
    client = BaseOllamaChatCompletionClient(
        library, create_args={"model": endpoint.address.name}, model_info=_ANYTHING
    )
    # AutoGen's own `close` leaves the connections open.
    return Built(client, library.close)


def _bounding(address: Address) -> Callable[[Any], Awaitable[None]]:
    """Return what bounds each reply to Ollama's library, which brings an HTTP client of its own."""
    import httpx

    from models.client.reply_transport import LARGEST_REPLY, Bounded, refuse_packed

    class Stream(Bounded, httpx.AsyncByteStream):
        """As that client wants it."""

    async def bound(response: httpx.Response) -> None:
        # That client unpacks what comes before anybody counts it.
        refuse_packed(response.headers, address)
        response.stream = Stream(response.stream, address, LARGEST_REPLY)

    return bound


class _Anthropic:
    """The Anthropic library as AutoGen's client takes it, which always sends a temperature: it takes none."""

    def __init__(self, library: Any) -> None:
        self._library = library

    @property
    def messages(self) -> "_Anthropic":
        """Return what has `create`."""
        return self

    async def create(self, *, temperature: float = 1.0, **arguments: Any) -> Any:
        """Send a request; a temperature that was asked for goes into the body as it is."""
        extra = {} if temperature == 1.0 else {"extra_body": {"temperature": temperature}}
        return await self._library.messages.create(**arguments, **extra)
