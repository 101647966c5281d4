"""Where words and lines of a PDF's page stand: a page knows characters and strokes, not rows or cells."""

import re
from collections.abc import Iterator, Sequence
from ctypes import c_double, c_int, create_string_buffer
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

_GAP = 0.55
"""Of a line's height: white space from which on words stand in different cells. Justified lines have less."""
_LEAST, _MOST = 2.0, 300.0
"""Points that a line's height may have; what is turned on its side has none of use."""
_THIN = 2.5
"""Points: what is drawn thinner is a line."""
_LARGER = 1.2
"""Times the height of other lines from which on a line is a heading, or what stands below one."""
_TITLE, _TITLE_LINES = 200, 4
"""Characters and lines that a title has at most."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
"""No number, and no single sign."""
_FIXED_PITCH = 1
"""Of a font's flags."""
_OF_CODE = re.compile(rb"mono|courier|typewriter|tt\d{0,4}$")
_OF_FORMULAS = (b"math", b"cmmi", b"cmsy", b"cmex")
"""In the names of fonts for code, and for formulas; those of TeX have short ones."""
_FURTHER = 0.5
"""Of its height: how much further in a line of code stands than what is said before it, at least."""
_BROKEN_WORD = re.compile(r"[\u0002\ufffe\u00ad](?:\r?\n| )?(\w?)")
"""Where pdfium saw a hyphen at the end of a line."""
_WORD = re.compile(r"[^\s\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a page, with its box in points from the page's lower left."""

    text: str
    left: float
    right: float
    middle: float
    """Where its line runs."""
    height: float
    """How tall its font is."""
    first: int
    """Index of its first character on the page, in the order in which the file draws them."""
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one line that stand together: a cell, or a line of text."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """What it says."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.words[-1].right


@dataclass(frozen=True, slots=True)
class TextLine:
    """Segments that stand beside each other."""

    segments: tuple[Segment, ...]

    @property
    def words(self) -> Iterator[Word]:
        """Yield all words, from the left."""
        return (word for segment in self.segments for word in segment.words)

    @property
    def text(self) -> str:
        """What it says."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def middle(self) -> float:
        """Where it runs."""
        return self.segments[0].words[0].middle

    @property
    def height(self) -> float:
        """How tall it is."""
        return max(word.height for word in self.words)


def without_breaks(text: str) -> str:
    """Join words that were broken between lines; before a capital or digit the hyphen was meant."""
    return _BROKEN_WORD.sub(lambda m: m[1] if m[1].islower() else f"-{m[1]}", text)


def page_words(text_page: Any) -> list[Word]:
    """Return the words of a page in the order in which the file draws them."""
    from pypdfium2 import raw

    page, words = text_page.raw, list[Word]()
    box, x, base = raw.FS_RECTF(), c_double(), c_double()
    for found in _WORD.finditer(_characters(text_page)):
        start, end = found.span()
        if raw.FPDFText_GetLooseCharBox(page, start, box):
            left, tall = box.left, box.top - box.bottom
            raw.FPDFText_GetCharOrigin(page, start, x, base)
            if raw.FPDFText_GetLooseCharBox(page, end - 1, box) and _LEAST < tall < _MOST:
                place = (left, max(left, box.right), base.value + tall / 2, tall)
                words.append(Word(found[0], *place, start, end))
    return words


def _characters(text_page: Any) -> str:
    """Return the characters of a page, one for each that has a place."""
    from pypdfium2 import raw

    count = text_page.count_chars()
    text: str = text_page.get_text_range(0, count) if count else ""
    if len(text) == count:
        return text
    return "".join(chr(raw.FPDFText_GetUnicode(text_page.raw, n) or 32) for n in range(count))


@dataclass(frozen=True, slots=True)
class Font:
    """What a word is set in."""

    bold: bool
    special: bool
    """Whether it is one for code, or for formulas."""
    code: bool
    """Whether all its letters are as wide as each other, as those of code are."""


def font_of(text_page: Any, word: Word) -> Font:
    """Return what a word is set in, as far as the font's name and description tell."""
    from pypdfium2 import raw

    name, flags = create_string_buffer(128), c_int()
    raw.FPDFText_GetFontInfo(text_page.raw, word.first, name, 128, flags)
    called = name.value.lower()
    code = bool(flags.value & _FIXED_PITCH or _OF_CODE.search(called))
    special = code or any(part in called for part in _OF_FORMULAS)
    return Font(b"bold" in called or b"black" in called, special, code)


@dataclass(frozen=True, slots=True)
class Cut:
    """Where on a page a paragraph begins, or some code."""

    first: int
    """Index of a character."""
    code: bool


@dataclass(frozen=True, slots=True)
class _Line:
    first: int
    left: float
    height: float
    bold: bool
    code: bool


def cuts(text_page: Any, words: Sequence[Word]) -> list[Cut]:
    """Return where a line begins in another size than the line before, or in bold letters, or no longer.

    And where lines of code begin and end: two at least, or one that stands further in than the line before.

    Args:
        text_page: Of pypdfium2.
        words: All of it, in the order in which the file draws them.
    """
    lines: list[list[Word]] = []
    for word in words:
        last = lines[-1][-1] if lines else None
        if last is None or (word.left < last.right and abs(word.middle - last.middle) > 0.3 * word.height):
            lines.append([])
        lines[-1].append(word)
    styles = _without_lone_code([_style(text_page, line) for line in lines])
    # What a page begins with is a paragraph whatever it is set in; only code is told.
    return [Cut(line.first, line.code) for line in styles[:1] if line.code] + [
        Cut(line.first, line.code)
        for before, line in pairwise(styles)
        if before.code != line.code
        or before.bold != line.bold
        or max(before.height, line.height) > _LARGER * min(before.height, line.height)
    ]


def _style(text_page: Any, line: Sequence[Word]) -> _Line:
    fonts = [font_of(text_page, line[n]) for n in (0, len(line) // 2, -1)]
    height = median(word.height for word in line)
    bold = fonts[0].bold and fonts[-1].bold
    return _Line(line[0].first, line[0].left, height, bold, all(font.code for font in fonts))


def _without_lone_code(lines: Sequence[_Line]) -> list[_Line]:
    """Return lines of which those are code that stand together or further in than the line before.

    A name in a paragraph may fill a line. Where most of a page is set so, it is how the page is written.
    """
    most = sum(line.code for line in lines) > len(lines) / 2
    found = list[_Line]()
    for n, line in enumerate(lines):
        beside = [lines[m].code for m in (n - 1, n + 1) if 0 <= m < len(lines)]
        further = n > 0 and line.left > lines[n - 1].left + _FURTHER * line.height
        found.append(replace(line, code=line.code and not most and (any(beside) or further)))
    return found


def largest_line(words: Sequence[Word]) -> str:
    """Return what a page says in its largest letters, as titles are set; '' where none stand out."""
    lines = page_lines(words)
    tallest = max((line.height for line in lines), default=0.0)
    usual = median(word.height for word in words) if words else 0.0
    large = [n for n, line in enumerate(lines) if line.height * _LARGER > tallest]
    together = [n for at, n in enumerate(large) if n - large[0] == at]
    if tallest < _LARGER * usual or len(large) > min(len(together), _TITLE_LINES):
        return ""  # letters as large stand elsewhere too: these are no title
    told = " ".join(lines[n].text for n in together)
    return told if len(told) <= _TITLE and _LETTERS.search(told) else ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line that is drawn on a page, along it or down it."""

    start: float
    """Where it begins: its left end, or its lower one."""
    end: float
    at: float
    """How high it runs, or how far from the left."""


def strokes(page: Any) -> tuple[list[Stroke], list[Stroke]]:
    """Return the lines that are drawn along a page, and those drawn down it; the edges of boxes too."""
    from pypdfium2 import raw

    along, down = list[Stroke](), list[Stroke]()
    for drawn in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3):
        left, bottom, right, top = drawn.get_bounds()
        wide, tall = right - left, top - bottom
        if tall < _THIN and wide >= _THIN:
            along.append(Stroke(left, right, (bottom + top) / 2))
        elif wide < _THIN and tall >= _THIN:
            down.append(Stroke(bottom, top, (left + right) / 2))
        elif wide >= _THIN:
            along += [Stroke(left, right, bottom), Stroke(left, right, top)]
            down += [Stroke(bottom, top, left), Stroke(bottom, top, right)]
    return _whole(along), _whole(down)


def _whole(parts: Sequence[Stroke]) -> list[Stroke]:
    """Return lines whole that are drawn cell by cell."""
    found: list[Stroke] = []
    for part in sorted(parts, key=lambda part: (round(part.at), part.start)):
        last = found[-1] if found else None
        if last is not None and abs(last.at - part.at) < _THIN and part.start - last.end < _THIN:
            found[-1] = Stroke(last.start, max(last.end, part.end), last.at)
        else:
            found.append(part)
    return found


def page_lines(words: Sequence[Word]) -> list[TextLine]:
    """Return words as lines from the top of the page, each cut into segments where there is a gap."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -word.middle):
        if lines and lines[-1][0].middle - word.middle < 0.5 * min(word.height, lines[-1][0].height):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_line(sorted(line, key=lambda word: word.left)) for line in lines]


def _line(words: Sequence[Word]) -> TextLine:
    segments: list[list[Word]] = [[words[0]]]
    for word in words[1:]:
        before = segments[-1][-1]
        if word.left - before.right > _GAP * max(word.height, before.height):
            segments.append([word])
        else:
            segments[-1].append(word)
    return TextLine(tuple(Segment(tuple(segment)) for segment in segments))
