"""Passages that disagree: other numbers, dates, names, or the opposite, for the same thing at the same time.

Rules on real pages raise mostly false alarms unless they ask for a lot, so two claims are set against each
other only when they share the subject (names, or the words of their titles), the measure (unit or counted
noun, and the words of the clause) and the time. Where the time of one side is not said, only the values
can be compared, and the finding says so (`kind` is `values`). Nothing is ever averaged or decided here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from library.claims.claims import COUNTED, Claim, claims, content, root
from library.claims.clauses import is_wide, without_asides
from library.claims.disagreement.compared_sources import ComparedSources, compared_sources
from library.claims.disagreement.meant_alike import (
    VERY_ALIKE,
    clauses_alike,
    comparable_in_meaning,
    least_likeness,
    meant_alike,
)
from library.claims.disagreement.same_measure import same_measure
from library.claims.disagreement.same_subject import same_subject
from library.claims.negation.plain_denials import denies_all_of
from library.claims.negation.polarity import denied_otherwise
from library.claims.scope import (
    before_shared,
    condition,
    counted,
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

Disagreement = Literal["number", "date", "name", "negation", "values", "possible"]

_MOST_SIDES = 40
"""Claims with one key of one passage more than which are a list or a table, and not compared."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_CONTRASTS = ("whereas", "while ", "according to", "disput", "differ", "不一致", "而")
_SAYS_NO = frozenset(("no", "none", "nobody", "nothing"))
"""In a subject, what makes a bound of a figure: `no chunk is larger than 64 MB`."""
_OPPOSITE = {"said": "denied", "denied": "said"}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two passages that do not agree on something."""

    a: Passage
    b: Passage
    about: str
    """What they differ on: the words that both clauses share, in the order of the first."""
    kind: Disagreement
    """`values`: the figures differ, but one side does not say for when; `possible`: both have to be read."""
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
    among = compared_sources([*fresh, *known], statistics, frozenset(content(topic)))
    for claim in (c for passage in fresh for c in _comparable(passage)):
        for other in _candidates(claim, old):
            kind = disagree(other, claim, among)
            pair = (*sorted((other.sentence, claim.sentence)), kind)
            if kind is not None and pair not in found:
                found[pair] = _contradiction(other, claim, kind)
                if len(found) == most:
                    return list(found.values())
        for key in sorted(claim.keys):
            old.setdefault(key, []).append(claim)
    return list(found.values())


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


def disagree(a: Claim, b: Claim, among: ComparedSources) -> Disagreement | None:
    """Return how two claims of the same key disagree, None when they do not or are about different things."""
    if a.kind != b.kind or (a.kind == "negation" and a.negated == b.negated):
        return None
    if _other_time(a, b) or _other_time(b, a):
        return None
    # What fails soonest comes first: of thousands of sentences nearly all pairs measure different things.
    same_words = same_measure(a, b, among)
    least = 0.0 if same_words else least_likeness(a, b, among)
    if least is None or not same_subject(a, b, among):
        return None
    if not _same_scope(a, b) or _same_value(a, b) or _tells_both(a, b):
        return None
    if a.kind == "negation" and not (_denies(a, b) and _denies_all(a, b)):
        return None
    if not same_words and not meant_alike(a, b, least):
        return None
    if a.kind == "number" and not _same_time(a, b):
        return "values"
    return a.kind


def _denies(a: Claim, b: Claim) -> bool:
    """Tell whether one sentence denies what the other says, and not something beside it.

    With other figures they are on other cases: `from 2.5 to 2.6`, `from 2.7 to 2.8`.
    """
    language = detect(a.passage.text)
    one, other = a.clause, b.clause
    figures = [frozenset(_FIGURE.findall(text)) for text in (one, other)]
    if all(figures) and figures[0].isdisjoint(figures[1]):
        return False
    return bool(denied_otherwise(one, [other], language) or denied_otherwise(other, [one], language))


def _denies_all(a: Claim, b: Claim) -> bool:
    """Tell whether one of two sentences denies only what the other says; true of claims of other kinds."""
    if a.kind != "negation":
        return True
    denial, said = (a, b) if a.negated else (b, a)
    return denies_all_of(denial.clause, said.clause, detect(denial.passage.text))


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
    if qualifiers(a.holds_for) != qualifiers(b.holds_for) or condition(a.sentence) != condition(b.sentence):
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
    pairs = ((a, b), (b, a))
    if any(_on_others(one, other) for one, other in pairs):
        return False
    unknown = [_unknown_subject(one, other) for one, other in pairs]
    narrowed = not all(_scope_known(one, other) for one, other in pairs)
    if not any(unknown) and not narrowed:
        return True
    if not comparable_in_meaning(a, b):
        return False
    known_there = all(
        _scope_known(one, other, other.passage.text)
        and not _unknown_subject(one, other, other.passage.text)
        for one, other in pairs
    )
    if known_there and meant_alike(a, b, VERY_ALIKE):
        return True
    # `Turnover was` and `profit was` are each on something else; one that says less may be on the same.
    if narrowed or all(unknown):
        return False
    titles = f"{a.passage.title} {b.passage.title}"
    named = any(word in _SAYS_NO or mentioned(word, titles) for words in unknown for word in words)
    return not named and clauses_alike(a, b)


def _known_in(named: str, own: Claim, other: Claim) -> bool:
    texts = (own.passage.title, other.sentence, other.passage.title)
    return len(named) < 2 or any(named in text for text in texts)


def _on_others(one: Claim, other: Claim) -> bool:
    """Tell whether a claim goes on about names, or names a place, that the other knows nothing of."""
    terms = analysis.terms(_told_of(one, other))
    if one.goes_on - other.around - {root(term) for term in analysis.terms(other.sentence)}:
        return True
    told = places(without_asides(_own_part(one)))
    return one.kind == "number" and bool(told - set(terms) - other.around)


def _told_of(one: Claim, other: Claim) -> str:
    """Return what may say what one claim holds for beside it: the other's sentence, and both titles."""
    return f"{other.sentence} {other.passage.title} {one.passage.title}"


