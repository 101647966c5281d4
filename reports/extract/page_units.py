"""What a page says as units that can be told: sentences, items, steps, code and rows, and what each needs.

A sentence that leans on the one before it is told with that one, an item of a list with its list, what
introduces something with what it introduces; what cannot have what it needs is not told.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from library import Evidence, Passage
from library.passages import (
    LONG_SECTION,
    Statement,
    blocks,
    headings_above,
    item_name,
    name_entries,
    statements,
    table_rows,
    terms_above,
    word_count,
)
from models import Statistics
from reports.extract.agenda_items import agenda_items
from reports.extract.sentence_context import in_first_person, looks_back, points_back
from reports.extract.written_day import written_day

_LONGEST_LIST, _MOST_WORDS = 12, 200
"""Items and words of a list that is brought along whole."""
LONGEST_TABLE = 20
"""Rows of a table that is told whole."""
_FAR = 2_000
"""Characters between two sentences under one heading from which on they do not belong together."""
_GAP = 40
"""Characters between two sentences that follow each other at most: marks of lists and fences, a heading."""
_FENCES = ("```", "~~~")
"""What opens a fence right before some code."""
_BACK = 3
"""Sentences that one may need before it."""
_OWN_SAYINGS, _OWN_SHARE = 2, 0.2
"""Sentences with “I” of a page of somebody's own notes, at least, and their share."""
_EXAMPLES, _MOSTLY = 5, 0.75
"""Examples of a section from which on each is about something else, and the share of it that they are."""
_INTO_ENTRY = 4
"""Sentences of a term's entry up to which the first one is told, too."""


@dataclass(frozen=True, slots=True)
class OpeningPassage:
    """A passage that the opening may quote."""

    id: str
    sha256: str
    """Of its source."""
    start: int
    """Where it begins in its source."""
    text: str
    title: str
    under: str = ""
    """The heading that it begins under in its source; empty where there is none."""
    private: bool = False
    """A person's own document."""
    heads: tuple[str, ...] = ()
    """Of the columns of a table that it begins in the midst of; () for none."""
    rows: int = 0
    """Of the longest table that it holds a part of, in its source."""
    day: str = ""
    """The day or month, as ISO 8601, that its source says it is of; empty where it does not."""
    outline: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """From which place of its text on which headings of its source stand above, the outermost first."""
    entries: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The same of terms: which entries of its source a place stands in; () where only its text is known."""


@dataclass(frozen=True, slots=True)
class PageUnit:
    """Something that a passage says."""

    passage: OpeningPassage
    told: Statement
    own: bool = False
    """Its page is a person's notes, and whoever says “I” there keeps them."""

    @property
    def start(self) -> int:
        """Where it begins in its source."""
        return self.passage.start + self.told.start

    @property
    def end(self) -> int:
        """Where it ends there."""
        return self.passage.start + self.told.end

    @property
    def block(self) -> tuple[str, int]:
        """Its passage and the paragraph or list there."""
        return (self.passage.id, self.told.paragraph)

    @property
    def listed(self) -> bool:
        """Whether it is an item of a list."""
        return self.told.form in ("point", "step")


def opening_passages(ids: Iterable[str], evidence: Evidence) -> list[OpeningPassage]:
    """Return passages as an opening may quote them."""
    ids = list(ids)
    # Of a source many passages are quoted; its beginning is read once.
    first = {passage.sha256: passage for passage in (evidence.passages[i] for i in reversed(ids))}
    days = {page: _day(passage, evidence) for page, passage in first.items()}
    return [
        OpeningPassage(
            i, p.sha256, p.start, p.text, p.title, begins_under(p, evidence), _private(p, evidence),
            *table_around(p, evidence), days[p.sha256], _outline(p, evidence),
            _entries(p, evidence),
        )
        for i, p in ((i, evidence.passages[i]) for i in ids)
    ]  # fmt: skip


def _outline(passage: Passage, evidence: Evidence) -> tuple[tuple[int, tuple[str, ...]], ...]:
    source = evidence.sources.get(passage.sha256)
    if source is None:
        return ()
    inside = [block.end for block in blocks(passage.text) if block.form == "heading"]
    return tuple((at, tuple(headings_above(source.text, passage.start + at))) for at in (0, *inside))


