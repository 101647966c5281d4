"""Texts that say the same word for word, however their files were made: a page, a PDF of it, a text of it.

What a format adds is folded away: white space and line ends, kinds of quotation marks, marks of lists and
headings, hyphens between letters, numbers of sections, a page's foot. All else has to be there sign by sign,
in whole sentences: two texts that differ in a figure, a version, an option or a “not” say different things.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile

from library.passages.blocks import Block, blocks
from library.text import sentences
from library.text.multilingual.scripts import CJK

_FEWEST = 16
"""Folded signs that a text has at least; a shorter one is in no other, only the same as one."""
_APART = "\0"
_KNOWN = 2_000
"""Texts whose folded form is kept, for every prompt compares the same ones."""
_JOINED = 3
"""Sentences, headings or lines that a format may run together into one, at most."""
_LEAST_SHARED = 40
"""Folded signs that two texts have in common at least where each says more than the other."""
_NEARLY = 0.9
"""Share (0 to 1) of a text's folded signs from which it is another one's but for a few words."""
_LONGEST_HEADING = 60
"""Signs of a numbered line at most that is a heading in a text without marks."""
_LONGEST_NUMBERED = 120
"""The same of one below a number in a paragraph of its own."""
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟‘’‚‛´', "'"))
_WIDE_SIGNS = str.maketrans({
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"), 0xAD: None,
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl",
})  # fmt: skip
_MARKS = re.compile(r"^[ \t]*(?:(?:#{1,6}|[-*•‣▪–])[ \t]+)+", re.MULTILINE)
_NAMED_SECTION = re.compile(
    r"((?:\b(?:section|chapter|table|figure|appendix)|§|第|表|图|例)\s{0,5}[\d.]{0,20}\d\s?[节章]?)[\s,]{0,5}"
    r"[“\"][^”\"]{1,80}[”\"]",
    re.IGNORECASE,
)
"""A reference with the name of what it refers to, which only some formats write out."""
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?:[ \t]*\n[ \t]*)?(?=[a-z])")
_STOPS = re.compile(r"[，。、；：！？…]+|(?<![,;:.!?])[,;:.!?]++(?=['\")\]]*+(?:\s|$))")
_WIDE = re.compile(f"[{CJK}]")
_BESIDE_WIDE = re.compile(f"(?<=[{CJK}]) | (?=[{CJK}])")
_LINE = re.compile(r"^[^\S\n]*+\S[^\n]*+", re.MULTILINE)
_STOPPED = re.compile(r"[.!?。！？]\W{0,40}$")
_LABEL = re.compile(r"(?:table|figure|example|表|图|例)?\s*(\d+(?:\.\d+)+)[.:]?\s+(?=\S)", re.IGNORECASE)
"""The number of a section or a table, of which a page often says nothing."""
_NUMBER_ALONE = re.compile(r"(?:table|figure|example|表|图|例)?\s*\d+(?:\.\d+)+[.:]", re.IGNORECASE)
"""The same, where the heading itself stands in the next passage."""
_BARE_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,5}\.?")
"""A section's number in a paragraph of its own."""
_FOOT = re.compile(r"\s*\d+(?:\s*/\s*\d+)?")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, a heading, or a line of code."""

    start: int
    end: int
    words: str
    """Folded, without its label."""
    label: str
    """The number that it begins with; '' for none."""
    heading: bool


@dataclass(frozen=True, slots=True)
class _Folded:
    line: str
    """As it stands, in one line."""
    units: tuple[_Unit, ...]
    words: str
    """Of all units."""
    begins: dict[int, _Unit]
    """The unit that begins at a place of `words`."""
    ends: frozenset[int]
    first: frozenset[int]
    """Where it begins, with and without the headings and the captions above all else."""


def untold(text: str, others: Sequence[str], title: str = "") -> list[tuple[int, int]]:
    """Return the spans of the sentences, headings and lines of a text that none of some others says.

    Args:
        text: What is looked for.
        others: Where it may stand, word for word, in its order and under its headings.
        title: Of the text's source: a line of it with a number alone is the foot of a page.
    """
    folded = _folded(text, title)
    return [(u.start, u.end) for u in _untold(folded, [_folded(other, "") for other in others])]


def holders(texts: Sequence[str], titles: Sequence[str] = ()) -> list[list[int]]:
    """Return for each text the numbers of the others that say all of it.

    Args:
        texts: Passages, usually.
        titles: Of their sources; empty: unknown.
    """
    named = titles or [""] * len(texts)
    folds = [_folded(text, title) for text, title in zip(texts, named, strict=True)]
    near = _near(folds)
    return [
        [m for m in near[n] if m != n and not _untold(folded, [folds[m]])] for n, folded in enumerate(folds)
    ]


def _near(folds: Sequence[_Folded]) -> list[list[int]]:
    """Return for each text the numbers of those that have its longest sentence: no others hold it."""
    whole = _APART.join(fold.words for fold in folds)
    begins = list(accumulate((len(fold.words) + 1 for fold in folds), initial=0))
    found: list[list[int]] = []
    for fold in folds:
        words = max((unit.words for unit in fold.units), key=len, default="")
        places, at = list[int](), whole.find(words) if words else -1
        while at >= 0:
            places.append(bisect_right(begins, at) - 1)
            at = whole.find(words, begins[places[-1] + 1])
        found.append(places)
    return found


def copies(texts: Sequence[str], titles: Sequence[str] = ()) -> list[list[int]]:
    """Return the numbers of texts, those together that say the same, in order; arguments as for `holders`."""
    held = holders(texts, titles)
    found: list[list[int]] = []
    for n in range(len(texts)):
        same = (group for group in found if group[0] in held[n] and n in held[group[0]])
        group = next(same, None)
        if group is None:
            found.append([n])
        else:
            group.append(n)
    return found


def _untold(text: _Folded, places: Sequence[_Folded]) -> list[_Unit]:
    if any(text.line == place.line for place in places):
        return []
    if len(text.words) < _FEWEST:
        return list(text.units)
    missing = _missing(text.units, places)
    # What stands in two references under headings of their own is one text.
    own = any(unit.heading for place in places for unit in place.units)
    headings = own and all(unit.heading for unit in missing)
    return [] if headings and _signs(missing) <= (1 - _NEARLY) * len(text.words) else missing


def _signs(units: Sequence[_Unit]) -> int:
    return sum(len(unit.words) for unit in units)


def _missing(units: Sequence[_Unit], places: Sequence[_Folded]) -> list[_Unit]:
    """Return those of a text's units that stand in none of some places."""
    told = {n for place in places for n in _told_in(units, place)}
    return [unit for n, unit in enumerate(units) if n not in told]


