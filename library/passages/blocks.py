"""What a text is made of, by its form: prose, points and steps, code, rows of tables, headings.

Told by how a text is laid out alone, in any language and on any subject: blank lines, marks at the start of
lines, indentation, how much of it is signs. Readers write headings as `## …`, list items as `- …` or
`1. …`, rows as `a | b`, and code between fences or as lines of its own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Form = Literal["prose", "point", "step", "code", "row", "heading"]
"""`point`: an item of a list; `step`: of a numbered one; `row`: of a table."""

_HEADING = re.compile(r"#{1,6}[ \t]+(?=\S)")
_STEP = re.compile(r"[ \t]*\d{1,2}[.)][ \t]+(?=\S)")
_POINT = re.compile(r"[ \t]*[-*•‣▪–][ \t]+(?=\S)")
_ROW = re.compile(r"(?:^|\s)\|(?:\s|$)")
FENCE = re.compile(r"[ \t]*(?:```|~~~)")
BLANK = re.compile(r"\n[ \t]*\n")
_LINE = re.compile(r"[^\n]+")
_PROMPT = re.compile(r"[ \t]*(?:\$ (?=\S)|>>> |[\w.-]+[@:][\w.~/-]+[#>$])")
_CODE_END = re.compile(r"[;{}\\]\s*$|\)\s*+;?\s*$|^\s*(?://|--|/\*|\*/|<[/!?\w])")
_CODE_SIGNS = re.compile(r"[{}<>=;\\$`|]|::|->|\w\(|\w_\w|--\w")
_PROSE_END = re.compile(r"[.!?:,。！？：，।؟…][\"”’'»）)」』\]]*\s*$")
_STOP = re.compile(r"[.!?。！？][\"”’'»）)]*\s*$")
_QUOTED = re.compile(r"[\"“][^\"“”]{1,120}[\"”]")
_FEWEST_WORDS, _LONGEST_TERM = 4, 60
"""Words of what is said of a term, at least; characters of a term at once above it."""
_CODE_LINE, _CODE_LINES, _CODE_INDENTED = 0.2, 0.15, 0.05
"""Signs of a program for each word from which on a line, several, and indented ones are taken for one."""
_WRAPPED, _LETTERS = 6, 0.75
"""Words a line, and the share of letters, from which on lines that end like a sentence are prose."""
_WORDS_OF_PROSE = 12
"""Words from which on a single line in a fence may be prose."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a text of one form; it stands at `text[start:end]`, without its mark."""

    start: int
    end: int
    form: Form
    paragraph: int
    """The number of what stands between blank lines, from 0: items of one list share it."""


@lru_cache(maxsize=1_000)
def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a text in order, none empty."""
    found = (
        block
        for number, (start, end) in enumerate(paragraphs(text))
        for block in _of_paragraph(text, start, end, number)
    )
    return tuple(block for block in found if block.start < block.end)


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of what stands between blank lines, in order; what is fenced in stays in one."""
    begins, at, fences = 0, 0, 0
    for gap in [*BLANK.finditer(text), None]:
        end = len(text) if gap is None else gap.start()
        # Counted on from the last gap: behind a fence that nothing closes a text would be read over and over.
        fences += sum(bool(FENCE.match(line[0])) for line in _LINE.finditer(text, at, end))
        at = len(text) if gap is None else gap.end()
        if fences % 2 and gap is not None:
            continue
        if text[begins:end].strip():
            yield begins, end
        begins, fences = at, 0


def headings_above(text: str, offset: int) -> list[str]:
    """Return the headings that a place of a text stands under, the outermost first; [] where there are none.

    Only headings marked as such (`## …`) count, by their level.
    """
    found = _headings(text)
    at = bisect_right(found, offset, key=lambda heading: heading[0]) - 1
    above: list[str] = []
    while at >= 0:
        _start, words, at = found[at]
        above.append(words)
    return above[::-1]


def sections(text: str) -> list[tuple[str, str]]:
    """Return each heading of a text with all that stands below it, to the next that is no deeper."""
    heads = [(block, _level(text, block.start)) for block in blocks(text) if block.form == "heading"]
    return [
        (
            text[head.start : head.end],
            text[head.end : next((b.start for b, deep in heads[n:] if deep <= level), len(text))],
        )
        for n, (head, level) in enumerate(heads, 1)
    ]


def section_words(text: str, offset: int) -> int:
    """Return how many words stand between the heading above a place of a text and the next one."""
    found = _headings(text)
    at = bisect_right(found, offset, key=lambda heading: heading[0])
    return _words_between(text, found[at - 1][0] if at else 0, found[at][0] if at < len(found) else len(text))


@lru_cache(maxsize=500)
def _words_between(text: str, start: int, end: int) -> int:
    return len(text[start:end].split())


@lru_cache(maxsize=200)
def _headings(text: str) -> list[tuple[int, str, int]]:
    """Return of each heading where it begins, its words, and which it stands under; -1: under none."""
    found: list[tuple[int, str, int]] = []
    open_ones: list[tuple[int, int]] = []
    for block in blocks(text):
        if block.form == "heading":
            level = _level(text, block.start)
            while open_ones and open_ones[-1][0] >= level:
                open_ones.pop()
            words = " ".join(text[block.start : block.end].split())
            found.append((block.start, words, open_ones[-1][1] if open_ones else -1))
            open_ones.append((level, len(found) - 1))
    return found


def _level(text: str, start: int) -> int:
    line = text.rfind("\n", 0, start) + 1
    return text[line:start].count("#")


