"""Places on the network to search, each a few lines of data and one function, found by name."""

from library.backends.registry import backend, names
from library.backends.settings import SearchSettings

__all__ = ["SearchSettings", "backend", "names"]