def _told_in(units: Sequence[_Unit], place: _Folded) -> Iterator[int]:
    """Yield which units of a text stand in a place, as one text that was cut elsewhere has them.

    Where the text says something before them or behind them the place says nothing there: what two texts of
    one kind have in common beside what they differ in is no copy; but where that is all but a few words, it
    is one text with these.
    """
    n, reached, cuts, shared = 0, 0, list[int](), list[int]()
    # Most units stand nowhere in the other text: only where one does is it looked at how far it goes.
    held = [unit.words in place.words for unit in units]
    if not any(held):
        return
    while n < len(units):
        if not held[n]:
            n += 1
            continue
        begin, end, behind = _longest_run(units, n, place)
        first = n == 0 or begin in place.first or (units[n].heading and _heads(place, begin))
        last = behind == len(units) or end == len(place.words)
        if behind > n and begin >= reached:
            shared += range(n, behind)
            if (n == 0 and behind == len(units)) or (first and last and end - begin >= _LEAST_SHARED):
                cuts += range(n, behind)
            reached = end
        n = max(behind, n + 1)
    nearly = len(units) > 1 and _signs([units[n] for n in shared]) >= _NEARLY * _signs(units)
    yield from shared if nearly else cuts


def _heads(place: _Folded, begin: int) -> bool:
    """Tell whether a heading begins at a place of a text."""
    return begin in place.begins and place.begins[begin].heading


def _longest_run(units: Sequence[_Unit], first: int, place: _Folded) -> tuple[int, int, int]:
    """Return where units from the first on stand in a place, to where, and the first that does not."""
    best = (0, 0, first)
    for count in range(min(_JOINED, len(units) - first), 0, -1):
        for begin, end in _found(units[first : first + count], place):
            behind, at = first + count, end
            while step := _next(units, behind, place, at):
                behind, at = step
            best = max(best, (begin, at, behind), key=lambda run: run[2])
    return best


