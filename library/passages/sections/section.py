"""The sections of a page: which one answers a question, and what stands beside a passage in its own.

Read on, a step finds its command and a claim its reason.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from library.evidence import Passage
from library.passages.blocks import blocks
from library.passages.sections.section_ranking import AskedSection, rank_sections
from library.passages.text_structure import LONG_SECTION, item_name, name_entries, terms_above
from library.text import titled_text
from models import Statistics, estimate

AFTER = 3
"""Passages after it that are read on in, under the headings that follow too."""

_LITTLE = 80
"""Tokens of a section below which it says little by itself."""


@dataclass(frozen=True, slots=True)
class _Block:
    heading: str
    term: str
    words: str
    code: bool
    place: int
    """Of its passage."""
    item: bool = False
    name: str = ""
    """Of an item what it begins with (`item_name`)."""


def answering_sections(
    question: str, passages: Sequence[Passage], statistics: Statistics, most: int, tokens: int
) -> list[list[Passage]]:
    """Return the sections of pages that answer a question best, each whole or from its heading on.

    Args:
        question: What is asked.
        passages: All of each page, in order, page by page.
        statistics: Knows what texts mean, or weighs their words.
        most: Sections.
        tokens: Of each section, about; one passage is returned, whatever its length.
    """
    held = _sections(passages)
    ranked = rank_sections(question, [_text(each, passages) for each in held], statistics)
    return [_from_heading(held[n], passages, tokens) for n, fit in ranked[:most] if fit > 0]


def _from_heading(section: Sequence[_Block], passages: Sequence[Passage], tokens: int) -> list[Passage]:
    chosen: list[Passage] = []
    for place in dict.fromkeys(block.place for block in section):
        tokens -= estimate(passages[place].text)
        if chosen and tokens < 0:
            break
        chosen.append(passages[place])
    return chosen


def _text(section: Sequence[_Block], passages: Sequence[Passage]) -> AskedSection:
    held = [passages[place] for place in dict.fromkeys(block.place for block in section)]
    first = section[0]
    names = [name for name in (held[0].title, first.heading, first.term) if name]
    return AskedSection(
        ". ".join(dict.fromkeys(names)),
        names[-1] if names else "",
        " ".join(block.words for block in section),
        [titled_text(passage) for passage in held],
    )


def _sections(passages: Sequence[Passage]) -> list[list[_Block]]:
    """Return what stands under each heading of pages, and of a long one under each of its terms."""
    found = list[_Block]()
    heading, page = "", ""
    for place, passage in enumerate(passages):
        heading, page = heading if passage.sha256 == page else "", passage.sha256
        for block in blocks(passage.text):
            words = " ".join(passage.text[block.start : block.end].split())
            if block.form == "heading":
                heading = words
            else:
                term = (terms_above(passage.text, block.start) or [""])[-1]
                item = block.form == "point"
                name = item_name(passage.text, block.start) if item else ""
                found.append(_Block(heading, term, words, block.form == "code", place, item, name))
    runs = [list(run) for _, run in groupby(found, lambda b: (passages[b.place].sha256, b.heading))]
    return [
        part
        for run in runs
        for part in (
            [run]
            if sum(len(b.words.split()) for b in run) <= LONG_SECTION
            else _entries(run)
        )
    ]


def _entries(section: Sequence[_Block]) -> list[list[_Block]]:
    """Return a long section by the terms that it explains, or by its items where those have names."""
    if name_entries([block.name for block in section if block.item]):
        section = [replace(block, term=block.name or block.term) for block in section]
    return [list(own) for _, own in groupby(section, lambda block: block.term)]


def section_around(
    passages: Sequence[Passage], held: Collection[tuple[str, int, int]], tokens: int
) -> list[Passage]:
    """Return the section that some passages stand in: from its heading on, as far as there is room.

    Of a longer one what stands beside them, what goes on first.

    Args:
        passages: All of their source, in order.
        held: Keys of some of one section, or of what stands in one that is longer.
        tokens: For what is returned beside these.
    """
    own = [n for n, passage in enumerate(passages) if passage.key in held]
    if not own:
        return []
    first, end = own[0], own[-1] + 1
    while first > 0 and not _opens_section(passages[first]):
        first -= 1
    while end < len(passages) and not _opens_section(passages[end]):
        end += 1
    within = [n for n in range(own[0], own[-1] + 1) if n not in own]
    chosen = set(own)
    for n in (*within, *range(own[-1] + 1, end), *range(own[0] - 1, first - 1, -1)):
        tokens -= estimate(passages[n].text)
        if tokens < 0:
            break
        chosen.add(n)
    return [passages[n] for n in sorted(chosen)]


def read_on(
    passages: Sequence[Passage],
    passage: Passage,
    known: Collection[tuple[str, int, int]] = (),
    tokens: int = 1_200,
    wanted: Collection[tuple[str, int, int]] | None = None,
    fitting: Collection[tuple[str, int, int]] | None = None,
) -> list[Passage]:
    """Return a passage with those that stand around it on its page, in order.

    Its whole section, from its heading on, where there is room, and what it announces in the next ones. Of a
    section that is longer, a list of parameters or of changes, or a text without headings, what goes on from
    the passage, what is wanted and steps that are numbered; where nobody says what is wanted, what is
    nearest, also under the headings that follow.

    Args:
        passages: All of its source, in order; where it is not among them, it is returned alone.
        passage: The one that was asked for.
        known: Keys of those that were read before: passed over, so that reading again goes on.
        tokens: For all that stands around it.
        wanted: Keys of what is read on in a section that is longer than so many tokens; None: of all.
        fitting: Keys of what may be read on in a section of any length, beside its steps, what goes on from
            the passage and what it goes on from; None: all.
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
    announces = _announces(passages[at:end])
    if wanted is not None and not announces:
        after = [n for n in after if n < end]
    longer = sum(estimate(each.text) for each in passages[first:end]) > tokens
    bounds = ((wanted, longer), (fitting, not announces))
    of_use = [some for some, holds in bounds if some is not None and holds]
    if of_use:
        near = {n for n in range(first, end) if _STEP.search(passages[n].text)}
        near |= set(_going_on(passages, at, end)) | set(_leading_to(passages, at, first))
        before, after = (
            [n for n in side if n in near or all(keys[n] in some for some in of_use)]
            for side in (before, after)
        )
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


