"""What a place of a text belongs to: the list and its lead-in, the item above it, the term of its entry.

Told by how a text is laid out, in any language: marks and numbers of items, indentation, colons. A term is a
short line without a stop, above lines that stand further in, as `PATH` and `-a, --all` do in manual pages.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from library.passages.blocks import BLANK, FENCE, Block, Form, blocks, headings_above, section_words
from library.text.sentences import sentences

LONG_SECTION = 300
"""Words of a section above which each entry in it is about something else: of a reference."""
_INTRODUCES = re.compile(r"[:：]\s*$")
_NUMBER = re.compile(r"\s*(\d{1,2})[.)]")
_ITEM = re.compile(r"\s*(?:[-*•‣▪–]|\d{1,2}[.)])\s")
_ENDS = re.compile(r"[.!?;,。！？；，、…।؟۔][\"”’»）)]*$")
_LONGEST_TERM, _MOST_TERMS = 160, 6
"""Characters of a term with others that share its entry; how many do."""
_TAG = re.compile(r"(\S(?:.{0,60}?\S)?)\s{2,}")
_LONGEST_TITLE = 60
"""Characters of a term with its entry at once below it."""
_WORDS_OF_A_LABEL = 5
"""Words of a term with a colon behind it, at most."""
_ITEMS: tuple[Form, ...] = ("point", "step")
_NAMED_ITEM = re.compile(
    r"[ \t]{0,40}[-*•‣▪–][ \t]{1,8}(?P<name>[^\s(:—–]+(?: [^\s(:—–]+){0,3})(?: \([^()\n]{1,60}\))?"
    r"(?:: | [—–-] )(?=\S)"
)
"""An item that begins with what it tells of: `delete (boolean) — if set, …`."""
_ENTRIES, _MOSTLY = 5, 0.8
"""Items of a section from which on those are entries that have names, and the share of them that has one."""


@dataclass(frozen=True, slots=True)
class ListPart:
    """An item of a list, or code or a further paragraph that belongs to one: `text[start:end]`."""

    start: int
    end: int
    form: Form
    number: int
    """A step's, as the text prints it; 0 for all else."""
    level: int
    """How far in it stands, from 0; of what belongs to an item, the item's."""
    parent: int
    """The place in its list of the item that it belongs to; -1 for none."""


@dataclass(frozen=True, slots=True)
class TextList:
    """A list with those in its items."""

    parts: tuple[ListPart, ...]
    lead: tuple[int, int] | None
    """Where the sentence stands that introduces it, and ends with a colon; None where none does."""

    @property
    def start(self) -> int:
        """Where it begins, its lead-in included."""
        return self.lead[0] if self.lead else self.parts[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.parts[-1].end


@lru_cache(maxsize=400)
def lists(text: str) -> tuple[TextList, ...]:
    """Return the lists of a text in order. One goes on over blank lines, code and paragraphs further in."""
    reading = _Lists(text)
    before: Block | None = None
    for block in blocks(text):
        if block.form in _ITEMS:
            reading.item(block, before)
        else:
            reading.other(block)
        before = block
    reading.close()
    return tuple(reading.found)


@dataclass(slots=True)
class _Lists:
    """The lists of a text that were read so far, and the one that is open."""

    text: str
    found: list[TextList] = field(default_factory=list)
    parts: list[ListPart] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)
    """How far in each part begins, in characters."""
    above: list[int] = field(default_factory=list)
    """The places of the items that what follows may stand in, the outermost first."""
    lead: tuple[int, int] | None = None

    def item(self, block: Block, before: Block | None) -> None:
        indent, number = _indent(self.text, block.start), _number_of(self.text, block)
        while self.above and self.indents[self.above[-1]] > indent:
            self.above.pop()
        beside = bool(self.above) and self.indents[self.above[-1]] == indent
        anew = beside and len(self.above) == 1 and not _goes_on(self._last(), block.form, number)
        if anew or (not self.above and self.parts):
            self.close()
        elif beside:
            self.above.pop()
        if not self.parts:
            self.lead = _lead(self.text, before) if before else None
        self._put(block, number, len(self.above), self.above[-1] if self.above else -1)
        self.above.append(len(self.parts) - 1)

    def other(self, block: Block) -> None:
        """Take code, or a paragraph further in, to the last item; all else ends the list."""
        if not self.parts:
            return
        further = _indent(self.text, block.start) > self.indents[self.above[-1]]
        if block.form == "code" or (block.form == "prose" and further and not self._loose()):
            self._put(block, 0, self._last().level, self.above[-1])
        else:
            self.close()

    def close(self) -> None:
        while self._loose():
            self.parts.pop()
            self.indents.pop()
        if self.parts:
            self.found.append(TextList(tuple(self.parts), self.lead))
        self.parts, self.indents, self.above = [], [], []

    def _put(self, block: Block, number: int, level: int, parent: int) -> None:
        self.parts.append(ListPart(block.start, block.end, block.form, number, level, parent))
        self.indents.append(_indent(self.text, block.start))

    def _last(self) -> ListPart:
        return self.parts[self.above[-1]]

    def _loose(self) -> bool:
        """Tell whether the last part is code that belongs to an item only where another item follows."""
        if not self.parts or self.parts[-1].form != "code":
            return False
        if self.indents[-1] > self.indents[self.parts[-1].parent]:
            return False
        return bool(BLANK.search(self.text, self.parts[-2].end, self.parts[-1].start))


