"""Which passages a prompt shows of all that was admitted, and in which order.

What fits the question now comes first: what the last round brought, then what earlier answers and notes rest
on, then the rest, and last what the last round brought and hardly fits; what was shown before and nobody has
used counts less. A passage of up to `library.passages.WHOLE` tokens is never cut. Texts that are the same
stand once, with all their ids; one that stands whole inside another that is shown is not shown again. What
does not fit is listed in a line each: it can be opened by its id.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from agents.tasks import show_passages
from agents.token_budget import fit_lines
from library import Passage
from library.passages import (
    ARGUED,
    WHOLE,
    beginning,
    only_lists,
    resting_line,
    short_title,
    tells_of_release,
    whole_or_around,
)
from models import Statistics, estimate

_FITS = 0.2
"""Share (0 to 1) of the best fit to the question below which a passage is shown only in its first round, or
if something rests on it: what is irrelevant does not stay because it came first."""
_NEW = 0.6
"""Share (0 to 1) of the room that new passages take at most while others are rested on."""
_PASSED_OVER = 0.5
"""What the fit of a passage counts that was shown before, and that nobody has cited or noted."""
_POINTING = 0.5
"""What the fit of a passage counts that only points elsewhere: an index, notes on a release."""
_OPENED = 600
"""Tokens of a passage that was opened by its id: longer than any that the library cuts."""
_PART = (60,)
"""Tokens of a passage that is rested on, where there is no room for more of it."""
_LAST = 5
"""The tier of texts that stand inside another."""
_FIRST_WORDS, _RESTED_ON, _TITLE = 60, 90, 44
"""Characters of a listed passage, of one that something rests on, and of its source's title."""


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """The evidence of one prompt."""

    passages: tuple[Passage, ...] = ()
    """Shown, in their order."""
    texts: tuple[str, ...] = ()
    """What is shown of each."""
    doubles: tuple[tuple[str, ...], ...] = ()
    """Of each, the ids of other passages with the same text."""
    listed: tuple[str, ...] = ()
    """A line for each that did not fit: id, title, first words."""

    @property
    def ids(self) -> set[str]:
        """Ids whose text is shown."""
        return {p.id for p in self.passages}.union(*self.doubles)


