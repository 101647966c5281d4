"""Lists, steps and tables among the pieces of a passage: shown whole, or parted between their items alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from library.passages.blocks import Form, blocks
from library.passages.chunking import units
from library.passages.text_structure import TextList, lists

_FEWEST = 2
"""Items of a list, rows of a table below its heads."""
_AROUND = 6_000
"""Characters around a passage in which a list that goes on is looked at."""
_MARKED: tuple[Form, ...] = ("point", "step")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PieceList:
    """A list or a table among the pieces of a text, by their numbers."""

    first: int
    """The first item; of a table the first row below its heads."""
    count: int
    """How many items there are; each is a piece, and they follow each other."""
    leads: tuple[int, ...] = ()
    """What leads to it and is needed to read an item: the sentence before a list, a table's heads."""
    above: tuple[int, ...] = ()
    """For each item the number of the item that it stands in; -1 for none."""

    @property
    def items(self) -> range:
        """The numbers of its items."""
        return range(self.first, self.first + self.count)

    def moved(self, by: int) -> "PieceList":
        """Return it among pieces of which so many more stand before it."""
        leads = tuple(n + by for n in self.leads)
        above = tuple(n + by if n >= 0 else n for n in self.above)
        return PieceList(self.first + by, self.count, leads, above)

    def needed(self, item: int) -> Iterator[int]:
        """Yield what must stand beside an item: what leads to the list, and the items that it stands in."""
        yield from self.leads
        while (item := self.above[item - self.first]) >= 0:
            yield item


@dataclass(frozen=True, slots=True)
class _Found:
    items: tuple[Span, ...]
    lead: Span | None
    above: tuple[int, ...]
    """For each item the place among them of the one that it stands in; -1 for none."""


def pieces(text: str) -> tuple[list[Span], list[PieceList]]:
    """Return the spans of what is never parted, in order, and which of them are a list's or a table's.

    Items of lists are spans by themselves, with what belongs to each; all else is as in `units`.
    """
    found = [*(_items_of(text, each) for each in lists(text)), *_tables(text)]
    found = [each for each in found if len(each.items) >= _FEWEST]
    listed = sorted([*(span for each in found for span in each.items), *(e.lead for e in found if e.lead)])
    spans = sorted([*listed, *_beside(text, units(text), listed)])
    number = {span: n for n, span in enumerate(spans)}
    told = [
        PieceList(
            first := number[each.items[0]],
            len(each.items),
            (number[each.lead],) if each.lead else (),
            tuple(first + place if place >= 0 else -1 for place in each.above),
        )
        for each in found
    ]
    return spans, sorted(told, key=lambda each: each.first)


def holds_list(text: str) -> bool:
    """Tell whether a passage holds a list, steps or a table."""
    return bool(pieces(text)[1])


def items_behind(text: str, start: int, end: int) -> int:
    """Return how many items of a list that a passage is in the midst of stand behind it on its page.

    Args:
        text: Of the page.
        start: Where the passage begins in it.
        end: Where it ends.
    """
    own = lists(text[start:end])
    if not own or text[start + own[-1].end : end].strip():
        return 0
    first = max(0, start - _AROUND)
    near, last = text[first : end + _AROUND], end - first
    here = (each for each in lists(near) if each.parts[0].start < last <= each.end)
    return sum(part.start >= last and part.form in _MARKED for each in here for part in each.parts)


def _items_of(text: str, each: TextList) -> _Found:
    """Return a list's items; code and paragraphs that belong to one go with it."""
    starts, places, above = list[int](), dict[int, int](), list[int]()
    for n, part in enumerate(each.parts):
        if part.form in _MARKED or not starts:
            places[n] = len(starts)
            starts.append(text.rfind("\n", 0, part.start) + 1)  # with its mark
            above.append(places.get(part.parent, -1))
        else:
            places[n] = len(starts) - 1
    ends = [*starts[1:], each.end]
    items = tuple(_trimmed(text, start, end) for start, end in zip(starts, ends, strict=True))
    return _Found(items, each.lead, tuple(above))


def _tables(text: str) -> Iterator[_Found]:
    """Yield the tables: rows that follow each other, the first of which heads the others."""
    rows: list[Span] = []
    for block in blocks(text):
        if rows and (block.form != "row" or text[rows[-1][1] : block.start].strip()):
            yield from _table(rows)
            rows = []
        if block.form == "row":
            rows.append((block.start, block.end))
    yield from _table(rows)


def _table(rows: Sequence[Span]) -> Iterator[_Found]:
    if len(rows) > _FEWEST:
        yield _Found(tuple(rows[1:]), rows[0], (-1,) * (len(rows) - 1))


def _beside(text: str, spans: Sequence[Span], listed: Sequence[Span]) -> Iterator[Span]:
    """Yield what is left of spans, in order, without those of lists."""
    ends = [(0, 0), *listed, (len(text), len(text))]
    free = [(a[1], b[0]) for a, b in pairwise(ends) if a[1] < b[0]]
    at = 0
    for start, end in spans:
        while at < len(free) and free[at][1] <= start:
            at += 1
        place = at
        while place < len(free) and free[place][0] < end:
            a, b = _trimmed(text, max(start, free[place][0]), min(end, free[place][1]))
            place += 1
            if a < b:
                yield a, b


def _trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without the white space around it."""
    told = text[start:end]
    return start + len(told) - len(told.lstrip()), end - len(told) + len(told.rstrip())
