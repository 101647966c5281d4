"""An AutoGen agent from a file: the configuration of a component, as `dump_component()` gives it.

Loading a component imports the class that it names and builds it; some run code that stands in the file
(`FunctionTool`), others start programs. So a file is read only when a person named it, and every component
in it, however deep, must be of a provider on the list: AutoGen's assistant with its model clients and
contexts, and what the person allows beside these.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
            package or module, for all in it.
        offline: Refuse what may ask a server that is not on this machine.

    Raises:
        ComponentError: it cannot be read, names a provider that is not allowed, or cannot be built.
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
