"""Small counts in words that a sentence makes itself, and no source says: `the first two`, `three reasons`.

Whoever sums up counts what it names. Such a count is a claim of its own only where a source counts the same
thing.
"""

import re
from collections.abc import Sequence
from functools import cache

from library.text.multilingual.scripts import HAN
from library.text.quantities.number_parsing import Number, numbers
from library.text.quantities.quantity_data import alternatives, words_for
from library.text.tokenize import stem

_MOST = 10
"""Above it nobody counts in passing."""
_LIST = re.compile(r"[:：—–]\s*(?P<items>[^:：]+)$")
_LEADS = re.compile(r"[:：]\s*$")
"""Ends a sentence that leads to a list or to code, which nobody sees here."""
_BETWEEN = re.compile(r" ?(?:[,，、;；] ?(?:and |or |以?及)?| (?:and|or) |[和与或]) ?")
_COMMA = re.compile(r"[,，、;；]")
_LAST = re.compile(r"[,，、;；] ?(?:and |or |以?及|和|与|或)")
"""A comma before the last item: what `and` joins elsewhere is one item."""
_NOUNS = re.compile(r"[a-z]{3,30}")
_NOUN_WITHIN = 3
"""Words behind a count among which the noun stands that it counts."""
TYPED = "``"
"""Stands for code in a sentence whose counts are looked at: what is typed counts nothing itself."""
_ONE_MORE = re.compile(r"\s*(?:A|Yet another|Still another)\s+")
"""Before the place of one more thing, at the beginning of a sentence."""
_ANOTHER = re.compile(r"\b[Aa]\s+$")
"""Before `second` where that only means one more: `into a second cluster`."""
_SENTENCE_PART = re.compile(r"[:;]|[.](?=\s)")
_NEXT = re.compile(r"\s+([a-z]{3,30})\b")
"""The word right behind a count."""
_CLAUSE_ENDS = re.compile(r"\s*(?:[.,;:!?()]|$)")
_ALONE = re.compile(rf"\s+(?![a-z-]*s\b)[a-z-]+\b|{_CLAUSE_ENDS.pattern}")
"""Behind `the two` where no noun of several follows: `thinks the two identical`."""
_WIDE_NOUN = re.compile(rf"[个個种種项項条條份组組台臺张張块塊]?(?P<noun>[{HAN}]{{2}})")


def counts_itself(number: Number, text: str, sources: Sequence[tuple[str, Sequence[Number]]]) -> bool:
    """Tell whether a number only counts what its own sentence, or the text around it, names.

    Args:
        number: Of the text, with its place in it.
        text: A sentence.
        sources: What the sentence cites: texts, each with its numbers.
    """
    if not number.spelled or number.units or number.start < 0 or not 2 <= max(number.values) <= _MOST:
        return False
    before, after = text[: number.start], text[number.end :]
    if number.ordinal and (_begun(number, before) or _one_more(number, before, after, sources)):
        return True
    if number.ordinal and _goes_on(before, after):
        return True
    listed = _LIST.search(" ".join(after.split()))
    if listed and not number.values.isdisjoint(_items(listed["items"])):
        return True
    if not number.ordinal and _LEADS.search(after) and not _counted_otherwise(number, after, sources):
        return True
    if _chosen_of(number, before, after, sources) or _typed_items(number, after, sources):
        return True
    counted = [n for _passage, found in sources for n in found]
    if _the_two(number, before, after, counted):
        return True
    if _two_of(number, after, [passage for passage, _found in sources], counted):
        return True
    if noun := _told_after().match(after):
        # Where a source counts the same, it has to be the same count.
        said = (_told_after().match(passage[n.end :]) for passage, found in sources for n in found)
        return all(other is None or other.groups() != noun.groups() for other in said)
    return _pointed_at().search(before) is not None


def _begun(number: Number, before: str) -> bool:
    """Tell whether an ordinal goes on with what its sentence began: `the first ground …; the second …`."""
    told = {value for other in numbers(before) if other.ordinal for value in other.values}
    return any(told.issuperset(range(1, int(value))) for value in number.values)


def _goes_on(before: str, after: str) -> bool:
    """Tell whether a sentence begins with the place of one of those that were named: `The third was …`."""
    the, _does = _around_alone()
    return the.fullmatch(before.lstrip()) is not None and _one_does().match(after) is not None


def _one_more(
    number: Number, before: str, after: str, sources: Sequence[tuple[str, Sequence[Number]]]
) -> bool:
    """Tell whether a sentence begins with one more of what those before it named: `A third message is …`.

    A second one is merely another anywhere. Where a source counts the same, the place among those is a claim.
    """
    opens = _ONE_MORE.fullmatch(before) or (number.values == {2} and _ANOTHER.search(before))
    return bool(opens and _NEXT.match(after)) and not _counted_otherwise(number, after, sources)


