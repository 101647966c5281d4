"""Text statistics over what the library holds: weights, likeness, feedback, phrases, groups.

Implements `models.text_statistics.Statistics`. Everything is a function of the texts given and of the
document frequencies, which are those of the collections as they were when the library was opened: reading
more pages changes no answer.
"""

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from library.evidence import Passage
from library.text import tokenize as analysis
from library.text.multilingual.language import detect, topic_language
from library.text.phrases.cjk_phrases import character_phrases
from library.text.phrases.common_words import SHARES
from library.text.phrases.keyphrases import phrases
from library.text.sentences import sentences
from library.text.similarity.clustering import groups
from library.text.similarity.late_interaction import interaction
from library.text.similarity.sentence_model import sentence_vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PRIOR = 200.0
"""How many passages the assumed shares of everyday words count for."""

_KEPT = 2_500
"""Vectors that are kept: the same sentences and passages are weighed turn after turn. Two to ten kB each."""


class Frequencies(Protocol):
    """How often index terms occur in some body of passages."""

    def count(self) -> int:
        """Return how many passages there are."""

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs; a term that occurs in none may be left out."""


class NoFrequencies:
    """A body without passages: only the assumed shares of everyday words count."""

    def count(self) -> int:
        """Return 0."""
        return 0

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return nothing."""
        del terms
        return {}


class TextFrequencies:
    """The document frequencies of some texts, each a body's passage."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._size = len(texts)
        self._known = Counter(term for text in texts for term in set(analysis.terms(text)))

    def count(self) -> int:
        """Return how many texts there are."""
        return self._size

    def document_frequency(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many of the texts each term occurs."""
        return {term: self._known[term] for term in terms}


class TextRows:
    """Vectors that become the rows of a sparse matrix, one after the other."""

    def __init__(self) -> None:
        self.columns: dict[str, int] = {}
        """The column of each term, in order of first appearance."""
        self._indices: list[int] = []
        self._values: list[float] = []
        self._ends = [0]

    def add(self, vector: Mapping[str, float]) -> None:
        """Take in a row."""
        columns = self.columns
        self._indices += [columns.setdefault(term, len(columns)) for term in vector]
        self._values += vector.values()
        self._ends.append(len(self._indices))

    def matrix(self) -> "csr_array":
        """Return what was taken in."""
        from scipy.sparse import csr_array

        shape = (len(self._ends) - 1, max(1, len(self.columns)))
        entries = (np.array(self._values), np.array(self._indices, dtype=np.int64), np.array(self._ends))
        return csr_array(entries, shape=shape)