def _unknown_subject(one: Claim, other: Claim, more: str = "") -> list[str]:
    """Return the words of one claim's subject that the other's sentence, both titles and more do not say."""
    text = f"{_told_of(one, other)} {more}"
    named = [word for word in subject(_own_part(one)) if word not in one.written.casefold()]
    named = [word for word in named if not _same_in_full(word, named, one, other)]
    if one.kind == "name" or is_open(other.sentence):
        return []
    return [word for word in named if not mentioned(word, text)]


def _scope_known(one: Claim, other: Claim, more: str = "") -> bool:
    """Tell whether the other claim's sentence or page, or more of it, says where one claim holds."""
    text = f"{_told_of(one, other)} {more}"
    known = {root(term) for term in analysis.terms(text)}
    return all(root(term) in known or mentioned(term, text) for term in scope(one.sentence))


def _own_part(claim: Claim) -> str:
    """Return the part of a claim's sentence, between semicolons, that holds its value."""
    return next((part for part in claim.sentence.split("; ") if claim.written in part), claim.sentence)


def _same_in_full(word: str, named: Sequence[str], one: Claim, other: Claim) -> bool:
    """Tell whether a word only makes a name full, as the other page has it too: `Anna Berg`, later `Berg`."""
    sentence, page = other.sentence.casefold(), other.passage.text.casefold()
    return not one.names.isdisjoint(content(word)) and any(
        f"{word} {last}" in page and last in sentence for last in named if last != word
    )


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
    mine, theirs = a.worth, b.worth
    if a.bound == b.bound == "most":  # `up to seven` and `up to nine`
        return not set(mine).isdisjoint(theirs)
    for one, value, other in ((a, mine, theirs), (b, theirs, mine)):
        if one.bound == "least" and max(other) >= min(value):
            return True
        if one.bound == "most" and min(other) <= max(value):
            return True
    if "about" in (a.bound, b.bound):
        return any(abs(x - y) <= max(abs(x), abs(y)) / 10 for x in mine for y in theirs)
    return False


def _tells_both(a: Claim, b: Claim) -> bool:
    """Tell whether one passage's sentence holds the other's value too: it tells of a change."""
    if a.kind in ("negation", "name"):
        return a.written in b.sentence or b.written in a.sentence
    return any(
        _same_value(one, other)
        for one, against in ((a, b), (b, a))
        for other in claims(against.passage)
        if _beside(other, one, against)
    )


def _beside(other: Claim, one: Claim, against: Claim) -> bool:
    """Tell whether a claim stands beside one that is compared, and says in the same measure what is so."""
    if other.kind != one.kind or other.sentence != against.sentence or not other.keys & one.keys:
        return False
    return other.bound not in ("least", "most") and not _contrasts(against.sentence)


def _contrasts(sentence: str) -> bool:
    """Tell whether a sentence sets two accounts against each other itself."""
    lowered = sentence.casefold()
    return any(word in lowered for word in _CONTRASTS)


def _contradiction(a: Claim, b: Claim, kind: Disagreement) -> Contradiction:
    if a.kind == "name":
        about = next(iter(sorted(a.keys & b.keys))).removeprefix("role ")
    else:
        shared = b.near.keys() & a.near.keys()
        about = as_written(a.sentence, shared)
    return Contradiction(a.passage, b.passage, about, kind, (a.written, b.written), (a.sentence, b.sentence))


def as_written(sentence: str, wanted: Iterable[str]) -> str:
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
