"""Which model does what: settings and environment in, a model for each role and one line about it out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args
from urllib.parse import urlsplit, urlunsplit

from models.client.chat_client import Client
from models.client.error_classes import Address
from models.client.http_semantics import is_loopback
from models.client.providers import Endpoint, Provider, missing_package
from models.client.reply_cache import KeptReplies, is_kept
from models.client.text_cache import TextCache
from models.errors import ModelUnavailable
from models.extractive import ExtractiveModel
from models.fallback import FallbackModel
from models.language_model import LanguageModel
from models.secrets import hold_secret
from models.settings import ModelSettings
from models.task import Model, Role
from models.text_statistics import Statistics

EMBEDDED = "embedded"
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class _Provider:
    """What is known of a provider."""

    server: str
    """Where its own server is."""
    key: str
    """The environment variable with the key; empty where there are none."""
    base: str
    """The environment variable with another server's address."""
    default: str
    """The model that is asked when only a key is configured; empty: it must be named."""


PROVIDERS: Mapping[str, _Provider] = {
    "openai": _Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5-mini"),
    "anthropic": _Provider(
        "https://api.anthropic.com", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "claude-haiku-4-5"
    ),
    "ollama": _Provider("http://127.0.0.1:11434", "", "OLLAMA_HOST", ""),
}


class ChoiceReason(StrEnum):
    """Why a model was chosen for all roles that name no other."""

    NAMED = "named"
    OFFLINE = "offline"
    KEY = "key"
    """A provider's key is set."""
    NO_NAME = "no_name"
    """A server is set, and no model of it is named."""
    NO_KEY = "no_key"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model of all roles that name no other, and why it is this one."""

    name: str
    reason: ChoiceReason
    detail: str = ""
    """Of `KEY` the variable that is set, of `NO_KEY` those that could be; of `NO_NAME` the server."""
    provider: str = ""
    """Of `NO_NAME`: the server's."""

    def text(self, naming: str = "with --model") -> str:
        """Return the choice in words; `naming` says how a person names a model where the words are read."""
        match self.reason:
            case ChoiceReason.NAMED:
                return self.name
            case ChoiceReason.OFFLINE:
                why = f"offline; a model on this machine can be named {naming}"
            case ChoiceReason.KEY:
                why = f"{self.detail} is set"
            case ChoiceReason.NO_NAME:
                why = f"{self.detail} is set, but no model is named; name {self.provider}:NAME {naming}"
            case ChoiceReason.NO_KEY:
                why = f"no key; for a language model set {self.detail}, or name one {naming}"
        return f"{self.name} ({why})"


@dataclass(frozen=True)
class Models:
    """A model for each role."""

    by_role: Mapping[Role, Model]
    choice: ModelChoice
    others: str = ""
    """Roles that have a model of their own, in words."""

    @property
    def line(self) -> str:
        """One line: what was chosen and why."""
        return f"model: {self.text()}"

    def text(self, naming: str = "with --model") -> str:
        """Return what was chosen and why; see `ModelChoice.text`."""
        return f"{self.choice.text(naming)}{f'; {self.others}' if self.others else ''}"

    def __getitem__(self, role: Role) -> Model:
        return self.by_role[role]

    @property
    def names(self) -> list[str]:
        """The models' names, each once, in the order of the roles."""
        return list(dict.fromkeys(self.by_role[role].name for role in ROLES))

    @property
    def language_models(self) -> list[LanguageModel]:
        """The language models, each once: what a doctor asks how they are."""
        each = [self.by_role[role] for role in ROLES]
        asked = [m for one in each for m in (one.models if isinstance(one, FallbackModel) else (one,))]
        return list({id(model): model for model in asked if isinstance(model, LanguageModel)}.values())

    async def warm_up(self) -> None:
        """Import what the language models need, while something else is waited for."""
        for model in self.language_models:
            await model.warm_up()

    async def close(self) -> None:
        """Release all connections."""
        for model in {id(model): model for model in self.by_role.values()}.values():
            await model.close()


def choose_model(
    settings: ModelSettings,
    environment: Mapping[str, str],
    statistics: Statistics,
    *,
    loopback_only: bool = False,
    cache: TextCache | None = None,
) -> Models:
    """Choose a model for each role.

    Args:
        settings: What the user wants.
        environment: Where keys and addresses of servers are.
        statistics: For the embedded model.
        loopback_only: Nothing but this machine may be asked.
        cache: Where replies are kept, if the settings say so; None: nowhere.

    Raises:
        ModelUnavailable: a model is named that cannot be: the message says what to change.
    """
    choice = _default(settings, environment, loopback_only=loopback_only)
    made: dict[str, Model] = {}

    def model(name: str) -> Model:
        if name not in made:
            made[name] = _build(
                name, settings, environment, statistics, loopback_only=loopback_only, cache=cache
            )
        return made[name]

    def with_fallback(name: str) -> Model:
        if settings.fallback is None or name in {settings.fallback, EMBEDDED}:
            return model(name)
        key = f"{name} else {settings.fallback}"
        if key not in made:
            made[key] = FallbackModel(model(name), model(settings.fallback))
        return made[key]

    by_role = {role: with_fallback(settings.roles.get(role, choice.name)) for role in ROLES}
    others = [f"{role}: {name}" for role, name in settings.roles.items() if name != choice.name]
    return Models(by_role, choice, ", ".join(others))


