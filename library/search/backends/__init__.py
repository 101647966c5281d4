"""Places on the network to search, each a few lines of data and one function, found by name."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from library.search.search_settings import SearchSettings

if TYPE_CHECKING:
    from library.search.backends.backend_registry import backend, names

__all__ = ["SearchSettings", "backend", "names"]


def __getattr__(name: str) -> Any:
    """Load the registry, and with it the HTTP client, when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("library.search.backends.backend_registry"), name)