def _of_paragraph(text: str, start: int, end: int, number: int) -> Iterator[Block]:
    lines = [(line.start(), line.end()) for line in _LINE.finditer(text, start, end) if line[0].strip()]
    run: list[tuple[int, int]] = []
    fenced = False
    for line in lines:
        if FENCE.match(text, *line):
            yield from _fenced(text, run, number) if fenced else _of_lines(text, run, number)
            run, fenced = [], not fenced
        else:
            run.append(line)
    # A fence that nothing closes: a passage may end, or begin, inside what is fenced in.
    yield from _fenced(text, run, number) if fenced else _of_lines(text, run, number)


def _fenced(text: str, lines: Sequence[tuple[int, int]], number: int) -> Iterator[Block]:
    """Take what is fenced in as code, but for a long line of words: pages set those as they like, too."""
    # A `#` there is a shell's prompt or a comment's, and opens no section.
    alone = text[lines[0][0] : lines[0][1]] if len(lines) == 1 and not _HEADING.match(text, *lines[0]) else ""
    if len(words := alone.split()) >= _WORDS_OF_PROSE:
        signs = len(_CODE_SIGNS.findall(" ".join(words)))
        if signs < _CODE_INDENTED * len(words):
            yield from _of_lines(text, lines, number)
            return
    yield from _code(lines, number)


def _code(lines: Sequence[tuple[int, int]], number: int) -> Iterator[Block]:
    if lines:
        yield Block(lines[0][0], lines[-1][1], "code", number)


def _of_lines(text: str, lines: Sequence[tuple[int, int]], number: int) -> Iterator[Block]:
    if terms := _terms(text, lines):
        yield from (_plain(text, *line, number) for line in lines[:terms])
        lines = lines[terms:]
    if _reads_as_code([text[a:b] for a, b in lines]):
        yield from _code(lines, number)
        return
    held: Block | None = None
    for a, b in lines:
        form, begins = _marked(text, a, b)
        if form is None and held is not None and held.form in ("prose", "point", "step"):
            held = Block(held.start, b, held.form, number)  # a line that goes on
            continue
        if held is not None:
            yield held
        held = Block(begins, b, form or "prose", number)
    if held is not None:
        yield held


def _terms(text: str, lines: Sequence[tuple[int, int]]) -> int:
    """Return how many first lines are terms, as in a manual page: each stands further out than the next."""
    if len(lines) < 2:
        return 0
    indents = [b - a - len(text[a:b].lstrip()) for a, b in lines]
    count = next((n for n in range(len(lines) - 1) if indents[n] >= indents[n + 1]), len(lines) - 1)
    told = lines[count:]
    if not count or any(indents[n] != indents[count] for n in range(count, len(lines))):
        return 0
    first, last = text[slice(*told[0])], text[slice(*told[-1])]
    words = sum(len(text[a:b].split()) for a, b in told)
    if not _STOP.search(last) or words < _FEWEST_WORDS or not first.strip()[:1].isupper():
        return 0
    above = [text[a:b] for a, b in lines[: count + 1]]
    marked = any(mark.match(line) for line in above for mark in (_HEADING, _POINT, _STEP))
    return 0 if marked or max(map(len, map(str.strip, above[:count]))) > _LONGEST_TERM else count


def _plain(text: str, start: int, end: int, number: int) -> Block:
    return Block(start + len(text[start:end]) - len(text[start:end].lstrip()), end, "prose", number)


def _marked(text: str, start: int, end: int) -> tuple[Form | None, int]:
    """Return the form that a line's mark gives it, and where its words begin; None for a plain line."""
    marks: tuple[tuple[Form, re.Pattern[str]], ...] = (
        ("heading", _HEADING),
        ("step", _STEP),
        ("point", _POINT),
    )
    for form, mark in marks:
        if found := mark.match(text, start, end):
            return form, found.end()
    if is_row(text[start:end]):
        return "row", start
    return None, start + len(text[start:end]) - len(text[start:end].lstrip())


def is_row(line: str) -> bool:
    """Tell whether a line is a row of a table, or parts a table's heads from its rows."""
    bare = line.strip()
    ruled = "--" in bare and "|" in bare and not bare.strip("|:- \t")
    return ruled or (len(bare) > 2 and bare[0] == bare[-1] == "|") or _ROW.search(line) is not None


def _reads_as_code(lines: Sequence[str]) -> bool:
    """Tell whether lines are a program, a command or what one prints: by indentation, ends and signs."""
    if not lines or _PROMPT.match(lines[0]):
        return bool(lines)
    if any(_HEADING.match(line) or _POINT.match(line) or _STEP.match(line) for line in lines):
        return False
    if any(map(is_row, lines)):
        return False
    words = max(sum(len(line.split()) for line in lines), 1)
    # What prose sets between quotation marks may be a program's; its own words are not.
    shown = "".join(_QUOTED.sub("", " ".join(lines)).split())
    letters = sum(map(str.isalpha, shown)) / max(len(shown), 1)
    if words >= _WRAPPED * len(lines) and letters >= _LETTERS and _PROSE_END.search(lines[-1]):
        return False  # prose with line ends of its own, that names parts of a program
    count = sum(len(_CODE_SIGNS.findall(line)) for line in lines)
    signs = count / words
    if len(lines) == 1:
        ends = _CODE_END.search(lines[0]) and not _PROSE_END.search(lines[0])
        return bool(ends) and signs >= _CODE_LINE and count > 1
    prose = sum(bool(_PROSE_END.search(line)) and not _CODE_END.search(line) for line in lines)
    indented = sum(line.startswith(("  ", "\t")) for line in lines)
    inside = indented > len(lines) / 2 and signs >= _CODE_INDENTED  # prose may be indented too
    return prose <= len(lines) / 2 and (inside or signs >= _CODE_LINES)
