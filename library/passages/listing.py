"""Passages that point elsewhere, tell what changed or what words mean: contents, release notes, glossaries.

They hold many of a question's words and answer few questions. Told by their form, in any language.
"""

import re
from functools import lru_cache
from itertools import pairwise

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
_BEGINS = re.compile(r"v?(?P<version>\d+(?:\.\d+)+)\b")
_ENTRY = re.compile(r"^(?P<term>[^\W\d_][^\n:|`_=]{0,60})(?::[ ](?=\S)|\n\n[ ]{2}(?=\S))", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\n(?=\S)")
_TERMS, _IN_ORDER, _TOLD = 12, 0.9, 0.5
"""Terms of a glossary at least; share of them that stand in the alphabet's order, and begin with a capital;
share of a text's paragraphs that a term opens."""


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
    if not _lists_releases(text, question):
        return False
    above = headings_above(text, offset)
    return any(tells_of_release(title, question) or _named_release(title, question) for title in above)


@lru_cache(maxsize=400)
def _lists_releases(text: str, question: str) -> bool:
    return sum(tells_of_release(title, question) for title in _titles(text)) >= _RELEASES


def _named_release(title: str, question: str) -> bool:
    """Tell whether a heading begins with a version, as one with a name behind it does (`3.0 – “Zenith”`)."""
    begins = _BEGINS.match(title)
    return begins is not None and begins["version"] not in question


@lru_cache(maxsize=200)
def is_glossary(text: str) -> bool:
    """Tell whether a text tells what words mean: many terms in the alphabet's order, each with its entry.

    Names of options and settings, written small or with signs, are no such terms.
    """
    terms: list[str] = [match["term"].strip() for match in _ENTRY.finditer(text)]
    if len(set(terms)) < max(_TERMS, _IN_ORDER * len(terms)):
        return False
    if len(terms) < _TOLD * len(_PARAGRAPH.findall(text)):
        return False
    small = [term.casefold() for term in terms]
    ordered = sum(a <= b for a, b in pairwise(small))
    capitals = sum(term[0].isupper() for term in terms)
    return min(ordered / (len(terms) - 1), capitals / len(terms)) >= _IN_ORDER


@lru_cache(maxsize=200)
def _titles(text: str) -> tuple[str, ...]:
    return tuple(text[block.start : block.end] for block in blocks(text) if block.form == "heading")
