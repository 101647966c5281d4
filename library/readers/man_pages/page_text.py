"""What a manual page says, written down block by block: paragraphs, entries of terms, lists, code, rows."""

import re
from dataclasses import dataclass, field

_FENCE = "```"
_STEP_IN, _DEEPEST = "  ", 12
"""What a step further in is written as, and how many are: a page may open lists without end."""
_LONGEST_TERM, _SHORT_ENTRY = 160, 150
"""Characters of a term above its entry, at most, and of an entry that stands behind its term on one line."""
_POINT = re.compile(r"[•○□·]\s*")
_STEP = re.compile(r"(\d{1,2}\.)\s*(?=[^\s\d])")
_WORD = re.compile(r"[A-Z][A-Z'-]+")


@dataclass(slots=True)
class Words:
    """Words that are put together as they come."""

    parts: list[str] = field(default_factory=list)
    """Pieces of the text, with the spaces between them."""
    glue: bool = True
    """What comes next stands at once behind the last."""
    together: bool = False
    """No spaces are put between words."""

    @property
    def text(self) -> str:
        """What was put together."""
        return "".join(self.parts)

    def keep_together(self, together: bool) -> None:
        """Put no more spaces between words, or put them again."""
        if together and self.parts and not self.glue:
            self.parts.append(" ")
        self.together, self.glue = together, self.glue and not self.parts

    def add(self, words: str, *, left: bool = False, right: bool = False) -> None:
        """Add words, with a space before them.

        Args:
            words: One or more; nothing is added for none.
            left: There is no space before them.
            right: Nor between them and what comes next.
        """
        if not words:
            self.glue = self.glue or right
            return
        self.parts.append(words if left or self.glue or self.together else f" {words}")
        self.glue = right


@dataclass(slots=True)
class _Block:
    level: int
    """How far in it stands, from 0."""
    text: str
    mark: str = ""
    """`-` or a number, of an item."""
    term: bool = False


@dataclass(slots=True)
class PageText:
    """A page as it is written down; `level` is how far in what comes next stands."""

    level: int = 0
    held: list[_Block] = field(default_factory=list)
    words: Words = field(default_factory=Words)
    mark: str = ""
    code: list[str] | None = None
    """The lines of a listing, while one is open."""
    in_code: bool = False
    """Paragraphs are listings: a synopsis."""
    rows: list[str] = field(default_factory=list)

    def heading(self, text: str, depth: int) -> None:
        """Begin a section; a depth of 1 is a chapter of the page."""
        self.paragraph()
        self.held.append(_Block(0, f"{'#' * (depth + 1)} {' '.join(text.split())}"))

    def paragraph(self) -> None:
        """End what was begun: a paragraph, an item, a listing, a table."""
        self.listing_ends()
        text, mark = " ".join(self.words.text.split()), self.mark
        self.words, self.mark = Words(), ""
        if self.rows:
            self.held.append(_Block(self.level, "\n".join(self.rows)))
            self.rows = []
        if not text:
            return
        if self.in_code:
            self.held.append(_Block(self.level, f"{_FENCE}\n{text}\n{_FENCE}"))
            return
        if not mark and (found := _POINT.match(text) or _STEP.match(text)):
            mark = "-" if found.re is _POINT else found[1]
            text = text[found.end() :]
        self.held.append(_Block(self.level, text.replace(f"\n{_FENCE}", ""), mark))

    def item(self, mark: str) -> None:
        """Begin an item of a list, with `-` or its number."""
        self.paragraph()
        self.mark = mark

    def term(self, text: str) -> None:
        """Name what the entry that follows, one step further in, is about."""
        self.paragraph()
        text = " ".join(text.split())
        before = self.held[-1] if self.held else None
        if before and before.term and before.level == self.level and text:
            before.text = f"{before.text}, {text}"
        elif text:
            self.held.append(_Block(self.level, text, term=len(text) <= _LONGEST_TERM))

    def listing(self) -> None:
        """Begin a listing, the lines of which stay as they are."""
        self.paragraph()
        self.code = []

    def listing_ends(self) -> None:
        """End a listing, where one is open."""
        lines, self.code = self.code, None
        if lines is None:
            return
        while lines and not lines[-1].strip():
            lines.pop()
        while lines and not lines[0].strip():
            lines.pop(0)
        if lines:
            code = "\n".join(line.replace(_FENCE, "'''").rstrip() for line in lines)
            self.held.append(_Block(self.level, f"{_FENCE}\n{code}\n{_FENCE}"))

    def line(self, text: str) -> None:
        """Add a line to a listing."""
        if self.code is not None:
            self.code.append(text)

    def written(self) -> str:
        """Return the page."""
        self.paragraph()
        parts: list[str] = []
        before: _Block | None = None
        for block in _with_short_entries(self.held):
            mark = f"{block.mark} " if block.mark else ""
            indent = _STEP_IN * min(block.level, _DEEPEST)
            text = "\n".join(f"{indent}{line}" for line in f"{mark}{block.text}".split("\n"))
            tight = before is not None and before.mark and block.mark and before.level == block.level
            parts += ["\n" if tight else "\n\n", text]
            before = block
        return _headings_small("".join(parts[1:]))


def _with_short_entries(held: list[_Block]) -> list[_Block]:
    """Return blocks, those of a short entry behind its term on one line."""
    found: list[_Block] = []
    for n, block in enumerate(held):
        before = found[-1] if found else None
        after = held[n + 1] if n + 1 < len(held) else None
        alone = after is None or after.level < block.level or after.text.startswith("#")
        fits = len(block.text) <= _SHORT_ENTRY and not block.mark and not block.text.startswith(("#", _FENCE))
        if before and before.term and block.level == before.level + 1 and not block.term and alone and fits:
            colon = "" if before.text[-1:] in ":?!" and len(before.text) > 1 else ":"
            found[-1] = _Block(before.level, f"{before.text}{colon} {block.text}")
        else:
            found.append(block)
    return found


def _headings_small(text: str) -> str:
    """Write headings in capitals as words are written; a word that has no other form on the page stays."""
    known = {
        word for line in text.split("\n") if not line.startswith("#") for word in re.findall(r"[\w'-]+", line)
    }
    lines = text.split("\n")
    for n, line in enumerate(lines):
        if line.startswith("#") and line.isupper():
            small = _WORD.sub(
                lambda m: m[0] if m[0] in known and m[0].lower() not in known else m[0].lower(), line
            )
            at = next((i for i, sign in enumerate(small) if sign.isalpha()), 0)
            lines[n] = small[:at] + small[at].upper() + small[at + 1 :]
    return "\n".join(lines)
