"""In which order passages come into a prompt: by what became of them, then by how well they fit."""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from math import sqrt
from typing import NamedTuple

from agents.research.shown.evidence_request import EvidenceRequest
from agents.research.shown.nearness import FEW, come_near
from agents.research.shown.recalled_passages import recalled
from library import Passage
from library.passages import (
    combined_relevance,
    copies,
    holders,
    made_for_reading,
    only_lists,
    tells_of_release,
)
from library.text import titled_text

Groups = Sequence[Sequence[Passage]]
"""Passages, those with the same text together; a group's first stands for it."""

_FITS = 0.2
"""Share (0 to 1) of the best fit to the question below which a passage is shown only in its first round, or
if something rests on it: what is irrelevant does not stay because it came first."""
_PASSED_OVER = 0.5
"""What the fit of a passage counts that was shown before, and that nobody has cited or noted."""
_POINTING = 0.5
"""What the fit of a passage counts that only points elsewhere: an index, notes on a release."""
_AFTER_FOUND = 3
"""Places of what a search found that what the session held stands behind at most."""
_BY_FIT = 0.75
"""Share (0 to 1) of the places that a search put before it which what fits best goes forward."""
_NEXT, _BEHIND = 4, 1.5
"""Characters of white space between passages that go on from each other; places that one of them stands
behind the other at most."""
_FILLS = 0.35
"""Share (0 to 1) of the best fit that a text needs which is shown because there is room: room alone is no
reason to show what fits nothing."""


class Tier(IntEnum):
    """What comes into a prompt first: each tier is shown before the next."""

    OPENED = -1
    """Asked for by its id."""
    BESIDE = 0
    """What stands around that on its page."""
    FIRST = 1
    """What is new; for a closing question what answers rest on."""
    SECOND = 2
    """What is rested on; for a closing question what is new."""
    FILLING = 3
    """What fits, shown because there is room."""
    WEAK = 4
    """New, and hardly fits."""
    LAST = 5
    """What stands inside another, or was shown before: in this turn, or often."""


class Ranked(NamedTuple):
    """A text in its place; they sort as they come into the prompt."""

    tier: Tier
    place: float
    n: int
    """The number of its group."""


