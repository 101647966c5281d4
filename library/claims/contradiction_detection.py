"""Passages that disagree: other numbers, dates, names, or the opposite, for the same thing at the same time.

Rules on real pages raise mostly false alarms unless they ask for a lot, so two claims are set against each
other only when they share the subject (names, or the words of their titles), the measure (unit or counted
noun, and the words of the clause) and the time. Where the time of one side is not said, only the values
can be compared, and the finding says so (`kind` is `values`). Nothing is ever averaged or decided here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from library.claims.claims import COUNTED, Claim, claims, content, is_wide, root
from library.claims.polarity import denied_otherwise
from library.claims.scope import (
    before_shared,
    condition,
    counted,
    definite,
    is_open,
    mentioned,
    places,
    qualifiers,
    scope,
    subject,
)
from library.evidence import Passage
from library.text import tokenize as analysis
from library.text.multilingual.language import detect
from library.text.quantities.compare import supported
from models import Statistics

Disagreement = Literal["number", "date", "name", "negation", "values"]

NEAR = 0.5
"""Share of two clauses' weight (0 to 1) that they must share: about the same measure, hardly more said."""
ALIKE = 0.3
"""The same for the sentences that the clauses stand in."""
NEAR_SMALL = 0.7
"""The same for counts below ten: two floors, two frames and two people are mostly different twos."""
NEAR_PAIRS = 0.18
"""The same for Chinese, where a clause is pairs of characters."""
OPPOSITE = 0.7
"""The same, for a sentence and its denial."""
OPPOSITE_SHORT = 0.9
"""The same, where they share no more than three words."""
_FEW_SOURCES = 40
"""Sources of fewer than which no word is taken for what all of them are about."""
_FEW, _FEW_OF = 4, 0.01
"""Sources, and share of all of them (0 to 1), around more of which a name stands that tells nothing apart."""
_ALIKE_AROUND = 2
"""Names around two claims that both share, when their titles share none."""
_MOST_SIDES = 40
"""Claims with one key of one passage more than which are a list or a table, and not compared."""
_SITE = re.compile(r"\s[|·–—-]\s\S+\.[a-z]{2,6}\s*$")
"""The site that a title names last: sources of one site need not be about one thing."""
_INSTALMENT = re.compile(r"\b([^\W\d_]{2,40}) (?:\d{1,2}|[IVX]{1,4})(?![\w.])")
"""A word with the number that follows it: `trailer 2`."""
_CONTRASTS = ("whereas", "while ", "according to", "disput", "differ", "不一致", "而")
_OPPOSITE = {"said": "denied", "denied": "said"}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two passages that do not agree on something."""

    a: Passage
    b: Passage
    about: str
    """What they differ on: the words that both clauses share, in the order of the first."""
    kind: Disagreement
    """`values`: the figures differ, but one side does not say for when."""
    values: tuple[str, str]
    """What each side says, as written."""
    sentences: tuple[str, str]
    """The sentences that say it, word for word."""


def contradictions(
    fresh: Sequence[Passage],
    known: Sequence[Passage],
    statistics: Statistics,
    topic: str = "",
    most: int | None = None,
) -> list[Contradiction]:
    """Return what fresh passages contradict, among themselves and in those known before.

    Each pair of sentences once, however many pages repeat them.

    Args:
        fresh: Passages not compared before.
        known: Passages compared before.
        statistics: Weights of words; a rare word says more of what two claims share.
        topic: What everything is about: sharing its words alone makes no two claims the same.
        most: No more are looked for than so many; None: all.
    """
    if most is not None and most < 1:
        return []
    old: dict[str, list[Claim]] = {}
    for claim in (c for passage in known for c in _comparable(passage)):
        for key in sorted(claim.keys):
            old.setdefault(key, []).append(claim)
    found: dict[tuple[object, ...], Contradiction] = {}
    common = frozenset(content(topic)) | _everywhere([*fresh, *known])
    for claim in (c for passage in fresh for c in _comparable(passage)):
        for other in _candidates(claim, old):
            kind = disagree(other, claim, statistics, common)
            pair = (*sorted((other.sentence, claim.sentence)), kind)
            if kind is not None and pair not in found:
                found[pair] = _contradiction(other, claim, kind)
                if len(found) == most:
                    return list(found.values())
        for key in sorted(claim.keys):
            old.setdefault(key, []).append(claim)
    return list(found.values())


def _everywhere(passages: Sequence[Passage]) -> frozenset[str]:
    """Return the names around the claims of many sources: what all are about tells nothing apart."""
    if len(shas := {passage.sha256 for passage in passages}) < _FEW_SOURCES:
        return frozenset()
    around: dict[str, set[str]] = {sha256: set() for sha256 in shas}
    for passage in passages:
        for claim in claims(passage)[:1]:
            around[passage.sha256] |= claim.around
    counted = Counter(word for words in around.values() for word in words)
    return frozenset(word for word, count in counted.items() if count > max(_FEW, len(shas) * _FEW_OF))


def _comparable(passage: Passage) -> list[Claim]:
    """Return a passage's claims without those that only a table or a list makes."""
    made = claims(passage)
    counts: dict[str, int] = {}
    for key in (key for claim in made if claim.kind == "number" for key in claim.keys):
        counts[key] = counts.get(key, 0) + 1
    return [c for c in made if all(counts.get(key, 0) <= _MOST_SIDES for key in c.keys)]


