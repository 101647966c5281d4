"""Headings that are marked up as plain blocks, told by the page's own list of contents.

A page that lists its parts links to each of them, by the words that the part is headed by. A block that
stands where such a link leads and says the same is a heading, whatever its tag: some programs that write
manuals, and lists of questions with their answers, mark theirs up as paragraphs.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from library.readers.html.html_text import HEADINGS, inline

_BLOCKS = ("div", "p")
"""Tags that say nothing of what a block is."""
_HOLDING = (*_BLOCKS, "ul", "ol", "dl", "table", "pre", "blockquote", "section", *HEADINGS)
_NEVER_WITHIN = ("a", "li", "dt", "dd", "nav", "table", "pre", "blockquote")
_LEAST = 3
"""Parts that a page must list for the list to be one of contents."""
_LONGEST = 150
"""Characters of a heading."""
_LOWEST = 6
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,5}[.):]?\s")


@dataclass
class _Open:
    """Where the walk over a page has come to."""

    wanted: set[str] = field(default_factory=set)
    """What the next block would say if it headed the part that begins here."""
    holder: Any = None
    """The element that the part stands in."""
    above: int = 1
    """The level of the last heading that is marked up as one."""
    holders: set[Any] = field(default_factory=set)
    number: Any = None
    """The block right before, where it holds but a number."""


def mark_linked_headings(tree: Any) -> None:
    """Turn blocks of a page into headings to which links on the page lead that say the same.

    A part that stands within another one is a level below it.
    """
    labels = _labels(tree)
    if len(labels) < _LEAST:
        return
    at = _Open()
    for element in [each for each in tree.iter() if isinstance(each.tag, str)]:
        if element.tag in HEADINGS:
            at.wanted, at.above = set(), int(element.tag[1])
            continue
        names = {element.get("id"), element.get("name")} & labels.keys()
        if names:
            at.wanted = set[str]().union(*(labels[name] for name in names))
            at.holder = element if _holds_block(element) else element.getparent()
        if element.tag in _BLOCKS and not _holds_block(element):
            _mark(element, labels, at)


def _mark(block: Any, labels: dict[str, set[str]], at: _Open) -> None:
    """Turn a block into a heading that says what is wanted of it, or else end the wait for one."""
    inner = [labels[name] for each in block.iter("a", "span") for name in _names(each) if name in labels]
    wanted, holder = at.wanted.union(*inner), block.getparent() if inner else at.holder
    said = inline(block)
    if at.wanted and said and not any(sign.isalpha() for sign in said):
        at.number = block  # the part's number stands before its name
        return
    at.wanted, number, at.number = set(), at.number, None
    within = (each.tag for each in block.iterancestors())
    linked = any(not each.get("href", "#").startswith("#") for each in block.iter("a"))
    if _key(said) not in wanted or len(said) > _LONGEST or linked:
        return
    if not set(_NEVER_WITHIN).isdisjoint(within):
        return
    if any(_names_part(each, wanted) for each in block.iter("a")):
        return  # a line of the list of contents itself
    level = at.above + 1 + sum(each in at.holders for each in holder.iterancestors())
    at.holders.add(holder)
    if number is not None:
        number.drop_tree()
    block.tag = f"h{min(level, _LOWEST)}"


def _labels(tree: Any) -> dict[str, set[str]]:
    """Return by what words links of a page lead to its places."""
    labels: dict[str, set[str]] = defaultdict(set)
    for link in tree.iter("a"):
        place, said = link.get("href", ""), _key(inline(link))
        if place.startswith("#") and said:
            labels[unquote(place[1:])].add(said)
    return labels


def _names(element: Any) -> set[str]:
    return {name for name in (element.get("id"), element.get("name")) if name}


def _names_part(link: Any, wanted: set[str]) -> bool:
    return link.get("href", "").startswith("#") and _key(inline(link)) in wanted


def _key(words: str) -> str:
    """Return what is alike in a heading and in a link to it: the words without a number before them."""
    bare = _NUMBER.sub("", words.strip(), count=1) if _NUMBER.match(words.strip()) else words
    return " ".join(re.findall(r"\w+", bare.casefold()))


def _holds_block(element: Any) -> bool:
    return next((True for each in element.iter(*_HOLDING) if each is not element), False)
