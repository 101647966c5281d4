"""Things that have a number in their name: `RFC 2783`, `Debian 7.0`, `Apollo 11`."""

import re
from functools import lru_cache

from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.months import ABBREVIATED, ENGLISH_MONTHS, WEEKDAYS
from library.text.quantities.quantity_data import table

_NUMBERED = re.compile(
    r"\b([A-Z][A-Za-z]{1,20})[ -]([A-Z]{0,2}\d{1,5}(?:\.\d{1,3}){0,2}|[IVX]{2,4})(?![\w%]|[.,:/–-]\d)"
    r"(?: ([\w’'-]+))?"
)
_FINITE = frozenset(table("scope")["en"]["finite"])
_PLACES = ("section", "chapter", "page", "figure", "table", "part", "appendix", "note", "step", "example")
_NO_NAMES = frozenset((*ENGLISH_MONTHS, *ABBREVIATED, *WEEKDAYS, *_PLACES))
"""What has a number that says where something stands, or when it was."""


@lru_cache(maxsize=4_096)
def numbered_names(text: str) -> frozenset[str]:
    """Return the numbered names of a text, in small letters; not what only counts (`In Oslo 40 houses`)."""
    found = set()
    for word, number, after in _NUMBERED.findall(text):
        name = word.casefold()
        if name in _NO_NAMES or name in STOP_WORDS or (number.isdigit() and 1400 <= int(number) <= 2100):
            continue
        if not after or after[0].isupper() or _ends_name(after):
            found.add(f"{name} {number.casefold()}")
    return frozenset(found)


def _ends_name(word: str) -> bool:
    """Tell whether a word behind a number is no noun that it counts."""
    return word in STOP_WORDS or word in _FINITE or word.endswith("ed")


def of_other_numbers(one: str, other: str) -> bool:
    """Tell whether two texts name things that differ in their number alone, and share none."""
    mine, theirs = numbered_names(one), numbered_names(other)
    if not mine or not theirs or mine & theirs:
        return False
    return not {name.split()[0] for name in mine}.isdisjoint(name.split()[0] for name in theirs)
