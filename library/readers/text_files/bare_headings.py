"""Headings of plain text that no sign underlines, written as Markdown marks them.

Told by form, in any language: a question that is answered below it, as lists of questions have them; and a
short line between blank ones without a stop, above a paragraph. One alone may be anything: a text that sets
its headings so has several.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_HEADING = re.compile(r"(#{1,6})[ \t]+\S")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_RULE = re.compile(r"\s*[^\w\s]{3,}\s*")
_LETTER = re.compile(r"([^\W\d_])[:：.][ \t]*(?=\S)")
"""A letter that says who speaks: `Q:`, `A:`, `问：`."""
_NUMBER = re.compile(r"(?:\[?(\d{1,3}(?:\.\d{1,3}){0,3})[.):\]]*|[A-Z][.)]|[IVXLC]{1,6}[.)])[ \t]+(?=\S)")
_NUMBERED = re.compile(r"[ \t]{0,12}(\d{1,3}(?:\.\d{1,3}){0,4})\.?[ \t]{1,8}(?=\S)[^\n]{1,90}")
"""A line that a number of a chapter or section opens, as `7.2.1.  Throwing`."""
_ITEM = re.compile(r"[ \t]*(?:[-*•‣▪–+o>|:]|\d{1,3}[.)])[ \t]+\S")
_ASKED = re.compile(r"[?？؟][)\"”’]*$")
_STOPPED = re.compile(r"[.!?:;,。！？：；，、…।؟۔][\"”’'»）)]*$")
_SIGNS = re.compile(r"[{}<>=;\\$`|@~_#*]|::|->|\w\(|--\w|://|\w\.\w|\"|\s{3,}|\t")
"""What stands in commands, addresses and rows of columns, and in few headings."""
_LONGEST, _MOST_WORDS, _LINES = 70, 9, 4
"""Characters and words of a line that may be a heading; lines of a question."""
_SEVERAL, _MOST = 2, 0.5
"""Such lines of a text from which on they are headings, and the share of its paragraphs up to which."""
_SECTIONS = 3
"""Numbers of several levels of a text from which on they are its sections'."""
_WORDS_ASKED = 20
"""Words of a question without a letter or a number before it, at most."""
_WORDS_BELOW = 8
"""Words of a paragraph that a bare line stands above, at least, where that ends without a stop."""
_DEEPEST = 6
_COMMENT = re.compile(r"#{1,6}(?:[ \t!]|$)")
"""How a line begins that shells and settings do not read, and Markdown takes for a heading."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    lines: tuple[str, ...]
    gap: str
    """What stands between it and the next one."""
    fenced: bool = False
    """A fence stands in it, or it stands between two."""

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.lines).split())

    @property
    def indent(self) -> int:
        return len(self.lines[0]) - len(self.lines[0].lstrip())


def with_bare_headings(text: str) -> str:
    """Return a text with such headings marked (`## …`), below those that are marked; all else as it is.

    Args:
        text: Its lines end with line feeds.
    """
    held = _paragraphs(text)
    letter = next((own for n in range(len(held)) if (own := _asking_letter(held, n))), "")
    asked = [_is_asked(held, n, letter) for n in range(len(held))]
    numbers = _numbers(held)
    bare = [not asked[n] and not numbers[n] and _is_bare(held, n) for n in range(len(held))]
    if sum(asked) < _SEVERAL:
        asked = [False] * len(held)
    if not _SEVERAL <= sum(bare) <= _MOST * len(held):
        bare = [False] * len(held)
    bare = [plain or bool(number) for plain, number in zip(bare, numbers, strict=True)]
    told: list[str] = []
    marked = under = 0
    for n, paragraph in enumerate(held):
        if found := _HEADING.match(paragraph.lines[0]):
            marked, under = len(found[1]), 0
        body = "\n".join(paragraph.lines)
        if bare[n]:
            under = _depth(paragraph.words)
        if bare[n] or asked[n]:
            level = max(marked, 1) + under + (0 if bare[n] else 1)
            body = f"{'#' * min(level, _DEEPEST)} {paragraph.words}"
        told += [body, paragraph.gap]
    return "".join(told)


def with_comments_as_code(text: str) -> str:
    """Return a text with comments of shells and settings fenced in: of several `# …` lines none is a heading.

    Args:
        text: Its lines end with line feeds.
    """
    held = _paragraphs(text)
    return "".join(
        f"```\n{body}\n```{paragraph.gap}" if _is_commented(paragraph) else body + paragraph.gap
        for paragraph in held
        for body in ["\n".join(paragraph.lines)]
    )


def _is_commented(paragraph: _Paragraph) -> bool:
    if paragraph.fenced:
        return False
    found = [_COMMENT.match(line) for line in paragraph.lines]
    pairs = pairwise(found)
    return paragraph.lines[0].startswith("#!") or any(a and b and a[0] == b[0] for a, b in pairs)


def _paragraphs(text: str) -> list[_Paragraph]:
    parts = re.split(r"(\n(?:[ \t]*\n)+)", text)
    found: list[_Paragraph] = []
    fenced = False
    for part, gap in zip(parts[::2], [*parts[1::2], ""], strict=True):
        lines = tuple(part.split("\n"))
        fences = sum(bool(_FENCE.match(line)) for line in lines)
        found.append(_Paragraph(lines, gap, fenced or fences > 0))
        fenced ^= fences % 2 == 1
    return found


def _numbers(held: Sequence[_Paragraph]) -> list[str]:
    """Return the number of each paragraph that is a numbered heading; empty for all else.

    Those of several levels are, wherever they stand, and of one level those that such stand under.
    """
    found = [_number(paragraph) for paragraph in held]
    inner = [number for number in found if "." in number]
    if len(set(inner)) < _SECTIONS:
        return [""] * len(held)
    chapters = {number.partition(".")[0] for number in inner}
    return [number if "." in number or number in chapters else "" for number in found]


def _number(paragraph: _Paragraph) -> str:
    """Return the number that opens a paragraph of one line without a stop; empty for all else."""
    if len(paragraph.lines) > 1 or paragraph.fenced or _STOPPED.search(paragraph.words):
        return ""
    found = _NUMBERED.fullmatch(paragraph.lines[0])
    return found[1] if found else ""


def _asking_letter(held: Sequence[_Paragraph], n: int) -> str:
    """Return the letter before a paragraph where another one stands before what is below it; else empty."""
    asks = _LETTER.match(held[n].words)
    answers = _LETTER.match(held[n + 1].words) if asks and n + 1 < len(held) else None
    return asks[1] if asks and answers and answers[1] != asks[1] else ""


def _is_asked(held: Sequence[_Paragraph], n: int, letter: str) -> bool:
    """Tell whether a paragraph is a question with its answer below it: by its letter where they have some."""
    own = held[n]
    below = held[n + 1] if n + 1 < len(held) else None
    if below is None or len(own.lines) > _LINES or not _plain(own) or own.indent:
        return False
    if _LETTER.match(own.words):
        return bool(letter) and _asking_letter(held, n) == letter
    if not _ASKED.search(own.words) and not _NUMBER.match(own.words):
        return False
    if _NUMBER.match(own.words):
        # The question may go on with what was tried; what answers it stands further in, or is no item.
        asks = any(_ASKED.search(part) for part in re.split(r"(?<=[?？])\s", own.words))
        return asks and (below.indent > own.indent or not _ITEM.match(below.lines[0]))
    return len(own.words.split()) <= _WORDS_ASKED and _tells(below)


def _is_bare(held: Sequence[_Paragraph], n: int) -> bool:
    """Tell whether a paragraph is a short line above one that tells something."""
    own, at = held[n], n + 1
    if len(own.lines) != 1 or own.indent or own.fenced or not _reads_as_name(own.words):
        return False
    if at < len(held) and len(held[at].lines) == 1 and _reads_as_name(held[at].words):
        at += 1  # a part that begins with a section
    return at < len(held) and not _NUMBER.match(held[at].lines[0]) and _tells(held[at])


def _reads_as_name(words: str) -> bool:
    bare = _NUMBER.sub("", words, count=1)
    first = bare[:1]
    if not first.isalpha() or first.islower() or len(words) > _LONGEST or len(words.split()) > _MOST_WORDS:
        return False
    return not (_STOPPED.search(words) or _SIGNS.search(bare) or _HEADING.match(words) or _ITEM.match(words))


def _tells(paragraph: _Paragraph) -> bool:
    if not _plain(paragraph):
        return False
    return bool(_STOPPED.search(paragraph.words)) or len(paragraph.words.split()) >= _WORDS_BELOW


def _plain(paragraph: _Paragraph) -> bool:
    first = paragraph.lines[0]
    marked = _HEADING.match(first) or _RULE.fullmatch(first)
    return bool(paragraph.words) and not (marked or paragraph.fenced)


def _depth(words: str) -> int:
    """Return how deep a heading's number says that it stands: 1 for “2”, 2 for “2.1” and for none."""
    found = _NUMBERED.match(words) or _NUMBER.match(words)
    return found[1].count(".") + 1 if found and found[1] else 1