def _items(listed: str) -> set[int]:
    """Return how many items a list has, as it can be read: `bonds, and rates and fees` are two or three."""
    found = {len(_BETWEEN.split(listed))}
    return found | {len(_COMMA.split(listed))} if _LAST.search(listed) else found


def _the_two(number: Number, before: str, after: str, counted: Sequence[Number]) -> bool:
    """Tell whether a count stands for what was named: `bonds and rates differ, so the two are not the same`.

    Two may have been named a sentence before, where no source counts otherwise; of more it has to be seen.
    """
    the, does = _around_alone()
    alone = does.match(after) or _ALONE.match(after)
    if (article := the.search(before)) is None or not alone:
        return False
    if not number.values.isdisjoint(_listed(before[: article.start()].rstrip())):
        return True
    # `Neither account links the two.` counts nothing: it stands for two that were named.
    return number.values == {2} and bool(_CLAUSE_ENDS.match(after) or not _counts_otherwise(counted))


def _two_of(number: Number, after: str, passages: Sequence[str], counted: Sequence[Number]) -> bool:
    """Tell whether two things are counted that the sources name: `two paths` of `both olddir and newdir`.

    Only where these count nothing otherwise, and have the word that is counted.
    """
    if number.values != {2} or _counts_otherwise(counted):
        return False
    things = {stem(word) for word in _NOUNS.findall(_clause(after))[:_NOUN_WITHIN]}
    wide = _WIDE_NOUN.match(after)
    return any(
        (wide is not None and wide["noun"] in passage)
        or not things.isdisjoint(map(stem, _NOUNS.findall(passage)))
        for passage in passages
    )


def _chosen_of(
    number: Number, before: str, after: str, sources: Sequence[tuple[str, Sequence[Number]]]
) -> bool:
    """Tell whether one is chosen of two that a source names: `the smaller of the two values`."""
    chosen = number.values == {2} and _choosing().search(before) is not None
    return chosen and not _counted_otherwise(number, after, sources)


def _typed_items(number: Number, after: str, sources: Sequence[tuple[str, Sequence[Number]]]) -> bool:
    """Tell whether as many things that are typed follow: `two files, which end in `` and ```."""
    typed = _SENTENCE_PART.split(after, maxsplit=1)[0].count(TYPED)
    return typed in number.values and not _counted_otherwise(number, after, sources)


def _counted_otherwise(number: Number, after: str, sources: Sequence[tuple[str, Sequence[Number]]]) -> bool:
    """Tell whether a source has another count of what a count stands right before."""
    noun = _NEXT.match(after)
    if noun is None:
        return False
    said = ((n, _NEXT.match(passage[n.end :])) for passage, found in sources for n in found if not n.ordinal)
    return any(
        other is not None and stem(other[1]) == stem(noun[1]) and n.values.isdisjoint(number.values)
        for n, other in said
    )


def _clause(text: str) -> str:
    return re.split(r"[^\w\s-]", text, maxsplit=1)[0]


def _counts_otherwise(counted: Sequence[Number]) -> bool:
    return any(not (n.units or n.ordinal or max(n.values) <= 2) for n in counted)


def _listed(before: str) -> set[int]:
    """Return how many items the lists of a text have: `bonds, rates and fees are named` are three."""
    found: set[int] = set()
    commas = 0
    for sign in _BETWEEN.finditer(before):
        if _COMMA.fullmatch(sign[0].strip()):
            commas += 1
        else:
            found.add(commas + 2)
            commas = 0
    return found


@cache
def _around_alone() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands before a count that counts no noun, and what behind."""
    the, does = rf"{alternatives('the')}\s*$", rf"\s+{alternatives('does')}"
    return re.compile(the, re.IGNORECASE), re.compile(does, re.IGNORECASE)


@cache
def _one_does() -> re.Pattern[str]:
    """Return what stands behind the place of one of those that were named."""
    return re.compile(rf"\s+{alternatives('one_does')}\b", re.IGNORECASE)


@cache
def _told_after() -> re.Pattern[str]:
    """Return what finds the noun that a count is followed by, with a word or two between."""
    latin = "|".join(re.escape(w) for w in words_for("told") if w[0] < "\u2e80")
    wide = "|".join(re.escape(w) for w in words_for("told") if w[0] >= "\u2e80")
    return re.compile(
        rf"(?:\s+[a-z-]+)??(?:\s+[a-z-]+)??\s+(?P<noun>{latin})s?\b|(?:个|项|条|种|大|份)?(?:主要|不同|基本)?的?(?P<wide>{wide})",
        re.IGNORECASE,
    )


@cache
def _pointed_at() -> re.Pattern[str]:
    """Return what stands before a count of what was named."""
    return re.compile(rf"{alternatives('pointing')}\s*$", re.IGNORECASE)


@cache
def _choosing() -> re.Pattern[str]:
    """Return what stands before a count of two of which one is chosen."""
    chosen, the = alternatives("chosen"), alternatives("of_the")
    return re.compile(rf"\b{chosen}\s+{the}\s*$", re.IGNORECASE)
