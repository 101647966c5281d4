"""The sections of a page: which one answers a question, and what stands beside a passage in its own.

Read on, a step finds its command and a claim its reason.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from library.evidence import Passage
from library.passages.blocks import blocks
from library.passages.text_structure import terms_above
from models import Statistics, estimate

AFTER = 3
"""Passages after it that are read on in, under the headings that follow too."""

_LITTLE = 80
"""Tokens of a section below which it says little by itself."""
_FIRST_LINES = 300
"""Characters of a section, behind its heading, that tell what it is about."""
_NAMED = 0.5
"""What the meaning of its heading counts for a section, beside that of heading and first lines together."""
_LANGUAGE = 1_000
"""Characters that a page's language is told by: of a few headings alone nobody can tell it."""
_WORKED_OUT = 24
"""Sections of a page whose first lines are read for what they mean: those whose headings come nearest."""


@dataclass(frozen=True, slots=True)
class _Section:
    name: str
    """Its heading, or the term of an entry; the page's title where it has none."""
    begins: str
    """Its first lines."""
    held: tuple[int, ...]
    """The places of the passages that it stands in."""


def section_fits(
    question: str, sections: Sequence[tuple[str, str]], statistics: Statistics
) -> list[float] | None:
    """Return how well each section fits a question (>= 0), by what it means; None where that is not known.

    Args:
        question: What is asked.
        sections: Of each its heading and how it begins.
        statistics: Knows what texts mean.
    """
    texts = [f"{name}. {begins[:_FIRST_LINES]}" for name, begins in sections]
    near = statistics.meaning(question, [*texts, *(name for name, _ in sections)])
    if near is None:
        return None
    told, names = near[: len(texts)], near[len(texts) :]
    return [max(t, 0.0) + _NAMED * max(n, 0.0) for t, n in zip(told, names, strict=True)]


def answering_section(
    question: str, passages: Sequence[Passage], statistics: Statistics, tokens: int
) -> list[Passage]:
    """Return the section of a page that fits a question best, whole or from its heading on.

    Args:
        question: What is asked.
        passages: All of the page, in order.
        statistics: Knows what texts mean; [] is returned where it does not.
        tokens: That may be returned, about; one passage is, whatever its length.
    """
    found = _sections(passages)
    names = [section.name for section in found]
    whole = " ".join(section.begins for section in found)[:_LANGUAGE]
    near = statistics.meaning(question, [*names, whole]) if len(found) > 1 else None
    if near is None:
        return []
    order = sorted(range(len(names)), key=lambda n: (-round(near[n], 9), n))[:_WORKED_OUT]
    some = [found[n] for n in sorted(order)]
    fits = section_fits(question, [(section.name, section.begins) for section in some], statistics)
    if fits is None:
        return []
    best = some[max(range(len(some)), key=lambda n: (round(fits[n], 9), -n))]
    chosen: list[Passage] = []
    for place in best.held:
        tokens -= estimate(passages[place].text)
        if chosen and tokens < 0:
            break
        chosen.append(passages[place])
    return chosen


def _sections(passages: Sequence[Passage]) -> list[_Section]:
    """Return the sections of a page: what stands under a heading or a term, up to the next one."""
    parts: list[tuple[str, list[str], list[int]]] = []
    heading = ""
    for place, passage in enumerate(passages):
        for block in blocks(passage.text):
            words = " ".join(passage.text[block.start : block.end].split())
            if block.form == "heading":
                heading = words
                continue
            name = (terms_above(passage.text, block.start) or [heading])[-1] or passage.title
            if not parts or parts[-1][0] != name:
                parts.append((name, [], []))
            parts[-1][1].append(words)
            if place not in parts[-1][2]:
                parts[-1][2].append(place)
    return [_Section(name, " ".join(words)[:_FIRST_LINES], tuple(held)) for name, words, held in parts]


def read_on(
    passages: Sequence[Passage],
    passage: Passage,
    known: Collection[tuple[str, int, int]] = (),
    tokens: int = 1_200,
    wanted: Collection[tuple[str, int, int]] | None = None,
) -> list[Passage]:
    """Return a passage with those that stand around it on its page, in order.

    Its whole section, from its heading on, where there is room; and of what follows so many at least, also
    under the headings that follow: what a section announces stands in the next ones. Of a section that is
    longer, a list of parameters or of changes, what follows and what stands before, then what is wanted and
    steps that are numbered; where nobody says what is wanted, what is nearest.

    Args:
        passages: All of its source, in order; where it is not among them, it is returned alone.
        passage: The one that was asked for.
        known: Keys of those that were read before: passed over, so that reading again goes on.
        tokens: For all that stands around it.
        wanted: Keys of what is read on in under the headings that follow, but for what a passage that says
            little by itself announces, and in a section that is longer than so many tokens; None: of all.
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
    if wanted is not None and sum(estimate(each.text) for each in passages[first:end]) > tokens:
        near = {n for n in range(first, end) if abs(n - at) == 1 or _STEP.search(passages[n].text)}
        before, after = ([n for n in side if n in near or keys[n] in wanted] for side in (before, after))
    chosen, left, closed = {at}, tokens, set[bool]()
    for n in (n for pair in zip_longest(after, before) for n in pair if n is not None):
        size = estimate(passages[n].text)
        if size > left:
            closed.add(n > at)  # what stands behind a gap is not read on in
        elif (n > at) not in closed:
            chosen.add(n)
            left -= size
    return [passages[n] for n in sorted(chosen)]


_STEP = re.compile(r"^[ \t]{0,8}(?:\d{1,3}[.)]|[一二三四五六七八九十]{1,3}、)[ \t]?\S", re.MULTILINE)
"""A numbered step: those of one list are no use apart."""


def _announces(section: Sequence[Passage]) -> bool:
    """Tell whether what stands in a section mostly announces what follows under other headings."""
    text = section[-1].text.rstrip()
    return text.endswith((":", "：")) or sum(estimate(each.text) for each in section) < _LITTLE


def _opens_section(passage: Passage) -> bool:
    found = blocks(passage.text)
    return bool(found) and found[0].form == "heading"
