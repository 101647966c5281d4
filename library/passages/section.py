"""What stands beside a passage on its page: read on, a step finds its command and a claim its reason."""

from collections.abc import Collection, Sequence
from itertools import zip_longest

from library.evidence import Passage
from library.passages.blocks import blocks
from models import estimate

AFTER = 3
"""Passages after it that are read on in, under the headings that follow too."""

_LITTLE = 80
"""Tokens of a section below which it says little by itself."""


def read_on(
    passages: Sequence[Passage],
    passage: Passage,
    known: Collection[tuple[str, int, int]] = (),
    tokens: int = 1_200,
    wanted: Collection[tuple[str, int, int]] | None = None,
) -> list[Passage]:
    """Return a passage with those that stand around it on its page, in order.

    Its whole section, from its heading on, where there is room; and of what follows so many at least, also
    under the headings that follow: what a section announces stands in the next ones. Of a long section what
    is nearest.

    Args:
        passages: All of its source, in order; where it is not among them, it is returned alone.
        passage: The one that was asked for.
        known: Keys of those that were read before: passed over, so that reading again goes on.
        tokens: For all that stands around it.
        wanted: Keys of what is read on in under the headings that follow, but for what a passage that says
            little by itself announces; None: of all.
    """
    keys = [each.key for each in passages]
    if passage.key not in keys:
        return [passage]
    at = keys.index(passage.key)
    first, end = at, at + 1
    while first > 0 and not _opens_section(passages[first]):
        first -= 1
    while end < len(passages) and not _opens_section(passages[end]):
        end += 1
    before = [n for n in range(at - 1, first - 1, -1) if keys[n] not in known]
    after = [n for n in range(at + 1, len(passages)) if keys[n] not in known]
    after = [n for place, n in enumerate(after) if n < end or place < AFTER]
    if wanted is not None and not _announces(passages[at:end]):
        after = [n for n in after if n < end or keys[n] in wanted]
    chosen, left, closed = {at}, tokens, set[bool]()
    for n in (n for pair in zip_longest(after, before) for n in pair if n is not None):
        size = estimate(passages[n].text)
        if size > left:
            closed.add(n > at)  # what stands behind a gap is not read on in
        elif (n > at) not in closed:
            chosen.add(n)
            left -= size
    return [passages[n] for n in sorted(chosen)]


def _announces(section: Sequence[Passage]) -> bool:
    """Tell whether what stands in a section mostly announces what follows under other headings."""
    text = section[-1].text.rstrip()
    return text.endswith((":", "：")) or sum(estimate(each.text) for each in section) < _LITTLE


def _opens_section(passage: Passage) -> bool:
    found = blocks(passage.text)
    return bool(found) and found[0].form == "heading"
