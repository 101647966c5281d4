"""Numbers in a text as values: signs, magnitudes, units, fractions, ranges and bounds understood."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from library.text.quantities.fractions import VULGAR, fractions, vulgar
from library.text.quantities.number_words import CHINESE, ENGLISH, HAS_HAN, WORDS, chinese, english
from library.text.quantities.quantity_data import alternatives, words_for
from library.text.quantities.units import (
    PERCENT,
    SHARE,
    Unit,
    currencies,
    currency_before,
    magnitude_at,
    per_before,
    units_at,
)

Bound = Literal["exact", "about", "least", "most"]

_BOUNDS: tuple[Bound, ...] = ("about", "least", "most")
_DIGIT = re.compile(rf"[\d{VULGAR}]")
_LETTERS_RUN = re.compile("[a-z]+")
_RANGE = re.compile(r"\s*(?:–|—|-|to|and|or|bis|by|x|×|至|到)\s*\Z", re.IGNORECASE)
_YEAR = re.compile(r"1\d{3}|20\d\d")
_SHORT_YEARS = re.compile(r"(?<!\d)(1\d|20)(\d\d)\s?[–—/-]\s?(\d\d)(?!\d)")
_AFTERNOON = re.compile(r"(?::\d\d)?\s?p\.?m\b", re.IGNORECASE)
_LETTERS = ("m", "b", "M", "B")
"""Magnitudes only behind an amount of money: else metres, bytes, grades."""
_SHARE_BEFORE = "百分之"
_BELOW_ZERO = re.compile(r"\s?(?:°[CF]?|degrees(?: \w+)?)?\s(?:below zero|below freezing)\b", re.IGNORECASE)
_REACH = 30
"""Characters before a number in which a word like `about` may stand."""
_FALL_REACH = 60
"""The same for one that says that something fell."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, with every value it may have."""

    text: str
    values: frozenset[Decimal]
    """More than one where writing is ambiguous: `1,500`, or the 5 of `5 to 6 million`."""
    units: tuple[Unit, ...] = ()
    """Every reading of its unit (`pounds` are money or a mass); none where it says none that is known."""
    bound: Bound = "exact"
    rounded: bool = False
    """Written with a magnitude, or a fraction in words."""
    spelled: bool = False
    """Written in words."""
    ordinal: bool = False
    falls: bool = False
    """A word before it says that something became less."""
    start: int = field(default=-1, compare=False)
    """Where it stands in the text."""
    end: int = field(default=-1, compare=False)

    @property
    def unit(self) -> Unit | None:
        """Its unit; the first reading of several."""
        return self.units[0] if self.units else None

    @property
    def about(self) -> bool:
        """Rounded, by a word or for it is written with a magnitude."""
        return self.rounded or self.bound != "exact"


def numbers(text: str) -> list[Number]:
    """Return the numbers of a text: digits first, then fractions, words and Chinese characters."""
    return list(_numbers(text))


@cache
def _numeral() -> re.Pattern[str]:
    """Return the pattern of a number in digits, with its sign and the currency before it."""
    sign = r"(?P<sign>(?:(?<![^\s(\[“\"'|,:=])(?<![\d%]\s)[-–]|\u2212\s?))?"
    return re.compile(
        rf"(?<![\d]){sign}(?P<currency>{currency_before()}\s?(?:[-\u2212](?=\d))?)?"
        rf"(?P<digits>\d*[ \u00a0]?[{VULGAR}]|\d{{1,3}}(?:[\u00a0\u202f\u2009 ]\d{{3}})+(?![\d])"
        r"|\d+(?:[.,’']\d+)*)"
        r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    )


_TAKEN_FROM = re.compile(r"\d[^.;:|()\n]{0,60}[\w)%]\s$")


def _takes_away(match: re.Match[str]) -> bool:
    """Tell whether a minus stands between two numbers: `2000 original cost − 1300 proceeds`."""
    before = match.string[max(0, match.start() - 64) : match.start()]
    return match["sign"] == "\u2212 " and _TAKEN_FROM.search(before) is not None


