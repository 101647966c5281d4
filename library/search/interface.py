"""The contract of everything that can be searched: local collections and web backends alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from library.evidence import Passage, Work


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search, best first in its list."""

    url: str
    title: str
    snippet: str = ""
    """What the backend shows of the page; never cited on its own."""
    score: float | None = None
    """Relevance, 0 to 1; None where the backend gives only an order."""
    passage: Passage | None = None
    """The passage found, where the text is in the store; None for the web: its pages must be read."""
    published: str | None = None
    kind: str = ""
    """`paper`, `news`, `encyclopedia`, `docs` or `code`; empty where nobody says."""
    work: Work | None = None
    """Of a catalogue of works: what it says of this one; the snippet is its abstract then."""


class NotedHits(list[Hit]):
    """Hits with what a person should know of the search that found them."""

    def __init__(self, hits: Iterable[Hit] = (), notes: Iterable[str] = ()) -> None:
        super().__init__(hits)
        self.notes = tuple(notes)
        """A line each: which engines failed, for instance."""


class Collection(Protocol):
    """A place to search: a collection of documents, or the web through one backend."""

    name: str
    """As used in `where`: `web`, `wikipedia`, `python`, a collection's name."""
    description: str
    """One line: what is to be found there. A model reads it to choose where to search."""
    private: bool
    """Holds the user's own documents."""
    local: bool
    """Needs no network."""

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search; an empty list means that nothing was found. Raises SearchError when it fails."""