def _entries(passage: Passage, evidence: Evidence) -> tuple[tuple[int, tuple[str, ...]], ...]:
    source = evidence.sources.get(passage.sha256)
    if source is None:
        return ()
    return tuple(
        (block.start, tuple(terms_above(source.text, passage.start + block.start)))
        for block in blocks(passage.text)
    )


def _private(passage: Passage, evidence: Evidence) -> bool:
    source = evidence.sources.get(passage.sha256)
    return source is not None and source.private


def _day(passage: Passage, evidence: Evidence) -> str:
    source = evidence.sources.get(passage.sha256)
    return written_day(passage.title, source.text) if source else ""


def table_around(passage: Passage, evidence: Evidence) -> tuple[tuple[str, ...], int]:
    """Return the heads of the table that a passage begins in the midst of, and how long its longest one is.

    () and 0 where there is none; in rows, of the whole source.
    """
    source = evidence.sources.get(passage.sha256)
    if source is None or "|" not in passage.text:
        return (), 0
    rows = table_rows(source.text)
    first = bisect_right(rows, passage.start, key=lambda row: row.end)
    last = bisect_right(rows, passage.end, key=lambda row: row.start)
    held = Counter(row.table for row in rows)
    heads = rows[first].heads if first < last and rows[first].table < passage.start else ()
    return heads, max((held[row.table] for row in rows[first:last]), default=0)


def begins_under(passage: Passage, evidence: Evidence) -> str:
    """Return the heading that a passage begins under in its source; empty where there is none."""
    source = evidence.sources.get(passage.sha256)
    above = headings_above(source.text, passage.start) if source else []
    return above[-1] if above else ""


def page_units(passages: Sequence[OpeningPassage], statistics: Statistics) -> list[PageUnit]:
    """Return what passages say, in the order of their pages."""
    pages = {passage.sha256: n for n, passage in reversed(list(enumerate(passages)))}
    own = sorted(passages, key=lambda passage: (pages[passage.sha256], passage.start))
    units = [PageUnit(p, told) for p in own for told in statements(p.text, statistics.sentences, p.heads)]
    kept = _kept_by_a_person(units)
    return [replace(unit, own=True) if unit.passage.sha256 in kept else unit for unit in units]


def _kept_by_a_person(units: Sequence[PageUnit]) -> set[str]:
    """Return the private pages that are written in the first person, as notes and diaries are."""
    said: dict[str, list[bool]] = defaultdict(list)
    for unit in units:
        if unit.passage.private and unit.told.form != "code":
            said[unit.passage.sha256].append(in_first_person(unit.told.words))
    return {page for page, own in said.items() if sum(own) >= max(_OWN_SAYINGS, _OWN_SHARE * len(own))}


def sections_of(units: Sequence[PageUnit]) -> list[list[int]]:
    """Return the places of units that stand together on a page: under one heading.

    What stands under a heading is parted by the terms that it explains where it is long: of a reference each
    entry is about something else, and a few kinds of one thing belong together.
    """
    runs = _runs(range(len(units)), units, heading_of)
    return [
        part
        for run in runs
        for part in (
            [run]
            if sum(word_count(units[i].told.words) for i in run) <= LONG_SECTION
            else _examples(run, units) or _runs(run, units, _entry_namer([units[i] for i in run]))
        )
    ]


def entries_of(units: Sequence[PageUnit]) -> list[list[int]]:
    """Return the places of units that stand under one heading or term of a page, or in one named item."""
    return _runs(range(len(units)), units, _entry_namer(units))


def _entry_namer(units: Sequence[PageUnit]) -> Callable[[PageUnit], str]:
    """Return what names the entry of a unit: its item where nearly all items have names, else its term."""
    items = {(u.passage.id, u.told.item): named_item(u) for u in units if u.told.form == "point"}
    return named_entry if name_entries(list(items.values())) else entry_of


def named_entry(unit: PageUnit) -> str:
    """Return the item that a unit stands in where that has a name, else its entry."""
    return named_item(unit) or entry_of(unit)


def named_item(unit: PageUnit) -> str:
    """Return what the item that a unit stands in begins with (`item_name`); empty for none."""
    if unit.told.form != "point":
        return ""
    return item_name(unit.passage.text, blocks(unit.passage.text)[unit.told.item].start)


