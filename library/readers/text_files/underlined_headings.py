"""Headings that plain text underlines, or puts between signs, written as Markdown marks them.

A line with a line of one sign below it, as in reStructuredText, AsciiDoc and files to read, often with the
same line above it; and `== Heading ==`, as in AsciiDoc and wikis. Which sign stands for which level each
text chooses itself: the first that it uses is the highest, as docutils has it.
"""

import re

_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_LINE = re.compile(r"([=\-~^*#\"+'`.:_])\1{2,119}[ \t]*")
_OF_MARKDOWN = re.compile(r"([=-])\1{2,119}[ \t]*")
"""The signs that underline there: others are fences and rules."""
_BETWEEN = re.compile(r"(={2,6})[ \t]+(\S[^\n]{0,198}?)([ \t]+\1)?[ \t]*")
_TITLE = re.compile(r"(?![#>|+]|[-*•][ \t])\S.{0,98}")
_COLUMNS = re.compile(r"[ \t]{2,}|\||\t")
"""What parts the heads of a table's columns, which are underlined, too."""
_LABEL = re.compile(r"((?:\d{1,3}(?:\.\d{1,3}){0,4}|[A-Z]|[IVXLC]{1,6})[.)]?)[ \t]{2,}(?=\S)")
"""The number of a heading that is set far from its words."""
_FRAMED = re.compile(r"([=\-~^*#_+])\1{0,119}[ \t]+(\S[^\n]{0,98}?)[ \t]+\1{1,120}")
"""A title with a sign on both sides, as between the lines of a box."""
_SENTENCE = re.compile(r"[.,;。，；]\s*$")
_SHORTER = 2
"""Signs by which a line may be shorter than what it underlines."""
_DEEPEST = 6


def marked_headings(text: str, *, markdown: bool = False, below: int = 0) -> str:
    """Return a text with its headings marked (`## …`), without the lines around them; all else as it is.

    Args:
        text: Its lines end with line feeds.
        markdown: It is Markdown, where only `=` and `-` underline.
        below: The level (0 to 5) of the heading that all of it stands under; 0 for none.
    """
    lines = text.split("\n")
    told: list[str] = []
    levels: dict[tuple[str, bool], int] = {}
    fenced, at = False, 0
    while at < len(lines):
        line = lines[at]
        # Other texts underline with the signs that fence code in.
        fenced ^= bool(_FENCE.match(line)) and (markdown or not _LINE.fullmatch(line))
        found = None if fenced else _heading(lines, at, told, markdown=markdown)
        if found is None:
            told.append(line)
            at += 1
            continue
        title, sign, over, taken = found
        level = len(sign) if len(sign) > 1 else levels.setdefault((sign, over), len(levels) + 1)
        if markdown:
            level = 1 if sign == "=" else 2
        told += [f"{'#' * min(level + below, _DEEPEST)} {title.strip()}"]
        at += taken
        if at < len(lines) and lines[at].strip():
            told.append("")
    return "\n".join(told)


def unframed(title: str) -> str:
    """Return a title without the sign that stands on both sides of it: `-- Questions --`."""
    found = _FRAMED.fullmatch(title.strip())
    return found[2] if found else title


def _heading(
    lines: list[str], at: int, before: list[str], *, markdown: bool
) -> tuple[str, str, bool, int] | None:
    """Return what a heading that begins with a line says, its sign, if a line stands above it, and its lines.

    The sign is told as often as it marks the level where it stands beside the title (`== … ==`).
    """
    if before and before[-1].strip():
        return None
    rule = _OF_MARKDOWN if markdown else _LINE
    over = None if markdown else rule.fullmatch(lines[at])
    title = lines[at + 1] if over and at + 1 < len(lines) else lines[at]
    under = at + (2 if over else 1)
    below = rule.fullmatch(lines[under]) if under < len(lines) else None
    same = below is not None and (over is None or over[1] == below[1])
    title = _LABEL.sub(r"\1 ", title, count=1)
    title = unframed(title) if over else title
    if below and same and _underlined(title.strip() if over else title, below[0]):
        return title, below[1], over is not None, under - at + 1
    marks = None if markdown or over else _BETWEEN.fullmatch(lines[at])
    if marks is None or not any(map(str.isalpha, marks[2])):
        return None
    closed = marks[3] is not None or under >= len(lines) or not lines[under].strip()
    return (marks[2], marks[1], False, 1) if closed else None


def _underlined(title: str, line: str) -> bool:
    """Tell whether a line of signs is long enough for what stands above it, and that reads as a heading."""
    if not _TITLE.fullmatch(title) or _COLUMNS.search(title.strip()) or _SENTENCE.search(title):
        return False
    return len(line.rstrip()) >= len(title.rstrip()) - _SHORTER and any(map(str.isalnum, title))
