"""How a source is cut into passages: at headings and paragraphs, merged and split at sentences.

A passage is what is cited, so it must be readable alone and short enough to check: about 60 to 150 words.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from library.evidence import Passage, Source
from library.passages.text_structure import lists
from library.text.multilingual.scripts import CJK
from library.text.sentences import sentences

SHORTEST = 60.0
"""Words that a passage should have; a shorter paragraph is joined with the next."""
LONGEST = 150.0
"""Words that a passage has at most, unless a single sentence is longer."""
LONGEST_LIST = 2.0 * LONGEST
"""Words of a list, with the sentence that introduces it, up to which it is never parted."""
_SHORT_SECTION = 20.0
_CHARACTERS_A_WORD = 6.0
"""Latin letters with the space after them."""
_WIDE_A_WORD = 1.7
"""Chinese or Japanese characters that say as much as a word."""
_WIDE = re.compile(f"[{CJK}]")
_MARKED = re.compile(r"#{1,6}[ \t]+\S")
_MARKED_ALONE = re.compile(r"#{1,6}[ \t][^\n]*")
_BARE_HEADING = re.compile(r"[^\s.!?。！？:：;,]+(?:[ \t]+[^\s.!?。！？:：;,]+){0,11}")
_TERM = re.compile(r"[^\n]{1,160}(?<![.!?;,。！？；，])")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_COMMAND = re.compile(r"\n(?P<line>(?:[$%>]|\w[\w.-]*[@:]\S*[$#])[ \t]\S[^\n]*)\n[ \t]*\Z")
"""The last line before a cut in code, with a prompt before it: what it prints follows."""
_COMMAND_WITHIN = 300
"""Characters of such a line at most."""
_ROW = re.compile(r"(?:^|\s)\|(?:\s|$)")
_LINE = re.compile(r"\S[^\n]*\S|\S")
_LARGE_TABLE = LONGEST / 2
"""Words of a table from which on it is cut between its rows, so that the first stay with its caption."""
_FIRST_ROWS = 2
"""Of a table: its heads, and a row that shows what they mean."""
_DEEPEST = 400
"""Characters that a piece is set in at most; what stands further along its line begins within it."""
_ITEM = re.compile(r"[ \t]*(?:[-*•‣▪–]|\d{1,2}[.)])[ \t]+(?=\S)")
_LISTED = re.compile(r"^[ \t]*(?:[-*•‣▪–]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")

_Span = tuple[int, int]


def cut(source: Source) -> list[Passage]:
    """Return the passages of a source in order; `source.text[start:end] == text` for each."""
    return [source.passage(start, end) for start, end in spans(source.text)]


def size(text: str) -> float:
    """Return about how many words a text has, Chinese and Japanese characters counted by what they say."""
    if text.isascii():
        return len(text) / _CHARACTERS_A_WORD
    wide = len(_WIDE.findall(text))
    return wide / _WIDE_A_WORD + (len(text) - wide) / _CHARACTERS_A_WORD


def spans(text: str) -> list[_Span]:
    """Return the spans of the passages of a text, in order, without outer white space.

    A heading opens a passage and never stands alone, unless the text is nothing else; code, the first item of
    a list and the first rows of a table stay with what introduces them; a list of usual length stays whole,
    and a term stays with the entry below it. No span is empty, none overlap.
    """
    pieces = [
        piece for start, end in _lists_joined(text, units(text)) for piece in _bounded(text, start, end)
    ]
    fences = _fenced(text)
    found: list[_Span] = []
    held = 0.0
    open_heading = False
    for number, (start, end) in enumerate(pieces):
        words = size(text[start:end])
        heading = _is_heading(text, pieces, number, fences)
        gap = text[pieces[number - 1][1] : start] if number else ""
        paragraph = bool(_BLANK.search(gap)) or _marked(text, start, fences)
        if not found or (
            not open_heading and _begins_anew(held, words, paragraph=paragraph, heading=heading)
        ):
            found.append((start, end))
            held, open_heading = words, heading
        else:
            found[-1] = (found[-1][0], end)
            held += words
            open_heading = open_heading and heading
    return _joined_tails(text, found)


def units(text: str) -> list[_Span]:
    """Return the spans of what is never parted, in order: sentences, each with what it introduces.

    That is code (a command without the sentence that says what it is for tells something else), what stands
    behind a colon or a paragraph's comma, the first item of a list, and of a table the caption with the row
    of its heads and the first below it. What would be longer than a passage may be is parted all the same, at
    the ends of its lines.
    """
    fences, tables = _fenced(text), "|" in text
    found: list[_Span] = []
    rows, held, before = 0, 0.0, (0, 0)
    for start, end in _rows_parted(text, sentences(text)):
        code = _inside(fences, start)
        rows = rows + 1 if tables and _ROW.search(text, start, end) and not code else 0
        begins = bool(_ITEM.match(text, start, end)) and not _ITEM.match(text, *before)
        item = begins and bool(_BLANK.search(text, before[1], start) or text[before[1] - 1] in ":：")
        # `She added:` tells nothing without what she added.
        led = bool(found) and _leads_on(text, before[1], start) and not _marked(text, start, fences)
        follows = code or 0 < rows <= _FIRST_ROWS or item or led
        bound = found and not _marked(text, before[0], fences) and follows
        words = size(text[start:end])
        if bound and held + words <= LONGEST:
            found[-1] = (found[-1][0], end)
            held += words
        else:
            moved = _command_before(text, found[-1][0], start) if found and code else start
            if moved < start:  # the unit before ends where the command begins that has this for its output
                found[-1] = (found[-1][0], moved - len(text[:moved]) + len(text[:moved].rstrip()))
            found.append((moved, end))
            held = size(text[moved:end])
        before = (start, end)
    return found


def _command_before(text: str, first: int, start: int) -> int:
    """Return where the command begins whose output a line of code goes on with; `start` where none does.

    Args:
        text: The whole text.
        first: Where the unit begins that would end with the command.
        start: Where the line of code begins.
    """
    typed = _COMMAND.search(text, max(first + 1, start - _COMMAND_WITHIN), start)
    return typed.start("line") if typed else start


def _leads_on(text: str, end: int, following: int) -> bool:
    """Whether what ends there announces what follows: a colon, or a paragraph's comma (“For example,”)."""
    last = text[end - 1]
    return last in ":：" or (last in ",，" and bool(_BLANK.search(text, end, following)))