def _next(units: Sequence[_Unit], n: int, place: _Folded, end: int) -> tuple[int, int] | None:
    """Return the unit behind those that go on at the end of others, and where they end; None: they do not."""
    for count in range(min(_JOINED, len(units) - n), 0, -1):
        for begin, at in _found(units[n : n + count], place, end):
            if begin - end <= 1:
                return n + count, at
    return None


def _found(units: Sequence[_Unit], place: _Folded, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where units that follow each other stand in a place, from so far on, beside its own units."""
    if any(unit.label for unit in units[1:]):
        return
    words, first = _joined([unit.words for unit in units]), units[0]
    at = place.words.find(words, start)
    while at >= 0:
        begun, end = place.begins.get(at), at + len(words)
        if begun is not None and end in place.ends:
            unnumbered = begun.heading and not begun.label
            if not first.label or unnumbered or begun.label == first.label:
                yield at, end
        at = place.words.find(words, at + 1)


@lru_cache(maxsize=_KNOWN)
def _folded(text: str, title: str) -> _Folded:
    units = tuple(_units(text, " ".join(title.split())))
    begins, ends, words = dict[int, _Unit](), set[int](), ""
    for unit in units:
        words = _joined([words, unit.words])
        begins[len(words) - len(unit.words)] = unit
        ends.add(len(words))
    above = sum(1 for _ in takewhile(lambda unit: unit.heading, units))
    first = frozenset(list(begins)[: above + 1])
    return _Folded(" ".join(text.split()), units, words, begins, frozenset(ends), first)


def _units(text: str, title: str) -> Iterator[_Unit]:
    held = blocks(text)
    numbers = {n for n in range(len(held)) if _numbers_next(text, held, n)}
    for place, block in enumerate(held):
        if place in numbers:
            continue
        told = text[block.start : block.end]
        spans = sentences(told) if block.form in ("prose", "point", "step") else [(0, len(told))]
        if block.form == "code":
            spans = [line.span() for line in _LINE.finditer(told)]
        for start, end in spans:
            said = " ".join(told[start:end].split())
            if title and said.startswith(title) and _FOOT.fullmatch(said[len(title) :]):
                continue
            label = _LABEL.match(said)
            if label is None and _NUMBER_ALONE.fullmatch(said):
                continue
            words = fold(told[start:end] if label is None else said[label.end() :])
            bare = len(spans) == 1 and len(said) <= _LONGEST_HEADING and not _STOPPED.search(said)
            heading = block.form == "heading" or place - 1 in numbers or (label is not None and bare)
            if words:
                begin = block.start + start
                yield _Unit(begin, block.start + end, words, label[1] if label else "", heading)


def _numbers_next(text: str, held: Sequence[Block], n: int) -> bool:
    """Tell whether a paragraph is only the number of the section whose heading is the next one.

    At a text's end the heading may be cut off: there a number of several parts is one, unless something leads
    to it.
    """
    said = text[held[n].start : held[n].end].strip()
    if not _BARE_NUMBER.fullmatch(said):
        return False
    if n + 1 == len(held):
        led = n > 0 and text[held[n - 1].start : held[n - 1].end].rstrip().endswith((":", "："))
        return n > 0 and "." in said.rstrip(".") and not led
    following = text[held[n + 1].start : held[n + 1].end].strip()
    bare = "\n" not in following and len(following) <= _LONGEST_NUMBERED
    return bare and not _STOPPED.search(following) and not _BARE_NUMBER.fullmatch(following)


def _joined(parts: Sequence[str]) -> str:
    """Return folded texts as one, with a space where words are parted by spaces."""
    words = ""
    for part in parts:
        apart = words and part and not _WIDE.match(words[-1]) and not _WIDE.match(part[0])
        words += f" {part}" if apart else part
    return words


def fold(text: str) -> str:
    """Return what of a text stays whatever file it stands in: no layout, one kind of quotation mark."""
    text = _STOPS.sub(" ", _MARKS.sub("", _NAMED_SECTION.sub(r"\1", text)))
    text = _HYPHEN.sub("", text.translate(_WIDE_SIGNS)).replace("`", "").translate(_QUOTES)
    return _BESIDE_WIDE.sub("", " ".join(text.split()))
