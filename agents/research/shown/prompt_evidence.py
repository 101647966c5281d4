"""Which passages a prompt shows of all that was admitted, and in which order.

What fits the question now comes first: what the last round brought, and what the session held that fits the
question or a search as well, then what earlier answers and notes rest on, then the rest, and last what the
last round brought and hardly fits; what was shown before and nobody has used counts less, and what this turn
has shown and nobody noted, or one speaker was shown again and again, takes no other's place. A passage of up
to `library.passages.WHOLE` tokens is never cut. Texts that are the same stand once, with all their ids, and
so does one that stands whole inside another. Passages that follow each other on a page stand in its order.
What the last round found, and what is rested on, is shown or listed in a line: it can be opened by its id.
Where nothing comes near to what is asked, few texts are shown, and whoever answers is told so.
"""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from agents.research.shown.evidence_room import EvidenceShown, Filling
from agents.research.shown.listed_passages import listed_lines
from agents.research.shown.nearness import FEW, come_near
from agents.research.shown.recalled_passages import recalled
from library import Passage
from library.passages import (
    ARGUED,
    WHOLE,
    combined_relevance,
    copies,
    holders,
    made_for_reading,
    only_lists,
    tells_of_release,
)
from library.text import titled_text
from models import Statistics

_FITS = 0.2
"""Share (0 to 1) of the best fit to the question below which a passage is shown only in its first round, or
if something rests on it: what is irrelevant does not stay because it came first."""
_NEW, _NEW_BESIDE = 0.6, 0.75
"""Share (0 to 1) of the room that new passages take at most while others are rested on; where some were
opened, with those and what stands around them."""
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
_HITS, _BEYOND = 3, 0.4
"""Results of each search, the best ones, that have room beyond that of all others where it is taken: they
were asked for; that room, as a share (0 to 1) of the other."""
_PART = (60,)
"""Tokens of a passage that is rested on, where there is no room for more of it."""
_OPENED_TIER, _BESIDE_TIER, _LAST = -1, 0, 5
"""The tiers of what was opened, of what stands around it, and of what stands inside another, or was shown
before: in this turn, or often."""
_FILLING, _WEAK = 3, 4
"""The tier from which on texts are shown because there is room for them, and that of new ones that hardly
fit."""
_FILLS = 0.35
"""Share (0 to 1) of the best fit that those need: room alone is no reason to show what fits nothing."""
_BESIDE = 0.35
"""What stands around what was opened may take beside the room of all others, as a share (0 to 1) of that."""