def _lists_joined(text: str, found: Sequence[_Span]) -> Iterator[_Span]:
    """Yield spans, those of a list of usual length as one, from the sentence that introduces it on."""
    whole = iter(_usual_lists(text) if _LISTED.search(text) else ())
    begins, ends = next(whole, (len(text), 0))
    held: _Span | None = None
    for start, end in found:
        while begins < len(text) and ends <= start:
            begins, ends = next(whole, (len(text), 0))
        if start < ends and begins < end:
            held = (held[0] if held else start, end)
            if end >= ends:
                yield held
                held = None
        else:
            if held is not None:
                yield held
                held = None
            yield start, end
    if held is not None:
        yield held


def _usual_lists(text: str) -> list[_Span]:
    return [
        (each.start, each.end)
        for each in lists(text)
        if len(each.parts) > 1 and size(text[each.start : each.end]) <= LONGEST_LIST
    ]


def _rows_parted(text: str, found: Iterable[_Span]) -> Iterator[_Span]:
    """Yield spans, none of which begins with a later cell of a row; of a large table one for each row."""
    if "|" not in text:
        yield from found
        return
    for start, end in _whole_rows(text, found):
        lines = [(start + line.start(), start + line.end()) for line in _LINE.finditer(text[start:end])]
        rows = all(_ROW.search(text, *line) for line in lines)
        yield from lines if rows and size(text[start:end]) > _LARGE_TABLE else [(start, end)]


