"""`trust.toml` in the home folder: what a person thinks of sources, in whatever session."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import ValidationError

from library import TrustList, on_the_web
from roundtable.config.errors import ConfigError, wrong_value

TRUST = "trust.toml"
_COLLECTION = "collection:"


def read_trust(home: Path) -> TrustList:
    """Return what stands in the file; nothing where there is none. Raises ConfigError."""
    path = home / TRUST
    if not path.exists():
        return TrustList()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise ConfigError(f"cannot read {path}: {failure.strerror}") from failure
    except (ValueError, RecursionError) as failure:
        raise ConfigError(f"{path} is not TOML: {failure}") from failure
    try:
        return TrustList(**values)
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        if first["type"] == "extra_forbidden":
            said = f"{first['loc'][0]}: there are prefer, doubt and never"
        elif first["type"] == "tuple_type":
            said = f'{first["loc"][0]} is no list: write it as ["example.org", "kind:forum"]'
        else:
            said = f"{first['loc'][0]}: {wrong_value(first)}"
        raise ConfigError(f"{path}: {said}") from failure


def with_folders(trust: TrustList, folders: Callable[[str], Iterable[str]]) -> TrustList:
    """Return a list that names collections by where their documents lie, as sources are known.

    `folders` gives the paths of a collection by its name; it raises InputError where there is none.
    """

    def settled(entries: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            told
            for entry in entries
            for told in (
                [
                    path if on_the_web(path) else f"folder:{path}"
                    for path in folders(entry.removeprefix(_COLLECTION))
                ]
                if entry.startswith(_COLLECTION)
                else [entry]
            )
        )

    return TrustList(prefer=settled(trust.prefer), doubt=settled(trust.doubt), never=settled(trust.never))
