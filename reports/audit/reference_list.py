"""The lists of references of a text: where they are, and their entries with what the text cites them by.

A heading alone makes no list: most of what stands below it must look like entries. Texts are uploaded by
anybody, so every pattern here is tried on one line, or with a bound on how far it reads.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.audit.reference_entry import ReferenceEntry, heading_words

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
_ADDRESS = re.compile(r"https?://|file:/|\b10\.\d{4,9}/|\bISBN\b")
_ENTRY = re.compile(rf"{_YEAR.pattern}|{_ADDRESS.pattern}")
_WORD = re.compile(r"[^\W_]+")
_CITED = re.compile(r"[\[【]\^?([^\[\]【】\n]{1,60})[\]】]")
_BROKEN = re.compile(r"(https?://\S{0,300}[./_-]) (?!https?:)(?=[\w-]{1,80}[./])")
"""An address that a line's end broke."""
_RUN_ON = re.compile(r"[.!?)\]”\"] ([^\n.!?]{3,40})\n\s*(?=\S)")
"""The last words of a line behind a sentence: a heading that a reader of PDF took for a part of it."""
_SHORTEST, _LONGEST, _LONGEST_POINT = 8, 800, 300
"""Characters of an entry, and of one behind a bullet; what is longer is prose."""
_NAMES = 0.45
"""Share of words with a capital or a figure from which on a text is names, titles and dates."""
_FOREIGN = 3
"""Pieces in a row that are no entries and end a list whose heading is not marked as one."""
_LONGEST_HEADING = 60


@dataclass(frozen=True, slots=True)
class _Piece:
    """What may be an entry."""

    label: str | None
    """As it stands before it; empty for a bullet, None where nothing stands there."""
    start: int
    end: int
    body: str

    @property
    def looks_like_one(self) -> bool:
        """Whether it is labelled, or reads as names, titles and a year or an address, and not as prose."""
        if len(self.body) > (_LONGEST_POINT if self.label == "" else _LONGEST):
            return False
        if self.label is not None:
            return True
        if not _ENTRY.search(self.body):
            return False
        words = _WORD.findall(self.body)
        named = sum(not word[0].islower() for word in words) >= _NAMES * len(words)
        return named or bool(_ADDRESS.search(self.body) or _STARTS.match(self.body))


@dataclass(frozen=True, slots=True)
class _List:
    """A list of references, from its heading to where it ends."""

    start: int
    end: int
    pieces: Sequence[_Piece]

    @property
    def labels(self) -> set[str]:
        return {piece.label for piece in self.pieces if piece.label}


def references(text: str, language: str) -> tuple[list[ReferenceEntry], list[tuple[int, int]]]:
    """Return a text's references, and the spans of it that are lists of them and no prose, in order.

    Of several lists the one whose labels the text cites is read by them; entries of the others keep labels of
    their own, and are called by name and year where they have none. A label may so stand for several.
    """
    lists = _lists(text, language)
    found = _entries(lists, _cited(text, lists))
    spans = [(one.start, one.end) for one in lists]
    known = {reference.key for reference in found}
    for note in _FOOTNOTE.finditer(text):
        if note[1] not in known and not any(one.start <= note.start() < one.end for one in lists):
            body = " ".join(note[2].split())
            spans.append(note.span())
            if _ENTRY.search(body) or len(known) == 0:
                found.append(ReferenceEntry(note[1], body, *note.span()))
    return found, sorted(spans)


def _lists(text: str, language: str) -> list[_List]:
    """Return the lists of a text under headings of its language, or else of any."""
    headings = [(a, b, *read) for a, b in _lines(text, 0, len(text)) if (read := _heading(text[a:b]))]
    for names in (heading_words(language, "en"), heading_words()):
        found = (
            _under_headings(text, headings, names)
            or _under_lines(text, headings, names)
            or _behind_sentences(text, headings, names)
        )
        if found:
            return found
    return []


