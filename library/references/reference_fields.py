"""Fields that every form of references has: dates, DOIs, where attached files lie."""

import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


_DATE = re.compile(r"\D{0,6}(\d{4})(?!\d)(?:[-/.](\d{1,2})(?!\d)(?:[-/.](\d{1,2})(?!\d))?)?")


def doi_of(text: str) -> str:
    """Return a DOI without what is written before it; '' for none."""
    found = _DOI.match(text.strip())
    return found[1] if found else ""


def iso_date(text: str) -> str:
    """Read `2021/05/07/`, `2021` or `2021-05` as an ISO 8601 date, as far as it goes."""
    parts = _DATE.match(text)
    if parts is None:
        return ""
    year, month, day = parts.groups()
    if not month or not 0 < int(month) < 13:
        return str(year)
    return f"{year}-{int(month):02d}" + (f"-{int(day):02d}" if day and 0 < int(day) < 32 else "")


def attached_file(named: str, folder: Path) -> Path | None:
    """Return where an attached file lies, beside the export or below; None for anything else.

    A path to anywhere else is the word of whoever made the export.
    """
    try:
        parts = urlsplit(named)
        path = Path(unquote(parts.path)) if parts.scheme == "file" else folder / named
        if not named or not path.resolve().is_relative_to(folder.resolve()):
            return None
        with suppress(FileNotFoundError):  # that is found out later; a name that no disk can hold is none
            path.stat()
    except (ValueError, OSError):
        return None
    return path