def list_at(text: str, start: int, end: int) -> tuple[TextList, int] | None:
    """Return the list in which a span of a text stands, and the place of its part there; None for none."""
    every = lists(text)
    at = bisect_right([each.parts[0].start for each in every], start) - 1
    if at < 0:
        return None
    for place, part in enumerate(every[at].parts):
        if part.start <= start < part.end and end <= part.end + 1:
            return every[at], place
    return None


def introduced(text: str, start: int, end: int) -> TextList | None:
    """Return the list whose lead-in stands at a span of a text; None where it leads to none."""
    for each in lists(text):
        if each.lead and each.lead[0] < end and start < each.lead[1]:
            return each
    return None


def terms_above(text: str, offset: int) -> list[str]:
    """Return the terms of the entries that a place of a text stands in, the outermost first; [] for none."""
    lines = _lines(text)
    at = bisect_right(lines, offset, key=lambda line: line[0]) - 1
    indent = lines[at][1] if at >= 0 else 0
    own = _TAG.match(lines[at][2]) if 0 <= at < len(lines) - 1 else None
    found = [own[1]] if own and indent + own.end() == lines[at + 1][1] and lines[at + 1][2] else []
    while at > 0 and indent > 0:
        at -= 1
        start, further_out, words = lines[at]
        if further_out >= indent or not words:
            continue
        indent = further_out
        if words.startswith("#"):
            break
        if _ITEM.match(text, start):
            found = [term for term in found if not term.isalpha()]  # a label in an item: “Note:”
            continue
        if FENCE.match(text, start) or _in_code(text, lines, at):
            continue
        if term := _term(lines, at):
            found.insert(0, term)
    return found


def item_name(text: str, offset: int) -> str:
    """Return what an item of a list begins with where that names what it tells of; empty for all else."""
    found = _NAMED_ITEM.match(text, text.rfind("\n", 0, offset) + 1)
    return found["name"] if found else ""


def name_entries(items: Sequence[str]) -> bool:
    """Tell whether the items of a section are entries, by the names that they begin with (`item_name`).

    A few with names are parts of one matter; of a reference nearly all have one.
    """
    return len(items) >= _ENTRIES and sum(map(bool, items)) >= _MOSTLY * len(items)


def section_name(text: str, offset: int) -> str:
    """Return what a place of a text stands under: the term of its entry, or a heading; empty for neither.

    Of a short section the heading, where the term is but a label in it (“Description”, “Solution”).
    """
    above, terms = headings_above(text, offset), terms_above(text, offset)
    label = bool(terms) and terms[-1].isalpha() and section_words(text, offset) <= LONG_SECTION
    return (terms[-1:] or above[-1:] or [""])[0] if not (label and above) else above[-1]


def _term(lines: list[tuple[int, int, str]], at: int) -> str:
    """Return the term that ends at a line, with others above it that share its entry; empty for none."""
    indent = lines[at][1]
    held: list[str] = []
    while at >= 0 and lines[at][2] and lines[at][1] == indent:
        held.insert(0, lines[at][2])
        at -= 1
    _, further_in, below = lines[at + len(held) + 1]
    if below:  # no blank line: a tag before the text whose other lines begin below its first word, or a title
        held = held[-1:]
        tag = _TAG.match(held[-1])
        if tag and indent + tag.end() == further_in:
            held = [tag[1]]
        elif len(held[-1]) > _LONGEST_TITLE:
            return ""
    whole = ", ".join(held)
    if len(held) > _MOST_TERMS or len(whole) > _LONGEST_TERM or _ENDS.search(held[-1]):
        return ""
    if _INTRODUCES.search(whole) and len(whole.split()) > _WORDS_OF_A_LABEL:
        return ""  # it leads to what stands below it, and names nothing
    return whole.rstrip(":： ")


@lru_cache(maxsize=200)
def _lines(text: str) -> list[tuple[int, int, str]]:
    """Return where each line begins, how far in its words stand, and the words."""
    found, at = [], 0
    for line in text.split("\n"):
        found.append((at, len(line) - len(line.lstrip()), line.strip()))
        at += len(line) + 1
    return found


def _in_code(text: str, lines: list[tuple[int, int, str]], at: int) -> bool:
    """Tell whether a line is fenced in; what only looks like code may be a term: a call, an option."""
    held, offset = blocks(text), lines[at][0]
    found = bisect_right([block.start for block in held], offset + lines[at][1]) - 1
    if found < 0 or held[found].form != "code" or offset >= held[found].end:
        return False
    first = bisect_right(lines, held[found].start, key=lambda line: line[0]) - 1
    return first > 0 and FENCE.match(lines[first - 1][2]) is not None


def _indent(text: str, start: int) -> int:
    line = text.rfind("\n", 0, start) + 1
    return len(text[line:start]) - len(text[line:start].lstrip()) if start > line else _blanks(text, line)


def _blanks(text: str, line: int) -> int:
    end = text.find("\n", line)
    words = text[line : end if end >= 0 else len(text)]
    return len(words) - len(words.lstrip())


def _number_of(text: str, block: Block) -> int:
    found = _NUMBER.match(text, text.rfind("\n", 0, block.start) + 1)
    return int(found[1]) if found and block.form == "step" else 0


def _goes_on(before: ListPart, form: Form, number: int) -> bool:
    return before.form == form and (form == "point" or number > before.number)


def _lead(text: str, before: Block) -> tuple[int, int] | None:
    """Return the last sentence of what stands before a list, where it introduces it."""
    if before.form != "prose" or not _INTRODUCES.search(text[before.start : before.end]):
        return None
    told = sentences(text[before.start : before.end])
    start, end = told[-1] if told else (0, before.end - before.start)
    return before.start + start, before.start + end