class EvidenceRanking:
    """All that was admitted, as it comes into one prompt."""

    def __init__(self, admitted: Mapping[str, Passage], asked: EvidenceRequest) -> None:
        self.asked = asked
        self.groups: Groups = _same(admitted.values())
        self._usual = set(asked.often) - {*asked.opened, *asked.beside, *asked.resting}
        known = {*asked.new, *asked.opened, *asked.beside, *asked.resting, *self._usual}
        minded = {} if asked.resting_first else recalled(admitted, asked.wordings, asked.statistics, known)
        self._minded: Collection[str] = minded.keys()
        self.sought_for = {*asked.new, *minded}
        """Ids of what the last round brought, and of what the session held that is as good."""
        worth, self._least = _worth(self.groups, asked, self.sought_for)
        self._best = max(worth, default=0.0)
        self._fit = [w / self._best if self._best > 0 else 0.0 for w in worth]
        self._found_at = _found_at(admitted, asked, minded, self._by_id(worth))
        self._rested_at = _places(asked.resting)
        self._opened_at = _places(asked.opened)
        self._pointing = {n for n in range(len(self.groups)) if self._points_elsewhere(n)}
        self._worth = [w * (_POINTING if n in self._pointing else 1.0) for n, w in enumerate(worth)]
        self.near = self._comes_near()
        """Whether anything comes near to what is asked."""
        placed = [each for n in range(len(self.groups)) if (each := self._placed(n))]
        reached = self._within_reach(placed)
        self.order = sorted(_larger_first(reached, [group[0] for group in self.groups]))
        """What may be shown, in its order."""
        self.beyond = [
            each.n for each in sorted(placed) if each not in reached and self.has(each.n, asked.new)
        ]
        """Numbers of what the last round brought and what may not be shown."""

    def has(self, n: int, ids: Collection[str]) -> bool:
        """Tell whether one of a group's passages is among some."""
        return any(passage.id in ids for passage in self.groups[n])

    def of_tier(self, *tiers: Tier) -> list[int]:
        """Return the numbers of what stands in some tiers, in its order."""
        return [each.n for each in self.order if each.tier in tiers]

    def _by_id(self, worth: Sequence[float]) -> dict[str, float]:
        return {p.id: w for group, w in zip(self.groups, worth, strict=True) for p in group}

    def _comes_near(self) -> bool:
        asked = self.asked
        if not asked.asks or asked.opened or (asked.resting_first and asked.resting):
            return True
        return come_near(asked.wordings, [group[0] for group in self.groups], asked.statistics)

    def _points_elsewhere(self, n: int) -> bool:
        """Tell whether a text only lists what stands elsewhere, or what a release changed."""
        asked, head = self.asked, self.groups[n][0]
        on_release = self.has(n, asked.on_releases) or tells_of_release(head.title, asked.question)
        return on_release or only_lists(head.text)

    def _placed(self, n: int) -> Ranked | None:
        """Return where a text stands by itself, whatever others say; None: nothing speaks for it."""
        asked, group, worth, points = self.asked, self.groups[n], self._worth[n], n in self._pointing
        by_worth = -round(worth, 6)
        is_new, rests = self.has(n, self.sought_for), self.has(n, asked.resting)
        again = self.has(n, asked.seen) and not self.has(n, self._minded)
        if self.has(n, asked.opened):
            return Ranked(Tier.OPENED, _first_of(group, self._opened_at), n)
        if self.has(n, asked.beside):
            return Ranked(Tier.BESIDE, float(group[0].start), n)
        if all(p.id in self._usual for p in group) or (again and not rests):
            return Ranked(Tier.LAST, by_worth, n)
        if rests:  # it has room of its own, found again or not
            if asked.resting_first:
                return Ranked(Tier.FIRST, _first_of(group, self._rested_at), n)
            return Ranked(Tier.SECOND, by_worth, n)
        first_hits = asked.new[: len(asked.searches)]
        if is_new and not points and (worth >= self._least or self.has(n, first_hits)):
            # What fits best comes before what was found before it.
            place = max(0.0, _first_of(group, self._found_at)) * (1 - _BY_FIT * self._fit[n])
            return Ranked(Tier.SECOND if asked.resting_first else Tier.FIRST, place - self._fit[n] / 100, n)
        if worth >= self._least and worth > 0 and not points:
            return Ranked(Tier.FILLING, by_worth, n)
        if is_new or worth >= self._least > 0:
            return Ranked(Tier.WEAK, by_worth, n)
        return None

    def _within_reach(self, placed: Sequence[Ranked]) -> list[Ranked]:
        """Return what may be shown.

        What would be shown because there is room must fit, but for a few that are new and do not only point
        elsewhere; where nothing comes near, no more than a few are shown beside what was asked for or is
        rested on.
        """
        rested = Tier.FIRST if self.asked.resting_first else Tier.SECOND
        fixed = [each for each in placed if each.tier in (Tier.OPENED, Tier.BESIDE, rested)]
        others = sorted(each for each in placed if each not in fixed)
        if not self.near:
            return [*fixed, *others[:FEW]]
        fits = [w >= _FILLS * self._best for w in self._worth]
        found = [each for each in others if each.tier < Tier.FILLING]
        room = [each for each in others if each.tier >= Tier.FILLING and fits[each.n]]
        weak = [each for each in others if each.tier == Tier.WEAK and not fits[each.n]]
        return [*fixed, *found, *room, *[each for each in weak if each.n not in self._pointing][:FEW]]