def _under_headings(
    text: str, headings: Sequence[tuple[int, int, int, str]], names: frozenset[str]
) -> list[_List]:
    found: list[_List] = []
    for n, (start, end, level, words) in enumerate(headings):
        if _bare(words) in names and not (found and start < found[-1].end):
            below = (headings[at][0] for at in range(n + 1, len(headings)) if headings[at][2] <= level)
            stop = next(below, len(text))
            pieces = list(_pieces(text, end, stop))
            if _mostly_entries(pieces, labelled=True):
                found.append(_List(start, stop, pieces))
    return found


def _under_lines(
    text: str, headings: Sequence[tuple[int, int, int, str]], names: frozenset[str]
) -> list[_List]:
    """Return lists under lines that are called as one is, and are marked as no heading."""
    lines = ((a, b) for a, b in _lines(text, 0, len(text)) if b - a <= _LONGEST_HEADING)
    return _unmarked(text, headings, [(a, b) for a, b in lines if _bare(text[a:b]) in names])


def _behind_sentences(
    text: str, headings: Sequence[tuple[int, int, int, str]], names: frozenset[str]
) -> list[_List]:
    """Return numbered lists whose heading a reader of PDF took for the end of a line."""
    runs = (run for run in _RUN_ON.finditer(text) if _bare(run[1]) in names)
    places = [(run.start(1), run.end(1)) for run in runs if _LABEL.match(text, run.end())]
    return _unmarked(text, headings, places)


def _unmarked(
    text: str, headings: Sequence[tuple[int, int, int, str]], places: Sequence[tuple[int, int]]
) -> list[_List]:
    """Return the lists that begin at some places: each goes on to the next heading, or to prose."""
    found: list[_List] = []
    begins = [heading[0] for heading in headings]
    for n, (start, end) in enumerate(places):
        if found and start < found[-1].end:
            continue
        place = bisect_left(begins, end)
        stop = min(
            begins[place] if place < len(begins) else len(text),
            places[n + 1][0] if n + 1 < len(places) else len(text),
        )
        pieces: list[_Piece] = []
        foreign = 0
        for piece in _pieces(text, end, stop):
            pieces.append(piece)
            foreign = 0 if piece.looks_like_one else foreign + 1
            if foreign == _FOREIGN:
                break
        kept = pieces[: len(pieces) - foreign]
        if _mostly_entries(kept, labelled=False):
            found.append(_List(start, pieces[len(kept)].start if foreign else stop, kept))
    return found


def _mostly_entries(pieces: Sequence[_Piece], *, labelled: bool) -> bool:
    """Tell whether most pieces are entries, and one says when or where; `labelled`: or all have numbers."""
    if not pieces or 2 * sum(piece.looks_like_one for piece in pieces) < len(pieces):
        return False
    return any(_ENTRY.search(piece.body) for piece in pieces) or (
        labelled and all(piece.label for piece in pieces)
    )


def _cited(text: str, lists: Sequence[_List]) -> set[str]:
    """Return the labels that stand in brackets outside of the lists."""
    found: set[str] = set()
    at = 0
    for start, end in [*((one.start, one.end) for one in lists), (len(text), len(text))]:
        for match in _CITED.finditer(text, at, start):
            found.update(re.findall(r"[\w+-]+", match[1]), re.findall(r"\d+", match[1]))
        at = end
    return found


def _entries(lists: Sequence[_List], cited: set[str]) -> list[ReferenceEntry]:
    """Return all entries, those of the list that the text cites from under their labels or numbers."""
    if not lists:
        return []
    main = max(range(len(lists)), key=lambda n: (len(lists[n].labels & cited), len(lists[n].pieces), n))
    taken: set[str] = {*lists[main].labels, *map(str, range(1, len(lists[main].pieces) + 1))}
    found: list[ReferenceEntry] = []
    for n, one in enumerate(lists):
        for number, piece in enumerate(one.pieces, 1):
            aside = piece.label is None and bool(one.labels) and not piece.looks_like_one
            if len(piece.body) >= _SHORTEST and not aside:
                key = piece.label or (str(number) if n == main else _by_name(piece.body, taken))
                found.append(ReferenceEntry(key, piece.body, piece.start, piece.end))
    return found