def _examples(run: Sequence[int], units: Sequence[PageUnit]) -> list[list[int]]:
    """Return a section as its examples: each a paragraph with the code below it; [] where it has none.

    An account that code stands in has several paragraphs between two pieces of it, or what leans on the code
    above it.
    """
    found: list[list[int]] = []
    for i in run:
        # “Or, in other words:” goes on with the example above it.
        begins = units[i - 1].told.form == "code" and units[i].told.form == "prose" and units[i].told.alone
        if begins or not found:
            found.append([])
        found[-1].append(i)
    told = sum(_is_example(part, units) for part in found)
    return found if told >= _EXAMPLES and told >= _MOSTLY * len(found) else []


def _is_example(part: Sequence[int], units: Sequence[PageUnit]) -> bool:
    """Tell whether a part of a section is one paragraph with code below it."""
    before = list(takewhile(lambda i: units[i].told.form != "code", part))
    return len(before) < len(part) and len({units[i].block for i in before}) == 1


def _runs(
    places: Iterable[int], units: Sequence[PageUnit], name: Callable[[PageUnit], str]
) -> list[list[int]]:
    """Return places of units in runs of one page that are called the same."""
    runs: list[list[int]] = []
    for i in places:
        last = units[runs[-1][-1]] if runs else None
        goes_on = last and last.passage.sha256 == units[i].passage.sha256
        if last and goes_on and units[i].start - last.end <= _FAR and name(last) == name(units[i]):
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def heading_of(unit: PageUnit) -> str:
    """Return the heading that a unit stands under, the page's title where there is none."""
    above = headings_above(unit.passage.text, unit.told.start)
    return above[-1] if above else unit.passage.under or unit.passage.title


def path_of(unit: PageUnit) -> tuple[str, ...]:
    """Return what a unit stands under: its page's title, then the headings above it, the innermost last."""
    outline = unit.passage.outline
    at = bisect_right(outline, unit.told.start, key=lambda each: each[0]) - 1
    above = outline[at][1] if at >= 0 else ()
    title = (unit.passage.title,)
    return above if above[:1] == title else title + above


def entry_of(unit: PageUnit) -> str:
    """Return the item of an agenda that a unit stands in, the term that it explains, or its heading."""
    label = _agenda_item(unit)
    return label or (_terms(unit) or [heading_of(unit)])[-1]


def _agenda_item(unit: PageUnit) -> str:
    return agenda_items(unit.passage.text).get(unit.told.item, "") if unit.told.form == "step" else ""


def is_label(unit: PageUnit) -> bool:
    """Tell whether a unit is only the label of an agenda's item."""
    label = _agenda_item(unit)
    return bool(label) and unit.told.words.rstrip(".:*") == label


def headings_of(unit: PageUnit) -> str:
    """Return the title of a unit's page, the headings and the terms that it stands under, in one line."""
    above = headings_above(unit.passage.text, unit.told.start) or [unit.passage.under]
    return ". ".join(dict.fromkeys(filter(None, [unit.passage.title, *above, *_terms(unit)])))


def with_needed(i: int, units: Sequence[PageUnit]) -> set[int] | None:
    """Return a unit with those that it needs beside it; None where they cannot be had."""
    found = {i}
    if units[i].told.form == "code":
        if not _opens_section(units[i]):  # else the heading says what it is for
            if i == 0 or not follows(i, units) or units[i - 1].told.form == "code":
                return None
            found |= {i - 1}
    elif units[i].listed and units[i].told.noted and units[i].told.alone:
        pass  # each item of notes is a note
    elif _agenda_item(units[i]):
        found |= {n for n in range(len(units)) if same_item(units[n], units[i])}
    elif units[i].listed:
        found |= _list_around(i, units)
        if not units[i].told.alone and not units[min(found)].told.introduces:
            return None
    elif units[i].told.row:
        found |= _table_around(i, units)
    elif units[i].told.introduces:
        behind = _introduced(i, units)
        if not behind:
            return None
        found |= behind
    elif not units[i].told.alone:
        return None
    grounded = _grounded(found, units)
    return grounded and grounded | _entry_begins(min(grounded), units)


def _grounded(found: set[int], units: Sequence[PageUnit]) -> set[int] | None:
    """Add what the first of some units points back to; None where that cannot be quoted."""
    for _ in range(_BACK):
        first = min(found)
        if units[first].told.form == "step" or not _leans(units[first]) or _opens_section(units[first]):
            return found
        if first == 0 or not follows(first, units):
            return None
        found = found | {first - 1}
    last = units[min(found)]
    return None if _leans(last) and not _opens_section(last) else found


