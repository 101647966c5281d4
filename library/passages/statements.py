"""A text's statements in the form in which it makes them: sentences, items and steps of lists, code.

Beside the sentences that can stand as quotations (`library.passages.quote_filter`) a list's items count,
which end as they like, and lines that introduce what follows them ("This is the procedure:"). What stands
in headings and in lines of contents is no statement, and of a table a row is one whose columns have names, or
that says something in words. Of notes, which are written in lines and items, each of these is one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from library.passages.blocks import Block, Form, blocks
from library.passages.quote_filter import (
    LONGEST,
    Splitter,
    is_junk,
    is_notes,
    note_spans,
    opened,
    readable,
    runs_on,
    usable,
    usable_cells,
    usable_note,
    word_count,
)
from library.passages.tables import TableRow, aligned, table_rows
from library.safety.prompt_injection import order_finder
from library.text.byline import byline_span
from library.text.hidden_characters import HIDDEN

_INTRODUCES = re.compile(r"[:：]\s*$")
_LONGEST_CODE = 30
"""Lines of code that are shown: what is longer is a listing."""
_LETTERS_OF_CODE = 0.35
"""Share of letters below which something set like code is a drawing, which means nothing by itself."""
_LETTERS = 0.6
"""Share of an item's signs that are letters at least."""
_FEWEST_CONTENTS, _SHORT_ITEM, _MOSTLY = 3, 8, 0.8
"""Points that a table of contents has at least, their words at most, and the share that must be so."""
_OF_A_SECTION = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,3}(?:\.\d{1,3}){1,4})\.?[ \t]+(\S.*)$", re.MULTILINE
)
"""A line of contents with the number of its section: `8.5. Which package …`."""
_FEWEST_SECTIONS, _SECTION_LINES = 4, 0.4
"""Lines with numbers of sections of a table of contents, at least, and their share: long ones are wrapped."""
_CALLED_CONTENTS = re.compile(
    r"^\W{0,8}(?:(?:table of )?contents|index|inhalt(?:sverzeichnis)?|sommaire|table des matières|[íi]ndice|"
    r"contenido|sommario|目\s?[录錄])\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
_ASKING = 0.25
"""Share of questions among such lines from which on they are contents, whatever they are called."""
_QUESTION_MARKS = re.compile("[?？؟]")
_FULL_STOP = re.compile(r"[.。;；][\"”’»）)]*$")
_STOPS = re.compile(r"[.!?。！？؟।:：;；,，][\"”’»）)]*$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, an item or some code of a text; it stands at `text[start:end]`."""

    start: int
    end: int
    words: str
    """As it is quoted: in one line, without marks of markup; code keeps its lines."""
    form: Form
    paragraph: int
    """The number of its paragraph or list in the text."""
    item: int
    """The number of its block in the text: sentences of one item share it."""
    alone: bool
    """Can be quoted by itself; else only with what stands beside it."""
    noted: bool = False
    """Stands in notes: an item there needs no other item, and lines are lines."""
    row: TableRow | None = None
    """As what it stands in a table; None outside of tables."""

    @property
    def asked(self) -> str:
        """Its words as they are met by a question's: of a row with the names of its columns."""
        return self.row.told if self.row else self.words

    @property
    def cells(self) -> str:
        """Its words without the names of columns."""
        return " ".join(cell for _, cell in aligned(self.words, self.row.heads)) if self.row else self.words

    @property
    def introduces(self) -> bool:
        """Whether it only introduces what follows it."""
        return bool(_INTRODUCES.search(self.words))


def statements(text: str, split: Splitter, heads: tuple[str, ...] = ()) -> list[Statement]:
    """Return the statements of a text in order; orders to machines and what nobody sees are none.

    Args:
        text: Of a passage, say.
        split: Finds sentences.
        heads: Of the columns of a table that it begins in the midst of; () for none.
    """
    is_order = order_finder(text)
    held = list(enumerate(blocks(text)))
    noted = is_notes(text, split)
    rows = {row.start: row for row in table_rows(text, heads)}
    contents = _contents([block for _, block in held], text, noted=noted)
    found = [
        statement
        for number, block in held
        if block.form != "heading" and block.paragraph not in contents
        for statement in _of_block(text, number, block, split, rows, noted=noted)
    ]
    apart = byline_span(text)
    return [
        told
        for told in found
        if told.start not in apart
        and not HIDDEN.search(text[told.start : told.end])
        and not is_order(told.words)
    ]


def as_told(text: str, start: int, end: int) -> str:
    """Return a part of a text as it is quoted; empty for orders to machines and what is hidden."""
    words = readable(text[start:end])
    hidden = HIDDEN.search(text[start:end]) or order_finder(text)(words)
    return "" if hidden or not word_count(words) else words


def _contents(held: list[Block], text: str, *, noted: bool) -> set[int]:
    """Return the paragraphs that only list what is elsewhere: an index, a table of contents, a menu.

    Told by their form: several points, hardly any of them ended like a sentence, all short, and no line that
    introduces them (not so in notes, which are written so); or entries that run on in one line, each with its
    number; or lines with numbers of sections that count up, called contents or asking.
    """
    found: set[int] = set()
    before = ""
    for paragraph, run in groupby(held, key=lambda block: block.paragraph):
        own = list(run)
        items = [text[b.start : b.end].strip() for b in own if b.form == "point"]
        bare = sum(not _STOPS.search(item) and word_count(item) <= _SHORT_ITEM for item in items)
        introduced = bool(_INTRODUCES.search(before)) or own[0].form == "prose"
        if not noted and len(items) >= _FEWEST_CONTENTS and bare >= _MOSTLY * len(items) and not introduced:
            found.add(paragraph)
        if any(runs_on(text[block.start : block.end]) for block in own if block.form != "code"):
            found.add(paragraph)
        if _lists_sections(text[own[0].start : own[-1].end], before):
            found.add(paragraph)
        before = text[own[-1].start : own[-1].end]
    return found


def _lists_sections(text: str, before: str) -> bool:
    """Tell whether a paragraph is made of lines with numbers of sections, in order, that end in no stop.

    Clauses and lists of versions are written so, too: only where it is called contents, or its lines ask.
    """
    told = _OF_A_SECTION.findall(text)
    if len(told) < _FEWEST_SECTIONS or len(told) < _SECTION_LINES * (text.count("\n") + 1):
        return False
    numbers = [tuple(map(int, number.split("."))) for number, _ in told]
    bare = sum(not _FULL_STOP.search(words.strip()) for _, words in told)
    rising = all(one < other for one, other in pairwise(numbers))
    asking = len(_QUESTION_MARKS.findall(text)) >= _ASKING * len(told)
    called = _CALLED_CONTENTS.search(text) or _CALLED_CONTENTS.search(before)
    return rising and bare >= _MOSTLY * len(told) and (asking or called is not None)


def _of_block(
    text: str, number: int, block: Block, split: Splitter, rows: Mapping[int, TableRow], *, noted: bool
) -> Iterator[Statement]:
    body = text[block.start : block.end]
    if block.form == "code":
        drawn = sum(map(str.isalpha, body)) < _LETTERS_OF_CODE * len("".join(body.split()))
        if body.count("\n") < _LONGEST_CODE and not drawn:
            yield Statement(
                block.start, block.end, body.rstrip(), "code", block.paragraph, number, alone=False
            )
        return
    if block.form == "row":
        row = rows.get(block.start)
        if row is not None and usable_cells(words := readable(row.words), named=bool(row.heads)):
            yield Statement(
                block.start, block.end, words, "row", block.paragraph, number,
                alone=True, noted=noted, row=replace(row, words=words),
            )  # fmt: skip
        return
    for start, end in note_spans(body, block, text, split) if noted else split(body):
        words = readable(body[start:end])
        told = Statement(
            block.start + start, block.start + end, words, block.form, block.paragraph, number,
            alone=True, noted=noted,
        )  # fmt: skip
        if usable(opened(words, text, told.start)) or (
            noted and usable_note(words, listed=block.form != "prose")
        ):
            yield told
        elif block.form in ("point", "step") and _listable(words):
            yield replace(told, alone=block.form == "step")
        elif told.introduces and _listable(words) and word_count(words) > 1:
            yield replace(told, alone=False)


def _listable(words: str) -> bool:
    """Tell whether an item, or the line before a list, can be quoted, which a sentence like it could not."""
    if is_junk(words) or not 0 < word_count(words) <= LONGEST:
        return False
    return sum(map(str.isalpha, words)) >= _LETTERS * len(words.replace(" ", ""))
