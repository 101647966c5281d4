"""YAML front matter of a document: where it is from, by its own account.

A document may start with a block between lines of `---`. What it says of url, title, author and date wins
over what a reader guesses. A block that is no YAML is no error: the document then begins at its first
character.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

_BLOCK = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
LARGEST = 16_384
"""Characters of a document, at its start, in which the block stands."""
# The base loaders leave every scalar as it is written: a date that is none costs no more than itself.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# A deep nesting ends the whole program in the C loader and takes seconds in the other one: neither gets to
# see it.
_NESTS = re.compile(r"[\[{]|[-?:][ \t]+(?=[-?])")
_MOST_NESTS = 200
_MOST_SCALARS = 100
"""Lists and their parts that one value is read from."""
_NOTHING = ("", "~", "null", "none")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says of itself; None for what it does not say."""

    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    """As written."""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """What else it is called."""
    session: str | None = None
    """The session of this program that wrote it."""
    body_start: int = 0
    """The offset at which the document itself begins."""


def front_matter(text: str) -> FrontMatter:
    """Read the front matter of a text; without one, or with a broken one, nothing is known."""
    if not text.startswith(("---", "\ufeff---")):
        return FrontMatter()
    block = _BLOCK.match(text[:LARGEST])
    if block is None or len(_NESTS.findall(block[1])) > _MOST_NESTS:
        return FrontMatter()
    try:
        found = yaml.load(block[1], Loader=_LOADER)  # noqa: S506 - makes strings, lists and dictionaries alone  # nosec B506
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
        tags=_list(values.get("tags")),
        aliases=_list(values.get("aliases")),
        session=_text(values.get("roundtable")),
        body_start=block.end(),
    )


def _list(value: Any) -> tuple[str, ...]:
    """Read a list of scalars; one that stands alone may hold several, with commas between."""
    parts = value[:50] if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
    return tuple(part.lstrip("#") for part in map(_text, parts) if part)


def _text(value: Any) -> str | None:
    """Read a scalar, or a list of scalars such as several authors, as one line."""
    words = [" ".join(one.split()) for one in _scalars(value) if one.strip().lower() not in _NOTHING]
    return ", ".join(words)[:LARGEST] or None


def _scalars(value: Any) -> Iterator[str]:
    """Yield a scalar, or those of a list and of lists in it, as far as a person would have written them.

    Names (`&a`, `*a`) make a few lines stand for more than any memory holds, or for themselves: what is
    looked at is counted, also where nothing stands in it.
    """
    waiting = [value]
    for _ in range(_MOST_SCALARS):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(one[:20])
        elif isinstance(one, str):
            yield one
