"""The day that a document says it is of."""

from library.text import dates

_DATELINE, _TOP = 40, 6
"""Characters of a line that only says a date, with a place perhaps, and lines of a text that may be it."""


def written_day(title: str, text: str) -> str:
    """Return the day or month, as ISO 8601, that a document says it is of; empty where it does not.

    In its title, or in one of its first lines that says nothing else.
    """
    top = [line for line in text[:1_000].splitlines() if line.strip()][:_TOP]
    for line in (title, *(line for line in top if len(line) <= _DATELINE)):
        found = [day for day in dates(line)[0] if day.year and day.month and not day.other]
        if len(found) == 1:
            day = found[0]
            return f"{day.year:04}-{day.month:02}" + (f"-{day.day:02}" if day.day else "")
    return ""
