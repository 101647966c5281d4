"""What of that which a search found is close to what was asked: the rest is neither admitted nor placed.

Only where a language model researches: it can search again in other words. The embedded model asks once, and
chooses by words from all that was found.
"""

from collections.abc import Sequence

from library import Passage, TextStatistics
from library.passages import beyond_chance
from library.text import titled_text

_Key = tuple[str, int, int]
_ASKED, _SEARCHED = 3.0, 1.0
"""Passages of the collection that may be expected to hold as much by chance: of a question, which is put in
people's words and not in those of the sources, and of a search in the expert's own words. Of 44 questions put
to four manuals, 3 keeps 23 of the 24 answers among a dozen results, with 7 of the dozen; 1 keeps 14."""
_SURELY = 0.01
"""The same of a search in the expert's own words, where a passage has nothing of the topic: commands and
options share no words with what they are good for. Of nine searches in a manual in Chinese this takes ten
such passages (at 1: seventeen), among them all that answered."""
_NEAR, _LEAST_NEAR = 0.8, 0.35
"""What a passage must mean of what is asked to be close whatever words it has: as a share of the nearest of
those found, and as a cosine."""
_FLOOR = 0.5
"""Share of the nearest below which shared words say nothing. On 24 questions over two manuals the three let
in an answer for 14 of 22 in place of 12, and 143 passages in place of 148; on two questions that a small web
does not answer, none of four strangers."""
_READ = 24
"""Results of a search, the best ones, whose meaning is known anyway (`library.search.by_meaning`)."""


class Closeness:
    """Judges passages by what was asked, in words and meaning, the topic counting beside it alone."""

    def __init__(self, topic: str, questions: Sequence[str], statistics: TextStatistics) -> None:
        """Take what is asked.

        Args:
            topic: What the table talks about: a passage that holds its words and no others of a question is
                not close to that. Empty: it does not matter.
            questions: What is asked, in each of its wordings.
            statistics: Over what was searched.
        """
        self._topic = topic
        self._questions = questions
        self._statistics = statistics
        self._beside = frozenset(statistics.terms(topic))

    def to_question(self, passages: Sequence[Passage], *, ranked: bool = False) -> set[_Key]:
        """Return the keys of the passages that are close to the question.

        Args:
            passages: What was found.
            ranked: A search gave them, best first: the first ones may be close by what they mean alone.
        """
        # The first wording is the question itself; what is searched by is put in words of the sources.
        close = self._close(self._questions[:1], passages, _ASKED)
        close |= self._close(self._questions[1:], passages, _SEARCHED)
        return self._meant(self._questions, passages, close, _READ if ranked else 0)

    def to_query(self, query: str, passages: Sequence[Passage], *, ranked: bool = False) -> set[_Key]:
        """Return the keys of the passages that are close to a search of the expert's own; see there."""
        close = self._close([query], passages, _SEARCHED)
        return self._meant([query, *self._questions[:1]], passages, close, _READ if ranked else 0)

    def surely_to_query(self, query: str, passages: Sequence[Passage]) -> set[_Key]:
        """Return the keys of the passages that hold so much of a search that they need none of the topic."""
        return self._beyond(query, passages, _SURELY)

    def _close(self, asked: Sequence[str], passages: Sequence[Passage], most: float) -> set[_Key]:
        wordings = [(each, most) for each in asked]
        wordings += [(f"{self._topic} {each}", _SEARCHED) for each in asked if self._topic]
        return set().union(*(self._beyond(wording, passages, chance) for wording, chance in wordings))

    def _beyond(self, wording: str, passages: Sequence[Passage], most: float) -> set[_Key]:
        texts = [f"{passage.title}\n{passage.text}" for passage in passages]
        count = max(self._statistics.count, len(passages))
        beyond = beyond_chance(wording, texts, self._statistics, count, most=most, beside=self._beside)
        return {p.key for p, is_close in zip(passages, beyond, strict=True) if is_close}

    def _meant(
        self, wordings: Sequence[str], passages: Sequence[Passage], close: set[_Key], first: int
    ) -> set[_Key]:
        """Return which passages are close by words and meaning together; by words where no meaning is known.

        Args:
            wordings: What is asked; the nearest to any of them counts.
            passages: What was found.
            close: Keys of those that are close by their words.
            first: How many of them, the first, may be close by what they mean alone.
        """
        looked_at = [p for n, p in enumerate(passages) if n < first or p.key in close]
        texts = [titled_text(passage) for passage in looked_at]
        each = (self._statistics.meaning(wording, texts) for wording in dict.fromkeys(wordings))
        nearness = [known for known in each if known]
        if not nearness:
            return close
        near = list(map(max, zip(*nearness, strict=True))) if len(nearness) > 1 else nearness[0]
        best = max(near)
        likely = {p.key for p in passages[:first]}
        return {
            p.key
            for p, cosine in zip(looked_at, near, strict=True)
            if (p.key in close and cosine >= _FLOOR * best)
            or (p.key in likely and cosine >= max(_NEAR * best, _LEAST_NEAR))
        }
