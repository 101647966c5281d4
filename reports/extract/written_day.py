"""The day that a document says it is of."""

from library.text import dates

_DATELINE, _TOP = 40, 6
"""Characters of a line that only says a date, with a place perhaps, and lines of a text that may be it."""


def written_day(title: str, text: str) -> str:
    """Return the day or month, as ISO 8601, that a document says it is of; empty where it does not.

    In its title, or in one of its first lines that says nothing else.
    """
    found = next(filter(None, map(_only_day, (title, *_datelines(text)))), None)
    return found[1] if found else ""


def dated_line(text: str) -> tuple[str, str] | None:
    """Return the line of a document that says which day or month it is of, and that day as it stands there.

    The heading that it begins with, or one of its first lines that says nothing else; None: neither.
    """
    first = text.lstrip().partition("\n")[0]
    heads = [first] if first.startswith("#") else []
    for line in (*heads, *_datelines(text)):
        if day := _only_day(line):
            return line.lstrip("# ").strip(), day[0]
    return None


def _datelines(text: str) -> list[str]:
    top = [line for line in text[:1_000].splitlines() if line.strip()][:_TOP]
    return [line for line in top if len(line) <= _DATELINE]


def _only_day(line: str) -> tuple[str, str] | None:
    """Return the one day or month that a line says, as it stands there and as ISO 8601."""
    found = [day for day in dates(line)[0] if day.year and day.month and not day.other]
    if len(found) != 1:
        return None
    [day] = found
    return day.text, f"{day.year:04}-{day.month:02}" + (f"-{day.day:02}" if day.day else "")
