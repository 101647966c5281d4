"""What kind of figure a question asks for, by its words: data by language (`measures.toml`)."""

import re
from functools import cache, lru_cache

from library.text.multilingual.stop_words import PARTICLES, STOP_WORDS
from library.text.quantities.date_parsing import dates
from library.text.quantities.number_parsing import Number, numbers
from library.text.quantities.quantity_data import alternatives, table
from library.text.tokenize import words

COUNT, YEAR = "count", "year"
"""Any figure; a year."""
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_COUNTED = re.compile(r" [a-z]+")
"""What follows a figure that counts it: `2000 members`."""
_DATED = re.compile(r"\b(?:after|before|by|during|from|in|of|since|to|until) \Z", re.IGNORECASE)
"""What stands before a year: `in 2000 members left`."""
_BEFORE = 12
"""Characters before a year in which that stands."""


@lru_cache(maxsize=1_000)
def asked_measures(question: str) -> frozenset[str]:
    """Return what figures a question asks for: dimensions, `count`, `year`; empty where it asks for none."""
    return frozenset(
        role for role in _roles() if re.search(alternatives(role, "measures"), question, re.IGNORECASE)
    )


@lru_cache(maxsize=1_000)
def asks_measure_alone(question: str) -> bool:
    """Tell whether a question is nothing but words for a kind of figure: `height`, `How tall is it?`.

    `context length` and `area of application` are of other things.
    """
    rest = question
    for role in _roles():
        rest = re.sub(alternatives(role, "measures"), " ", rest, flags=re.IGNORECASE)
    return rest != question and all(word in STOP_WORDS or PARTICLES.issuperset(word) for word in words(rest))


@cache
def _roles() -> tuple[str, ...]:
    return tuple(dict.fromkeys(role for language in table("measures").values() for role in language))


def gives_measure(text: str, measures: frozenset[str]) -> bool:
    """Tell whether a text gives a figure of one of some kinds."""
    if YEAR in measures and _YEAR.search(text):
        return True
    bare = dates(text)[1]
    found = numbers(bare)
    return any(_dimensions(number) & measures for number in found) or (
        COUNT in measures and any(_counts(number, bare) for number in found)
    )


def _dimensions(number: Number) -> set[str]:
    dimensions = {unit.dimension for unit in number.units}
    return dimensions | ({"time"} if "months" in dimensions else set())


def _counts(number: Number, text: str) -> bool:
    """Tell whether a number counts something; one like a year only where what is counted follows."""
    if number.ordinal or not _YEAR.fullmatch(number.text):
        return not number.ordinal
    counted = _COUNTED.match(text, number.end)
    return (
        counted is not None
        and bool(set(words(counted[0])) - STOP_WORDS)
        and not _DATED.search(text[max(0, number.start - _BEFORE) : number.start])
    )
