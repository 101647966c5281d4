"""What many searches of a session find: it is of the matter, whatever words it has.

A passage may name nothing of the topic and share few words with any one search. That half of all searches
bring it, which were put in many words, says more than each of them does (the idea of rank fusion: Cormack,
Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009).
"""

from collections import Counter
from collections.abc import Iterable, Sequence

_Key = tuple[str, int, int]
_SEARCHES = 6
"""Searches in different words before what they have in common says anything."""
_SHARE, _AMONG = 0.5, 5
"""Share (0 to 1) of the searches that find it, and the place it must once have had among the results. Over
seven whole sessions this brings 9 passages that were never admitted, all on their matter; without the place
it would bring a stranger that 15 of 29 searches had as their fifteenth or later."""
_COLLECTION = 4
"""Times as many passages as one search gives that there must be: where there are fewer, each search finds a
good part of all, and that it does says nothing."""


class OftenFound:
    """Counts in how many of a session's searches each passage was found."""

    def __init__(self, searches: Iterable[tuple[str, Sequence[_Key]]]) -> None:
        """Take what was searched before: of each search its query, and what it found, best first."""
        self._found: dict[str, set[_Key]] = {}
        self._count = Counter[_Key]()
        self._best: dict[_Key, int] = {}
        self._longest = 0
        for query, found in searches:
            self.add(query, found)

    def add(self, query: str, found: Sequence[_Key]) -> None:
        """Take in one search; the same query in another place, or put again, is one search."""
        held = self._found.setdefault(query, set())
        new = set(found) - held
        held |= new
        self._count.update(new)
        self._longest = max(self._longest, len(found))
        for place, key in enumerate(dict.fromkeys(found), 1):
            self._best[key] = min(place, self._best.get(key, place))

    def keys(self, count: int) -> set[_Key]:
        """Return the keys of what so many searches found that it is of the matter.

        Args:
            count: Passages in all that was searched.
        """
        searches = len(self._found)
        if searches < _SEARCHES or count < _COLLECTION * self._longest:
            return set()
        often = (key for key, times in self._count.items() if times >= _SHARE * searches)
        return {key for key in often if self._best[key] <= _AMONG}