def _worth(groups: Groups, asked: EvidenceRequest, sought_for: Collection[str]) -> tuple[list[float], float]:
    """Return how well each text fits, and the least of which a text is shown for its fit alone."""
    texts = [titled_text(group[0]) for group in groups]
    worth = combined_relevance(asked.question, texts, asked.statistics)
    # Each search by itself: what answers one of three has little of all their words together.
    for search in dict.fromkeys(asked.searches):
        wanted = combined_relevance(search, texts, asked.statistics)
        both = zip(worth, wanted, groups, strict=True)
        worth = [max(w, also) if any(p.id in sought_for for p in group) else w for w, also, group in both]
    if asked.of_topic:
        worth = [
            w * sqrt(max(asked.of_topic.get(p.id, 1.0) for p in group))
            for w, group in zip(worth, groups, strict=True)
        ]
    least = _FITS * max(worth, default=0.0)
    # What this question's search found again was passed over for another question, and is as good as new.
    passed_over = set(asked.passed_over) - set(asked.new)
    worth = [
        w * (_PASSED_OVER if all(p.id in passed_over for p in group) else 1.0)
        for w, group in zip(worth, groups, strict=True)
    ]
    return worth, least


def _found_at(
    admitted: Mapping[str, Passage],
    asked: EvidenceRequest,
    minded: Mapping[str, int],
    fits: Mapping[str, float],
) -> dict[str, float]:
    """Return the places, by id, of what searches found, and among it of what the session held (`minded`)."""
    new = asked.new
    # What this turn has shown, and what fits its question best, is not to be remembered by who answers it.
    later = set(asked.passed_over) - set(asked.seen)
    return _with_neighbours({i: float(place) for place, i in enumerate(new)}, admitted) | {
        i: len(new) + place if i in later else _place_among(new, fits, i, place)
        for i, place in minded.items()
    }


def _with_neighbours(found_at: Mapping[str, float], admitted: Mapping[str, Passage]) -> dict[str, float]:
    """Return the places of what searches found, what goes on from a better place close behind that.

    Where a search finds several passages of one section, the section answers: half of its steps would not.
    """
    ends = {(admitted[i].sha256, admitted[i].end): i for i in found_at if i in admitted}
    moved = dict(found_at)
    for i in found_at:
        if i not in admitted:
            continue
        here = admitted[i]
        before = next((b for gap in range(_NEXT) if (b := ends.get((here.sha256, here.start - gap)))), None)
        if before is not None and before != i:
            near = min(found_at[i], found_at[before]) + _BEHIND
            moved[i], moved[before] = min(moved[i], near), min(moved[before], near)
    return moved


def _place_among(new: Sequence[str], fits: Mapping[str, float], passage: str, rank: int) -> float:
    """Return where what the session held stands: behind all that was found and fits better, but not far."""
    better = [place for place, i in enumerate(new) if fits.get(i, 0.0) >= fits[passage]]
    return min(max(better, default=-1), _AFTER_FOUND + rank - 1) + 0.5


def _same(passages: Collection[Passage]) -> list[list[Passage]]:
    """Return passages, those that say the same together, in order; a page's own text stands for a copy's."""
    held = list(passages)
    groups = copies([p.text for p in held], [p.title for p in held])
    return [sorted((held[n] for n in group), key=lambda p: not made_for_reading(p)) for group in groups]


def _larger_first(placed: Sequence[Ranked], heads: Sequence[Passage]) -> list[Ranked]:
    """Let a text that says all of another one take its place; the other comes last, if there is room."""
    numbers = [each.n for each in placed]
    inside = holders([heads[n].text for n in numbers], [heads[n].title for n in numbers])
    larger = {n: numbers[found[0]] for n, found in zip(numbers, inside, strict=True) if found}
    moved = {each.n: each for each in placed}
    for tier, place, n in placed:
        if n in larger and tier > Tier.BESIDE:
            best = min(moved[larger[n]][:2], (tier, place))
            moved[larger[n]] = Ranked(*best, larger[n])
            moved[n] = Ranked(Tier.LAST, place, n)
    return list(moved.values())


def _places(ids: Collection[str]) -> dict[str, float]:
    """Return the place of each, from 0; of one that is named twice the first."""
    return {i: float(place) for place, i in reversed(list(enumerate(ids)))}


def _first_of(group: Sequence[Passage], places: Mapping[str, float]) -> float:
    return float(min((places[passage.id] for passage in group if passage.id in places), default=0))
