"""Which of the passages that a round found may be admitted for its question.

On a subject that is what is near the topic; on a question, what is close to it or to the search that found
it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest

from agents.research.closeness import Closeness
from agents.research.moves.actions import Action, Observation
from agents.research.moves.observed import first_hits, passages_of
from library import Passage, TextStatistics, TopicProfile
from models import estimate

_Key = tuple[str, int, int]
_FAR = 0.03
"""Fit to the topic below which nothing is close to a question of it, whatever words they share: of five whole
sessions' passages, in two languages, it takes 85 of 120 of other matters and none that was cited."""
_FIRST, _IN_WORDS = 3, 0.75
"""Results of a search, the best ones, that need nothing of the topic where so large a share (0 to 1) of its
words is the table's own."""
_BEST = 1
"""Those that surely hold a search which has but some word of the table's: a short page often names what it is
about nowhere."""
_FEW_CLOSE = 3
"""Passages that must be close to a question before others come because there is room for them."""


class QuestionFit:
    """Judges what one research finds, by its question, its topic and its searches."""

    def __init__(
        self,
        profile: TopicProfile,
        closeness: Closeness | None,
        admitted: Mapping[str, Passage],
        statistics: TextStatistics,
        words: str,
        *,
        asks: bool,
        by_person: bool,
        first: int,
        room: int,
    ) -> None:
        """Take what everything is judged by.

        Args:
            profile: What the topic is, as it is learnt of what is found.
            closeness: None: nobody chooses what is searched next, so all that may fit is taken.
            admitted: What the session has admitted, by id; it grows.
            statistics: Over what was searched.
            words: The question and the topic.
            asks: The topic or a person asks something; a subject is all that is near it.
            by_person: A person asked, who may ask beside the topic.
            first: Results of a search, the best ones, that are taken unseen where nobody chooses, and where
                there is room for them.
            room: Tokens of the passages in one prompt.
        """
        self._profile = profile
        self._closeness = closeness
        self._admitted = admitted
        self._statistics = statistics
        self._asks = asks
        self._least = 0.0 if by_person else _FAR
        self._first = first if asks else 0
        self._room = room
        self._meant: set[_Key] = set()
        """Keys of what a search of the expert's own found so surely that it need not fit the topic."""
        self._any_close = False
        """Whether anything that was found so far was close."""
        self._words = set(statistics.terms(words))
        """Words of the question, the topic and what was admitted."""
        self._heard: set[str] = set()
        """Ids of admitted passages whose words are among those."""

    def of_topic(self) -> dict[str, float]:
        """Return how much of the topic each admitted passage of a question has, by id: 0 to 1.

        Empty where it does not matter: of a subject all that is admitted fits, a person may ask beside it.
        """
        if self._closeness is None or not self._least or not self._asks:
            return {}
        scores = self._profile.scores(list(self._admitted.values()))
        return {
            i: 1.0 if passage.key in self._meant else min(1.0, score)
            for (i, passage), score in zip(self._admitted.items(), scores, strict=True)
        }

    def far(self, scores: Mapping[_Key, float]) -> set[_Key]:
        """Return the keys of what has too little of the topic, by its scores, and no search surely meant."""
        return self._off_topic(scores) - self._meant

    def _off_topic(self, scores: Mapping[_Key, float]) -> set[_Key]:
        return {key for key, score in scores.items() if score < self._least}

    def may_come(
        self,
        texts: Sequence[Observation],
        scores: Mapping[_Key, float],
        own_words: Callable[[Action], bool],
        headed: set[_Key],
        often: Collection[_Key] = (),
    ) -> set[_Key]:
        """Return the keys of what may be admitted.

        On a subject that is what is near the topic, once anything was close; on a question, what is close to
        it or to the search that found it, unless it has nothing of the topic; what surely answers a
        search of the expert's own, and stands on a page that has, need not. Where the first round leaves
        room, the best results near the topic come too; where nobody searches again, they are taken unseen.

        Args:
            texts: What the round's searches and readings gave.
            scores: How well each of it fits the topic, by key.
            own_words: Whether an action is the expert's own, with words that say what is wanted of it.
            headed: Keys of what is known by its headings: to be near the topic is enough for it.
            often: Keys of what so many of the session's searches found that it needs nothing else.
        """
        near = self.near(scores)
        if self._closeness is None:
            return near | {p.key for seen in texts for p in first_hits(seen, self._first)}
        close = self._close(self._closeness, texts, self._off_topic(scores), own_words)
        close -= self.far(scores)
        self._any_close = self._any_close or bool(close)
        if not self._asks:
            return near if self._any_close else set()
        found_often = scores.keys() & set(often)
        self._meant |= found_often
        read = {p.key for seen in texts if seen.action.kind == "read" for p in seen.passages}
        may = close | found_often | (near & (read | headed))
        # Where hardly anything is close, what is near is no more of the question's matter than a stranger.
        first = not any(own_words(seen.action) for seen in texts) and len(close) >= _FEW_CLOSE
        return may | self._filling(texts, may, near) if first else may

    def near(self, scores: Mapping[_Key, float]) -> set[_Key]:
        """Return the keys of what is near the topic, by its scores."""
        return {key for key, score in scores.items() if score >= self._profile.cut_off}

    def _filling(self, texts: Sequence[Observation], may: set[_Key], near: set[_Key]) -> set[_Key]:
        """Return the best results that are near the topic, as far as a prompt has room beside what may come.

        What answers in words that the question has not is none of another matter, and nothing stands in the
        place of what is close.
        """
        given = {p.key: p for seen in texts for p in passages_of(seen)}
        left = self._room - sum(estimate(given[key].text) for key in may)
        found = set[_Key]()
        free = near - may
        searched = [first_hits(seen, self._first) for seen in texts if seen.action.kind == "search"]
        for passage in (p for rank in zip_longest(*searched) for p in rank if p is not None):
            if passage.key not in free - found:
                continue
            left -= estimate(passage.text)
            if left < 0:
                break
            found.add(passage.key)
        return found

    def _close(
        self,
        closeness: Closeness,
        texts: Sequence[Observation],
        far: set[_Key],
        own_words: Callable[[Action], bool],
    ) -> set[_Key]:
        """Return what is close to the question or its search; note what a search surely means."""
        close: set[_Key] = set()
        pages = {p.sha256 for p in self._admitted.values()}
        pages |= {p.sha256 for seen in texts for p in passages_of(seen) if p.key not in far}
        for seen in texts:
            own, given = own_words(seen.action), passages_of(seen)
            searched = seen.action.kind == "search"
            if own:
                close |= closeness.to_query(seen.action.query, given, ranked=searched)
            if not own or not searched:
                close |= closeness.to_question(given, ranked=searched)
            if own and searched:
                meant = closeness.surely_to_query(seen.action.query, given)
                # In words that the table has come to speak in, the best need no other of their pages.
                share = self._table_s_share(seen.action.query)
                sure = [p for p in given if p.key in meant]
                best = first_hits(seen, _FIRST) if share >= _IN_WORDS else sure[: _BEST if share else 0]
                held = pages | {p.sha256 for p in best}
                self._meant |= {p.key for p in given if p.key in meant and p.sha256 in held}
        return close

    def _table_s_share(self, query: str) -> float:
        """Return the share (0 to 1) of a search's words that stand in the question, or in what was admitted.

        What is named there may be all that a page has of the topic; what is not is another matter.
        """
        terms = self._statistics.terms
        for i in self._admitted.keys() - self._heard:
            self._heard.add(i)
            self._words.update(terms(self._admitted[i].text))
        words = set(terms(query))
        return len(words & self._words) / max(1, len(words))
