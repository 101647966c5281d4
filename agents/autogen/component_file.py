"""An AutoGen agent from a file: the configuration of a component, as `dump_component()` gives it.

Loading a component imports the class that it names and builds it; some run code that stands in the file
(`FunctionTool`), others start programs. So a file is read only when a person named it, and every component
in it, however deep, must be of a provider on the list: AutoGen's assistant with its model clients and
contexts, and what the person allows beside these.

A client asks its server with the person's key. So a file brings no server either: it may name this
machine, the provider's own server, and those that the person names.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from models.client import address_host, is_loopback

if TYPE_CHECKING:
    from autogen_agentchat.base import ChatAgent

_CLIENTS = {
    "autogen_ext.models.openai.OpenAIChatCompletionClient": "base_url",
    "autogen_ext.models.openai.AzureOpenAIChatCompletionClient": "azure_endpoint",
    "autogen_ext.models.anthropic.AnthropicChatCompletionClient": "base_url",
    "autogen_ext.models.ollama.OllamaChatCompletionClient": "host",
}
"""Model clients, and where each one's configuration says which server it asks."""
_LOCAL_BY_DEFAULT = "autogen_ext.models.ollama.OllamaChatCompletionClient"
_SERVERS = frozenset(_CLIENTS.values())
_OWN_SERVERS = {
    "autogen_ext.models.openai.OpenAIChatCompletionClient": "https://api.openai.com",
    "autogen_ext.models.anthropic.AnthropicChatCompletionClient": "https://api.anthropic.com",
}
"""The providers' own, by the client whose key belongs there."""
_USUAL = {"http": 80, "https": 443}
_NAMED_BY = ("OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT", "ANTHROPIC_BASE_URL", "OLLAMA_HOST")
"""Variables by which a person names a server."""
PROVIDERS = frozenset(
    {
        "autogen_agentchat.agents.AssistantAgent",
        "autogen_agentchat.agents.SocietyOfMindAgent",
        "autogen_agentchat.teams.RoundRobinGroupChat",
        "autogen_agentchat.conditions.MaxMessageTermination",
        "autogen_agentchat.conditions.TextMentionTermination",
        "autogen_core.memory.ListMemory",
        "autogen_core.model_context.BufferedChatCompletionContext",
        "autogen_core.model_context.HeadAndTailChatCompletionContext",
        "autogen_core.model_context.UnboundedChatCompletionContext",
        "autogen_core.tools.StaticWorkbench",
        "autogen_core.tools.StaticStreamWorkbench",
        *_CLIENTS,
    }
)
"""What may be loaded unless a person allows more: nothing of it runs code from the file, reads files or
starts programs. A workbench only holds tools, and each tool is looked at itself."""
_LARGEST = 1_000_000
"""Bytes of a file."""


class ComponentError(Exception):
    """A file holds no agent that may be loaded; the message says which file, what is wrong, what to do."""


def read_agent(path: Path, allowed: Sequence[str] = (), *, offline: bool = False) -> "ChatAgent":
    """Return the agent that a file describes.

    Args:
        path: JSON, as `agent.dump_component().model_dump_json()` writes it.
        allowed: Providers that may be loaded beside `PROVIDERS`: a class (`package.module.Class`), or a
            package or module, for all in it. An address allows the server there.
        offline: Refuse what may ask a server that is not on this machine.

    Raises:
        ComponentError: it cannot be read, names a provider or a server that is not allowed, or cannot be
            built.
    """
    described = _described(path)
    for component in components_in(described):
        _check(path, component, allowed, offline=offline)
    from autogen_agentchat.base import ChatAgent

    try:
        return ChatAgent.load_component(described)
    except TypeError as failure:
        raise ComponentError(f"{path} describes no agent that can be loaded: {_line(failure)}") from failure
    except Exception as failure:  # whatever a component's constructor raises: keys, packages, values
        raise ComponentError(f"{path}: the agent cannot be built: {_line(failure)}") from failure


