"""Watching one research: going in circles is noticed and named, never forbidden. Pure functions.

Three kinds of circle: nearly the same query three times in a row, hopping between two or three narrow
subjects, and rounds that bring nothing new. Each gives advice for the next round; two warnings that were
ignored end the research.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Loop = Literal["repeating", "hopping", "dry"]

ALIKE = 0.9
"""Likeness (0 to 1) above which two queries are nearly the same."""
IN_A_ROW = 3
"""Queries, or rounds without anything new, in a row that are a circle."""
HOPS = 6
"""Queries that are looked at for hopping."""
MOST_IGNORED = 2

Likeness = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """One round as the watch sees it."""

    queries: tuple[str, ...]
    """What was searched for; a reading and a computation count by their target."""
    fresh: int
    """Passages that were new to this research."""


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle that was noticed."""

    loop: Loop
    advice: str


ADVICE: dict[Loop, str] = {
    "repeating": (
        "You have asked nearly the same three times in a row: {what}. It gives the same again. Try another "
        "angle (other words, a narrower part, who or when), another kind of action (read a page whole), or "
        "another place; or answer from what you have."
    ),
    "hopping": (
        "You go back and forth between few narrow subjects: {what}. Take a wider view: what would link them, "
        "or what has not been looked at? Or answer from what you have."
    ),
    "dry": (
        "The last rounds brought nothing new. Leave this direction: follow a lead, look at another side of "
        "the question, or answer from what you have."
    ),
}


def judge(done: Sequence[RoundSeen], proposed: Sequence[str], likeness: Likeness) -> Circle | None:
    """Return the circle of queries that the proposed ones would go on with, None when there is none."""
    queries = [query for seen in done for query in seen.queries] + list(proposed)
    if same := repeating(queries, likeness):
        return _warning("repeating", [same])
    if few := hopping(queries, likeness):
        return _warning("hopping", few)
    return None


def repeating(queries: Sequence[str], likeness: Likeness) -> str | None:
    """Return the query that was asked, nearly the same, three times in a row up to the last."""
    last = list(queries[-IN_A_ROW:])
    if len(last) < IN_A_ROW or any(likeness(last[-1], query) <= ALIKE for query in last[:-1]):
        return None
    return last[-1]


def hopping(queries: Sequence[str], likeness: Likeness) -> list[str] | None:
    """Return the two or three subjects between which the last queries go back and forth."""
    last = list(queries[-HOPS:])
    if len(last) < HOPS:
        return None
    subjects: list[str] = []
    visits: list[int] = []
    for query in last:
        near = next((n for n, subject in enumerate(subjects) if likeness(subject, query) > ALIKE), None)
        if near is None:
            subjects.append(query)
            visits.append(1)
        else:
            visits[near] += 1
    narrow = len(subjects) in {2, 3} and min(visits) > 1
    return subjects if narrow else None


def dry(done: Sequence[RoundSeen]) -> bool:
    """Tell whether the last rounds brought nothing new; a first round that found nothing is not a circle."""
    return len(done) >= IN_A_ROW and all(seen.fresh == 0 for seen in done[-IN_A_ROW:])


def _warning(loop: Loop, what: Sequence[str]) -> Circle:
    named = " / ".join(" ".join(w.split())[:80] for w in what)
    return Circle(loop, ADVICE[loop].format(what=named))


class Watch:
    """Counts what was noticed and what was heeded, through one research."""

    def __init__(self, likeness: Likeness) -> None:
        self._likeness = likeness
        self._done: list[RoundSeen] = []
        self._last: Circle | None = None
        """The warning that the next round may ignore."""
        self._dry_from = 0
        """Rounds that must be done before dryness is judged again: advice takes a round to show."""
        self.ignored = 0
        """Warnings after which the next round went on in the same circle."""

    def saw(self, seen: RoundSeen) -> None:
        """Take in a round that was run."""
        self._done.append(seen)

    def before(self, proposed: Sequence[str]) -> Circle | None:
        """Judge what is about to be run; going on after a warning counts as ignoring it."""
        circle = judge(self._done, proposed, self._likeness)
        if circle is None and len(self._done) >= self._dry_from and dry(self._done):
            circle = _warning("dry", [])
        if circle is None:
            # What a round after a dry spell brings is known only when it is done.
            waiting = self._last and self._last.loop == "dry" and len(self._done) < self._dry_from
            self._last = self._last if waiting else None
            return None
        self.ignored += self._last is not None
        self._last = circle
        self._dry_from = len(self._done) + (2 if circle.loop == "dry" else IN_A_ROW)
        return circle

    @property
    def over(self) -> bool:
        """Whether enough warnings were ignored: the answer is due."""
        return self.ignored >= MOST_IGNORED
