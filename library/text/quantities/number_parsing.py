"""Numbers in a text as values: separators, magnitudes, ranges, words and Chinese characters understood."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache

from library.text.quantities.number_words import CHINESE, ENGLISH, HAS_HAN, WORDS, chinese, english
from library.text.quantities.units import CURRENCIES, Unit, magnitude_at, unit_at

_FULL_WIDTH = str.maketrans("０１２３４５６７８９．，％", "0123456789.,%")
_DIGIT = re.compile(r"\d")
_LETTERS_RUN = re.compile("[a-z]+")
_NUMERAL = re.compile(
    r"(?<![\d])(?P<currency>(?:US|A|C|NZ|HK)?[$€£₹] ?)?"
    r"(?P<digits>\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?![\d])|\d+(?:[.,’']\d+)*)"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_RANGE = re.compile(r"\s*(?:–|—|-|to|and|or|bis|至|到)\s*[$€£₹]?$", re.IGNORECASE)
_SHORT_YEARS = re.compile(r"(?<!\d)(1\d|20)(\d\d)\s?[–—/-]\s?(\d\d)(?!\d)")
_ABOUT = re.compile(
    r"(?:about|around|some|roughly|approximately|approx\.?|nearly|almost|over|under|more than|"
    r"less than|fewer than|at least|up to|circa|ca\.?|c\.|~|≈|>|<|etwa|rund|"
    r"环?约|近|超过|逾|将近|大约)\s*(?:US|A|C)?[$€£₹]?\s*$",
    re.IGNORECASE,
)
_AFTERNOON = re.compile(r"(?::\d\d)?\s?p\.?m\b", re.IGNORECASE)
_LETTERS = ("m", "b", "M", "B")
"""Magnitudes only behind an amount of money: else metres, bytes, grades."""
_SHARE_BEFORE = "百分之"
_REACH = 30
"""Characters before a number in which a word like `about` may stand."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, with every value it may have."""

    text: str
    values: frozenset[Decimal]
    """More than one where writing is ambiguous: `1,500`, or the 5 of `5 to 6 million`."""
    unit: Unit | None = None
    about: bool = False
    """Rounded, by its own word or for it is written with a magnitude."""
    spelled: bool = False
    """Written in words."""
    ordinal: bool = False
    start: int = field(default=-1, compare=False)
    """Where it stands in the text."""
    end: int = field(default=-1, compare=False)


def numbers(text: str) -> list[Number]:
    """Return the numbers of a text, in order of kinds: digits first, then words, then Chinese characters."""
    return list(_numbers(text))


@lru_cache(maxsize=4_096)  # a passage is looked at once for each sentence that cites it
def _numbers(text: str) -> tuple[Number, ...]:
    text = text.translate(_FULL_WIDTH)
    numerals = list(_NUMERAL.finditer(text)) if _DIGIT.search(text) else []
    rest = _blanked(text, numerals)
    spelled = () if WORDS.isdisjoint(_LETTERS_RUN.findall(rest.casefold())) else _english(rest)
    return (*_digits(text, numerals), *spelled, *(_chinese(rest) if HAS_HAN.search(rest) else ()))


def _blanked(text: str, numerals: Iterable[re.Match[str]]) -> str:
    """Return the text with signs in the place of its numerals: what is spelled stands where it stood."""
    pieces, at = list[str](), 0
    for match in numerals:
        pieces += [text[at : match.start()], "#" * len(match[0])]
        at = match.end()
    return "".join([*pieces, text[at:]])


def _is_about(text: str, at: int) -> bool:
    """Tell whether a word before a number says that it is rounded."""
    end = at
    while end and text[end - 1].isspace():
        end -= 1
    return bool(_ABOUT.search(text[max(0, end - _REACH) : end]))