def _candidates(claim: Claim, old: Mapping[str, Sequence[Claim]]) -> Iterable[Claim]:
    """Return the claims of other sources to compare with: of the same key, or what denies a statement."""
    seen: dict[int, Claim] = {}
    for key in sorted(claim.keys):
        for other in old.get(_OPPOSITE.get(key, key), ()):
            if other.passage.sha256 != claim.passage.sha256 and other.sentence != claim.sentence:
                seen[id(other)] = other
    return seen.values()


def disagree(a: Claim, b: Claim, statistics: Statistics, common: frozenset[str]) -> Disagreement | None:
    """Return how two claims of the same key disagree, None when they do not or are about different things."""
    if a.kind != b.kind or (a.kind == "negation" and a.negated == b.negated):
        return None
    if _other_time(a, b) or _other_time(b, a):
        return None
    if not _same_subject(a, b, common) or not _same_measure(a, b, statistics, common):
        return None
    if not _same_scope(a, b) or _same_value(a, b) or _tells_both(a, b):
        return None
    if a.kind == "negation" and not _denies(a, b):
        return None
    if a.kind == "number" and not _same_time(a, b):
        return "values"
    return a.kind


def _denies(a: Claim, b: Claim) -> bool:
    """Tell whether one sentence denies what the other says, and not something beside it."""
    language = detect(a.passage.text)
    one, other = a.sentence, b.sentence
    return bool(denied_otherwise(one, [other], language) or denied_otherwise(other, [one], language))


def _other_time(a: Claim, b: Claim) -> bool:
    """Tell whether a claim says a year, and the other says or goes on about another."""
    told = b.years or b.before
    return bool(a.years and told and not a.years & told)


def _same_time(a: Claim, b: Claim) -> bool:
    """Tell whether two figures are of the same time, as far as it is told: both, or neither, says a year."""
    if bool(a.years) != bool(b.years):
        return False
    before_a, before_b = a.years or a.before, b.years or b.before
    return not before_a or not before_b or bool(before_a & before_b)


def _same_scope(a: Claim, b: Claim) -> bool:
    """Tell whether two claims may hold for the same: no stage, side, place or subject of one parts them."""
    if qualifiers(a.sentence) != qualifiers(b.sentence) or condition(a.sentence) != condition(b.sentence):
        return False
    if a.wide:
        shared = frozenset(a.near.keys() & b.near.keys())
        if a.kind == "number" and not shared & COUNTED:
            measures = [counted(c.clause, c.written) for c in (a, b)]
            if measures[0] not in b.clause or measures[1] not in a.clause:
                return False
        leads = [before_shared(c.clause, shared) for c in (a, b)]
        if all(leads) and leads[0][-1] != leads[1][-1] and min(map(len, leads)) == 1:
            return False
        return all(_known_in(before_shared(c.clause, shared), c, other) for c, other in ((a, b), (b, a)))
    return all(_held_by(one, other) for one, other in ((a, b), (b, a)))


def _known_in(named: str, own: Claim, other: Claim) -> bool:
    texts = (own.passage.title, other.sentence, other.passage.title)
    return len(named) < 2 or any(named in text for text in texts)


def _held_by(one: Claim, other: Claim) -> bool:
    """Tell whether the other claim's sentence or page speaks of what one claim holds for."""
    text = f"{other.sentence} {other.passage.title} {one.passage.title}"
    named = [word for word in subject(one.sentence) if word not in one.written.casefold()]
    open_subject = one.kind == "name" or is_open(other.sentence)
    if not open_subject and not all(mentioned(word, text) for word in named):
        return False
    known = set(analysis.terms(text))
    if one.goes_on - other.around - {root(term) for term in analysis.terms(other.sentence)}:
        return False
    if one.kind == "number" and places(one.sentence) - known:
        return False
    return scope(one.sentence) <= known


