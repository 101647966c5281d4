"""Dates in a text, in many formats and languages, down to what each of them says: year, month, day."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from library.text.quantities.months import month_names
from library.text.quantities.number_parsing import plain_digits
from library.text.quantities.number_words import CHINESE, HAS_HAN, chinese

_MONTH_OF = month_names(short=True)


def _one_of(names: Iterable[str]) -> str:
    return rf"(?P<month>{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})(?![^\W\d_])\.?"


_MONTH, _ANY_MONTH = _one_of(month_names(short=False)), _one_of(_MONTH_OF)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_NTH = rf"{_DAY}(?!\d)(?:st|nd|rd|th|er|ª|º|°|\.º|\.|e)?"
_DAYS = rf"(?P<days>{_NTH}(?>(?:\s?(?:–|—|-|,|to|and|or|&|bis|und|et|y|e|au|al|и|до)\s?{_NTH}){{0,30}}))"
"""At most the days of a month, taken whole: a month stands behind all of them or behind none."""
_YEAR = r"(?P<year>1\d{3}|20\d\d)"
_OF = r"(?:of |de |del |do |ב|năm )?"
"""Between a day, a month and a year, in English, Romance languages, Hebrew and Vietnamese."""

_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE), needed)
    for needed, pattern in (
        ("separated", rf"(?<!\d){_YEAR}[-/.](?P<m>0?[1-9]|1[0-2])[-/.](?P<d>{_DAY})(?!\d)"),
        ("named", rf"(?<![\d./-])(?P<days>{_DAY})[/-]{_ANY_MONTH}[/-]{_YEAR}(?!\d)"),
        ("named", rf"(?<![\d.,]){_DAYS}\s?{_OF}{_ANY_MONTH},?\s?{_OF}{_YEAR}(?!\d)"),
        ("named", rf"(?<![\d.,]){_DAYS}\s?{_OF}{_MONTH}"),
        ("named", rf"(?<![^\W_]){_MONTH}\s{_DAYS.replace('|,|', '|')}(?!\d)(?:,?\s{_YEAR}(?!\d))?"),
        ("named", rf"(?<![^\W_]){_MONTH},?\s{_OF}{_YEAR}(?!\d)"),
        ("separated", rf"(?<![\d.])(?P<d>{_DAY})\.\s?(?P<m>0?[1-9]|1[0-2])\.\s?{_YEAR}(?!\d)"),
        ("separated", rf"(?<!\d)(?P<x>\d{{1,2}})/(?P<z>\d{{1,2}})/{_YEAR}(?!\d)"),
        ("月", rf"(?:{_YEAR}\s?[年년]\s?)?(?P<m>1[0-2]|0?[1-9])\s?[月월](?:\s?(?P<d>{_DAY})\s?[日号號일])?"),
        ("年", rf"(?<!\d){_YEAR}\s?[年년]"),
        (
            "month",
            rf"\b(?:in|of|since|until|till|by|from|late|early|mid|last|during|before|after)[\s-]{_MONTH}(?!\s?\d)",
        ),
    )
]
"""Each with what a text must hold for it: see `_held`."""
_SEPARATED = re.compile(r"\d[-/.]\s?\d")
_NAMES = re.compile(rf"(?:{'|'.join(sorted(map(re.escape, _MONTH_OF), key=len, reverse=True))})(?![^\W\d_])")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Date:
    """A date as written; `None` for what it does not say."""

    text: str
    year: int | None
    month: int | None
    day: int | None
    other: tuple[int, int] | None = None
    """The other way to read month and day, where the writing is ambiguous (`3/4/2022`)."""
    start: int = field(default=-1, compare=False)
    """Where it stands in the text, Chinese numerals in it taken as digits."""


def dates(text: str) -> tuple[list[Date], str]:
    """Return the dates of a text, and the text with them blanked out: their numbers are not read again."""
    found, rest = _dates(text)
    return list(found), rest


@lru_cache(maxsize=2_000)
def _dates(text: str) -> tuple[tuple[Date, ...], str]:
    text = plain_digits(text)
    if HAS_HAN.search(text):
        text = CHINESE.sub(_as_digits, text)
    held = _held(text)
    found: list[Date] = []
    for pattern in [pattern for pattern, needed in _PATTERNS if needed in held]:
        for match in [match for match in pattern.finditer(text) if _is_date(match)]:
            found += _read(match)
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return tuple(found), text


def _held(text: str) -> set[str]:
    """Return what a text holds of what dates are made of; looking for this takes a tenth as long."""
    held = {sign for signs in ("年년", "月월") for sign in signs[0] if any(s in text for s in signs)}
    named = bool(_NAMES.search(text.casefold()))
    if named:
        held.add("month")
    if _DIGITS.search(text):
        held.update(["named"] if named else [])
        held.update(["separated"] if _SEPARATED.search(text) else [])
    return held


def _is_date(match: re.Match[str]) -> bool:
    """Tell whether a month's name is one: verbs, and planets, are told by what stands without a year."""
    part = match.groupdict()
    if part.get("year"):
        return True
    planet = "Mars" if part.get("days") else "mars"
    return part.get("month") not in ("may", "march", planet)


def _as_digits(match: re.Match[str]) -> str:
    following = match.string[match.end() : match.end() + 2].strip()[:1]
    return str(chinese(match[0])) if following and following in "年月日号號" else match[0]


def _read(match: re.Match[str]) -> Iterator[Date]:
    part = match.groupdict()
    year = int(part["year"]) if part.get("year") else None
    text, at = match[0].strip(), match.start()
    if part.get("x"):
        a, b = int(part["x"]), int(part["z"])
        if 1 <= a <= 12 and 1 <= b <= 31:
            yield Date(text, year, a, b, (b, a) if b <= 12 else None, start=at)
        elif 1 <= b <= 12 and 1 <= a <= 31:
            yield Date(text, year, b, a, start=at)
        return
    month = _MONTH_OF.get((part.get("month") or "").lower()) or (int(part["m"]) if part.get("m") else None)
    if part.get("days"):
        for day in _DIGITS.findall(part["days"]):
            yield Date(text, year, month, int(day), start=at)
    else:
        yield Date(text, year, month, int(part["d"]) if part.get("d") else None, start=at)


def supported(date: Date, known: Iterable[Date], years: Iterable[int]) -> bool:
    """Tell whether the known dates say a date, or its day and month where its year stands by itself.

    A known date of the same day in another year speaks against it.
    """
    if date.month is None:
        return date.year is None or date.year in set(years)
    pairs = {(date.month, date.day)} | ({date.other} if date.other else set())
    alike = [
        other
        for other in known
        if any(
            month == m and (day is None or day == d)
            for month, day in pairs
            for m, d in [(other.month, other.day), *([other.other] if other.other else [])]
        )
    ]
    if date.year is None:
        return bool(alike)
    if any(other.year == date.year for other in alike):
        return True
    return any(other.year is None for other in alike) and date.year in set(years)
