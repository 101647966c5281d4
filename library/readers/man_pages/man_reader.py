"""Manual pages (`rsync.1`, also packed as `rsync.1.gz`) to text: the macros of man and of mdoc.

Sections are headings, options are terms with their entries further in, examples are code. Nothing of the
system is asked: pages are read where there is neither `man` nor groff.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from library.errors import ReadError
from library.readers.man_pages.mdoc_words import MACROS, add_words
from library.readers.man_pages.page_text import PageText, Words
from library.readers.man_pages.roff_lines import RoffLine, roff_lines
from library.readers.text_files.plain_text import decode, seen, tidy

_PARTED_BY = re.compile(r"tab\s*\((.)\)", re.IGNORECASE)
_BULLETS = frozenset("•-*o·+—–")
_NUMBER = re.compile(r"\(?(\d{1,2})[.)]?")
_TOGETHER = ("BR", "RB", "BI", "IB", "IR", "RI")
_IN_A_ROW = ("B", "I", "R", "SM", "SB", "CW")
_IN_A_FONT = re.compile(rf"\.(?:{'|'.join((*_TOGETHER, *_IN_A_ROW))})\s+")
_PARAGRAPHS = ("P", "PP", "LP", "HP", "Pp", "Lp", "Sp", "sp", "br")
_CODE, _CODE_ENDS = ("nf", "EX", "Vb"), ("fi", "EE", "Ve")
_STRUCTURE = ("SH", "SS", "Sh", "Ss", "TH", "Dt", "Bl", "It", "El", "Bd", "Ed", "TP", "IP", "RS", "RE")
_A_FEW, _LEAST_KEPT = 200, 0.05
"""Letters of lines of text that a page may lose, as what it hides; and the part of more that comes out."""
_COMMAND_LINES = "synopsis"
"""The section of a page that shows how a command is written, and no sentences."""


def read_man(data: bytes, charset: str | None, largest: int) -> dict[str, Any]:
    """Read a manual page.

    Args:
        data: Its source, not packed.
        charset: As it was declared; None where it was not.
        largest: Bytes that it may have.

    Raises:
        ReadError: it is too large, only names another page, or (nearly) nothing comes out of it.
    """
    if len(data) > largest:
        raise ReadError(f"the manual page is larger than {largest / 1_000_000:g} MB")
    page = _Page()
    source = seen(decode(data, charset))
    for line in roff_lines(source):
        page.take(line)
    text = tidy(page.text.written())
    if not text and page.another:
        raise ReadError(f"it only stands for another manual page, {page.another}")
    if _lost(source, text):
        raise ReadError("hardly anything of it can be read as a manual page")
    if not text:
        raise ReadError("it is empty")
    return {"text": text, "title": page.title or None}


def _lost(source: str, text: str) -> bool:
    """Tell whether of lines of text in a source nearly nothing came out, though they are more than a few."""
    told, hidden = 0, False
    for line in source.split("\n"):
        hidden = line.startswith(".ig") or (hidden and not line.startswith(".."))
        if not hidden and line[:1] not in ".'\\":  # no macro, no comment
            told += sum(map(str.isalnum, line))
    return told > _A_FEW and sum(map(str.isalnum, text)) < _LEAST_KEPT * told


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the rows of a table, each on a line: a cell of several stands between `T{` and `T}`."""
    rows: list[list[str]] = []
    goes_on = False
    for line in lines:
        ends = goes_on and line.startswith("T}")
        begins = (ends or not goes_on) and line.rstrip().endswith("T{")
        words = line.rstrip().removesuffix("T{") if begins else line
        if ends:
            rows[-1].append(words.removeprefix("T}"))
        elif not goes_on:
            rows.append([words])
        elif font := _IN_A_FONT.match(line):
            rows[-1].append(f" {line[font.end() :]}".replace('"', ""))
        elif not line.startswith("."):
            rows[-1].append(f" {line}")
        goes_on = begins or (goes_on and not ends)
    return ["".join(row) for row in rows]