def _same_subject(a: Claim, b: Claim, common: frozenset[str]) -> bool:
    """Tell whether two claims may be about one subject.

    They do not each name what the other does not, or speak of what their own page alone is about; and share a
    name, in the sentences or around them.
    What all sources are about is a shared name only where both sentences say it.
    """
    if a.names and b.names and a.names - b.around and b.names - a.around:
        return False
    if any(_goes_on_from_nowhere(one) and other.names - one.around for one, other in ((a, b), (b, a))):
        return False
    if _own_subject(a, b) and _own_subject(b, a):
        return False
    if _other_instalment(a, b) or _other_instalment(b, a):
        return False
    if a.wide or b.wide:
        return len(content(a.passage.title).keys() & content(b.passage.title + b.passage.text).keys()) >= 2
    titles = _title_words(a.passage.title), _title_words(b.passage.title)
    named = a.names & b.names
    if named & (titles[0] | titles[1]) or (named and not definite(a.sentence) & definite(b.sentence)):
        return True
    # `The film` and `the flood` are what their pages are about: something of that must be the same, beside
    # who tells of it (`Metacritic`).
    alike = (a.around & b.around) - common - named
    enough = bool(alike & titles[0] & titles[1]) or (
        len(alike) >= _ALIKE_AROUND and bool(alike & (titles[0] | titles[1]))
    )
    return enough and bool(named or not (a.names and b.names))


def _goes_on_from_nowhere(claim: Claim) -> bool:
    """Tell whether a sentence begins its passage with a pronoun: what that stands for is not known."""
    return is_open(claim.sentence) and claim.passage.text.lstrip().startswith(claim.sentence[:20])


def _own_subject(one: Claim, other: Claim) -> bool:
    """Tell whether a sentence is on what its page is about, and the other sentence and page are not.

    `The orchard of …` and `The tannery of …` are two things, whatever else their pages share.
    """
    own, text = one.passage.title, f"{other.sentence} {other.passage.title}"
    return any(mentioned(word, own) and not mentioned(word, text) for word in subject(one.sentence))


def _other_instalment(one: Claim, other: Claim) -> bool:
    """Tell whether a page's title numbers what the sentences are on, and the other source names it without.

    What a page on `Trailer 2` tells of is not `the trailer` of another page, nor is the album of a page on
    `Culture 2` the one that another sentence calls `Culture`.
    """
    title = _SITE.sub("", one.passage.title).rstrip()
    for match in _INSTALMENT.finditer(title):
        word = match[1].casefold()
        # A number at the end of a title may be a file's: `Notes 2`.
        inside = match.end() < len(title)
        text = f"{other.passage.title} {other.sentence if inside else ''}"
        numbered = {number[1].casefold() for number in _INSTALMENT.finditer(text)}
        said = _words(one.sentence) | _words(other.sentence)
        if word in said and word in _words(text) and word not in numbered:
            return True
    return False


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(analysis.SURFACE.findall(text.casefold()))


@lru_cache(maxsize=4_096)
def _title_words(title: str) -> frozenset[str]:
    return frozenset(content(_SITE.sub("", title)))


def _same_measure(a: Claim, b: Claim, statistics: Statistics, common: frozenset[str]) -> bool:
    """Tell whether two claims measure the same: their clauses share most of their words."""
    if a.kind == "date" and not _comparable_dates(a, b):
        return False
    near_a, near_b = (a.about, b.about) if a.kind == "negation" else (a.near, b.near)
    shared = near_a.keys() & near_b.keys()
    if not shared - common - a.names - b.names:
        return False
    if a.kind == "negation":
        alike = _likeness(a.about, b.about, statistics)
        shared = a.about.keys() & b.about.keys()
        return alike >= OPPOSITE and (len(shared) >= 4 or (len(shared) == 3 and alike >= OPPOSITE_SHORT))
    if a.wide:
        return len(shared) >= 2 and _likeness(near_a, near_b, statistics) >= NEAR_PAIRS
    if a.kind == "name":
        less = min((near_a, near_b), key=lambda near: sum(map(statistics.weight, near.values())))
        return _likeness(less, {w: less[w] for w in shared}, statistics) >= NEAR
    if _likeness(a.about, b.about, statistics) < ALIKE:
        return False
    small = a.kind == "number" and min(*_worth(a), *_worth(b)) < 10
    alike = max(_likeness(near_a, near_b, statistics), _likeness(*_beyond_titles(a, b), statistics))
    return alike >= (NEAR_SMALL if small else NEAR)