def _digits(text: str, numerals: Sequence[re.Match[str]]) -> Iterator[Number]:
    found: list[tuple[Number, int, int, Decimal]] = []
    for match in numerals:
        worth, end = (Decimal(1), match.end()) if match["ordinal"] else magnitude_at(text, match.end())
        letter = text[match.end() : end]
        if letter.strip() in _LETTERS and not match["currency"]:  # `44 m` are metres, `5m` may be millions
            worth, end = (worth if letter == "m" else Decimal(1)), match.end()
        values = frozenset(value * worth for value in readings(match["digits"]))
        if letter == "m" and end == match.end():
            values |= readings(match["digits"])
        if _AFTERNOON.match(text, match.end()):
            values |= {value + 12 for value in values if value < 12}
        currency = CURRENCIES.get((match["currency"] or " ").strip()[-1:])
        share = Unit("share") if text.endswith(_SHARE_BEFORE, 0, match.start()) else None
        number = Number(
            text[match.start() : end].strip(),
            values,
            currency or share or unit_at(text, end),
            worth > 100 or _is_about(text, match.start()),
            ordinal=bool(match["ordinal"]),
            start=match.start(),
            end=end,
        )
        found.append((number, match.start(), end, worth))
    for i, (number, _start, end, worth) in enumerate(found):
        if i + 1 < len(found) and worth == 1 and _RANGE.match(text[end : found[i + 1][1]]):
            following, later = found[i + 1][0], found[i + 1][3]
            yield replace(
                number,
                values=number.values | {value * later for value in number.values},
                about=number.about or following.about,
            )
        else:
            yield number
    for short in _SHORT_YEARS.finditer(text):  # 2019–20 is 2019 to 2020
        yield Number(short[0], frozenset({Decimal(short[1] + short[3])}))


def readings(digits: str) -> set[Decimal]:
    """Return the values that a numeral may have: `1.234` is 1234 or 1.234, `1.234,5` is 1234.5."""
    digits = re.sub(r"[\u00a0\u202f\u2009 ’']", "", digits)
    points, commas = digits.count("."), digits.count(",")
    if not points and not commas:
        return {Decimal(digits)}
    last = max(digits.rfind("."), digits.rfind(","))
    whole, rest = re.sub(r"[.,]", "", digits[:last]), digits[last + 1 :]
    decimal, joined = Decimal(f"{whole}.{rest}"), Decimal(whole + rest)
    if points and commas:
        return {decimal}
    groups = re.split(r"[.,]", digits)
    grouped = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if points + commas > 1:  # several of one kind: thousands, or a list or version written without spaces
        return {joined} if grouped else {joined, *map(Decimal, groups)}
    return {joined, decimal} if grouped else {decimal}


def _english(text: str) -> Iterator[Number]:
    for match in ENGLISH.finditer(text):
        if text[: match.start()].rstrip(" -\u00a0").endswith("#"):
            continue  # the magnitude of a numeral
        end = match.end()
        found = english(match[0])
        unit = unit_at(text, end) if len(found) == 1 else None
        about = _is_about(text, match.start())
        for value, ordinal in found:
            yield Number(
                match[0],
                frozenset({Decimal(value)}),
                unit,
                about,
                spelled=True,
                ordinal=ordinal,
                start=match.start(),
                end=end,
            )


def _chinese(text: str) -> Iterator[Number]:
    for match in CHINESE.finditer(text):
        if text[: match.start()].endswith("#") or text.startswith("分之", match.end()):
            continue
        share = Unit("share") if text.endswith(_SHARE_BEFORE, 0, match.start()) else None
        about = _is_about(text, match.start())
        unit = share or unit_at(text, match.end())
        yield Number(
            match[0],
            frozenset({chinese(match[0])}),
            unit,
            about,
            spelled=True,
            start=match.start(),
            end=match.end(),
        )


def supported(number: Number, known: Iterable[Number]) -> bool:
    """Tell whether some known number says the same, or what this one is rounded from."""
    return any(_same(number, other) for other in known)


def _same(number: Number, other: Number) -> bool:
    a, b = number.unit, other.unit
    if a is None or b is None or a == b:
        return bool(number.values & other.values) or (number.about and _rounds(number.values, other.values))
    if a.dimension != b.dimension:
        return False
    factor = b.worth / a.worth
    return any(
        # Converted figures are as exact as the rougher of the two: 6 miles are 10 km.
        abs(theirs * factor - mine) <= max(step(mine), step(theirs) * factor) / 2
        for theirs in other.values
        for mine in number.values
    )


def step(value: Decimal) -> Decimal:
    """Return what the last digit of a value that is not zero counts: 10 for 640, 0.1 for 6.8."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)


def _rounds(values: Iterable[Decimal], known: Sequence[Decimal] | frozenset[Decimal]) -> bool:
    return any(_rounded(exact, value) for value in values for exact in known)


def _rounded(exact: Decimal, value: Decimal) -> bool:
    """Tell whether a value is the exact one with fewer digits, rounded to either side."""
    if not value or not exact or exact == value:
        return exact == value
    return abs(exact - value) < step(value) and abs(exact - value) <= abs(value) / 10