class _Page:
    """A page, as far as it was read."""

    def __init__(self) -> None:
        self.text = PageText()
        self.title = self.another = self.name = ""
        self.margins: list[int] = []
        """How far in stood what is around the part that is read."""
        self.level = 0
        """How far in its own paragraphs stand; an entry of them is one step further in."""
        self.lists: list[tuple[str, int, int]] = []
        """Of each open list of mdoc its kind, how far in it stands, and the number of its last item."""
        self.tagged = False
        """The next line of text is a term."""
        self.held = False
        """A term goes on over lines, up to `Xc`."""
        self.term_words = Words()
        self.awaited = 0
        """The next line of text is a heading of this depth; 0 for none."""
        self.cited = False
        """A part of a source that is cited was told."""
        self.address, self.before = "", 0
        """Where a link leads that is open, and how many pieces of text stood before it."""
        # fmt: off
        self.takes: dict[str, Callable[[Sequence[str]], None]] = {
            "TH": self._titled, "Dt": self._titled, "so": self._another,
            "SH": partial(self._heading, depth=1), "Sh": partial(self._heading, depth=1),
            "SS": partial(self._heading, depth=2), "Ss": partial(self._heading, depth=2),
            "TP": self._tag_follows, "TQ": self._tag_follows, "IP": self._indented,
            "RS": self._further_in, "RE": self._back, "TS": self._table, "Sm": self._spaced,
            "MR": self._page_named, "SY": self._command, "OP": self._option,
            "Rs": self._source, "Re": self._source, "Ex": self._exits, "Rv": self._returns,
            "UR": self._linked, "MT": self._linked, "UE": self._link_ends, "ME": self._link_ends,
            "Bl": self._list, "It": self._item, "El": self._list_ends,
            "Bd": self._display, "Ed": self._display_ends, "Dl": self._one_line, "D1": self._one_line,
        }
        # fmt: on

    def take(self, line: RoffLine) -> None:
        """Read a line."""
        macro, given = line.macro, line.arguments
        if self.text.code is not None and self._of_code(line):
            return
        if not macro:
            self._said(given[0], line)
        elif macro in _TOGETHER:
            self._said("".join(given), line)
        elif macro in _IN_A_ROW:
            self._said(" ".join(given), line)
        elif macro in MACROS:
            self._of_mdoc(macro, given)
        elif macro in _PARAGRAPHS:
            self._paragraph(keeps_entry=macro in ("br", "sp", "Sp", "Pp", "Lp"))
        elif macro in _CODE or macro in _CODE_ENDS:
            (self.text.listing if macro in _CODE else self.text.paragraph)()
        elif macro in self.takes:
            self.takes[macro](given)
        elif macro.startswith("%"):
            self.text.words.add("," if self.cited else "", left=True)
            self.text.words.add(" ".join(given))
            self.cited = True

    def _of_code(self, line: RoffLine) -> bool:
        """Take a line of a listing; tell whether that is all."""
        if line.macro in _CODE_ENDS or line.macro in _STRUCTURE:
            return False
        if line.macro in MACROS:
            self.text.line(self._as_words(line.arguments, line.macro))
        elif line.macro in _TOGETHER or line.macro in _IN_A_ROW or not line.macro:
            self.text.line(("" if line.macro in _TOGETHER else " ").join(line.arguments))
        elif line.macro in _PARAGRAPHS and line.macro != "br":
            self.text.line("")
        return True

    def _said(self, words: str, line: RoffLine) -> None:
        if self.awaited and words.strip():
            self._heading([words], self.awaited)
        elif self.tagged and words.strip():
            self.tagged = False
            self._entry(words)
        elif words.strip():
            if self.text.in_code or (words[:1] in " \t" and not line.macro and not self.text.words.parts):
                words = words.strip()
            if self.text.words.parts and words[0].isspace():
                self.text.words.glue = False
            self.text.words.add(words.strip(), right=line.glued and not words[-1].isspace())
        elif not line.macro and not line.glued:
            self.text.paragraph()

    def _entry(self, term: str) -> None:
        """Begin an entry by its term, or an item by its mark."""
        self.text.paragraph()
        self.text.level = self.level
        mark = term.strip()
        number = _NUMBER.fullmatch(mark)
        if mark in _BULLETS or number:
            self.text.item(f"{number[1]}." if number else "-")
        else:
            self.text.term(mark)
            self.text.level = self.level + 1

    def _paragraph(self, *, keeps_entry: bool) -> None:
        self.text.paragraph()
        if not keeps_entry:
            self.text.level = self.level

    def _heading(self, given: Sequence[str], depth: int) -> None:
        self.text.paragraph()
        name = " ".join(given)
        self.awaited = 0 if name.strip() else depth
        self.level = self.text.level = 0
        self.margins.clear()
        self.lists.clear()
        self.tagged = self.held = False
        if depth == 1:
            self.text.in_code = name.strip().lower() == _COMMAND_LINES
        # Its first words say what the page is about: they stand below its title as they are.
        if name.strip().upper() != "NAME" and name.strip():
            self.text.heading(name, depth)

    def _titled(self, given: Sequence[str]) -> None:
        if given and not self.title:
            name = given[0].lower() if given[0].isupper() else given[0]
            name = name.replace(" ", "-")
            self.title = f"{name}({given[1]})" if len(given) > 1 else name
            self.name = name

    def _indented(self, given: Sequence[str]) -> None:
        if len(given) > 0 and given[0].strip():
            self._entry(given[0])
        else:
            self.text.paragraph()
            self.text.level = self.level + (self.text.level > self.level)

    def _tag_follows(self, _given: Sequence[str]) -> None:
        self.text.paragraph()
        self.tagged = True

    def _further_in(self, _given: Sequence[str]) -> None:
        self.text.paragraph()
        self.margins.append(self.level)
        self.level = self.text.level = max(self.text.level, self.level) + 1

    def _back(self, _given: Sequence[str]) -> None:
        self.text.paragraph()
        self.level = self.text.level = self.margins.pop() if self.margins else 0

    def _table(self, lines: Sequence[str]) -> None:
        """Add the rows of a table: what stands behind its format, which ends with a stop."""
        self.text.paragraph()
        cut = next((n for n, line in enumerate(lines) if line.rstrip().endswith(".")), -1)
        options = _PARTED_BY.search(lines[0]) if lines and lines[0].rstrip().endswith(";") else None
        for row in _rows(lines[cut + 1 :]):
            words = [" ".join(cell.split()) for cell in row.split(options[1] if options else "\t")]
            if any(set(word) - set("_=") for word in words) and not row.startswith("."):
                self.text.rows.append(" | ".join(words))
        self.text.paragraph()

    def _linked(self, given: Sequence[str]) -> None:
        self.address = given[0] if given else ""
        self.before = len(self.text.words.parts)

    def _link_ends(self, given: Sequence[str]) -> None:
        told = len(self.text.words.parts) > self.before
        self.text.words.add(f"({self.address})" if told and self.address else self.address)
        self.text.words.add("".join(given), left=True)

    def _page_named(self, given: Sequence[str]) -> None:
        self.text.words.add(f"{given[0]}({given[1]})" if len(given) > 1 else " ".join(given))
        self.text.words.add("".join(given[2:]), left=True)

    def _command(self, given: Sequence[str]) -> None:
        self.text.paragraph()
        self.text.words.add(" ".join(given))

    def _option(self, given: Sequence[str]) -> None:
        self.text.words.add(f"[{' '.join(given)}]")

    def _another(self, given: Sequence[str]) -> None:
        self.another = " ".join(given)

    # -- mdoc

    def _of_mdoc(self, macro: str, given: Sequence[str]) -> None:
        words = [macro, *given]
        if self.text.in_code and macro == "Nm":
            self.text.paragraph()
        if macro == "Nm" and given and not self.text.words.parts and not self.text.held:
            self.name = given[0]
        if self.tagged and words[0] != "Xc":  # a term that goes on
            add_words(self.text.words, macro, given, self.name)
            return
        if self.held:
            end = next((n for n, word in enumerate(words) if word == "Xc"), -1)
            add_words(self.term_words, words[0], words[1 : end if end >= 0 else None], self.name)
            if end >= 0:
                self.held = False
                self._item_named(self.term_words.text)
                if words[end + 1 :]:
                    self._of_mdoc("No", words[end + 1 :])
            return
        add_words(self.text.words, macro, given, self.name)

    def _source(self, _given: Sequence[str]) -> None:
        self.text.words.add("." if self.cited else "", left=True)
        self.cited = False

    def _exits(self, given: Sequence[str]) -> None:
        names = " and ".join(given[1:]) or self.name
        self.text.words.add(f"{names} exits 0 on success, and >0 if an error occurs.")

    def _returns(self, given: Sequence[str]) -> None:
        names = " and ".join(f"{each}()" for each in given[1:]) or f"{self.name}()"
        self.text.words.add(f"{names} returns 0 on success; otherwise -1, and errno tells the error.")

    def _list(self, given: Sequence[str]) -> None:
        self.text.paragraph()
        kind = next((each for each in given if each.startswith("-")), "-item")
        self.lists.append((kind, self.level, 0))
        self.level = self.text.level

    def _list_ends(self, _given: Sequence[str]) -> None:
        self.text.paragraph()
        if self.lists:
            inside = self.level
            self.level = self.lists.pop()[1]
            self.text.level = inside

    def _item(self, given: Sequence[str]) -> None:
        self.text.paragraph()
        if not self.lists:
            return
        kind, around, number = self.lists[-1]
        self.lists[-1] = (kind, around, number + 1)
        self.text.level = self.level
        if kind in ("-bullet", "-dash", "-hyphen", "-enum"):
            self.text.item(f"{number + 1}." if kind == "-enum" else "-")
        elif kind == "-column":
            cells: list[list[str]] = [[]]
            for word in given:
                cells.append([]) if word == "Ta" else cells[-1].append(word)
            self.text.rows.append(" | ".join(map(self._as_words, cells)))
        elif kind != "-item":
            self.term_words = Words()
            add_words(self.term_words, "No", given, self.name)
            self.held = "Xo" in given and "Xc" not in given
            if not self.held:
                self._item_named(self.term_words.text)

    def _item_named(self, term: str) -> None:
        self.text.level = self.level
        self.text.term(term)
        self.text.level = self.level + 1

    def _as_words(self, given: Sequence[str], macro: str = "No") -> str:
        words = Words()
        add_words(words, macro, given, self.name)
        return words.text

    def _display(self, given: Sequence[str]) -> None:
        self.text.paragraph()
        if {"-literal", "-unfilled"} & set(given):
            self.text.listing()

    def _display_ends(self, _given: Sequence[str]) -> None:
        self.text.paragraph()

    def _spaced(self, given: Sequence[str]) -> None:
        for words in (self.text.words, self.term_words):
            words.keep_together(list(given[:1]) == ["off"])

    def _one_line(self, given: Sequence[str]) -> None:
        self.text.listing()
        self.text.line(self._as_words(given))
        self.text.paragraph()
