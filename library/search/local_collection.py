"""Searching a collection of documents by our own index; `library.search.passage_search` reads queries."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from library.errors import SearchError, StoreError
from library.events import ToldOfSource
from library.evidence import Passage, Source, as_read_at, as_told, on_the_web
from library.search.bm25 import Bm25
from library.search.interface import Hit
from library.search.passage_search import PassageSearch
from library.store.store import Held, Store
from library.text.similarity.tfidf import Frequencies, TextStatistics


class CollectionFrequencies:
    """The document frequencies of some collections together, as they are now."""

    def __init__(self, store: Store, collections: Sequence[Held]) -> None:
        self._postings = [store.postings(held) for held in collections]

    def count(self) -> int:
        """Return how many passages the collections hold."""
        return sum(map(len, self._postings))

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        wanted = list(dict.fromkeys(terms))
        if not wanted:
            return {}
        sums = np.zeros(len(wanted), dtype=np.int64)
        for postings in self._postings:
            sums += postings.frequencies(wanted)
        return dict(zip(wanted, sums.tolist(), strict=True))


class JoinedFrequencies:
    """The document frequencies of some bodies of passages together."""

    def __init__(self, bodies: Sequence[Frequencies]) -> None:
        self._bodies = bodies

    def count(self) -> int:
        """Return how many passages they hold."""
        return sum(body.count() for body in self._bodies)

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        wanted = list(dict.fromkeys(terms))
        found: dict[str, int] = {}
        for body in self._bodies:
            for term, number in body.document_frequency(wanted).items():
                found[term] = found.get(term, 0) + number
        return found


class DocumentPlace(ABC):
    """A collection of documents as a place to search, whatever indexes it."""

    local = True

    def __init__(self, store: Store, held: Held, frequencies: Frequencies, name: str = "") -> None:
        """Take a collection of a store.

        Args:
            store: Keeps its texts.
            held: The collection.
            frequencies: How often terms occur in it.
            name: As it is searched by, where that is another than its own.
        """
        self._store = store
        self.held = held
        self.name = name or held.name
        self.description = held.description
        self.private = held.private
        self.frequencies = frequencies
        self.statistics = TextStatistics(frequencies)

    @abstractmethod
    async def search(self, query: str, limit: int) -> list[Hit]:
        """Return the passages that answer a query best. Raises SearchError when it fails."""

    async def close(self) -> None:  # noqa: B027 - most hold nothing open
        """Release connections."""

    def told_itself(self, sha256: str) -> Source | None:  # noqa: ARG002
        """Return a text as this collection by itself knows it; None: as the store has it for its files."""
        return None

    def _as_given(self, passage: Passage) -> Passage:
        """Return a passage under a file of this collection: the same text may be known from elsewhere."""
        paths = self._store.file_paths(self.held, passage.sha256)
        told = self._store.source(passage.sha256, paths) if paths else None
        passage = passage if told is None else as_told(passage, told)
        there = [*filter(None, map(_address, paths))]
        return passage if not there or passage.url in there else as_read_at(passage, there[0])


class LocalCollection(DocumentPlace):
    """A collection of documents in the store, found by its own index."""

    def __init__(self, store: Store, held: Held, name: str = "") -> None:
        """Take a collection of a store; `name`: as it is searched by, where that is another than its own."""
        super().__init__(store, held, CollectionFrequencies(store, [held]), name)
        self._opened: PassageSearch | None = None

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search; the work is done in a thread."""
        return await asyncio.to_thread(self.find, query, limit)

    def find(self, query: str, limit: int) -> list[Hit]:
        """Return the passages that answer a query best."""
        try:
            return self.opened().find(query, limit, self._as_given)
        except StoreError as error:
            raise SearchError(f"the collection {self.name} cannot be searched: {error}") from error

    def opened(self) -> PassageSearch:
        """Return what searches the collection as it is now. Raises StoreError when it was removed."""
        held = self._store.collection(self.held.name)
        if held is None:
            raise StoreError(f"the collection {self.name} was removed")
        postings = self._store.postings(held)
        if self._opened is None or self._opened.bm25.postings is not postings:
            bm25 = Bm25.of(postings, self._store.page_numbers(held, postings))
            self._opened = PassageSearch(bm25, self._store.passages_by_id, self.statistics)
        return self._opened


class EarlierTexts(LocalCollection):
    """The texts of an earlier session, or of all, each known by what that session knew it by.

    Several people share a store, and whoever brought a text first says what is told of it there.
    """

    def __init__(self, store: Store, held: Held, name: str, told: Mapping[str, ToldOfSource | None]) -> None:
        """Take a collection of a store.

        Args:
            store: Keeps its texts.
            held: The collection.
            name: As it is searched by: `session:ID`, `sessions`.
            told: What each text was known by, by its hash; None where the session does not tell.
        """
        super().__init__(store, held, name)
        self._told = told

    def told_itself(self, sha256: str) -> Source | None:
        """Return a text as its session knew it; None where that does not tell."""
        told, source = self._told.get(sha256), self._store.source(sha256)
        return told.told_of(source) if told is not None and source is not None else None

    def _as_given(self, passage: Passage) -> Passage:
        told = self.told_itself(passage.sha256)
        return super()._as_given(passage) if told is None else as_told(passage, told)


def _address(path: str) -> str:
    """Return the address of a file of a collection; empty for one that is none, such as a text's hash."""
    if on_the_web(path):
        return path
    # A name that is not UTF-8 is kept as it is shown.
    return Path(path).as_uri() if Path(path).is_absolute() and "\\" not in path else ""
