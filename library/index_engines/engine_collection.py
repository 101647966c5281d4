"""Searching a collection that an engine indexes: candidates from the engine, answers by our own method.

The engine is asked four times at most, by plain means: for what holds words of the query; or words that are
used like them; or words that the best passages add; and, where there are vectors, for what comes near the
query's. Of the pages that come first so all passages are taken in. Among these candidates the query is read
as a collection of our own index is read (`PassageSearch`), with the frequencies and lengths of the whole
collection.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from library.errors import EngineError, LibraryError, SearchError, StoreError
from library.evidence import Passage
from library.index_engines.candidate_postings import weighed
from library.index_engines.index_engine import CandidatePassage, EngineCounts, IndexEngine, Vectors
from library.index_engines.text_vectors import TextVectors
from library.search.interface import Hit, NotedHits
from library.search.local_collection import DocumentPlace
from library.search.passage_search import LEAST_RELATED, RELATED, PassageSearch
from library.store.store import Held, Store
from library.text.similarity.pretrained_vectors import related_words

_ADDED = 12
"""Words that the best passages add to what the engine is asked for."""
_PAGES = 60
"""Pages of which all passages are looked at."""
_LONGEST_PAGE = 400
"""Passages (as many terms as these have in the mean): of a longer page only what was found is looked at."""
_NEAR = 200
"""Passages that are taken by their vectors."""


class EngineFrequencies:
    """How often terms occur in what an engine holds; what was asked once is kept."""

    def __init__(self, engine: IndexEngine) -> None:
        self._engine = engine
        self.counts: EngineCounts = engine.counts()
        """As they were when the collection was opened."""
        self._known: dict[str, int] = {}

    def count(self) -> int:
        """Return how many passages there are."""
        return self.counts.passages

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        wanted = list(dict.fromkeys(terms))
        new = [term for term in wanted if term not in self._known]
        if new:
            found = self._engine.document_frequency(new)
            self._known |= {term: found.get(term, 0) for term in new}
        return {term: self._known[term] for term in wanted}


class EngineCollection(DocumentPlace):
    """A collection of documents that an engine indexes."""

    def __init__(
        self,
        store: Store,
        held: Held,
        engine: IndexEngine,
        vectors: TextVectors | None = None,
        candidates: int = 1_000,
    ) -> None:
        """Take a collection.

        Args:
            store: Keeps its texts, or takes those in that the engine finds.
            held: The collection.
            engine: Indexes it.
            vectors: Gives the vectors of queries; None: words alone find.
            candidates: Passages that the engine is asked for at a time.

        Raises:
            EngineError: the engine fails.
        """
        known = EngineFrequencies(engine)
        super().__init__(store, held, known)
        self._engine = engine
        self._known = known
        self._candidates = candidates
        self._vectors = vectors if vectors is not None and engine.model() == vectors.model else None

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Search; where no vector can be had for the query, by words alone, and that is noted."""
        vector, notes = None, []
        if self._vectors is not None:
            try:
                vector = await self._vectors.of_query(query)
            except SearchError as failure:
                notes.append(f"{self.name} was searched by words alone: {failure}")
        hits = await asyncio.to_thread(self.find, query, limit, vector)
        return NotedHits(hits, notes) if notes else hits  # without a vector `find` has nothing to note

    def find(self, query: str, limit: int, vector: Vectors | None = None) -> list[Hit]:
        """Return the passages that answer a query best; `vector` is the query's, shape (dimensions,).

        Where the engine cannot compare it (vectors of another length), words alone find, and that is noted.
        """
        try:
            if self._store.collection(self.held.name) is None:
                raise StoreError(f"the collection {self.name} was removed")
            found = {each.key: each for each in self._by_words(query)}
            near, notes = self._near(vector)
            found |= {each.key: each for each in near}
            found |= {each.key: each for each in self._whole_pages(list(found.values()), query)}
            candidates = sorted(found.values(), key=lambda each: each.key)
            places = {each.key: place for place, each in enumerate(candidates)}
            search = self._search_of(candidates)
            hits = search.find(query, limit, self._as_given, [places[each.key] for each in near])
            return NotedHits(hits, notes) if notes else hits
        except LibraryError as error:
            raise SearchError(f"the collection {self.name} cannot be searched: {error}") from error

    def _near(self, vector: Vectors | None) -> tuple[list[CandidatePassage], list[str]]:
        if vector is None:
            return [], []
        try:
            return self._engine.near(vector, _NEAR), []
        except EngineError as failure:
            return [], [f"{self.name} was searched by words alone: {failure}"]

    def _by_words(self, query: str) -> list[CandidatePassage]:
        """Return what holds words of a query, and of what its best passages add."""
        asked = list(dict.fromkeys(self.statistics.terms(query)))
        found = self._engine.find(asked, self._candidates)
        if not found:
            return []
        weights = self._search_of(found).expand(query)
        idf = self.statistics.weights(weights)
        added = sorted(set(weights) - set(asked), key=lambda term: (-weights[term] * idf[term], term))[
            :_ADDED
        ]
        for more in (self._related(asked), added):
            if more:
                found += self._engine.find([*asked, *more], self._candidates)
        return found

    def _related(self, asked: Sequence[str]) -> list[str]:
        """Return words that are used like those of a query, as far as the collection has them."""
        table = related_words()
        near = [[other for other, _ in table.near(term, 3 * RELATED, LEAST_RELATED)] for term in asked]
        held = self._known.document_frequency([other for others in near for other in others])
        found = [other for others in near for other in [o for o in others if held[o]][:RELATED]]
        return [other for other in dict.fromkeys(found) if other not in asked]

    def _whole_pages(self, found: Sequence[CandidatePassage], query: str) -> list[CandidatePassage]:
        """Return all passages of the pages that come first among what was found."""
        search = self._search_of(found)
        worths = self.statistics.weights(dict.fromkeys(self.statistics.terms(query)))
        scores = search.bm25.page_scores(worths)
        order = np.argsort(-np.round(scores, 9), kind="stable")[:_PAGES]
        lengths = {each.sha256: each.page_length for each in found}
        pages = list(dict.fromkeys(each.sha256 for each in found))
        mean = self._known.counts.terms / max(1, self._known.counts.passages)
        most = _LONGEST_PAGE * mean
        return self._engine.passages_of([pages[n] for n in order if lengths[pages[n]] <= most])

    def _search_of(self, candidates: Sequence[CandidatePassage]) -> PassageSearch:
        def passages(places: Sequence[int]) -> Mapping[int, Passage]:
            return self._passages([(place, candidates[place]) for place in places])

        return PassageSearch(
            weighed(candidates, self._known.counts, self.frequencies), passages, self.statistics
        )

    def _passages(self, wanted: Sequence[tuple[int, CandidatePassage]]) -> dict[int, Passage]:
        """Return passages by their places; texts that are not in the store yet are taken in."""
        try:
            return self._taken(wanted)
        except ValueError as error:
            raise EngineError(f"{self.name} holds a passage that is not in its text: {error}") from error

    def _taken(self, wanted: Sequence[tuple[int, CandidatePassage]]) -> dict[int, Passage]:
        texts = dict.fromkeys(candidate.sha256 for _, candidate in wanted)
        unknown = [sha256 for sha256 in texts if self._store.source(sha256) is None]
        if unknown:
            for text in self._engine.texts(unknown):
                self._store.take_in(self.held, text.source, text.cut)
        found: dict[int, Passage] = {}
        for place, candidate in wanted:
            source = self._store.source(candidate.sha256)
            if source is not None:
                found[place] = source.passage(candidate.start, candidate.end)
        return found

    async def close(self) -> None:
        """Release connections."""
        if self._vectors is not None:
            await self._vectors.close()
