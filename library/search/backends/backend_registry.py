"""Finding a backend by its name: ours, and those that other distributions add.

Another distribution adds one with an entry point of the group `roundtable.search`; it names a function that
takes a `Fetcher` and `SearchSettings` and returns a `Collection`.
"""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from library.errors import SearchError
from library.search.interface import Collection
from library.search.search_settings import SearchSettings

if TYPE_CHECKING:
    from library.web.fetcher import Fetcher

GROUP = "roundtable.search"

Open = Callable[["Fetcher", SearchSettings], Collection]
"""Makes a collection of a backend."""

OURS = ("arxiv", "crossref", "github", "openalex", "searxng", "semanticscholar", "web", "wikipedia")
"""The backends that come with the program."""


def names() -> list[str]:
    """Return the names of all backends, in alphabetical order."""
    return sorted({*OURS, *(found.name for found in entry_points(group=GROUP))})


def backend(name: str, fetcher: "Fetcher", settings: SearchSettings | None = None) -> Collection:
    """Open a backend by its name. Raises SearchError for an unknown one, naming the nearest."""
    return _opener(name)(fetcher, settings or SearchSettings())


def _opener(name: str) -> Open:
    if name in OURS:
        opener: Open = import_module(f"library.search.backends.{name}").open_backend
        return opener
    for found in entry_points(group=GROUP, name=name):
        try:
            added: Open = found.load()
        except Exception as error:
            raise SearchError(
                f"the search backend '{name}' ({found.value}) cannot be loaded: {error}"
            ) from error
        return added
    known = names()
    near = get_close_matches(name, known, 1, 0.5)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise SearchError(f"there is no search backend '{name}'; {hint}There are: {', '.join(known)}")
