"""The list of references of a text: where it is, and its entries with what the text cites them by."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reports.audit.reference_entry import ReferenceEntry, data

_HEADING = re.compile(r"^[ \t]*(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_NUMBERED_HEADING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[IVX]+\.)\s+")
_LABEL = re.compile(
    r"[ \t]*(?:[-*•‣▪–][ \t]+(?=\[))?(?:\[\^(?P<foot>[\w-]{1,40})\]:"
    r"|\[(?P<square>[\w+-]{1,20})\][.:]?|\((?P<round>\d{1,3})\)"
    r"|(?P<plain>\d{1,3})[.)]?(?=[ \t]+\D)|(?P<bullet>[-*•‣▪–](?=[ \t])))[ \t]*"
)
_FOOTNOTE = re.compile(
    r"^[ \t]{0,3}\[\^([\w-]{1,40})\]:[ \t]*(.+(?:\n(?![ \t]{0,3}\[\^|[ \t]*\n|#).+)*)", re.MULTILINE
)
_STARTS = re.compile(r"[ \t]*[^\W\d_][\w’'-]+(?: [^\W\d_][\w’'-]+)?,\s+(?:[A-Z]\.|[A-Z][\w’'-]+)")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d")
_ENTRY = re.compile(r"(?:\b(?:1[5-9]|20)\d\d|https?://|\b10\.\d{4,9}/|\bISBN\b)")
_BROKEN = re.compile(r"(https?://\S*[./_-]) (?!https?:)(?=[\w-]+[./])")
"""An address that a line's end broke."""
_RUN_ON = re.compile(r"[.!?)\]”\"] ([^\n.!?]{3,40})\n\s*(?=\S)")
"""The last words of a line behind a sentence: a heading that a reader of PDF took for a part of it."""
_SHORTEST = 8
"""Characters of an entry."""


def list_span(text: str) -> tuple[int, int] | None:
    """Return where the list of references stands, from its heading to where it ends; None without one.

    Of several lists the last that holds entries counts.
    """
    names = set(data()["headings"])
    found: tuple[int, int] | None = None
    heads = [(m.start(), m.end(), len(m[1]), m[2]) for m in _HEADING.finditer(text)]
    for n, (start, end, level, words) in enumerate(heads):
        if _bare(words) in names:
            stop = next((s for s, _e, other, _w in heads[n + 1 :] if other <= level), len(text))
            listed = _ENTRY.search(text, end, stop) is not None or _all_numbered(text, end, stop)
            found = (start, stop) if listed else found
    if found is None:
        for line in re.finditer(r"^[^\n]{3,60}$", text, re.MULTILINE):
            if _bare(line[0]) in names and _ENTRY.search(text, line.end()):
                found = (line.start(), len(text))
    if found is None:
        for run in _RUN_ON.finditer(text):
            if _bare(run[1]) in names and _LABEL.match(text, run.end()) and _ENTRY.search(text, run.end()):
                found = (run.start(1), len(text))
    return found


def _all_numbered(text: str, start: int, end: int) -> bool:
    """Tell whether what stands under a heading is a list of numbered entries, whatever they hold."""
    paragraphs = [part.strip("\n") for part in re.split(r"\n[ \t]*\n", text[start:end]) if part.strip()]
    labels = [_LABEL.match(part) for part in paragraphs]
    return bool(labels) and all(label is not None and not label["bullet"] for label in labels)


def _bare(heading: str) -> str:
    return _NUMBERED_HEADING.sub("", heading.strip(" \t*_#")).strip(" :：.*_").casefold()


def references(text: str) -> tuple[list[ReferenceEntry], list[tuple[int, int]]]:
    """Return a text's references in order, and the spans of it that are lists of them and no prose."""
    span = list_span(text)
    found: list[ReferenceEntry] = []
    spans: list[tuple[int, int]] = []
    if span is not None:
        found += _entries(text, *span)
        spans.append(span)
    known = {reference.key for reference in found}
    for note in _FOOTNOTE.finditer(text):
        if note[1] not in known and not any(a <= note.start() < b for a, b in spans):
            body = " ".join(note[2].split())
            spans.append(note.span())
            if _ENTRY.search(body) or len(known) == 0:
                found.append(ReferenceEntry(note[1], body, *note.span()))
    return found, spans


def _entries(text: str, start: int, end: int) -> Iterator[ReferenceEntry]:
    begins = text.find("\n", start, end)
    if begins < 0:
        return
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]*\S[^\n]*", text[:end]) if m.start() > begins]
    lines = [(a, b) for a, b in lines if not _HEADING.match(text, a, b)]
    for number, (label, a, b) in enumerate(_grouped(text, lines), 1):
        body = _BROKEN.sub(r"\1", " ".join(text[a:b].split()))
        if len(body) >= _SHORTEST:
            yield ReferenceEntry(label or str(number), body, a, b)


def _grouped(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield the label, beginning and end of each entry: by labels where there are some, else paragraphs."""
    labels = [_LABEL.match(text, a, b) for a, b in lines]
    labelled = sum(label is not None for label in labels) * 2 >= max(len(_starts(text, lines)), 1)
    held: tuple[str, int, int] | None = None
    starts = set(_starts(text, lines))
    for (a, b), label in zip(lines, labels, strict=True):
        if labelled and label is not None:
            if held is not None:
                yield held
            named = label["foot"] or label["square"] or label["round"] or label["plain"] or ""
            held = (named, label.end(), b)
        elif not labelled and a in starts:
            if held is not None:
                yield held
            held = ("", a, b)
        elif held is not None and (not labelled or not text[held[2] : a].count("\n\n")):
            held = (held[0], held[1], b)
    if held is not None:
        yield held


def _starts(text: str, lines: Sequence[tuple[int, int]]) -> list[int]:
    """Return where entries without labels begin: behind a blank line, or where a line opens with a name."""
    found: list[int] = []
    before = 0
    blank_parted = sum("\n\n" in text[b:a2] for (_a, b), (a2, _b) in pairwise(lines))
    for a, b in lines:
        opens = not found or "\n\n" in text[before:a]
        if not blank_parted and found:
            closed = re.search(r"[.)/\d\]]\s*$", text[max(0, before - 3) : before]) is not None
            whole = _YEAR.search(text, found[-1], before) is not None
            opens = (
                closed
                and whole
                and (_STARTS.match(text, a, b) is not None or _ENTRY.search(text[a:b]) is not None)
            )
        if opens:
            found.append(a)
        before = b
    return found
