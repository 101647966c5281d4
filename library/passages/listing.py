"""Passages that only point elsewhere, or tell what changed: an index, contents, notes on a release.

They hold many of a question's words and answer few questions. Told by their form, in any language.
"""

import re
from functools import lru_cache

from library.passages.blocks import blocks, headings_above
from library.passages.quote_filter import word_count

_SHORT, _NUMBERED = 8, 16
"""Words of an entry of an index at most, and of one that begins with the number of a part (`9.24.`)."""
_NUMBER = re.compile(r"\w{0,2}\d*(?:\.\d+)+\.?\s")
_FEWEST, _MOSTLY = 5, 0.7
"""Entries that an index has at least; share (0 to 1) of a passage's text that they make up."""
_RELEASES = 3
"""Headings that are versions in a text that lists releases, at least."""
_STOPS = re.compile(r"[.!?。！？؟।:：;；][\"”’»）)]*$")
_VERSION = re.compile(
    r"(?:^|\s)\D{0,40}?\bv?(?P<version>\d+(?:\.\d+)+)(?:[-~.]?[a-z]{1,5}\d{0,3})?\b\W*(?:\([^)]*\)\W*|\d{4}-\d\d-\d\d\W*)?$"
)


@lru_cache(maxsize=2_000)
def only_lists(text: str) -> bool:
    """Tell whether a text is mostly entries of a few words that end like no sentence."""
    held = [(block.form, text[block.start : block.end].strip()) for block in blocks(text)]
    # A line of an index that was broken off stands as prose; a table tells something in each row.
    entries = [
        words
        for form, words in held
        if form == "point"
        and word_count(words) <= (_NUMBERED if _NUMBER.match(words) else _SHORT)
        and not _STOPS.search(words)
    ]
    whole = sum(len(words) for _, words in held)
    return len(entries) >= _FEWEST and sum(map(len, entries)) >= _MOSTLY * whole


def tells_of_release(title: str, question: str) -> bool:
    """Tell whether a page is called by a version (`Release 15.6`, `New in 2.4?`) that nobody asks about."""
    named = _VERSION.search(title)
    return named is not None and named["version"] not in question


def in_release_notes(text: str, offset: int, question: str) -> bool:
    """Tell whether a place of a text stands in a list of releases: under a version, with others beside it."""
    versions = sum(tells_of_release(title, question) for title in _titles(text))
    return versions >= _RELEASES and any(tells_of_release(h, question) for h in headings_above(text, offset))


@lru_cache(maxsize=200)
def _titles(text: str) -> tuple[str, ...]:
    return tuple(text[block.start : block.end] for block in blocks(text) if block.form == "heading")