def endpoint(
    name: str, settings: ModelSettings, environment: Mapping[str, str], *, loopback_only: bool = False
) -> Endpoint:
    """Return where a model named `PROVIDER:NAME` is asked. Raises ModelUnavailable when it cannot be."""
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model.strip():
        known = ", ".join([EMBEDDED, *(f"{known}:NAME" for known in PROVIDERS)])
        raise ModelUnavailable(f"no model {name!r}: name one of {known}")
    known_provider = PROVIDERS[provider]
    kind: Provider = provider  # type: ignore[assignment]
    missing = missing_package(kind)
    if missing:
        raise ModelUnavailable(f"{name} needs a package that is not installed: {missing}")
    named = settings.base_url if provider == _main_provider(settings) else None
    server = _server(named or environment.get(known_provider.base) or known_provider.server, provider)
    own = server != known_provider.server
    loopback = is_loopback(urlsplit(server).hostname or "")
    if loopback_only and not loopback:
        raise ModelUnavailable(
            f"{name} is asked at {_shown(server)}, which --offline does not allow: "
            "use --model embedded, or a server on this machine with --base-url"
        )
    key = environment.get(known_provider.key, "").strip() if known_provider.key else ""
    if known_provider.key and not key and not own:
        mend = f"set {known_provider.key}, or name a server of your own with --base-url"
        raise ModelUnavailable(f"{name} needs a key: {mend}")
    secrets = tuple(secret for secret in (key, urlsplit(server).password) if secret)
    for secret in secrets:
        hold_secret(secret)
    address = Address(name, model.strip(), _shown(server), known_provider.key, secrets)
    own = own or provider == "ollama"
    return Endpoint(kind, address, own_server=own, loopback=loopback, key=key, url=server)


def _default(settings: ModelSettings, environment: Mapping[str, str], *, loopback_only: bool) -> ModelChoice:
    """Return the model of all roles that name no other, and why it is this one."""
    if settings.model:
        return ModelChoice(settings.model, ChoiceReason.NAMED)
    if loopback_only:
        return ModelChoice(EMBEDDED, ChoiceReason.OFFLINE)
    for name, provider in PROVIDERS.items():
        if not provider.key or not environment.get(provider.key, "").strip():
            continue
        elsewhere = settings.base_url or environment.get(provider.base)
        if elsewhere and _server(elsewhere, name) != provider.server:
            return ModelChoice(EMBEDDED, ChoiceReason.NO_NAME, _shown(elsewhere), name)
        return ModelChoice(f"{name}:{provider.default}", ChoiceReason.KEY, provider.key)
    keys = " or ".join(provider.key for provider in PROVIDERS.values() if provider.key)
    return ModelChoice(EMBEDDED, ChoiceReason.NO_KEY, keys)


def seeing_model(
    settings: ModelSettings,
    environment: Mapping[str, str],
    *,
    loopback_only: bool = False,
    cache: TextCache | None = None,
) -> LanguageModel | None:
    """Return the model that reads pictures; None where none is named.

    Raises ModelUnavailable: it cannot be asked; the message says what to change.
    """
    if settings.vision is None:
        return None
    try:
        place = endpoint(settings.vision, settings, environment, loopback_only=loopback_only)
    except ModelUnavailable as error:
        raise ModelUnavailable(f"models.vision: {error}") from error
    replies = KeptReplies(cache, place, settings) if cache is not None and is_kept(settings) else None
    return LanguageModel(place, settings, replies=replies)


def _build(
    name: str,
    settings: ModelSettings,
    environment: Mapping[str, str],
    statistics: Statistics,
    *,
    loopback_only: bool,
    cache: TextCache | None,
) -> Model:
    if name == EMBEDDED:
        return ExtractiveModel(statistics)
    place = endpoint(name, settings, environment, loopback_only=loopback_only)
    replies = KeptReplies(cache, place, settings) if cache is not None and is_kept(settings) else None
    return LanguageModel(place, settings, client=Client(place, settings), replies=replies)


def _main_provider(settings: ModelSettings) -> str:
    """Return the provider that `base_url` is meant for: that of the model, else OpenAI's."""
    provider = (settings.model or "").partition(":")[0]
    return provider if provider in PROVIDERS else "openai"


def _server(address: str, provider: str) -> str:
    """Return an address as it is asked: with a scheme, and for Ollama with its port."""
    address = address.strip()
    if "://" not in address:
        address = f"http://{address}"
    wanted = "is no address of a server: write it like http://127.0.0.1:8000/v1"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:  # a port that is none, or brackets that do not close
        raise ModelUnavailable(f"{address.rpartition('@')[2]} {wanted}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ModelUnavailable(f"{_shown(address)} {wanted}")
    if provider == "ollama":
        # `OLLAMA_HOST=0.0.0.0` tells the server where to listen; it is asked on this machine.
        host = "127.0.0.1" if parts.hostname in {"0.0.0.0", "::"} else parts.hostname  # noqa: S104 - only recognised here  # nosec B104
        host = f"[{host}]" if ":" in host else host
        return urlunsplit((parts.scheme, f"{host}:{port or 11434}", parts.path.rstrip("/"), "", ""))
    return address.rstrip("/")


def _shown(server: str) -> str:
    """Return an address without user name and password."""
    parts = urlsplit(server)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
