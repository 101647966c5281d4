"""The time between two dates, which whoever sums up may count: `two days after`, of 6 and 8 April."""

import datetime as dt
import re
from collections.abc import Sequence
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