_ITEM = re.compile(r"[ \t]*(?:[-*•‣▪–+]|\d{1,3}[.)])[ \t]+\S")
_STOPPED = re.compile(r"[.!?。！？][\"”’'»)）」』\]]*$")


def _going_on(passages: Sequence[Passage], at: int, end: int) -> Iterator[int]:
    """Yield the numbers of the passages that go on from one, up to the end of its section."""
    while at + 1 < end and _goes_on(passages[at].text, passages[at + 1].text):
        at += 1
        yield at


def _leading_to(passages: Sequence[Passage], at: int, first: int) -> Iterator[int]:
    """Yield the numbers of the passages that one goes on from, back to the beginning of its section."""
    while at > first and _goes_on(passages[at - 1].text, passages[at].text):
        at -= 1
        yield at


def _goes_on(text: str, following: str) -> bool:
    """Tell whether a text goes on in the one behind it: a sentence, a list, what “For example,” announces."""
    text = text.rstrip()
    last = text[text.rfind("\n") + 1 :]
    listed = bool(_ITEM.match(last) and _ITEM.match(following))
    return listed or not _STOPPED.search(text)


def _announces(section: Sequence[Passage]) -> bool:
    """Tell whether what stands in a section mostly announces what follows under other headings."""
    text = section[-1].text.rstrip()
    return text.endswith((":", "：")) or sum(estimate(each.text) for each in section) < _LITTLE


def _opens_section(passage: Passage) -> bool:
    found = blocks(passage.text)
    return bool(found) and found[0].form == "heading"
