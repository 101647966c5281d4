"""Items of an agenda, each with a label and on a matter of its own, as minutes number them."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby

from library.passages import blocks

_LABEL = re.compile(r"\W{0,2}([^\W\d_][^.:*_\n]{1,40})(?:[.:]\*{0,2}|\*\*[.:])\s+\S")
_FEWEST, _LONGEST, _MOSTLY = 3, 4, 0.5
"""Items that have a label, at least; words of a label, at most; share of a list's items that have one."""


@lru_cache(maxsize=2_000)
def agenda_items(text: str) -> Mapping[int, str]:
    """Return the numbers of a text's blocks that are items of an agenda, with their labels.

    Most items of such a list are numbered and begin with a few words and a stop or colon, no two alike; what
    has no label is told by its first words.
    """
    found: dict[int, str] = {}
    for form, run in groupby(enumerate(blocks(text)), key=lambda held: held[1].form):
        own = list(run) if form == "step" else []
        labels = {number: label for number, block in own if (label := _label(text[block.start : block.end]))}
        if len(labels) == len(set(labels.values())) >= max(_FEWEST, _MOSTLY * len(own)):
            found |= {n: labels.get(n) or " ".join(text[b.start : b.end].split()[:_LONGEST]) for n, b in own}
    return found


def _label(item: str) -> str:
    match = _LABEL.match(item)
    return match[1] if match and len(match[1].split()) <= _LONGEST else ""
