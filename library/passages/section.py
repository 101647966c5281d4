"""What stands beside a passage on its page: read on, a step finds its command and a claim its reason."""

from collections.abc import Collection, Sequence

from library.evidence import Passage
from library.passages.blocks import blocks

BEFORE, AFTER = 2, 3
"""Passages before, and after, that are read on in."""


def read_on(
    passages: Sequence[Passage],
    passage: Passage,
    known: Collection[tuple[str, int, int]] = (),
) -> list[Passage]:
    """Return a passage with those that stand around it on its page, in order.

    Before it as far as its heading; after it also under the headings that follow: what a section announces
    stands in the next ones.

    Args:
        passages: All of its source, in order; where it is not among them, it is returned alone.
        passage: The one that was asked for.
        known: Keys of those that were read before: passed over, so that reading again goes on.
    """
    keys = [each.key for each in passages]
    if passage.key not in keys:
        return [passage]
    at = keys.index(passage.key)
    first = at
    while first > max(0, at - BEFORE) and not _opens_section(passages[first]):
        first -= 1
    before = [each for each in passages[first:at] if each.key not in known]
    after = [each for each in passages[at + 1 :] if each.key not in known]
    return [*before, passage, *after[:AFTER]]


def _opens_section(passage: Passage) -> bool:
    found = blocks(passage.text)
    return bool(found) and found[0].form == "heading"
