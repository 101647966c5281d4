"""Text made safe to look at: no control characters, no hidden direction changes, one space between words."""

import re
from urllib.parse import quote, urlsplit

from library.text import CJK, ENGLISH_MONTHS, HIDDEN

_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return the text in one line without characters that nobody sees."""
    return _SPACE.sub(" ", HIDDEN.sub("", text)).strip()


_TYPED = re.compile(r"[a-z][a-z0-9]*[_.0-9/=-]*[_./=0-9][\w./=-]*(?=\W|$)|--?[a-z]")
_WIDE = re.compile(f"[{CJK}]")


def capitalised(text: str) -> str:
    """Return a text that stands alone with a capital: not what is typed (`pg_upgrade`), nor in Chinese.

    In Chinese a word of another script stands first only where it is a name.
    """
    return text if _TYPED.match(text) or _WIDE.search(text) else text[:1].upper() + text[1:]


def web_address(url: str) -> str | None:
    """Return an address that may be linked, percent-encoded; None for anything but plain http and https."""
    url = plain(url)
    try:
        parts = urlsplit(url)
        _ = parts.port  # an impossible port raises here
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or parts.username is not None:
        return None
    return quote(url, safe="%/:=&?~#+!$,;@-._*[]").replace("[", "%5B").replace("]", "%5D")


_DAY = re.compile(
    r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2]|[a-z]{3})[/-](0?[1-9]|[12]\d|3[01])(?!\d)"
    r"|-((?:19|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?=/?$)"
    r"|/((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=/|$)",
    re.IGNORECASE,
)
"""A day in an address: `/2016/7/25/`, `/2016/jul/25/`, `/20160725/`, or `-2016-07-25` at its end."""


def dated(url: str) -> str | None:
    """Return the day that a web address bears (`/2016/07/25/`), ISO 8601; None for none."""
    found = _DAY.search(url.partition("?")[0]) if web_address(url) else None
    if found is None:
        return None
    year, month, day = (part for part in found.groups() if part)
    if month.isalpha():
        numbers = {name[:3]: n for n, name in enumerate(ENGLISH_MONTHS, 1)}
        if month.lower() not in numbers:
            return None
        month = str(numbers[month.lower()])
    return f"{year}-{month:0>2}-{day:0>2}"


def host(url: str) -> str:
    """Return the host of a web address without `www.`, else the address's scheme, or '' for none."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or parts.scheme).removeprefix("www.")
    except ValueError:
        return ""