def _whole_rows(text: str, found: Iterable[_Span]) -> list[_Span]:
    """Return spans, those that go on with a cell (of `cd .. | go up`) joined to what stands before it."""
    joined: list[_Span] = []
    for start, end in found:
        if joined and text[start] == "|" and "\n" not in text[joined[-1][1] : start]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _inside(fences: Sequence[_Span], offset: int) -> bool:
    at = bisect_right(fences, offset, key=itemgetter(0)) - 1
    return at >= 0 and offset < fences[at][1]


def _marked(text: str, start: int, fences: Sequence[_Span]) -> bool:
    """Whether a heading marked as one begins there; in code the mark is a prompt, or a comment."""
    return text[start] == "#" and not _inside(fences, start)


def _fenced(text: str) -> list[_Span]:
    """Return the spans of code between fences, fences included; a fence that nothing closes opens none."""
    marks = [(line.start(), line.end()) for line in _FENCE.finditer(text)]
    return [(first[0], second[1]) for first, second in zip(marks[::2], marks[1::2], strict=False)]


def _begins_anew(held: float, words: float, *, paragraph: bool, heading: bool) -> bool:
    """Whether a piece opens a passage, after one that holds some words already."""
    if heading:
        return held >= _SHORT_SECTION
    if held + words > LONGEST:
        return True
    return paragraph and held >= SHORTEST


def _is_heading(text: str, pieces: list[_Span], number: int, fences: Sequence[_Span]) -> bool:
    """Whether a piece is a heading: marked as one, a short line of its own before a paragraph, or a term."""
    start, end = pieces[number]
    if _inside(fences, start):
        return False
    if text[start] == "#":
        return bool(_MARKED.match(text, start, end))
    if number + 1 < len(pieces) and _indent(text, pieces[number + 1][0]) > _indent(text, start):
        return bool(_TERM.fullmatch(text, start, end)) and not _ITEM.match(text, start)
    if end - start > 80 or number + 1 == len(pieces) or not _BLANK.search(text[end : pieces[number + 1][0]]):
        return False
    if number and not _BLANK.search(text[pieces[number - 1][1] : start]):
        return False
    return bool(_BARE_HEADING.fullmatch(text, start, end))


def _indent(text: str, start: int) -> int:
    """Return how far in a piece begins on its line; 0 where other words stand before it there."""
    farthest = max(0, start - _DEEPEST)
    line = text.rfind("\n", farthest, start) + 1
    if farthest and not line:
        return 0  # a line without end, which would be gone through for each of its sentences
    return start - line if not text[line:start].strip() else 0


def _bounded(text: str, start: int, end: int) -> list[_Span]:
    """Cut a sentence without end (a table, code) at line ends, else white space, else hard."""
    if size(text[start:end]) <= 2 * LONGEST:
        return [(start, end)]
    step = int(LONGEST * (_CHARACTERS_A_WORD if text[start:end].isascii() else _WIDE_A_WORD * 2))
    pieces: list[_Span] = []
    while start < end:
        stop = min(start + step, end)
        if stop < end:
            line = text.rfind("\n", start + step // 3, stop)
            space = line if line > 0 else text.rfind(" ", start + step // 2, stop)
            stop = space if space > start else stop
        left = start + len(text[start:stop]) - len(text[start:stop].lstrip())
        right = stop - (len(text[start:stop]) - len(text[start:stop].rstrip()))
        if left < right:
            pieces.append((left, right))
        start = stop
    return pieces


def _joined_tails(text: str, found: list[_Span]) -> list[_Span]:
    """Join a short last piece of a section, or a heading that nothing follows, to the passage before it."""
    joined: list[_Span] = []
    for span in found:
        words = size(text[span[0] : span[1]])
        lone = span == found[-1] and bool(
            _MARKED_ALONE.fullmatch(text, *span) or _BARE_HEADING.fullmatch(text, *span)
        )
        if joined and (lone or (words < SHORTEST / 2 and text[span[0]] != "#")):
            before = joined[-1]
            if lone or size(text[before[0] : span[1]]) <= LONGEST * 1.3:
                joined[-1] = (before[0], span[1])
                continue
        joined.append(span)
    assert all(first[1] <= second[0] for first, second in pairwise(joined))
    return joined
