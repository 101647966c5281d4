"""A collection of the store as a place to search: by its own index, or by the engine that indexes it."""

from collections.abc import Mapping
from dataclasses import dataclass

from library.errors import EngineError, FetchError
from library.index_engines.engine_collection import EngineCollection
from library.index_engines.engine_opening import open_engine
from library.index_engines.engine_settings import EngineSettings
from library.index_engines.feeding import Progress, feed
from library.index_engines.index_engine import IndexEngine, check_owner
from library.index_engines.text_vectors import TextVectors
from library.search.embeddings import EmbeddingSettings, key_of
from library.search.local_collection import DocumentPlace, LocalCollection
from library.store.store import Held, Store
from library.text import tokenize as analysis


@dataclass(frozen=True, slots=True)
class EngineAccess:
    """What engines are opened with."""

    settings: EngineSettings
    embeddings: EmbeddingSettings
    environment: Mapping[str, str]
    """Where the embedding service's key is."""
    allow: tuple[str, ...] = ()
    """Hosts opened by name, as in `fetch.allow`."""
    offline: bool = False

    def vectors(self) -> TextVectors | None:
        """Return what gives vectors; None where none is configured, or it may not be asked now.

        Raises:
            FetchError: its url may not be asked; the message says what to set.
        """
        if not self.embeddings.model:
            return None
        found = TextVectors(self.embeddings, key_of(self.embeddings, self.environment), self.allow)
        return None if self.offline and not found.here else found

    def feed(self, store: Store, held: Held, progress: Progress | None = None) -> list[str]:
        """Bring what indexes a collection up to date with it; return what a person should know.

        Raises EngineError.
        """
        if held.indexed is None:
            return []
        engine = self.engine(held)
        if not held.indexed.attached:
            check_owner(engine.owner(), held.indexed.owner, held.indexed.place)
        vectors, notes = self._vectors(held)
        return [*feed(store, held, engine, vectors, progress), *notes]

    def _vectors(self, held: Held) -> tuple[TextVectors | None, list[str]]:
        """Return what gives vectors; where its url may not be asked, words do, and that is told."""
        try:
            return self.vectors(), []
        except FetchError as failure:
            return None, [f"{held.name} is searched by words alone: {failure}"]

    def engine(self, held: Held) -> IndexEngine:
        """Open the engine that indexes a collection. Raises EngineError."""
        assert held.indexed is not None
        return open_engine(held.indexed, self.settings, offline=self.offline)

    def place(
        self, store: Store, held: Held, progress: Progress | None = None
    ) -> tuple[DocumentPlace, list[str]]:
        """Return a collection as a place to search, its engine fed, and what a person should know.

        Raises EngineError.
        """
        if held.indexed is None:
            return LocalCollection(store, held), []
        notes = self.feed(store, held, progress)
        engine = self.engine(held)
        check_analysis(engine, held)
        vectors, unasked = self._vectors(held)
        place = EngineCollection(store, held, engine, vectors, self.settings.candidates)
        return place, list(dict.fromkeys([*notes, *unasked]))


def check_analysis(engine: IndexEngine, held: Held) -> None:
    """Raise EngineError where an engine holds nothing that this version can search, or another's index."""
    if held.indexed and not held.indexed.attached:
        check_owner(engine.owner(), held.indexed.owner, held.indexed.place)
    there, place = engine.analysis(), held.indexed.place if held.indexed else ""
    if not there:
        raise EngineError(f"{held.name}: nothing is indexed in {place} yet")
    if there != str(analysis.VERSION):
        raise EngineError(
            f"{held.name}: {place} was indexed by another version of roundtable, which cuts words otherwise;"
            " use the same version, or have it indexed again where its files are (`roundtable docs update`)"
        )
