"""Fields that every form of references has: dates, DOIs, where attached files lie."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


def doi_of(text: str) -> str:
    """Return a DOI without what is written before it; '' for none."""
    found = _DOI.match(text.strip())
    return found[1] if found else ""


def iso_date(text: str) -> str:
    """Read `2021/05/07/`, `2021` or `2021-05` as an ISO 8601 date, as far as it goes."""
    parts = re.findall(r"\d+", text[:10])
    if not parts or len(parts[0]) != 4:
        return ""
    return "-".join([parts[0], *(f"{int(part):02d}" for part in parts[1:3] if 0 < int(part) < 32)])


def attached_file(named: str, folder: Path) -> Path | None:
    """Return where an attached file lies, beside the export or below; None for anything else.

    A path to anywhere else is the word of whoever made the export.
    """
    try:
        parts = urlsplit(named)
        path = Path(unquote(parts.path)) if parts.scheme == "file" else folder / named
        return path if named and path.resolve().is_relative_to(folder.resolve()) else None
    except (ValueError, OSError):
        return None
