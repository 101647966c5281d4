"""What a topic's own passages look like, learnt from what was found; and where they end.

How many passages belong to a topic differs from ten to hundreds, so a fixed number is always wrong. A
profile is the topic's words with the words of the passages believed so far, less those of the others that
were found (Rocchio, with both of his terms). Everything found is scored against it; what scores at least a
fixed share of the mean of the ten best is believed in the next round, until nothing changes. The cut-off is
relative to the topic's own best, which makes it hold from topic to topic.

What is found for a topic is full of its neighbours: other albums, cyclones and elections. Their common
words are common to both halves and so fall out. The first passages believed are those whose page has the
topic's rare words; later ones need not.

A topic's words may be such as its pages hardly use: of a government's crisis they tell who resigned. So
passages are compared by what they mean as well, where that is wanted and known, with a profile learnt the
same way (the sentence model's vectors in place of words), and both scores are added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library.evidence import Passage
from library.passages.topic.profile_view import Beside, Floats, ProfileView, added, mean_of_best
from library.text import titled_text
from library.text.multilingual.language import detect, topic_language
from library.text.similarity.tfidf import TextRows, TextStatistics

_FIRST, _SECOND = 8, 15
"""Passages believed in the first two rounds, before there is a cut-off."""
_ROUNDS = 6
_TERMS = 100
"""Of the believed passages, kept in the profile."""
_LEAST = 5
"""Passages believed at least."""
_UNNAMED = 0.3
"""In the first rounds, what a passage counts whose page has none of the topic's words; 1 with all of them."""
_NAMED_ROUNDS = 1
_READ = 150
"""Passages of a pool, those that fit best by words, that are read for what they mean."""
_MEANING = 0.6
"""What the score by meaning counts beside that by words, each as a share of the mean of its ten best."""
CUT_OFF = 0.25
"""The least score, as a share of the best, of a passage on the topic."""


@dataclass(frozen=True, slots=True)
class OnTopic:
    """A passage with its score against a profile: 1 is as good as the mean of the ten best."""

    passage: Passage
    score: float