def components_in(described: object) -> Iterator[Mapping[str, Any]]:
    """Yield every component of a configuration, however deep: whatever has a `provider`."""
    if isinstance(described, Mapping):
        if "provider" in described:
            yield described
        for inner in described.values():
            yield from components_in(inner)
    elif isinstance(described, list):
        for inner in described:
            yield from components_in(inner)


def _described(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as failure:
        raise ComponentError(f"cannot read {path}: {failure.strerror or failure}") from failure
    if len(data) > _LARGEST:
        raise ComponentError(f"{path} is larger than {_LARGEST:,} bytes: it is no agent's configuration")
    try:
        described = json.loads(data)
    except (ValueError, RecursionError) as failure:
        raise ComponentError(f"{path} is not JSON: {_line(failure)}") from failure
    if not isinstance(described, dict) or "provider" not in described:
        raise ComponentError(
            f"{path} is no AutoGen component: write it with agent.dump_component().model_dump_json()"
        )
    return described


def _check(path: Path, component: Mapping[str, Any], allowed: Sequence[str], *, offline: bool) -> None:
    provider = str(component["provider"])[:200]
    if provider not in PROVIDERS and not any(_covers(entry, provider) for entry in allowed):
        raise ComponentError(
            f"{path} names the provider {provider!r}, and loading it runs its code: "
            f"if you trust it, allow it with --allow-provider {provider}"
        )
    if offline and not _stays_here(provider, component.get("config")):
        raise ComponentError(
            f"{path}: offline, and {provider} may ask a server elsewhere: give it the address of one on this "
            "machine, or leave out --offline"
        )
    for server in _servers(component.get("config")):
        if not _is_known(provider, server, allowed):
            shown = address_host(server) or server[:100]
            raise ComponentError(
                f"{path} names the server {shown!r}, which would be sent your key and what the table reads: "
                f"if you trust it, allow it with --allow-provider {_origin(server) or 'ADDRESS'}"
            )


def _servers(config: object) -> Iterator[str]:
    """Yield the servers that a component's configuration names, as addresses."""
    if isinstance(config, Mapping):
        for name in sorted(_SERVERS & config.keys()):
            if server := str(config[name] or ""):
                yield server if "://" in server else f"http://{server}"


def _is_known(provider: str, server: str, allowed: Sequence[str]) -> bool:
    """Tell whether a server is this machine's, the provider's own, or named by the person."""
    origin = _origin(server)
    if not origin:
        return False
    named = [entry for entry in allowed if "://" in entry]
    given = filter(None, map(os.environ.get, _NAMED_BY))
    named += [server if "://" in server else f"http://{server}" for server in given]
    known = {_OWN_SERVERS.get(provider, ""), *map(_origin, named)}
    return origin in known or is_loopback(address_host(server))


def _origin(address: str) -> str:
    """Return scheme, host and port of an address; empty where it is none."""
    if "\\" in address or not address.isprintable():  # readers of addresses differ in what they make of these
        return ""
    try:
        parts = urlsplit(address.strip().lower())
        port = "" if parts.port in {None, _USUAL.get(parts.scheme)} else f":{parts.port}"
    except ValueError:
        return ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}" if host and parts.scheme in {"http", "https"} else ""


def _covers(entry: str, provider: str) -> bool:
    return provider == entry or provider.startswith(entry.rstrip(".") + ".")


def _stays_here(provider: str, config: object) -> bool:
    """Tell whether a component asks no server elsewhere; of classes that are not on the list nobody knows."""
    if provider not in _CLIENTS:
        return provider in PROVIDERS or provider.startswith("autogen_ext.models.replay.")
    server = str(config.get(_CLIENTS[provider]) or "") if isinstance(config, Mapping) else ""
    if not server:
        return provider == _LOCAL_BY_DEFAULT
    return is_loopback(address_host(server if "://" in server else f"http://{server}"))


def _line(failure: BaseException) -> str:
    words = " ".join(str(failure).split())
    return f"{type(failure).__name__}: {words[:300]}" if words else type(failure).__name__