def chosen_evidence(
    admitted: Mapping[str, Passage],
    *,
    question: str,
    statistics: Statistics,
    tokens: int,
    listed: int,
    room: int = 0,
    opened: Collection[str] = (),
    beside: Collection[str] = (),
    new: Sequence[str] = (),
    found: Collection[str] = (),
    seen: Collection[str] = (),
    passed_over: Collection[str] = (),
    often: Collection[str] = (),
    searches: Sequence[str] = (),
    resting: Sequence[str] = (),
    resting_first: bool = False,
    of_topic: Mapping[str, float] | None = None,
    told: Mapping[str, Sequence[str]] | None = None,
    asks: bool = False,
    on_releases: Collection[str] = (),
) -> EvidenceShown:
    """Return what a prompt shows.

    Args:
        admitted: All that may be shown, by id.
        question: What is asked.
        statistics: Weighs how well passages fit.
        tokens: For the passages, with their tags.
        listed: Tokens for the lines of those that are not shown; what the last round brought and what is
            rested on is named beyond them; 0 names nothing.
        room: Tokens that what was opened may take; 0: `tokens`.
        opened: Ids that stand first and whole, in this order, whatever the room: they were asked for.
        beside: Ids of what stands around those on their pages.
        new: Ids that the last round brought, in the order in which its searches found them: they know more
            of the collection than the words of a few passages tell.
        found: Ids that any round of this turn brought: those that are not shown are named at least.
        seen: Ids of which this turn's prompts have shown the text: what nobody noted of them since is shown
            where there is room left, for it had its turn.
        passed_over: Ids that were shown before, and that nobody has cited or noted: they count less
            where they are not in `new`.
        often: Ids that this speaker was shown in several turns already: what is not rested on for this
            question is shown where there is room left.
        searches: What the last round looked for: its passages are weighed by that, too, and what was admitted
            before and fits one of them is as good as what it brought.
        resting: Ids that earlier answers and notes for this question rest on, what matters most first.
        resting_first: Those share all the room, in that order, and others are only listed: for a closing
            question, whose words are too few to tell what its answer rests on.
        of_topic: How much of the topic each has, 0 to 1: what shares words with the question and hardly
            anything with the topic comes last. None or without an id: all of it.
        told: What notes and answers say of passages, by id: where one is cut, the sentences stay that this
            rests on.
        asks: Something definite is asked, so that it may be that nothing comes near: of a subject, whatever
            belongs to it does.
        on_releases: Ids of notes on releases that nobody asks about (`agents.research.shown.release_notes`).
    """
    groups = _same(admitted.values())
    heads = [group[0] for group in groups]
    sought = " ".join(searches)
    known = {*new, *opened, *beside, *resting}
    usual = set(often) - {*opened, *beside, *resting}
    minded = {} if resting_first else recalled(admitted, [question, *searches], statistics, {*known, *usual})
    sought_for = {*new, *minded}
    worth, least = _worth(
        groups, question, statistics, sought_for, set(passed_over) - set(new), searches, of_topic or {}
    )
    at = {i: float(place) for place, i in enumerate(new)}
    fits = {p.id: w for group, w in zip(groups, worth, strict=True) for p in group}
    # What this turn has shown, and what fits its question best, is not to be remembered by who answers it.
    later = set(passed_over) - set(seen)
    found_at = _with_neighbours(at, admitted) | {
        i: len(new) + place if i in later else _place_among(new, fits, i, place)
        for i, place in minded.items()
    }
    first_hits = set(new[: len(searches)])
    rested_at = {i: float(place) for place, i in reversed(list(enumerate(resting)))}
    opened_at = {i: float(place) for place, i in reversed(list(enumerate(opened)))}
    rest_tier, new_tier = (1, 2) if resting_first else (2, 1)
    tiers: list[tuple[int, float, int]] = []
    pointing = {
        n for n, g in enumerate(groups) if _any(g, on_releases) or _points_elsewhere(g[0], question)
    }
    best = max(worth, default=0.0)
    fit = [w / best if best > 0 else 0.0 for w in worth]
    for n, group in enumerate(groups):
        points = n in pointing
        worth[n] *= _POINTING if points else 1.0
        # What fits best comes before what was found before it, and what only points elsewhere behind all.
        again = _any(group, seen) and not _any(group, minded)
        place = max(0.0, _first_of(group, found_at)) * (1 - _BY_FIT * fit[n]) - fit[n] / 100
        by_worth = -round(worth[n], 6)
        is_new, rests = _any(group, sought_for), _any(group, resting)
        if _any(group, opened):
            tiers.append((_OPENED_TIER, _first_of(group, opened_at), n))
        elif _any(group, beside):
            tiers.append((_BESIDE_TIER, float(group[0].start), n))
        elif all(p.id in usual for p in group) or (again and not rests):
            tiers.append((_LAST, by_worth, n))
        elif rests:  # it has room of its own, found again or not
            tiers.append((rest_tier, _first_of(group, rested_at) if resting_first else by_worth, n))
        elif is_new and not points and (worth[n] >= least or _any(group, first_hits)):
            tiers.append((new_tier, place, n))
        elif worth[n] >= least and worth[n] > 0 and not points:
            tiers.append((_FILLING, by_worth, n))
        elif is_new or worth[n] >= least > 0:
            tiers.append((_WEAK, by_worth, n))
    near = not asks or bool(opened) or (resting_first and bool(resting))
    near = near or come_near([question, *searches], heads, statistics)
    fits_enough = [w >= _FILLS * best for w in worth]
    reached = _within_reach(tiers, near, {rest_tier}, fits_enough, pointing)
    beyond = [n for each in sorted(tiers) if each not in reached and _any(groups[n := each[2]], new)]
    said = [[claim for p in group for claim in (told or {}).get(p.id, ())] for group in groups]
    whole = [[sought] if sought and _any(group, new) else [] for group in groups]
    filling = Filling(groups, [[question, *claims] for claims in said], whole, tokens)
    ranked = sorted(_larger_first(reached, heads))
    rested_on = {n for n, group in enumerate(groups) if _any(group, resting)}
    filling.open([n for kind, _, n in ranked if kind == _OPENED_TIER], room or tokens)
    around = max(_BESIDE * tokens, room - tokens)
    filling.read_on([n for kind, _, n in ranked if kind == _BESIDE_TIER], around)
    for tier in (1, 2):
        share = 1.0 if tier == 2 or not resting or resting_first else _NEW_BESIDE if opened else _NEW
        own = [n for kind, _, n in ranked if kind == tier]
        if tier == 2:
            # What is rested on and took the place of a new text that it holds has the room of both.
            own = [n for kind, _, n in ranked if kind == 1 and n in rested_on - filling.shown.keys()] + own
        part = _PART if tier == 2 or resting_first else ()
        # Who closes sees all that the answers cite at once, before anything else: of what is too long for
        # that the sentences that something rests on, rather than nothing of others.
        closing = resting_first and tier == 1 and own
        filling.take(own, share, filling.share_out(own) if closing else ARGUED, *part)
    hits = [] if resting_first else new[: _HITS * len(searches)]
    asked_for = [n for kind, _, n in ranked if kind in (1, 2) and _any(groups[n], hits)]
    filling.read_on([n for n in asked_for if n not in filling.shown], _BEYOND * tokens)
    left_out = [n for _, _, n in ranked if n not in filling.shown]
    # What is answered from all that was found is not answered from what nobody found worth a word.
    rested = resting_first and any(kind == 1 for kind, _, _ in ranked)
    waiting = [(kind, n) for kind, _, n in ranked if n in left_out and (kind <= 1 or not rested)]
    filling.take([n for kind, n in waiting if kind < _LAST], 1.0, WHOLE)
    if all(n in filling.told for kind, n in waiting if kind < _LAST):
        filling.take([n for kind, n in waiting if kind == _LAST], 1.0, WHOLE)
    found_before = [n for n, group in enumerate(groups) if _any(group, found)]
    filling.note_inside([*left_out, *beyond, *found_before])
    named = [n for n in [*left_out, *beyond] if n not in filling.told]
    # What a round is said to have brought is named first: its id alone would cost another round.
    fresh = [n for n in named if _any(groups[n], sought_for)]
    due = [*fresh, *(n for n in named if _any(groups[n], resting) and n not in fresh)]
    # What this speaker was shown and had no use for is not offered again, nor at the end what nobody used.
    offered = [] if rested else named
    more = [n for n in offered if n not in due and not all(p.id in passed_over for p in groups[n])]
    lines = listed_lines(
        [(groups[n], said[n]) for n in due],
        [(groups[n], said[n]) for n in more],
        [groups[n][0] for n in found_before if n not in filling.told],
        listed,
        [question, *searches],
        seen=seen,
    )
    return filling.evidence(lines, near=near or rested)