def _beyond_titles(a: Claim, b: Claim) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the words near both values without those of their pages' titles: they need not be said again."""
    said = _title_words(a.passage.title) | _title_words(b.passage.title)
    rest = [{word: term for word, term in c.near.items() if word not in said} for c in (a, b)]
    return (rest[0], rest[1]) if rest[0].keys() & rest[1].keys() else (a.near, b.near)


def _likeness(a: Mapping[str, str], b: Mapping[str, str], statistics: Statistics) -> float:
    """Return the share (0 to 1) of the weight of two sets of words that both hold."""
    weights = {term: statistics.weight(term) for term in (*a.values(), *b.values())}
    both = sum(weights[a[word]] for word in a.keys() & b.keys())
    union = sum(weights[term] for term in a.values()) + sum(weights[term] for term in b.values()) - both
    return both / union if union > 0 else 0.0


def _comparable_dates(a: Claim, b: Claim) -> bool:
    """Tell whether two dates say a year both, or a day both: `in May` and a year have nothing to compare."""
    one, other = a.date, b.date
    assert one is not None
    assert other is not None
    return bool((one.year and other.year) or (one.day and other.day))


def _same_value(a: Claim, b: Claim) -> bool:
    """Tell whether two values say the same, as far as they say anything."""
    if a.number is not None and b.number is not None:
        return _same_number(a, b)
    if a.date is not None and b.date is not None:
        pairs = ((a.date.year, b.date.year), (a.date.month, b.date.month), (a.date.day, b.date.day))
        if all(x is None or y is None or x == y for x, y in pairs):
            return True
        return (b.date.month, b.date.day) == a.date.other or (a.date.month, a.date.day) == b.date.other
    if a.kind == "name":
        return bool(set(a.written.casefold().split()) & set(b.written.casefold().split()))
    return False


def _same_number(a: Claim, b: Claim) -> bool:
    assert a.number is not None
    assert b.number is not None
    if supported(a.number, [b.number]) or supported(b.number, [a.number]):
        return True
    mine, theirs = _worth(a), _worth(b)
    for one, value, other in ((a, mine, theirs), (b, theirs, mine)):
        if one.bound == "least" and max(other) >= min(value):
            return True
        if one.bound == "most" and min(other) <= max(value):
            return True
    if "about" in (a.bound, b.bound):
        return any(abs(x - y) <= max(abs(x), abs(y)) / 10 for x in mine for y in theirs)
    return False


def _worth(claim: Claim) -> list[Decimal]:
    assert claim.number is not None
    unit = claim.number.unit
    return [value * (unit.worth if unit else 1) for value in sorted(claim.number.values)]


def _tells_both(a: Claim, b: Claim) -> bool:
    """Tell whether one passage's sentence holds the other's value too: it tells of a change."""
    if a.kind in ("negation", "name"):
        return a.written in b.sentence or b.written in a.sentence
    siblings = ((a, b), (b, a))
    return any(
        _same_value(one, other)
        for one, against in siblings
        for other in claims(against.passage)
        if other.kind == one.kind and other.sentence == against.sentence and other.keys & one.keys
        and not _contrasts(against.sentence)
    )  # fmt: skip


def _contrasts(sentence: str) -> bool:
    """Tell whether a sentence sets two accounts against each other itself."""
    lowered = sentence.casefold()
    return any(word in lowered for word in _CONTRASTS)


def _contradiction(a: Claim, b: Claim, kind: Disagreement) -> Contradiction:
    if a.kind == "name":
        about = next(iter(sorted(a.keys & b.keys))).removeprefix("role ")
    else:
        shared = b.near.keys() & a.near.keys()
        about = _as_written(a.sentence, shared)
    return Contradiction(a.passage, b.passage, about, kind, (a.written, b.written), (a.sentence, b.sentence))


def _as_written(sentence: str, wanted: Iterable[str]) -> str:
    """Return the words of a sentence that have the wanted roots, at most eight, as written and in order."""
    roots = set(wanted)
    if is_wide(sentence):
        return _joined_pairs(sentence, roots)
    words = [m[0] for m in analysis.SURFACE.finditer(sentence) if content(m[0]).keys() & roots]
    return " ".join(dict.fromkeys(words[:8]))


def _joined_pairs(sentence: str, pairs: set[str]) -> str:
    """Return the characters of a sentence that stand in one of the pairs, at most sixteen."""
    held = {i + d for i in range(len(sentence)) if sentence[i : i + 2] in pairs for d in (0, 1)}
    return "".join(sentence[i] for i in sorted(held))[:16]