class TextStatistics:
    """The library's answer to `models.text_statistics.Statistics`."""

    def __init__(self, frequencies: Frequencies | None = None) -> None:
        self._frequencies: Frequencies = frequencies or NoFrequencies()
        self._count = self._frequencies.count()
        self._weights: dict[str, float] = {}
        self._shares = _stemmed_shares()
        self._vectors: dict[tuple[str, str | None], dict[str, float]] = {}
        """By text, and by the title that counts with it."""
        self._keeping = threading.Lock()  # speakers and the report ask from threads of their own

    @property
    def count(self) -> int:
        """How many passages the library held when these statistics were made; 0 without one."""
        return self._count

    def shares(self, terms: Sequence[str]) -> list[float]:
        """Return the share (above 0, to 1) of the library's passages that hold each term.

        Without a library, and for what none of it holds, as everyday language has it.
        """
        found = self._frequencies.document_frequency(terms) if self._count else {}
        weights = self.weights(terms)
        return [found[term] / self._count if found.get(term) else math.exp(-weights[term]) for term in terms]

    def terms(self, text: str) -> list[str]:
        """Return the text's index terms in order."""
        return analysis.terms(text)

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of the text's sentences."""
        return sentences(text)

    def weight(self, term: str) -> float:
        """Return the term's inverse document frequency, smoothed by the assumed shares of everyday words."""
        known = self._weights.get(term)
        return self.weights([term])[term] if known is None else known

    def weights(self, terms: Iterable[str]) -> dict[str, float]:
        """Return the weights of many terms at once (one look-up for those not yet known), in their order."""
        asked, known = dict.fromkeys(terms), self._weights
        unknown = [term for term in asked if term not in known]
        if unknown:
            found = self._frequencies.document_frequency(unknown)
            total = self._count + PRIOR + 1
            for term in unknown:
                occurs = found.get(term, 0) + PRIOR * self._shares.get(term, 0.0)
                known[term] = max(0.0, math.log(total / (occurs + 0.5)))
        # Not what is known itself: other threads add to it.
        return {term: known[term] for term in asked}

    def vector(self, text: str) -> dict[str, float]:
        """Return the text's TF-IDF vector, of length 1 (empty without terms); not to be changed."""
        known = self._vectors.get((text, None))
        return known if known is not None else self._kept(text, None, Counter(analysis.terms(text)))

    def passage_vector(self, passage: Passage) -> dict[str, float]:
        """Return the TF-IDF vector of a passage, of length 1: its text, and its page's title once."""
        known = self._vectors.get((passage.text, passage.title))
        if known is not None:
            return known
        return self._kept(passage.text, passage.title, Counter(analysis.terms(passage.text)))

    def _kept(self, text: str, title: str | None, counts: Counter[str]) -> dict[str, float]:
        vector = self._unit(counts, () if title is None else analysis.title_terms(title))
        with self._keeping:
            if len(self._vectors) >= _KEPT:
                for oldest in list(islice(self._vectors, _KEPT // 4)):
                    del self._vectors[oldest]
            self._vectors[text, title] = vector
        return vector

    def passage_vectors(self, passages: Sequence[Passage]) -> list[dict[str, float]]:
        """Return the TF-IDF vectors of passages, the weights of all their terms looked up at once."""
        counts = [Counter(analysis.terms(passage.text)) for passage in passages]
        titles = [analysis.title_terms(passage.title) for passage in passages]
        self.weights(term for terms in (*counts, *titles) for term in terms)
        return [self._unit(count, lead) for count, lead in zip(counts, titles, strict=True)]

    def _unit(self, counts: Counter[str], lead: Sequence[str] = ()) -> dict[str, float]:
        weights = self.weights([*counts, *lead])
        raw = {term: (1 + math.log(n)) * weights[term] for term, n in counts.items()}
        for term in lead:
            raw[term] = raw.get(term, 0.0) + weights[term]
        length = math.sqrt(sum(value * value for value in raw.values()))
        return {term: value / length for term, value in raw.items()} if length else {}

    def relevance(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of each text with the query."""
        wanted = self.vector(query)
        vectors = self._all(texts)
        return [
            min(1.0, sum(value * vector.get(term, 0.0) for term, value in wanted.items()))
            for vector in vectors
        ]

    def meaning(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return the cosine of what each text means with what the query means, by the sentence model."""
        if not _english(query, texts):
            return None
        return sentence_vectors().likeness(query, texts)

    def interaction(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return how well each text meets the query word by word, by the sentence model."""
        if not _english(query, texts):
            return None
        return interaction(query, texts)

    def meanings(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return what each English text means as a row of length 1; shape (texts, 384)."""
        return sentence_vectors().of(texts).astype(np.float64)

    def similarity(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the matrix of cosines between the texts."""
        if not texts:
            return np.zeros((0, 0))
        matrix = self.matrix(texts)
        cosines: NDArray[np.float64] = (matrix @ matrix.T).toarray()
        return np.clip(cosines, 0.0, 1.0)

    def matrix(self, texts: Sequence[str]) -> "csr_array":
        """Return the texts' TF-IDF vectors as rows; columns are the terms in order of first appearance."""
        rows = TextRows()
        for vector in self._all(texts):
            rows.add(vector)
        return rows.matrix()

    def feedback(self, query: str, texts: Sequence[str], count: int) -> list[str]:
        """Return words that the texts add to the query: the heaviest terms of the sum of their vectors.

        A pair of characters may end one word and begin the next: Chinese and Japanese words are phrases of
        the texts that hold it, and a pair that none holds brings none.
        """
        asked = set(analysis.terms(query))
        total: Counter[str] = Counter()
        for vector in self._all(texts):
            total.update(vector)
        best = sorted((term for term in total if term not in asked), key=lambda term: (-total[term], term))
        held = character_phrases(texts)
        chosen: list[str] = []
        for term in best:
            if len(chosen) >= count:
                break
            if not analysis.is_cjk(term):
                chosen.append(term)
            elif not any(term in word for word in chosen):
                words = [word for word in held if term in word and word not in query]
                words = [word for word in words if not any(other in word for other in chosen)]
                chosen += [max(words, key=lambda word: (held[word], word))] if words else []
        written = _as_written(texts, {term for term in chosen if term not in held})
        return [written.get(term, term) for term in chosen]

    def phrases(self, texts: Sequence[str], count: int, against: Sequence[str] = ()) -> list[str]:
        """Return distinctive phrases of the texts."""
        return phrases(texts, count, against, self)

    def groups(self, texts: Sequence[str], count: int) -> list[int]:
        """Return a group number for each text."""
        return groups(self.similarity(texts), count)

    def _all(self, texts: Sequence[str]) -> list[dict[str, float]]:
        found = {text: self._vectors.get((text, None)) for text in texts}
        new = {text: Counter(analysis.terms(text)) for text, known in found.items() if known is None}
        self.weights(term for counts in new.values() for term in counts)
        made = {text: self._kept(text, None, counts) for text, counts in new.items()}
        return [known if (known := found[text]) is not None else made[text] for text in texts]


def _english(query: str, texts: Sequence[str]) -> bool:
    """Tell whether there are texts, and they and a query are in the language of the sentence model."""
    return bool(texts) and topic_language(query) == "en" and detect("\n".join(texts)) == "en"


def _as_written(texts: Sequence[str], wanted: set[str]) -> dict[str, str]:
    """Return how each wanted term is most often written in the texts."""
    forms: dict[str, Counter[str]] = {}
    for text in texts:
        for match in analysis.SURFACE.finditer(text):
            term = analysis.term(match[0])
            if term in wanted:
                forms.setdefault(term, Counter())[match[0]] += 1
    return {term: min(counts, key=lambda form: (-counts[form], form)) for term, counts in forms.items()}


@lru_cache(maxsize=1)
def _stemmed_shares() -> dict[str, float]:
    shares: dict[str, float] = {}
    for word, share in SHARES.items():
        for term in analysis.terms(word):
            shares[term] = max(share, shares.get(term, 0.0))
    return shares