def _within_reach(
    tiers: Sequence[tuple[int, float, int]],
    near: bool,
    resting: Collection[int],
    fits: Sequence[bool],
    pointing: Collection[int],
) -> list[tuple[int, float, int]]:
    """Return what may be shown, by tier, place and number.

    What would be shown because there is room must fit (`fits`, by number), but for a few that are new and do
    not only point elsewhere (`pointing`); where nothing comes near, no more than a few are shown beside what
    was asked for or is rested on.
    """
    fixed = [each for each in tiers if each[0] in (_OPENED_TIER, _BESIDE_TIER, *resting)]
    others = sorted(each for each in tiers if each not in fixed)
    if not near:
        return [*fixed, *others[:FEW]]
    found = [each for each in others if each[0] < _FILLING]
    room = [each for each in others if each[0] >= _FILLING and fits[each[2]]]
    weak = [each for each in others if each[0] == _WEAK and not fits[each[2]]]
    new = [each for each in weak if each[2] not in pointing][:FEW]
    return [*fixed, *found, *room, *new]


def _worth(
    groups: Sequence[Sequence[Passage]],
    question: str,
    statistics: Statistics,
    sought_for: Collection[str],
    passed_over: Collection[str],
    searches: Sequence[str],
    of_topic: Mapping[str, float],
) -> tuple[list[float], float]:
    """Return how well each text fits, and the least of which a text is shown for its fit alone."""
    texts = [titled_text(group[0]) for group in groups]
    worth = combined_relevance(question, texts, statistics)
    # Each search by itself: what answers one of three has little of all their words together.
    for search in dict.fromkeys(searches):
        wanted = combined_relevance(search, texts, statistics)
        both = zip(worth, wanted, groups, strict=True)
        worth = [max(w, also) if _any(group, sought_for) else w for w, also, group in both]
    if of_topic:
        worth = [
            w * sqrt(max(of_topic.get(p.id, 1.0) for p in group))
            for w, group in zip(worth, groups, strict=True)
        ]
    least = _FITS * max(worth, default=0.0)
    # What this question's search found again was passed over for another question, and is as good as new.
    worth = [
        w * (_PASSED_OVER if all(p.id in passed_over for p in group) else 1.0)
        for w, group in zip(worth, groups, strict=True)
    ]
    return worth, least


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


def _larger_first(
    tiers: Sequence[tuple[int, float, int]], heads: Sequence[Passage]
) -> list[tuple[int, float, int]]:
    """Let a text that says all of another one take its place; the other comes last, if there is room."""
    numbers = [n for _, _, n in tiers]
    inside = holders([heads[n].text for n in numbers], [heads[n].title for n in numbers])
    larger = {n: numbers[found[0]] for n, found in zip(numbers, inside, strict=True) if found}
    found = {n: (tier, worth) for tier, worth, n in tiers}
    for tier, worth, n in tiers:
        if n in larger and tier > _BESIDE_TIER:
            found[larger[n]] = min(found[larger[n]], (tier, worth))
            found[n] = (_LAST, worth)
    return [(tier, worth, n) for n, (tier, worth) in found.items()]


def _first_of(group: Sequence[Passage], places: Mapping[str, float]) -> float:
    return float(min((places[passage.id] for passage in group if passage.id in places), default=0))


def _any(group: Sequence[Passage], ids: Collection[str]) -> bool:
    return any(passage.id in ids for passage in group)


def _points_elsewhere(passage: Passage, question: str) -> bool:
    """Tell whether a passage only lists what stands elsewhere, or what a release changed."""
    return only_lists(passage.text) or tells_of_release(passage.title, question)