def _by_name(body: str, taken: set[str]) -> str:
    """Return a key from an entry's first word and its year that no other has; it is taken then."""
    year = _YEAR.search(body)
    word = next(iter(_WORD.findall(body)), "")
    name = " ".join(part for part in (word, year[0] if year else "") if part)
    number, key = 1, name
    while key in taken:
        number, key = number + 1, f"{name} ({number + 1})"
    taken.add(key)
    return key


def _pieces(text: str, start: int, end: int) -> Iterator[_Piece]:
    """Yield what stands below a heading in pieces: by labels where there are some, else by paragraphs."""
    lines = [(a, b) for a, b in _lines(text, start, end) if not _heading(text[a:b])]
    for label, a, b in _grouped(text, lines):
        yield _Piece(label, a, b, _BROKEN.sub(r"\1", " ".join(text[a:b].split())))


def _grouped(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[tuple[str | None, int, int]]:
    """Yield the label, beginning and end of each piece."""
    labels = [_LABEL.match(text, a, b) for a, b in lines]
    starts = set(_starts(text, lines))
    labelled = sum(label is not None for label in labels) * 2 >= max(len(starts), 1)
    held: tuple[str | None, int, int] | None = None
    for (a, b), label in zip(lines, labels, strict=True):
        begins = (label is not None) if labelled else a in starts
        goes_on = held is not None and (not labelled or text.count("\n", held[2], a) < 2)
        if begins or not goes_on:
            if held is not None:
                yield held
            named = label if labelled else None
            held = (_written(named), named.end() if named else a, b)
        elif held is not None:
            held = (held[0], held[1], b)
    if held is not None:
        yield held


def _written(label: re.Match[str] | None) -> str | None:
    if label is None:
        return None
    return label["foot"] or label["square"] or label["round"] or label["plain"] or ""


def _starts(text: str, lines: Sequence[tuple[int, int]]) -> list[int]:
    """Return where entries without labels begin: behind a blank line, or where a line opens with a name."""
    found: list[int] = []
    parted = any(text.count("\n", b, a) > 1 for (_a, b), (a, _b) in pairwise(lines))
    before, dated = 0, False
    for a, b in lines:
        opens = not found or text.count("\n", before, a) > 1
        if not parted and found and dated:
            closed = re.search(r"[.)/\d\]]\s*$", text[max(0, before - 3) : before]) is not None
            opens = closed and bool(_STARTS.match(text, a, b) or _ENTRY.search(text, a, b))
        if opens:
            found.append(a)
            dated = False
        dated = dated or _YEAR.search(text, a, b) is not None
        before = b
    return found


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the lines of a text that are not blank begin and end."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if text[start:stop].strip():
            yield start, stop
        start = stop + 1


def _heading(line: str) -> tuple[int, str] | None:
    """Return the level (1 to 6) and the words of a line that is marked as a heading; None for another."""
    bare = line.strip(" \t")
    level = len(bare) - len(bare.lstrip("#"))
    if not 1 <= level <= 6 or bare[level : level + 1] not in (" ", "\t"):
        return None
    words = bare[level:].strip(" \t").rstrip("#").rstrip(" \t")
    return (level, words) if words else None


def _bare(heading: str) -> str:
    """Return how a heading is called, without number, marks and stops; empty for one that is too long."""
    if len(heading) > 2 * _LONGEST_HEADING:
        return ""
    return _NUMBERED_HEADING.sub("", heading.strip(" \t*_#")).strip(" :：.*_").casefold()