@cache
def _bounds() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, Bound]]:
    """Return what finds a bound before and behind a number, and the bound that each word says."""
    roles: dict[str, Bound] = {}
    found: list[list[str]] = []
    for ending in ("", "_after"):
        words: list[str] = []
        for role in _BOUNDS:
            for word in words_for(role + ending):
                roles.setdefault(word, role)
                words.append(word)
        found.append(sorted(words, key=len, reverse=True))
    signs: dict[str, Bound] = {
        "~": "about", "≈": "about", "c.": "about", ">": "least", "≥": "least", "<": "most", "≤": "most",
    }  # fmt: skip
    before = "|".join(
        rf"(?<![^\W_]){re.escape(w)}\b\.?" if w[0] < "\u2e80" else re.escape(w) for w in found[0]
    )
    behind = "|".join(rf"\s{re.escape(w)}\b" if w[0] < "\u2e80" else re.escape(w) for w in found[1])
    return (
        re.compile(rf"(?:{before}|[~≈>≥<≤]|\bc\.)(?:\s+(?:an?|the))?\s*$", re.IGNORECASE),
        re.compile(behind, re.IGNORECASE),
        roles | signs,
    )


@cache
def _minus() -> re.Pattern[str]:
    return re.compile(rf"{alternatives('minus')}\s*(?:{_SHARE_BEFORE})?$", re.IGNORECASE)


@cache
def _falls() -> re.Pattern[str]:
    return re.compile(alternatives("falls"), re.IGNORECASE)


