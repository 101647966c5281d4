"""What stands beside a passage in its section: read on, a step finds its command and a claim its reason."""

from collections.abc import Sequence

from library.evidence import Passage
from library.passages.blocks import blocks

MOST = 2
"""Passages before, and as many after, that are read on in."""


def section_around(passages: Sequence[Passage], passage: Passage, most: int = MOST) -> list[Passage]:
    """Return a passage with those beside it under the same heading, in order.

    Args:
        passages: All of its source, in order; where it is not among them, it is returned alone.
        passage: The one that was asked for.
        most: Passages before it, and after it, at most.
    """
    keys = [each.key for each in passages]
    if passage.key not in keys:
        return [passage]
    at = keys.index(passage.key)
    first, last = at, at + 1
    while first > max(0, at - most) and not _opens_section(passages[first]):
        first -= 1
    while last < min(len(passages), at + 1 + most) and not _opens_section(passages[last]):
        last += 1
    return list(passages[first:last])


def _opens_section(passage: Passage) -> bool:
    found = blocks(passage.text)
    return bool(found) and found[0].form == "heading"