class TopicProfile:
    """A topic's profile over a growing pool of passages; the same pool in the same order gives the same."""

    def __init__(
        self, topic: str, statistics: TextStatistics, *, cut_off: float = CUT_OFF, by_meaning: bool = False
    ) -> None:
        """Take a topic.

        Args:
            topic: Its words.
            statistics: Weighs words and knows what texts mean.
            cut_off: The least score, as a share of the best, of a passage on the topic.
            by_meaning: What passages of the pool mean counts too, where it is known: each takes some 25 ms to
                work out, once.
        """
        self.topic = topic
        self.cut_off = cut_off
        self._statistics = statistics
        self._by_meaning = by_meaning and topic_language(topic) == "en"
        self._pool: dict[tuple[str, int, int], Passage] = {}
        self._vectors: dict[tuple[str, int, int], dict[str, float]] = {}
        self._rows = TextRows()
        self._weights = statistics.vector(topic)
        self._views: list[ProfileView] = []
        """By words, then by meaning where that counts; empty before anything was learnt."""
        self._read: set[tuple[str, int, int]] = set()
        """Keys of the passages that are read for what they mean."""
        self._best = 0.0

    def learn(self, passages: Iterable[Passage]) -> None:
        """Add passages to the pool and settle the profile anew."""
        before = len(self._pool)
        for passage in passages:
            if passage.key not in self._pool:
                self._pool[passage.key] = passage
                vector = self._statistics.passage_vector(passage)
                self._vectors[passage.key] = vector
                self._rows.add(vector)
        if len(self._pool) > before:
            self._settle()

    @property
    def passages(self) -> list[Passage]:
        """The pool, in the order in which it grew."""
        return list(self._pool.values())

    def scores(self, passages: Sequence[Passage]) -> list[float]:
        """Return how well passages fit the topic: 1 is as good as the mean of the ten best of the pool."""
        if not self._best:
            return [0.0] * len(passages)
        vectors = [self._vectors.get(p.key) or self._statistics.passage_vector(p) for p in passages]
        fits = [np.array([_dot(self._weights, vector) for vector in vectors])]
        if len(self._views) > 1:
            fits.append(self._views[1].fit(self._meanings(passages)))
        beside = Beside(passages)
        raw = added(self._views, [beside.lifted(fit) for fit in fits])
        return [float(score / self._best) for score in raw]

    def on_topic(self) -> list[OnTopic]:
        """Return the passages of the pool that reach the cut-off, best first."""
        passages = list(self._pool.values())
        scored = [OnTopic(p, s) for p, s in zip(passages, self.scores(passages), strict=True)]
        return sorted((item for item in scored if item.score >= self.cut_off), key=lambda item: -item.score)

    def words(self, count: int) -> list[str]:
        """Return the index terms that the profile added to the topic's own, heaviest first."""
        own = set(self._statistics.terms(self.topic))
        added = [term for term in self._weights if term not in own]
        return sorted(added, key=lambda term: (-self._weights[term], term))[:count]

    def queries(self, count: int) -> list[str]:
        """Return queries for the topic's sides: its words with phrases of each group of what is on topic."""
        texts = [item.passage.text for item in self.on_topic()]
        if not texts:
            return []
        groups = self._statistics.groups(texts, count)
        found: list[str] = []
        for number in range(max(groups) + 1):
            inside = [text for text, group in zip(texts, groups, strict=True) if group == number]
            outside = [text for text, group in zip(texts, groups, strict=True) if group != number]
            phrases = self._statistics.phrases(inside, 3, outside)
            if phrases:
                found.append(f"{self.topic} {' '.join(phrases)}")
        return found

    def _settle(self) -> None:
        passages = list(self._pool.values())
        matrix, columns, beside = self._rows.matrix(), self._rows.columns, Beside(passages)
        asked = np.zeros(matrix.shape[1])
        topic = self._statistics.vector(self.topic)
        for term, value in topic.items():
            if term in columns:
                asked[columns[term]] = value
        views = [ProfileView(matrix, asked, beside, terms=_TERMS)]
        named = self._named(passages)
        # Where all pages have all of the topic's words, these settle it.
        if self._by_meaning and named.min() < 1 and detect("\n".join(p.text for p in passages)) == "en":
            best = np.argsort(-np.round(views[0].scores() * named, 12), kind="stable")[:_READ]
            self._read = {passages[n].key for n in best}
            meant = self._statistics.meanings([self.topic])[0]
            views.append(ProfileView(self._meanings(passages), meant, beside, worth=_MEANING))
        scores = added(views, [view.scores() for view in views]) * named
        chosen = _top(scores, _FIRST)
        for turn in range(_ROUNDS):
            if not len(chosen):
                break
            believed = scores[chosen] / max(scores[chosen].sum(), 1e-12)
            for view in views:
                view.learn(chosen, believed)
            scores = added(views, [view.scores() for view in views])
            scores *= named if turn < _NAMED_ROUNDS else 1.0
            enough = _SECOND if turn == 0 else int((scores >= self.cut_off * mean_of_best(scores)).sum())
            after = _top(scores, max(_LEAST, enough))
            if turn > _NAMED_ROUNDS and np.array_equal(after, chosen):
                break
            chosen = after
        self._views, self._best = views, mean_of_best(scores)
        profile = views[0].profile
        self._weights = {term: float(profile[at]) for term, at in columns.items() if profile[at] > 0} or topic

    def _meanings(self, passages: Sequence[Passage]) -> Floats:
        """Return what passages mean, a row for each; 0 for those that are not read for it."""
        read = [n for n, passage in enumerate(passages) if passage.key in self._read]
        known = self._statistics.meanings([titled_text(passages[n]) for n in read])
        rows = np.zeros((len(passages), known.shape[1]))
        rows[read] = known
        return rows

    def _named(self, passages: Sequence[Passage]) -> Floats:
        """Return what each passage counts at first, by how much of the topic's rare words its page has."""
        own = list(dict.fromkeys(self._statistics.terms(self.topic)))
        weights = {term: weight**2 for term, weight in self._statistics.weights(own).items()}
        whole = sum(weights[term] for term in own)
        held: dict[str, set[str]] = {}
        for passage in passages:
            mine = held.setdefault(passage.sha256, set())
            mine |= self._vectors[passage.key].keys() & weights.keys()
        shares = {page: sum(weights[t] for t in own if t in terms) for page, terms in held.items()}
        found = np.array([shares[passage.sha256] for passage in passages])
        return _UNNAMED + (1 - _UNNAMED) * found / whole if whole else np.ones(len(passages))


def _top(scores: Floats, count: int) -> NDArray[np.int64]:
    """Return the positions of the best scores above 0; equal ones in their order."""
    order = np.argsort(-np.round(scores, 12), kind="stable")[:count]
    return order[scores[order] > 0]


def _dot(first: dict[str, float], second: dict[str, float]) -> float:
    return sum(value * first.get(term, 0.0) for term, value in second.items())