def plain_digits(text: str) -> str:
    """Return a text with the digits of every script, full-width ones among them, as `0` to `9`."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else _FULL_WIDTH.get(c, c) for c in text)


_FULL_WIDTH = {"．": ".", "，": "，", "％": "%", "＄": "$", "－": "-", "＋": "+"}


@lru_cache(maxsize=4_096)  # a passage is looked at once for each sentence that cites it
def _numbers(text: str) -> tuple[Number, ...]:
    text = plain_digits(text)
    parts = list(_fractions(text))
    text = _blanked(text, [(n.start, n.end) for n in parts])
    numerals = list(_numeral().finditer(text)) if _DIGIT.search(text) else []
    rest = _blanked(text, [m.span() for m in numerals], "#")
    spelled = () if WORDS.isdisjoint(_LETTERS_RUN.findall(rest.casefold())) else _english(rest)
    found = (*_digits(text, numerals), *parts, *spelled, *(_chinese(rest) if HAS_HAN.search(rest) else ()))
    return tuple(_with_shared_units(text, found))


def _blanked(text: str, spans: Iterable[tuple[int, int]], sign: str = " ") -> str:
    """Return the text with signs in the place of its numerals: what is spelled stands where it stood."""
    pieces, at = list[str](), 0
    for start, end in spans:
        if start < at:
            continue
        pieces += [text[at:start], sign * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _meant(text: str, number: Number) -> Number:
    """Return a number with what stands beside it: a bound, a minus in words, that something fell."""
    start, end = number.start, number.end
    while start and text[start - 1].isspace():
        start -= 1
    before, behind, roles = _bounds()
    near = text[max(0, start - _REACH) : start]
    bound = number.bound
    if match := before.search(near) or behind.match(text, end):
        words = " ".join(match[0].casefold().split())
        tried = (words, words.rstrip("."), words.rpartition(" ")[0])
        bound = next((roles[word] for word in tried if word in roles), "about")
    values = number.values
    if _minus().search(near) or _BELOW_ZERO.match(text, end):
        values = frozenset(-value for value in values)
    falls = bool(_falls().search(text[max(0, start - _FALL_REACH) : start]))
    return replace(number, values=values, bound=bound, falls=falls)


def _fractions(text: str) -> Iterator[Number]:
    for part in fractions(text):
        units = units_at(text, part.at_unit)
        if part.alone and not units:
            units = (SHARE,)
        number = Number(
            text[part.start : part.end].strip(),
            frozenset({part.value}),
            units,
            rounded=True,
            spelled=True,
            start=part.start,
            end=part.end,
        )
        yield _meant(text, number)


def _digits(text: str, numerals: Sequence[re.Match[str]]) -> Iterator[Number]:
    found: list[tuple[Number, Decimal]] = []
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
        owed = (match["currency"] or "").rstrip().endswith(("-", "\u2212"))
        if owed or (match["sign"] and not _takes_away(match)):
            values = frozenset(-value for value in values)
        number = Number(
            text[match.start() : end].strip(),
            values,
            _units_of(text, match, end),
            rounded=worth > 100,
            ordinal=bool(match["ordinal"]),
            start=match.start(),
            end=end,
        )
        found.append((_meant(text, number), worth))
    for i, (number, worth) in enumerate(found):
        following = found[i + 1] if i + 1 < len(found) else None
        if worth == 1 and following and _RANGE.match(text[number.end : following[0].start]):
            more = {value * following[1] for value in number.values}
            yield replace(number, values=number.values | more, rounded=following[0].rounded)
        else:
            yield number
    for short in _SHORT_YEARS.finditer(text):  # 2019–20 is 2019 to 2020
        yield Number(short[0], frozenset({Decimal(short[1] + short[3])}))


def _units_of(text: str, match: re.Match[str], end: int) -> tuple[Unit, ...]:
    money = currencies((match["currency"] or "").strip().rstrip("-\u2212").strip())
    if text.endswith(_SHARE_BEFORE, 0, match.start()):
        return (PERCENT,)
    if match["ordinal"] or _DECADE.match(text, match.start("digits")):
        return ()
    return per_before(text, match.start(), units_at(text, end, money))


_DECADE = re.compile(r"(?:1\d|20)?\d0s\b")
"""Ten years, no seconds."""


def _with_shared_units(text: str, found: Sequence[Number]) -> Iterator[Number]:
    """Return the numbers, those of a range with the unit that stands at its other end alone."""
    order = sorted((n for n in found if n.start >= 0 and not n.ordinal), key=lambda number: number.start)
    units = {number.start: number.units for number in order}
    for one, other in pairwise(order):
        if _YEAR.fullmatch(one.text) or _YEAR.fullmatch(other.text):
            continue  # `in 2018 and 1,750 GWh`
        if bool(one.units) != bool(other.units) and _RANGE.match(text[one.end : other.start]):
            money = bool(one.units) and len(one.units[0].dimension) == 3
            if other.units or money:  # `5 to 6 km`, `$5 to 6 million`; `5 km and 6` are two things
                units[one.start] = units[other.start] = one.units or other.units
    for number in found:
        yield replace(number, units=units[number.start]) if number.start in units else number


def readings(digits: str) -> set[Decimal]:
    """Return the values that a numeral may have: `1.234` is 1234 or 1.234, `1.234,5` is 1234.5."""
    if digits[-1] > "\u00bb":
        return {vulgar(digits)}
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
        end = match.end()
        found = english(match[0])
        if text[: match.start()].rstrip(" -\u00a0").endswith("#") and (not found or found[0][0] >= 100):
            continue  # the magnitude of a numeral; in `the flood of 1911 two arches fell` it is none
        units = units_at(text, end) if len(found) == 1 else ()
        for value, ordinal in found:
            number = Number(
                match[0],
                frozenset({Decimal(value)}),
                units,
                spelled=True,
                ordinal=ordinal,
                start=match.start(),
                end=end,
            )
            yield _meant(text, number)


def _chinese(text: str) -> Iterator[Number]:
    for match in CHINESE.finditer(text):
        if text[: match.start()].endswith("#") or text.startswith("分之", match.end()):
            continue
        share = text.endswith(_SHARE_BEFORE, 0, match.start())
        units = (PERCENT,) if share else per_before(text, match.start(), units_at(text, match.end()))
        number = Number(
            match[0],
            frozenset({chinese(match[0])}),
            units,
            spelled=True,
            start=match.start(),
            end=match.end(),
        )
        yield _meant(text, number)
