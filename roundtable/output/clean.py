"""Text from outside made harmless for a terminal: no escape sequences, no control characters."""

import json
from urllib.parse import urlsplit

from library.text import ESCAPE_SEQUENCE, UNSHOWN


def clean(text: str) -> str:
    """Return text without escape sequences, control and direction characters; line ends and tabs stay."""
    return UNSHOWN.sub("", ESCAPE_SEQUENCE.sub("", text.replace("\r\n", "\n")))


def escape_unshown(written: str) -> str:
    """Return JSON with what a terminal would act on escaped; it stands for the same values."""
    return UNSHOWN.sub(lambda found: json.dumps(found[0])[1:-1], written)


def clean_line(text: str, most: int | None = None) -> str:
    """Return cleaned text in one line, cut with `…` after so many characters."""
    line = " ".join(clean(text).split())
    return line if most is None or len(line) <= most else line[: most - 1].rstrip() + "…"


def counted(count: int, one: str, many: str = "") -> str:
    """Return how many there are of something, in words: `1 note`, `2 searches`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def link_target(url: str) -> str | None:
    """Return a url that a terminal may open, None for anything that is not plainly the web or a file."""
    url = "".join(clean(url).split())
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return None
    return url if scheme in {"http", "https", "file"} else None
