"""Which engines there are, where they keep a collection, and how one is opened."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from library.errors import EngineError
from library.index_engines.engine_settings import EngineSettings
from library.index_engines.index_engine import IndexEngine
from library.index_engines.opensearch_indices import address_of
from library.store.engine_rows import EnginePlace
from models.client import is_loopback

ENGINES = ("lancedb", "opensearch")
"""By name; each comes with the extra of its name."""
_FOLDER = "index-engines"
"""The folder, beside the store, of collections for which nobody said where."""
_REMOTE = "://"
_REGION = "us-east-1"
"""Of a server that knows no regions: something must be signed."""


def add_place(engine: str, at: str, name: str, home: Path, *, attached: bool = False) -> EnginePlace:
    """Return where an engine is to keep a collection, with an owner drawn for it.

    Args:
        engine: One of `ENGINES`.
        at: A folder, or an address (`s3://bucket/path`; of OpenSearch `https://host:9200/NAME`); empty: a
            folder in `home`, which OpenSearch has none of.
        name: The collection's.
        home: The folder of the store.
        attached: Whether somebody else feeds it.

    Raises:
        EngineError: there is no such engine, or nothing at `at` that it could have made.
    """
    if engine not in ENGINES:
        raise EngineError(f"--engine {engine}: there is no such engine; there is: {', '.join(ENGINES)}")
    if engine == "opensearch":
        address_of(at)
    place = at if _REMOTE in at else str((Path(at).expanduser() if at else home / _FOLDER / name).resolve())
    if attached and _REMOTE not in at and not Path(place).is_dir():
        raise EngineError(f"--at {at}: there is no such folder; name the one that {engine} keeps it in")
    return EnginePlace(engine, place, attached, "" if attached else secrets.token_hex(16))


def open_engine(indexed: EnginePlace, settings: EngineSettings, *, offline: bool = False) -> IndexEngine:
    """Open what indexes a collection.

    Raises:
        EngineError: it is not installed, lies on another machine and `offline` is set, or cannot be opened.
    """
    if offline and not is_here(indexed, settings):
        raise EngineError(f"offline: {indexed.place} lies on another machine and is not searched")
    if indexed.engine == "lancedb":
        from library.index_engines.lancedb_engine import LanceEngine

        return LanceEngine(indexed.place, _storage_options(settings), indexed.owner)
    if indexed.engine == "opensearch":
        from library.index_engines.opensearch_engine import OpenSearchEngine

        return OpenSearchEngine(indexed.place, indexed.owner)
    raise EngineError(f"{indexed.place}: {indexed.engine} is no engine that this version knows; update it")


def is_here(indexed: EnginePlace, settings: EngineSettings) -> bool:
    """Tell whether what indexes a collection is on this machine."""
    if _REMOTE not in indexed.place:
        return True
    if indexed.engine == "opensearch":
        return is_loopback(urlsplit(indexed.place).hostname or "")
    if urlsplit(indexed.place).scheme != "s3":  # `endpoint` is of S3; others are asked where they are
        return False
    endpoint = settings.options.get("endpoint") or settings.options.get("aws_endpoint") or ""
    return is_loopback(urlsplit(endpoint).hostname or "")


def _storage_options(settings: EngineSettings) -> Mapping[str, str]:
    """Return LanceDB's storage options; what a server of one's own needs besides its address is added."""
    options = dict(settings.options)
    if (endpoint := options.get("endpoint")) is not None:
        options.setdefault("region", os.environ.get("AWS_REGION") or _REGION)
        if endpoint.startswith("http://"):
            options.setdefault("allow_http", "true")
    return options
