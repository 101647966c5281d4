"""Figures that no source says and whoever sums up may work out: a time between dates, a proportion.

`Two days after`, of 6 and 8 April; `2:3`, of `20 x 30 cm`. A judge reads what is told of them.
"""

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from library.text.quantities.date_parsing import Date
from library.text.quantities.number_parsing import Number

_APART = re.compile(
    r"\s?(?:days?|weeks?|months?|years?)\s(?:after|before|later|earlier)\b"
    r"|\s?(?:天|日|周|星期|个月|年)(?:之|以)?[后前]",
    re.IGNORECASE,
)
"""Behind a number that says how far one thing is from another."""
_DAY = 86_400
"""Seconds."""
_LEAP = 2000
"""The year of two dates that name none: it has every day."""

_MEASURE = r"(\d{1,6}(?:\.\d{1,6})?)"
_PROPORTION = re.compile(rf"(?<![\d.,:]){_MEASURE}\s?(?:[x×:∶]|by)\s?{_MEASURE}(?!\d|[.,:]\d)")
"""Two measures of one thing, or how they are to each other: `20 x 30 cm`, `2:3`."""


def lies_between(number: Number, text: str, dates: Sequence[Date]) -> bool:
    """Tell whether a number is told as the time from one thing to another, and two dates are so far apart.

    A date without a year is of the year of the other; months are told by months, whatever their days.

    Args:
        number: Of the text, with its place in it.
        text: A sentence.
        dates: Those of its passages.
    """
    if number.start < 0 or not number.units or not _APART.match(text, number.end):
        return False
    told = {(unit.dimension, unit.worth * value) for unit in number.units for value in number.values}
    return any(not told.isdisjoint(_apart(one, other)) for one, other in combinations(dates, 2))


def in_proportion(number: Number, text: str, known: Sequence[str]) -> bool:
    """Tell whether a number belongs to a proportion that texts have in other numbers.

    Args:
        number: Of the text, with its place in it.
        text: A sentence.
        known: What was asked, and the passages.
    """
    own = [m for m in _PROPORTION.finditer(text) if m.start() <= number.start < m.end() and ":" in m[0]]
    pairs = {(Decimal(m[1]), Decimal(m[2])) for part in known for m in _PROPORTION.finditer(part)}
    return any(
        x > 0 and y > 0 and Decimal(m[1]) * y == Decimal(m[2]) * x
        for m in own
        for x, y in {*pairs, *((y, x) for x, y in pairs)}
    )


def _apart(one: Date, other: Date) -> set[tuple[str, int]]:
    """Return how far two dates are apart, in seconds and in months, as far as they tell."""
    if one.month is None or other.month is None:
        return set()
    years = one.year or other.year or _LEAP, other.year or one.year or _LEAP
    months = abs((years[0] - years[1]) * 12 + one.month - other.month)
    found = {("months", months)} if months else set[tuple[str, int]]()
    if one.day is not None and other.day is not None:
        try:
            days = dt.date(years[0], one.month, one.day) - dt.date(years[1], other.month, other.day)
        except ValueError:  # 30 February is written somewhere
            return found
        found.add(("time", abs(days.days) * _DAY))
    return found