def _opens_section(unit: PageUnit) -> bool:
    """Tell whether a unit stands at once below a heading: that says what its “this” is."""
    above = unit.passage.text[: unit.told.start].rstrip()
    before, _, last = above.rpartition("\n")
    if last.lstrip(" \t").startswith(_FENCES):
        above = before.rstrip()
    return above.rsplit("\n", maxsplit=1)[-1].startswith("#")


def _entry_begins(i: int, units: Sequence[PageUnit]) -> set[int]:
    """Return the first sentence of the term's entry that a unit stands in, where it is near.

    It says what the term is; what follows tells more of that.
    """
    terms = _terms(units[i])
    first = i
    while terms and first and units[first - 1].passage is units[i].passage:
        if _terms(units[first - 1])[: len(terms)] != terms:
            break
        first -= 1
    begins = units[first].told
    return {first} if i - first <= _INTO_ENTRY and begins.alone and not units[first].listed else set()


def _terms(unit: PageUnit) -> list[str]:
    """Return the terms that a unit stands under, also where its passage begins in the midst of an entry."""
    known = terms_above(unit.passage.text, unit.told.start)
    at = bisect_right(unit.passage.entries, unit.told.start, key=lambda each: each[0]) - 1
    return known if known or at < 0 else list(unit.passage.entries[at][1])


def _leans(unit: PageUnit) -> bool:
    """Tell whether a unit means nothing without the one before it, as what is in brackets does too."""
    words = unit.told.words
    back = points_back(words, speaker_known=unit.own) or looks_back(words)
    return words.startswith(("(", "（")) or back


def _introduced(i: int, units: Sequence[PageUnit]) -> set[int]:
    """Return what a line introduces: the list, or the code or the paragraph, behind it."""
    if i + 1 >= len(units) or not follows(i + 1, units):
        return set()
    block = units[i + 1].block
    run = [n for n in range(i + 1, len(units)) if units[n].block == block]
    most = LONGEST_TABLE if units[i + 1].told.row else _LONGEST_LIST
    return set(run) if len(run) <= most else set()


def _list_around(i: int, units: Sequence[PageUnit]) -> set[int]:
    """Return the list that an item stands in, with the line that introduces it; a long one not at all."""
    run = [n for n, unit in enumerate(units) if unit.block == units[i].block]
    words = sum(word_count(units[n].told.words) for n in run)
    if len(run) > _LONGEST_LIST or words > _MOST_WORDS:
        run = [n for n in run if units[n].told.item == units[i].told.item]
    first = min(run)
    if first and units[first - 1].told.introduces and follows(first, units):
        run.insert(0, first - 1)
    return set(run)


def _table_around(i: int, units: Sequence[PageUnit]) -> set[int]:
    """Return the table that a row stands in, with what introduces it; of a long one the row alone."""
    run = [n for n, unit in enumerate(units) if same_table(unit, units[i])]
    words = sum(word_count(units[n].told.words) for n in run)
    first = min(run)
    if max(len(run), units[i].passage.rows) > LONGEST_TABLE or words > _MOST_WORDS:
        run = [i]
    if first and units[first - 1].told.introduces and follows(first, units):
        run.insert(0, first - 1)
    return set(run)


def same_table(unit: PageUnit, other: PageUnit) -> bool:
    """Tell whether two units are rows of one table, as far as a passage holds it."""
    one, two = unit.told.row, other.told.row
    return (
        one is not None and two is not None and (unit.passage.id, one.table) == (other.passage.id, two.table)
    )


def follows(i: int, units: Sequence[PageUnit]) -> bool:
    """Tell whether a unit stands directly behind the one before it."""
    start, row = units[i].start, units[i].told.row
    if row is not None and not same_table(units[i], units[i - 1]):
        start = units[i].passage.start + row.table  # the heads of a table are part of it
    return 0 <= start - units[i - 1].end <= _GAP


def same_item(unit: PageUnit, before: PageUnit) -> bool:
    """Tell whether two units are sentences of one item."""
    return (unit.passage.id, unit.told.item) == (before.passage.id, before.told.item)


def on_new_line(unit: PageUnit, before: PageUnit) -> bool:
    """Tell whether a unit is a line of notes of its own."""
    return unit.told.noted and "\n" in unit.passage.text[before.told.end : unit.told.start]
