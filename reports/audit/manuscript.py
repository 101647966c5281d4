"""A text as what it claims and what it cites: its sentences, each with its references."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from library import Source, detect
from library.passages import blocks, headings_above, word_count
from library.text import is_question, sentences
from reports.audit.citation_marks import CitationMark, CitationReader
from reports.audit.reference_entry import ReferenceEntry
from reports.audit.reference_list import references

_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)[*_])(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([\[\]()*_`#|$.!<>~^{}+-])")
_ANCHOR = re.compile(r"<a (?:id|name)=\"[^\"<>]{0,200}\">\s*</a>")
_TO_LIST = re.compile(r"\[(\[[^\[\]\n]{1,40}\])\]\(#[^()\s]{0,200}\)")
_QUOTED_LINE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_WHOSE = ("—", "–", "> —")
"""How a line begins that says who is quoted above it."""
_FEWEST = 5
"""Words of a claim."""


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


def manuscript(source: Source) -> Manuscript:
    """Read a text: its claims in order, its references, and what it cites without listing it."""
    source = replace(source, text=_unescaped(source.text))
    text = source.text
    listed, lists = references(text)
    prose = [
        (block.start, block.end, block.paragraph)
        for block in blocks(text)
        if block.form in ("prose", "point", "step") and not any(a <= block.start < b for a, b in lists)
    ]
    cited = CitationReader(text, listed)
    marks = [mark for start, end, _ in prose for mark in cited.marks(start, end)]
    claims = tuple(_claims(text, prose, marks))
    every = (*listed, *cited.links.values())
    return Manuscript(source, detect(text), every, claims, tuple(dict.fromkeys(cited.dangling)))


def _unescaped(text: str) -> str:
    """Return Markdown as it reads: without escapes and anchors, citations without their way to the list."""
    return _TO_LIST.sub(r"\1", _ESCAPE.sub(r"\1", _ANCHOR.sub("", text)))


def _claims(
    text: str, prose: Sequence[tuple[int, int, int]], marks: Sequence[CitationMark]
) -> Iterator[ManuscriptClaim]:
    """Yield the sentences that claim something, each with the citations in it and right behind it."""
    shown = _blanked(text, marks)
    in_paragraph: dict[int, list[str]] = {}
    for start, end, paragraph in prose:
        in_paragraph.setdefault(paragraph, []).extend(
            k for m in marks if start <= m.start < end for k in m.keys
        )
    number = 0
    for start, end, paragraph in prose:
        spans = [(start + a, start + b) for a, b in sentences(shown[start:end])]
        for place, (a, b) in enumerate(spans):
            until = spans[place + 1][0] if place + 1 < len(spans) else end
            own = [mark for mark in marks if a <= mark.start < until]
            words = _said(text, a, b, own)
            if word_count(words) < _FEWEST or is_question(words) or words.startswith(_WHOSE):
                continue
            number += 1
            keys = tuple(dict.fromkeys(key for mark in own for key in mark.keys))
            beside = tuple(k for k in dict.fromkeys(in_paragraph[paragraph]) if k not in keys)
            section = (headings_above(text, a) or [""])[-1]
            stop = max([b, *(mark.end for mark in own)])
            yield ManuscriptClaim(number, words, a, stop, section, keys, beside)


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


def _said(text: str, start: int, end: int, marks: Sequence[CitationMark]) -> str:
    """Return what a sentence says, without its citations and marks of emphasis."""
    parts, at = list[str](), start
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start >= end or mark.start < at:
            continue
        parts += [text[at : mark.start], mark.words or " "]
        at = mark.end
    told = _QUOTED_LINE.sub("", "".join([*parts, text[at:end] if at < end else ""]))
    told = _EMPHASIS.sub(r"\2", " ".join(told.split()))
    return re.sub(r"(?<!\s)\s+([.,;:!?)。，；：！？）])", r"\1", told)
