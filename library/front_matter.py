"""YAML front matter of a document: where it is from, by its own account.

A document may start with a block between lines of `---`. What it says of url, title, author and date wins
over what a reader guesses. A block that is no YAML is no error: the document then begins at its first
character.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import yaml

_BLOCK = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_LARGEST = 65_536
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says of itself; None for what it does not say."""

    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    """As ISO 8601 where YAML knows it for a date, else as written."""
    body_start: int = 0
    """The offset at which the document itself begins."""


def front_matter(text: str) -> FrontMatter:
    """Read the front matter of a text; without one, or with a broken one, nothing is known."""
    if not text.startswith(("---", "\ufeff---")):
        return FrontMatter()
    block = _BLOCK.match(text[:_LARGEST])
    if block is None:
        return FrontMatter()
    try:
        found = yaml.load(block[1], Loader=_LOADER)  # noqa: S506 - a safe loader, in C where there is one
    except (yaml.YAMLError, ValueError, RecursionError):
        return FrontMatter()
    if not isinstance(found, dict):
        return FrontMatter()
    values = {str(key).lower(): value for key, value in found.items()}
    return FrontMatter(
        url=_text(values.get("url")),
        title=_text(values.get("title")),
        author=_text(values.get("author")),
        date=_text(values.get("date")),
        body_start=block.end(),
    )


def _text(value: Any) -> str | None:
    """Read a scalar, or a list of scalars such as several authors, as one line."""
    if isinstance(value, list):
        return ", ".join(part for part in map(_text, value[:20]) if part) or None
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return " ".join(str(value).split()) or None
    return None
