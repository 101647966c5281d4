"""Do two claims measure the same thing: words that their clauses share, weighed by how rare they are."""

import re
from collections.abc import Mapping

from library.claims.claims import Claim, content
from library.claims.disagreement.compared_sources import ComparedSources
from library.claims.disagreement.same_subject import title_words
from library.claims.naming.numbered_names import numbered_names
from library.claims.scope import bare, recurring_times
from models import Statistics

NEAR = 0.5
"""Share of two clauses' weight (0 to 1) that they must share: about the same measure, hardly more said."""
ALIKE = 0.3
"""The same for the sentences that the clauses stand in."""
HELD = 0.7
"""Share (0 to 1) of the lighter clause's weight that the other must have, where it says much more besides."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_TOLD = 3
"""Words that a sentence and its denial must share."""
_HELD_WORDS = 3
"""Words that such clauses must share."""
NEAR_SMALL = 0.7
"""The same for counts below ten: two floors, two frames and two people are mostly different twos."""
NEAR_PAIRS = 0.18
"""The same for Chinese, where a clause is pairs of characters."""
OPPOSITE = 0.7
"""The same, for a sentence and its denial."""
OPPOSITE_SHORT = 0.9
"""The same, where they share no more than three words."""
_DIMENSIONS = frozenset(content("tall deep long wide weigh thick diameter distance speed age"))
"""What a figure may measure of one thing in one unit: a quarry that is 118 metres deep may be 900 long."""
NEARLY = {"number": 0.33, "negation": 0.4}
"""Share of the weight of two counts, or of a sentence and its denial, from which their meaning is asked."""
_WHOLE = 4
"""Words of a sentence from which on it may deny a part of a longer one, which has them all."""


def same_measure(a: Claim, b: Claim, among: ComparedSources) -> bool:
    """Tell whether two claims measure the same: their clauses share most of their words."""
    statistics = among.statistics
    if a.kind == "date" and not _comparable_dates(a, b):
        return False
    near_a, near_b = (a.about, b.about) if a.kind == "negation" else (a.near, b.near)
    shared = near_a.keys() & near_b.keys()
    if a.kind == "number" and other_dimension(near_a, near_b):
        return False
    # Of who did what, the deed is shared already.
    if a.kind != "name" and len(shared) < _WHOLE and not shared - among.common - a.names - b.names:
        return False
    if a.kind == "negation":
        if recurring_times(a.clause) != recurring_times(b.clause):
            return False
        alike = _likeness(a.about, b.about, statistics)
        whole = shared in (a.about.keys(), b.about.keys())
        if whole and len(shared) + len(set(_figures(a)) & set(_figures(b))) >= _WHOLE:
            return True
        return alike >= OPPOSITE and (len(shared) >= 4 or (len(shared) == 3 and alike >= OPPOSITE_SHORT))
    if a.wide:
        return len(shared) >= 2 and _likeness(near_a, near_b, statistics) >= NEAR_PAIRS
    if a.kind == "name":
        return _held(near_a, near_b, statistics) >= NEAR and _one_deed(a, b)
    if named := numbered_names(a.sentence) & numbered_names(b.sentence):
        both = {name: name for name in named}
        near_a, near_b, shared = {**near_a, **both}, {**near_b, **both}, shared | named
    if len(shared) >= _HELD_WORDS and _held(near_a, near_b, statistics) >= HELD and _tell_of_one(a, b, among):
        return True
    abouts = (a.about, b.about), _beyond_titles(a, b, a.about, b.about)
    if max(_likeness(*pair, statistics) for pair in abouts) < ALIKE:
        return False
    nears = (near_a, near_b), _beyond_titles(a, b, near_a, near_b)
    alike = max(_likeness(*pair, statistics) for pair in nears)
    return alike >= (NEAR_SMALL if _is_small(a, b) else NEAR)


def nearly_same_measure(a: Claim, b: Claim, among: ComparedSources) -> bool:
    """Tell whether two counts of one noun, or a sentence and its denial, share nearly enough words."""
    if a.kind not in NEARLY or a.wide or b.wide:
        return False
    if a.kind == "negation":
        near = a.about, b.about
        if len(a.about.keys() & b.about.keys()) < _TOLD:
            return False
    else:
        near = a.near, b.near
        counts = any(key.startswith("noun ") for key in a.keys & b.keys)
        if not counts or other_dimension(*near) or _is_small(a, b):
            return False
    if _likeness(*near, among.statistics) < NEARLY[a.kind]:
        return False
    return a.kind != "negation" or recurring_times(a.clause) == recurring_times(b.clause)


def _is_small(a: Claim, b: Claim) -> bool:
    """Tell whether one of two claims counts less than ten: two floors and two frames are different twos."""
    return a.number is not None and a.number.unit is None and min(a.worth[-1], b.worth[-1]) < 10


def other_dimension(a: Mapping[str, str], b: Mapping[str, str]) -> bool:
    """Tell whether two clauses say each what they measure, and not the same: a depth, a length."""
    said = [near.keys() & _DIMENSIONS for near in (a, b)]
    return all(said) and said[0].isdisjoint(said[1])


def _one_deed(a: Claim, b: Claim) -> bool:
    """Tell whether two names did one thing: all that each sentence says of it, the other or a title has."""
    said = title_words(a.passage.title) | title_words(b.passage.title)
    return all(one.deed <= other.about.keys() | other.names | said for one, other in ((a, b), (b, a)))


def _tell_of_one(a: Claim, b: Claim, among: ComparedSources) -> bool:
    """Tell whether two clauses say the same beside names, and not of `the film` of each page."""
    names = a.names | b.names
    rest = [{word: term for word, term in c.near.items() if word not in names} for c in (a, b)]
    if bare(a.sentence) & bare(b.sentence) or not rest[0].keys() & rest[1].keys():
        return False
    return _held(rest[0], rest[1], among.statistics) >= NEAR


def _figures(claim: Claim) -> list[str]:
    """Return what is written in figures in a claim's sentence: `longer than 40 centimetres`."""
    return _FIGURE.findall(claim.sentence)


def _beyond_titles(
    a: Claim, b: Claim, *words: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return words of both claims without those of their pages' titles: they need not be said again."""
    said = title_words(a.passage.title) | title_words(b.passage.title)
    rest = [{word: term for word, term in held.items() if word not in said} for held in words]
    return (rest[0], rest[1]) if rest[0].keys() & rest[1].keys() else (words[0], words[1])


def _likeness(a: Mapping[str, str], b: Mapping[str, str], statistics: Statistics) -> float:
    """Return the share (0 to 1) of the weight of two sets of words that both hold."""
    weights = {term: statistics.weight(term) for term in (*a.values(), *b.values())}
    both = sum(weights[a[word]] for word in a.keys() & b.keys())
    union = sum(weights[term] for term in a.values()) + sum(weights[term] for term in b.values()) - both
    return both / union if union > 0 else 0.0


def _held(a: Mapping[str, str], b: Mapping[str, str], statistics: Statistics) -> float:
    """Return the share (0 to 1) of the lighter one's weight that the other has, too."""
    less = min((a, b), key=lambda near: sum(map(statistics.weight, near.values())))
    return _likeness(less, {word: less[word] for word in a.keys() & b.keys()}, statistics)


def _comparable_dates(a: Claim, b: Claim) -> bool:
    """Tell whether two dates say a year both, or a day both: `in May` and a year have nothing to compare."""
    one, other = a.date, b.date
    assert one is not None
    assert other is not None
    return bool((one.year and other.year) or (one.day and other.day))