def chosen_evidence(
    admitted: Mapping[str, Passage],
    *,
    question: str,
    statistics: Statistics,
    tokens: int,
    listed: int,
    room: int = 0,
    opened: Collection[str] = (),
    new: Sequence[str] = (),
    passed_over: Collection[str] = (),
    sought: str = "",
    resting: Sequence[str] = (),
    resting_first: bool = False,
    of_topic: Mapping[str, float] | None = None,
    told: Mapping[str, Sequence[str]] | None = None,
) -> EvidenceShown:
    """Return what a prompt shows.

    Args:
        admitted: All that may be shown, by id.
        question: What is asked.
        statistics: Weighs how well passages fit.
        tokens: For the passages, with their tags.
        listed: Tokens for the lines of those that are not shown.
        room: Tokens that what was opened may take; 0: `tokens`.
        opened: Ids that stand first and whole, in this order, whatever the room: they were asked for.
        new: Ids that the last round brought, in the order in which its searches found them: they know more
            of the collection than the words of a few passages tell.
        passed_over: Ids that were shown before, and that nobody has cited or noted: they count less
            where they are not in `new`.
        sought: What the last round looked for: its passages are weighed by that, too.
        resting: Ids that earlier answers and notes for this question rest on, what matters most first.
        resting_first: Those take all the room, in that order, and others are only listed: for a closing
            question, whose words are too few to tell what its answer rests on.
        of_topic: How much of the topic each has, 0 to 1: what shares words with the question and hardly
            anything with the topic comes last. None or without an id: all of it.
        told: What notes and answers say of passages, by id: where one is cut, the sentences stay that this
            rests on.
    """
    groups = _same(admitted.values())
    heads = [group[0] for group in groups]
    worth = statistics.relevance(question, [f"{p.title}\n{p.text}" for p in heads])
    if sought:
        wanted = statistics.relevance(sought, [f"{p.title}\n{p.text}" for p in heads])
        worth = [
            max(w, also) if _any(group, new) else w
            for w, also, group in zip(worth, wanted, groups, strict=True)
        ]
    if of_topic:
        worth = [
            w * sqrt(max(of_topic.get(p.id, 1.0) for p in group))
            for w, group in zip(worth, groups, strict=True)
        ]
    least = _FITS * max(worth, default=0.0)
    # What this question's search found again was passed over for another question, and is as good as new.
    worth = [
        w * (_PASSED_OVER if all(p.id in passed_over and p.id not in new for p in group) else 1.0)
        for w, group in zip(worth, groups, strict=True)
    ]
    order = ("resting", "new") if resting_first else ("new", "resting")
    found_at = {i: place for place, i in enumerate(new)}
    rested_at = {i: place for place, i in reversed(list(enumerate(resting)))}
    named = {i: place for place, i in reversed(list(enumerate(opened)))}
    tiers: list[tuple[int, float, int]] = []
    for n, group in enumerate(groups):
        found = _any(group, new)
        rests = _any(group, resting)
        # What is rested on has room of its own, found again or not.
        kinds = {"new": found and (resting_first or not rests), "resting": rests}
        by_search = min((found_at[p.id] for p in group if p.id in found_at), default=0.0)
        if _beside(group[0], question):
            by_search, worth[n] = by_search + len(new), worth[n] * _POINTING
        if _any(group, opened):
            tiers.append((0, float(min(named[p.id] for p in group if p.id in named)), n))
        elif kinds["resting"] or (kinds["new"] and worth[n] >= least):
            tier = 1 if kinds[order[0]] else 2
            rested = _first_of(group, rested_at) if resting_first else -round(worth[n], 6)
            tiers.append((tier, rested if order[tier - 1] == "resting" else float(by_search), n))
        elif worth[n] >= least and worth[n] > 0:
            tiers.append((3, -round(worth[n], 6), n))
        elif found:
            tiers.append((4, -round(worth[n], 6), n))
    claims = [[question, *(claim for p in group for claim in (told or {}).get(p.id, ()))] for group in groups]
    filling = _Filling(groups, claims, room or tokens, tokens)
    ranked = sorted(_larger_first(tiers, heads))
    rested_on = {n for n, group in enumerate(groups) if _any(group, resting)}
    for tier in (0, 1, 2):
        bounded = tier == 1 and bool(resting) and not resting_first
        own = [n for kind, _, n in ranked if kind == tier]
        if tier == 2:
            # What is rested on and took the place of a new text that it holds has the room of both.
            own = [n for kind, _, n in ranked if kind == 1 and n in rested_on - filling.shown.keys()] + own
        part = _PART if tier == 2 and not resting_first else ()
        filling.take(own, _NEW if bounded else 1.0, ARGUED if tier else _OPENED, *part)
    left_out = [n for _, _, n in ranked if n not in filling.shown]
    # What is answered from all that was found is not answered from what nobody found worth a word.
    rested = resting_first and any(kind == 1 for kind, _, _ in ranked)
    filling.take([n for kind, _, n in ranked if n in left_out and (kind <= 1 or not rested)], 1.0, WHOLE)
    done = filling.shown.keys() | filling.inside
    # What a round is said to have brought is named first: its id alone would cost another round.
    named_first = sorted(left_out, key=lambda n: not _any(groups[n], new))
    return filling.evidence([n for n in named_first if n not in done], listed)


