"""The outline of a PDF: where a bookmark leads stands a heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

_MOST, _DEEPEST = 20_000, 8
"""Bookmarks that are looked at, and levels of them."""
_LEVELS = 6
"""Of headings."""
_SIGNS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"^(?:(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){0,5}\.?|[IVXLC]{1,6}\.?)\s+(?=\S)")
"""Of a chapter or section, which a page or an outline may print and the other not."""
_NUMBERED = re.compile(r"(?<!\S)(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){1,5}\.? \Z")
"""The number of a section before its title."""
_LONGEST = 300
"""Characters of a heading."""
_RUNNING = 80
"""Characters of what stands above a page's text, at most."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of a file's outline."""

    title: str
    level: int
    """From 0."""
    page: int
    """From 0."""


def bookmarks(document: Any) -> list[Bookmark]:
    """Return the outline of a file (of pypdfium2), as far as it can be read."""
    import pypdfium2

    try:
        return list(_bookmarks(document))
    except (pypdfium2.PdfiumError, ValueError):  # titles that are no text
        return []


def _bookmarks(document: Any) -> Iterator[Bookmark]:
    for entry in islice(document.get_toc(max_depth=_DEEPEST), _MOST):
        target = entry.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            yield Bookmark(" ".join(entry.get_title().split()), entry.level, page)


def with_headings(pages: Sequence[str], outline: Sequence[Bookmark]) -> list[str]:
    """Return the texts of pages with the paragraphs that bookmarks lead to as headings (`## …`).

    One whose words stand in no paragraph of their own on its page is passed over.
    """
    held: dict[int, list[Bookmark]] = {}
    for mark in outline:
        held.setdefault(mark.page, []).append(mark)
    return [_marked(page, held.get(n, ())) for n, page in enumerate(pages)]


def _marked(page: str, marks: Sequence[Bookmark]) -> str:
    paragraphs, at = page.split("\n\n"), 0
    for mark in marks:
        name = _bare(mark.title)
        own = [n for n in range(at, len(paragraphs)) if name and _is(paragraphs[n], name)]
        if own:
            # What stands at the top, too, is a running head.
            at = own[1] if own[0] == 0 and len(own) > 1 else own[0]
        elif apart := _apart(paragraphs, at, mark.title):
            at, before, title, behind = apart
            paragraphs[at : at + 1] = [part for part in (before, title, behind) if part]
            at += bool(before)
        else:
            continue
        paragraphs[at] = f"{'#' * min(mark.level + 2, _LEVELS)} {' '.join(paragraphs[at].split())}"
        at += 1
    return "\n\n".join(paragraphs)


def _is(paragraph: str, name: str) -> bool:
    return len(paragraph) <= _LONGEST and _bare(paragraph) == name


def _apart(paragraphs: Sequence[str], at: int, title: str) -> tuple[int, str, str, str] | None:
    """Return which paragraph a title begins, what stands before it there, the title and what is behind it.

    Before it stands at most a running head with its page's number.
    """
    for n in range(at, len(paragraphs)):
        words = paragraphs[n]
        place = words.find(title, 0, _RUNNING + len(title)) if title else -1
        number = _NUMBERED.search(words, 0, place) if place > 0 else None
        begins = number.start() if number else max(place, 0)
        before, behind = words[:begins].strip(), words[place + len(title) :]
        if number and before and not before[-1].isdigit():
            begins, before = place, words[:place].strip()  # the head ends with a figure that is no section's
        headed = not before or (n == 0 and any(map(str.isdigit, before)))
        if place >= 0 and headed and (not behind or (behind[0].isspace() and behind.strip()[:1].isupper())):
            return n, before, words[begins : place + len(title)], behind.strip()
    return None


def _bare(title: str) -> str:
    """Return a title without what pages and outlines print differently: numbers, signs, capitals."""
    return _SIGNS.sub(" ", _NUMBER.sub("", title.strip())).strip().casefold()
