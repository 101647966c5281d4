"""Fractions in words and signs: `half a million`, `two thirds`, `2½`, `三分之二`, `一半`."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from library.text.quantities.number_words import (
    CHINESE_CHARACTERS,
    ORDINALS,
    SCALES,
    SMALL,
    chinese,
)

VULGAR = "¼-¾⅐-⅞"
"""Signs of fractions, as the inside of a regular expression's brackets."""
_PARTS = {"half": 2, "halve": 2, "quarter": 4, "third": 3} | {
    word: n for word, n in ORDINALS.items() if 4 <= n <= 20
}
_COUNTS = {"a": 1, "an": 1} | {word: n for word, n in SMALL.items() if 1 <= n <= 19}
_COUNT = "|".join(sorted(_COUNTS, key=len, reverse=True))
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_SCALE = "|".join([*SCALES, "dozen"])
_ENGLISH = re.compile(
    rf"(?<![\w-])(?:(?P<whole>\d+(?:\.\d+)?|{_COUNT})\s+and\s+)?"
    rf"(?:(?P<count>{_COUNT}|\d)(?P<joint>[\s-]))?(?P<part>{_PART})(?P<many>s?)\b"
    rf"(?P<of>\s+of\b)?(?:(?:\s+an?\b)?[\s-](?P<scale>{_SCALE})\b(?!s))?",
    re.IGNORECASE,
)
_OF_UNIT = re.compile(r"\s+an?(?=\s)|-(?=[a-z])", re.IGNORECASE)
_CHINESE = re.compile(
    rf"(?<![{CHINESE_CHARACTERS}\d])(?P<below>[{CHINESE_CHARACTERS}\d]+)分之(?P<above>[{CHINESE_CHARACTERS}\d]+)"
    rf"|(?P<half>一半|半数|过半)|(?P<tenths>[一二两三四五六七八九])成(?=[的左以多，。；、\s]|$)"
)


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction as it stands in a text."""

    start: int
    end: int
    value: Decimal
    """Times its magnitude, where one is written."""
    at_unit: int
    """Where the unit that it is a fraction of would stand."""
    alone: bool
    """Nothing says of how many: without a unit behind it a share of a whole."""


def fractions(text: str) -> Iterator[Fraction]:
    """Return the fractions that a text says in words.

    `a third` and `the third` are told apart by what follows: only `of`, a hyphen, a magnitude or a plural
    makes a fraction of what may be an ordinal.
    """
    for match in _ENGLISH.finditer(text):
        if (found := _english(match)) is not None:
            yield found
    for match in _CHINESE.finditer(text):
        if match["below"]:
            if match["below"] == "百" or not (below := _value(match["below"])):
                continue
            value = _value(match["above"]) / below
        else:
            value = Decimal("0.5") if match["half"] else _value(match["tenths"]) / 10
        yield Fraction(match.start(), match.end(), value, match.end(), alone=True)


def _english(match: re.Match[str]) -> Fraction | None:
    part = match["part"].casefold()
    count = match["count"]
    if part == "halve" and count is None and not match["of"]:
        return None  # `a split halves the price`: a verb
    half = part in ("half", "halve")
    sure = half or match["many"] or match["of"] or match["joint"] == "-" or match["scale"]
    if not sure or (count is None and not half) or (match["whole"] and count is None):
        return None
    times = Decimal(1) if count is None else _value(count.casefold())
    value = times / _PARTS[part]
    if match["whole"]:
        value += _value(match["whole"].casefold())
    if scale := match["scale"]:
        value *= SCALES.get(scale.casefold(), 12)
    unit = _OF_UNIT.match(match.string, match.end())
    at_unit = unit.end() if unit else match.end()
    alone = not match["whole"] and not match["scale"]
    return Fraction(match.start(), match.end(), value, at_unit, alone=alone)


def _value(written: str) -> Decimal:
    if written in _COUNTS:
        return Decimal(_COUNTS[written])
    return Decimal(written) if written[0].isdigit() else chinese(written)


def vulgar(digits: str) -> Decimal:
    """Return the value of a numeral that ends with a fraction's sign: `2½`, `½`."""
    whole = digits[:-1].strip()
    return Decimal(whole or 0) + Decimal(str(unicodedata.numeric(digits[-1])))
