"""A text as what it claims and what it cites: its sentences, each with its references."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from library import Source, detect
from library.passages import blocks, headings_above, word_count
from library.text import CODE_SPAN, is_question, sentences
from reports.audit.citation_marks import CitationMark, CitationReader
from reports.audit.reference_entry import ReferenceEntry
from reports.audit.reference_list import references

_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)[*_])(?=\S)(.{1,240}?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([\[\]()*_`#|$.!<>~^{}+-])")
_ANCHOR = re.compile(r"<a (?:id|name)=\"[^\"<>]{0,200}\">\s*</a>")
_TO_LIST = re.compile(r"\[(\[[^\[\]\n]{1,40}\])\]\(#[^()\s]{0,200}\)")
_QUOTED_LINE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_STATES = (".", "。", ":", "：")
_WHOSE = ("—", "–", "> —")
"""How a line begins that says who is quoted above it."""
_AUTHOR_YEAR = re.compile(
    r"\s*(?:\w+ )?[^\W\d_][\w’'-]+, [A-Z]\.[^()\n]{0,120}\((?:1[5-9]|20)\d\d[a-z]?\)\.?\s*$"
)
_VOLUME = re.compile(
    r"\b\d{1,4} ?\(\d{1,4}\)\s?[,:;]\s?(?:pp?\.\s?)?e?\d+ ?[–-] ?\d+"
    r"|\bvol\. ?\d+.{0,40}\bpp?\. ?\d",
    re.IGNORECASE,
)
_LONGEST_ENTRY = 3
"""Sentences from author and year to volume and pages."""
_FEWEST = 5
"""Words of a claim."""
_MOST_BESIDE = 20
"""Citations of its paragraph that one without its own may rest on."""


@dataclass(frozen=True, slots=True)
class ManuscriptClaim:
    """A sentence of the text, with what it cites."""

    n: int
    text: str
    """Without citations and marks of emphasis."""
    start: int
    end: int
    section: str
    references: tuple[str, ...]
    """Keys; empty where nothing is cited."""
    beside: tuple[str, ...]
    """Keys of what its paragraph cites for other sentences: one citation may stand for several."""


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A text, read."""

    source: Source
    language: str
    references: tuple[ReferenceEntry, ...]
    claims: tuple[ManuscriptClaim, ...]
    dangling: tuple[str, ...]
    """Citations of what is not listed, as written."""
    doubtful: tuple[str, ...] = ()
    """What may be such citations, and may be none."""


def manuscript(source: Source) -> Manuscript:
    """Read a text: its claims in order, its references, and what it cites without listing it."""
    source = replace(source, text=_unescaped(source.text))
    text, language = source.text, detect(source.text)
    listed, lists = references(text, language)
    begins = [start for start, _end in lists]

    def is_listed(place: int) -> bool:
        last = bisect_right(begins, place) - 1
        return last >= 0 and place < lists[last][1]

    prose = [
        (block.start, block.end, block.paragraph)
        for block in blocks(text)
        if block.form in ("prose", "point", "step") and not is_listed(block.start)
    ]
    cited = CitationReader(text, listed)
    marks = [mark for start, end, _ in prose for mark in cited.marks(start, end)]
    claims = tuple(_claims(text, prose, marks))
    every = (*listed, *cited.links.values())
    dangling, doubtful = (tuple(dict.fromkeys(found)) for found in (cited.dangling, cited.doubtful))
    return Manuscript(source, language, every, claims, dangling, doubtful)


def _unescaped(text: str) -> str:
    """Return Markdown as it reads: without escapes and anchors, citations without their way to the list."""
    return _TO_LIST.sub(r"\1", _ESCAPE.sub(r"\1", _ANCHOR.sub("", text)))


def _claims(
    text: str, prose: Sequence[tuple[int, int, int]], marks: Sequence[CitationMark]
) -> Iterator[ManuscriptClaim]:
    """Yield the sentences that claim something, each with the citations in it and right behind it.

    Blocks and citations are in the order of the text.
    """
    shown = _blanked(text, marks)
    begins = [mark.start for mark in marks]

    def within(start: int, end: int) -> Sequence[CitationMark]:
        return marks[bisect_left(begins, start) : bisect_left(begins, end)]

    in_paragraph: dict[int, dict[str, None]] = {}
    for start, end, paragraph in prose:
        told = (key for mark in within(start, end) for key in mark.keys)
        in_paragraph.setdefault(paragraph, {}).update(dict.fromkeys(told))
    number = 0
    for start, end, paragraph in prose:
        spans = [(start + a, start + b) for a, b in sentences(shown[start:end])]
        entries = set(_inside_entries([shown[a:b] for a, b in spans]))
        for place, (a, b) in enumerate(spans):
            until = spans[place + 1][0] if place + 1 < len(spans) else end
            own = within(a, until)
            words = _said(text, a, b, own)
            if place in entries:
                continue
            asks = is_question(words) and not words.endswith(_STATES)  # `When it rains, … .` asks nothing
            if word_count(words) < _FEWEST or asks or words.startswith(_WHOSE):
                continue
            number += 1
            keys = dict.fromkeys(key for mark in own for key in mark.keys)
            beside = (key for key in in_paragraph[paragraph] if key not in keys)
            section = (headings_above(text, a) or [""])[-1]
            stop = max([b, *(mark.end for mark in own)])
            yield ManuscriptClaim(
                number, words, a, stop, section, tuple(keys), tuple(islice(beside, _MOST_BESIDE))
            )


def _inside_entries(said: Sequence[str]) -> Iterator[int]:
    """Yield which sentences are parts of a reference that is written into the prose.

    That is one with volume and pages, and what stands between it and the author and year before it.
    """
    opened: int | None = None
    for place, words in enumerate(said):
        if _AUTHOR_YEAR.match(words):
            opened = place
        if _VOLUME.search(words):
            yield from range(place if opened is None else opened, place + 1)
            opened = None
        elif opened is not None and place - opened >= _LONGEST_ENTRY:
            opened = None


def _blanked(text: str, marks: Sequence[CitationMark]) -> str:
    """Return the text with blanks for citations, so that sentences end where they do; links keep words."""
    parts, at = list[str](), 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start < at:
            continue
        words = f" {mark.words}" if mark.words else ""
        parts += [text[at : mark.start], words.ljust(mark.end - mark.start)]
        at = mark.end
    return "".join([*parts, text[at:]])


def _plain_outside_code(text: str) -> str:
    """Return a text without marks of emphasis; code keeps its signs."""
    parts, at = list[str](), 0
    for span in CODE_SPAN.finditer(text):
        parts += [_EMPHASIS.sub(r"\2", text[at : span.start()]), span[0]]
        at = span.end()
    return "".join([*parts, _EMPHASIS.sub(r"\2", text[at:])])


def _said(text: str, start: int, end: int, marks: Sequence[CitationMark]) -> str:
    """Return what a sentence says, without its citations and marks of emphasis."""
    parts, at = list[str](), start
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start >= end or mark.start < at:
            continue
        parts += [text[at : mark.start], mark.words or " "]
        at = mark.end
    told = _QUOTED_LINE.sub("", "".join([*parts, text[at:end] if at < end else ""]))
    told = _plain_outside_code(" ".join(told.split()))
    return re.sub(r"(?<!\s)\s+([.,;:!?)。，；：！？）])", r"\1", told)
