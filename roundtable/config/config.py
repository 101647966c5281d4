"""What can be set: the rooms' settings joined, and where each value comes from.

A flag wins over the environment, that over a file, that over a preset, and what nobody sets has its default.
An error names the place that a value came from, and for an unknown name the nearest known one.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, Field, PrivateAttr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from agents import AgentSettings
from library import LibrarySettings
from library.safety import PrivacySettings
from library.search import McpServer, ServerName
from mindmap import MapSettings
from models import ModelSettings
from moderator import ModeratorSettings
from reports import ReportSettings
from roundtable.config.errors import ConfigError, wrong_value
from roundtable.config.flags import flag_of
from roundtable.config.gone_settings import gone_name, renamed
from roundtable.config.home import home
from roundtable.config.serve_settings import ServeSettings

__all__ = ["Settings", "home", "joined", "load_settings", "presets", "recorded_settings", "unresolved"]

PREFIX = "ROUNDTABLE_"
_DEPTHS = "depths.toml"
"""Beside the presets."""
_RECORDED = "the session's settings"
RESERVED = frozenset({
    "ROUNDTABLE_HOME", "ROUNDTABLE_DATABASE", "ROUNDTABLE_SHARED", "ROUNDTABLE_DEBUG", "ROUNDTABLE_FRESHWIKI",
    "ROUNDTABLE_TOKEN", "ROUNDTABLE_MEANINGS",
})  # fmt: skip
"""Variables with our prefix that are no settings."""


class Settings(BaseSettings):
    """Everything that can be set for a session."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True
    )

    depth: Literal["quick", "standard", "deep"] = "standard"
    """How much a language model is shown, and how far a session goes: `configs/depths.toml`."""
    language: str = "auto"
    """Language of the discussion as a code (`en`, `zh`, …); `auto`: that of the topic."""
    docs: list[str] = Field(default_factory=list)
    """Folders, files and named collections to search."""
    search: list[str] = Field(default_factory=list)
    """Places outside to search (`web`, `wikipedia`, …); empty: the web, unless `offline` or `docs` is set."""
    offline: bool = False
    """Open no internet socket, except to a model on this machine when one is named."""
    models: ModelSettings = ModelSettings()
    """Which models are asked."""
    library: LibrarySettings = LibrarySettings()
    """How places are searched, pages fetched, and files read."""
    mcp: Mapping[ServerName, McpServer] = Field(default_factory=dict)
    """Servers of the Model Context Protocol that are searched, by the name that each is called here."""
    privacy: PrivacySettings = PrivacySettings()
    """What leaves this machine."""
    agents: AgentSettings = AgentSettings()
    """The experts and how far one of their turns may go."""
    moderator: ModeratorSettings = ModeratorSettings()
    """The course of the discussion, and what it may spend."""
    mindmap: MapSettings = MapSettings()
    """The mind map."""
    reports: ReportSettings = ReportSettings()
    """The report."""
    serve: ServeSettings = Field(default=ServeSettings(), exclude=True)
    """The server's own: no session's journal holds them."""
    _notices: tuple[str, ...] = PrivateAttr(default=())

    @property
    def notices(self) -> tuple[str, ...]:
        """A line for each setting that has gone and was still named: where, and what to use instead."""
        return self._notices

    def noticing(self, lines: Sequence[str]) -> Self:
        """Return these settings with their notices, just after they were made."""
        self._notices = tuple(lines)
        return self

    @classmethod
    def settings_customise_sources(  # type: ignore[override]
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        **_others: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take what the constructor is given, nothing else: `load_settings` has joined the layers."""
        return (init_settings,)


def presets() -> list[str]:
    """Return the names of the presets that come with the program."""
    files = resources.files("configs").iterdir()
    names = [file.name for file in files if file.name.endswith(".toml") and file.name != _DEPTHS]
    return sorted(name.removesuffix(".toml") for name in names)


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    preset: str | None = None,
    environment: Mapping[str, str] | None = None,
    recorded: Mapping[str, Any] | None = None,
) -> Settings:
    """Return the settings in force.

    Args:
        flags: Values given on the command line, nested as the settings are; only those that were given.
        config: A TOML file of settings.
        preset: Name of a preset.
        environment: Instead of the process's own; for tests.
        recorded: Those that a session was started with, below all others; see `recorded_settings`.

    A setting that has gone since a version before is let go, or taken under its new name: `Settings.notices`.

    Raises:
        ConfigError: a value or a name is wrong; the message has a line for each, and says where it stands.
    """
    environment = os.environ if environment is None else environment
    layers = [("flag", dict(flags or {})), ("environment", _from_environment(environment))]
    if config is not None:
        layers.append((str(config), _read_file(config)))
    if preset is not None:
        layers.append((f"preset {preset}", _read_preset(preset)))
    if recorded is not None:
        layers.append((_RECORDED, dict(recorded)))

    values: dict[str, Any] = {}
    notices: list[str] = []
    for place, (name, layer) in enumerate(layers):
        today, gone = renamed(layer)
        layers[place] = (name, today)
        values = joined(today, values)
        notices += [f"{name}: {line}" for line in gone]
    below = _depths().get(str(values.get("depth", "standard")), {})
    values = joined(below, values)
    try:
        return Settings(**values).noticing(notices)
    except ValidationError as failure:
        lines = [_explain(error, layers) for error in failure.errors(include_url=False)]
        raise ConfigError("\n".join(dict.fromkeys(lines))) from failure


def server_settings(config: Path | None, environment: Mapping[str, str] | None = None) -> ServeSettings:
    """Return a server's own settings, from a file and the environment.

    Args:
        config: A TOML file with the table `serve`; None: the environment alone.
        environment: Instead of the process's own.

    Raises:
        ConfigError: something is wrong, or the file sets what is none of the server's: sessions of a server
            take what the page and the environment say.
    """
    if config is not None and (others := sorted(_read_file(config).keys() - {"serve"})):
        raise ConfigError(f"{config}: a server takes [serve] from there, and not {', '.join(others)}")
    return load_settings(config=config, environment=environment).serve


def recorded_settings(values: Mapping[str, Any], flags: Mapping[str, Any] | None = None) -> Settings:
    """Return settings as a session's first event holds them, also when a version before wrote it.

    Args:
        values: The settings of `SessionStarted`.
        flags: What is named now instead.

    Raises:
        ConfigError: a later version wrote them, or a value is wrong.
    """
    return load_settings(flags, environment={}, recorded=values)


def joined(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return two layers as one: tables are joined, anything else is taken from the one above."""
    both = dict(below) | dict(above)
    for key in below.keys() & above.keys():
        if isinstance(below[key], Mapping) and isinstance(above[key], Mapping):
            both[key] = joined(below[key], above[key])
    return both


class _Environment(EnvSettingsSource):
    """The environment given, instead of the process's own."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._given = {name.lower(): value for name, value in environment.items()}
        super().__init__(Settings)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name: value for name, value in self._given.items() if value != ""}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    for name in sorted(environment):
        known = name.removeprefix(PREFIX).partition("__")[0].lower() in Settings.model_fields
        if name.startswith(PREFIX) and name not in RESERVED and not known:
            first = name.removeprefix(PREFIX).partition("__")[0]
            near = gone_name(first.lower()) or _nearest(
                first, [field.upper() for field in Settings.model_fields], PREFIX
            )
            raise ConfigError(f"environment: no setting {name}{near}")
    try:
        return _Environment(environment)()
    except SettingsError as failure:
        raise ConfigError(f"environment: {failure}: lists and tables are written as JSON") from failure


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise ConfigError(f"cannot read {path}: {failure.strerror}") from failure
    except (ValueError, RecursionError) as failure:  # also of a number without end, of brackets without end
        raise ConfigError(f"{path} is not TOML: {failure}") from failure


def _depths() -> dict[str, dict[str, Any]]:
    """Return the settings of each depth, by name."""
    return tomllib.loads((resources.files("configs") / _DEPTHS).read_text(encoding="utf-8"))


def _read_preset(name: str) -> dict[str, Any]:
    if name not in presets():
        raise ConfigError(f"no preset {name!r}{_nearest(name, presets())}; there are: {', '.join(presets())}")
    return tomllib.loads((resources.files("configs") / f"{name}.toml").read_text(encoding="utf-8"))


def _explain(error: ErrorDetails, layers: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Return one line about one wrong value: where it stands, its key, and what is wrong."""
    where = [part for part in error["loc"] if part != "[key]"]
    key = ".".join(map(str, where))
    place = next((name for name, values in layers if _holds(values, where)), "settings")
    unknown = error["type"] == "extra_forbidden"
    if place == "flag" and not unknown and (flag := flag_of(where)):
        place, key = "", f"--{flag}"
    if place == "environment":
        key = PREFIX + "__".join(map(str, where)).upper()
    if unknown:
        name, known = str(where[-1]), list(_keys_at(Settings, where[:-1]))
        if place == _RECORDED:
            return f"{place}: no setting {key}: a later version wrote it; upgrade the program"
        if place == "environment":
            name, known = name.upper(), [k.upper() for k in known]
        return f"{place}: no setting {key}{_nearest(name, known, key.removesuffix(name))}"
    said, given = wrong_value(error), _shown(error["input"])
    named = f"{place}: {key}" if place else key
    return f"{named}: {said}" if said.endswith(given) else f"{named}: {said}, not {given}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _holds(values: Mapping[str, Any], where: Sequence[int | str]) -> bool:
    inside: Any = values
    for part in where:
        if isinstance(inside, Mapping):
            if part not in inside:
                return False
            inside = inside[part]
        else:
            return True  # not a table: pydantic names what is wrong in there
    return True


def _keys_at(model: type[BaseModel], where: Sequence[int | str]) -> Iterator[str]:
    """Yield the names of the settings under a path of keys."""
    for part in where:
        field = model.model_fields.get(str(part))
        if field is None:
            return
        kinds = [field.annotation, *get_args(field.annotation)]
        inner = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not inner:
            return
        model = inner[0]
    yield from model.model_fields


def _nearest(name: str, known: Sequence[str], prefix: str = "") -> str:
    """Return `; did you mean …?` for a name that is near to a known one, else nothing."""
    by_fold = {k.casefold(): k for k in known}
    near = difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=0.6)
    return f"; did you mean {prefix}{by_fold[near[0]]}?" if near else ""


def unresolved(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain values for the journal.

    Keys are never settings, so none is in there; addresses lose the user name and password that some have.
    """
    found = _without_credentials(settings.model_dump(mode="json"))
    assert isinstance(found, dict)
    return found


_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


def _without_credentials(value: Any) -> Any:
    if isinstance(value, str):
        return _CREDENTIALS.sub("", value)
    if isinstance(value, dict):
        return {key: _without_credentials(inner) for key, inner in value.items()}
    return [_without_credentials(inner) for inner in value] if isinstance(value, list) else value