class _Filling:
    """Fills the room of a prompt with passages, group by group."""

    def __init__(
        self, groups: Sequence[Sequence[Passage]], claims: Sequence[Sequence[str]], room: int, tokens: int
    ) -> None:
        self._groups = groups
        self._claims = claims
        """Of each group: what is asked, and what was said of it."""
        self._tokens = tokens
        self._opening = room
        """Tokens that are left for what was opened by name."""
        self._spent = 0
        self.shown: dict[int, str] = {}
        """By number of its group, in the order of taking: what is shown."""
        self.inside: set[int] = set()
        """Numbers of groups whose text stands whole in one that is shown."""

    def take(self, groups: Sequence[int], share: float, whole: int, *part: int) -> None:
        """Show as many as fit into a share of the room, in their order; what was opened has all of it.

        Each is shown whole up to so many tokens; where there is no room for that, as any other is, then by
        so many tokens of its sentences (`part`) as there is room for.
        """
        opened = whole == _OPENED
        most = self._opening if opened else self._tokens * share
        for n in groups:
            head = self._groups[n][0]
            if not opened and self._stands_inside(head):
                self.inside.add(n)
                continue
            # What notes and answers rest on is shown in part rather than not at all.
            for longest in sorted({whole, WHOLE, *part}, reverse=True):
                claims = self._claims[n] if longest >= WHOLE else self._claims[n][:1]
                text = whole_or_around(head.text, claims, longest)
                size = estimate(show_passages([head], [text], [self._others(n)])) + 1
                if self._spent + size <= most or (not self.shown and opened):
                    self.shown[n] = text
                    self._spent += size
                    break

    def _stands_inside(self, passage: Passage) -> bool:
        words = " ".join(passage.text.split())
        return any(words in " ".join(text.split()) for text in self.shown.values())

    def evidence(self, left_out: Sequence[int], listed: int) -> EvidenceShown:
        """Return what is shown, and a line for each that is not, the best first."""
        return EvidenceShown(
            passages=tuple(self._groups[n][0] for n in self.shown),
            texts=tuple(self.shown.values()),
            doubles=tuple(self._others(n) for n in self.shown),
            listed=tuple(fit_lines(self._lines(left_out), listed)),
        )

    def _lines(self, left_out: Sequence[int]) -> list[str]:
        return _lines([(self._groups[n], self._claims[n][1:]) for n in left_out])

    def _others(self, n: int) -> tuple[str, ...]:
        return tuple(passage.id for passage in self._groups[n][1:])


def _same(passages: Collection[Passage]) -> list[list[Passage]]:
    """Return passages by their words, those of the same words together, in order."""
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        groups.setdefault(" ".join(passage.text.split()).casefold(), []).append(passage)
    return list(groups.values())


def _larger_first(
    tiers: Sequence[tuple[int, float, int]], heads: Sequence[Passage]
) -> list[tuple[int, float, int]]:
    """Let a text that holds another one whole take its place; the other comes last, if there is room."""
    words = {n: " ".join(heads[n].text.split()) for _, _, n in tiers}
    found = {n: (tier, worth) for tier, worth, n in tiers}
    for tier, worth, n in tiers:
        longer = (m for m in words if len(words[m]) > len(words[n]) and words[n] in words[m])
        larger = next(longer, None)
        if larger is not None and tier:
            found[larger] = min(found[larger], (tier, worth))
            found[n] = (_LAST, worth)
    return [(tier, worth, n) for n, (tier, worth) in found.items()]


def _first_of(group: Sequence[Passage], places: Mapping[str, int]) -> float:
    return float(min((places[passage.id] for passage in group if passage.id in places), default=0))


def _any(group: Sequence[Passage], ids: Collection[str]) -> bool:
    return any(passage.id in ids for passage in group)


def _beside(passage: Passage, question: str) -> bool:
    """Tell whether a passage only lists what stands elsewhere, or what a release changed."""
    return only_lists(passage.text) or tells_of_release(passage.title, question)


def _lines(groups: Sequence[tuple[Sequence[Passage], Sequence[str]]]) -> list[str]:
    """Return a line for each group; a title is said once for those of one source that follow each other.

    It shows how the passage begins, or, where notes and answers say something of it, what that rests on.
    """
    lines, before = list[str](), ""
    for group, told in groups:
        head = group[0]
        title = "" if head.sha256 == before else f" {short_title(head.title, _TITLE)}:"
        words = beginning(head.text, _FIRST_WORDS) if not told else resting_line(head.text, told, _RESTED_ON)
        lines.append(f"{' '.join(p.id for p in group)}{title} {words}")
        before = head.sha256
    return lines
