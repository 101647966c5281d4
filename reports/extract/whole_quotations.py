"""Quotations put back into what they stand in, so that together they say what their source says.

Each sentence that was chosen is looked up in its source's text. An item of a list brings its lead-in, the
items above it and, of a list of usual length, all others, with their numbers; what leads to something stands
with that or not at all; each says under which heading or term it stands, and where something is left out
between two of them. What would need words that no passage holds is left out itself.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from library import Evidence, quote
from library.passages import (
    Block,
    ListPart,
    TextList,
    as_told,
    blocks,
    introduced,
    list_at,
    section_name,
    table_rows,
    word_count,
)
from library.text import sentences
from reports.document import Section, Sentence
from reports.extract.agenda_items import agenda_items
from reports.extract.source_places import QuotedPlace, holding, placed

_MOST_ITEMS, _LONGEST_LIST = 8, 1_000
"""Items, without those inside them, and characters of a list up to which it is told whole."""
_BETWEEN = 600
"""Characters that may be told beside what was chosen of a longer one, so that nothing is left out between."""
_LONGEST_PART = 90
"""Words of an item that is told whole."""
_SHORT_PARAGRAPH, _LONGEST_BRIDGE = 5, 60
"""Sentences of a paragraph that is told whole once half of it is, and words that may be left out between two
quotations of one source no longer: they are told too."""
_LONGEST_CODE = 30
_LONGEST_HEADING = 160
"""Characters of what can be a heading or a term; a line of code that was taken for one is longer."""
_NEIGHBOURS = 8
"""Characters between two passages of a source that follow each other, at most."""
_LABEL = re.compile(r"[^\s.!?:：。“‘\"'(][^.!?:：。\n]{0,60}[:：](?=\s|[^\x00-\x7f])")
"""What opens a paragraph that tells of it: a term, a name, the label of a box."""
_NUMBER = re.compile(r"(?<!\d)\d{1,2}[.)]$")
_INTRODUCES = re.compile(r"[:：][\"”’»）)]*$")


def whole_quotations(
    sections: Sequence[Section], evidence: Evidence, *, bridged: bool = True
) -> list[Section]:
    """Return sections whose quotations stand whole, in the order of reading; what is told once stays so.

    Args:
        sections: The first first: a list that it tells is not told again.
        evidence: What was admitted; nothing else is quoted.
        bridged: The few words that are left out between and behind quotations of a paragraph are told too, as
            for an answer to a question; of a subject there are as many sentences as were asked for.
    """
    wanted = {sentence.text for section in sections for sentence in section.sentences}
    restoring = _Restoring(evidence, wanted, bridged)
    return [section.model_copy(update={"sentences": restoring.restored(section)}) for section in sections]


@dataclass(slots=True)
class _Restoring:
    evidence: Evidence
    wanted: set[str]
    """What the sections tell anyway, as it stands there."""
    bridged: bool = True
    told: set[tuple[str, int]] = field(default_factory=set)
    """The lists that were told, by source and where they begin."""
    blocks: int = 0

    def restored(self, section: Section) -> list[Sentence]:
        found: list[Sentence | QuotedPlace] = []
        last: QuotedPlace | None = None
        for sentence in section.sentences:
            after = last.end if last and sentence.citations[:1] == [last.passage.id] else 0
            place = placed(sentence, self.evidence, after)
            found.append(place or sentence)
            last = place or last
        whole: list[Sentence] = []
        for source, run in groupby(found, key=lambda each: isinstance(each, QuotedPlace) and each.sha256):
            held = list(run)
            if not source:
                whole += [each for each in held if isinstance(each, Sentence)]
                continue
            whole += self._blocked(self._run([each for each in held if isinstance(each, QuotedPlace)]))
        return whole

    def _run(self, places: Sequence[QuotedPlace]) -> list[QuotedPlace]:
        """Return the quotations of one source, each with what it needs."""
        found: list[QuotedPlace] = []
        left = list(places)
        while left:
            place = left.pop(0)
            in_list = list_at(place.text, place.start, place.end)
            led = introduced(place.text, place.start, place.end)
            if in_list or led:
                whole = in_list[0] if in_list else led
                assert whole is not None
                own = [each for each in left if whole.start <= each.start < whole.end]
                left = [each for each in left if each not in own]
                found += self._list(whole, [place, *own])
            elif place.sentence.form == "code":
                found += self._described(place, self._code(place, found), left)
            elif _INTRODUCES.search(place.text[place.start : place.end]):
                found += self._leading(place, left)
            else:
                found += self._labelled(place, found)
        return found

    def _list(self, whole: TextList, wanted: Sequence[QuotedPlace]) -> list[QuotedPlace]:
        """Return a list: all if it is of usual length and no agenda, else what is wanted and its parents."""
        first = wanted[0]
        apart = bool(agenda_items(first.text[whole.start : whole.end]))
        told_as = (first.sha256, first.start if apart else whole.start)
        if told_as in self.told:
            return []
        self.told.add(told_as)
        lead: list[QuotedPlace] = []
        if whole.lead is not None:
            made = self._brought(first, *whole.lead)
            if made is None:
                return []
            opens = next((w.sentence.paragraph for w in wanted if w.start < whole.parts[0].start), True)
            lead = [_with(made, paragraph=opens)]
        items = sum(part.form in ("point", "step") and not part.level for part in whole.parts)
        usual = items <= _MOST_ITEMS and whole.end - whole.parts[0].start <= _LONGEST_LIST
        shown = range(len(whole.parts)) if usual and not apart else _filled(whole, _chosen(whole, wanted))
        found: list[QuotedPlace] = []
        told: set[int] = set()
        # Numbered lists begin with 1: one that counts from 0 stands without its numbers.
        from_zero = {part.parent for part in whole.parts if part.form == "step" and not part.number}
        for n in shown:
            part = whole.parts[n]
            if part.parent >= 0 and part.parent not in told:
                continue
            if part.form == "step" and part.parent in from_zero:
                part = replace(part, form="point", number=0)
            if made := self._part(first, part):
                told.add(n)
                found.append(made)
        if not found:
            return []
        if max(told) < len(whole.parts) - 1 and not apart:
            found[-1] = _with(found[-1], goes_on=True)
        if not lead:
            found[0] = _with(found[0], paragraph=True)
        return lead + found

    def _part(self, near: QuotedPlace, part: ListPart) -> QuotedPlace | None:
        """Return a part of a list; of a long one its first sentences, None where no passage holds any."""
        if part.form == "code":
            made = self._brought(near, part.start, part.end, form="code")
            return made and _with(made, level=part.level)
        held = part.end
        passage = holding(self.evidence, near.sha256, part.start, part.start + 1)
        if passage is None:
            return None
        if passage.end < part.end or word_count(near.text[part.start : part.end]) > _LONGEST_PART:
            held = part.start
            for start, end in sentences(near.text[part.start : part.end]):
                words = word_count(near.text[part.start : part.start + end])
                if part.start + end > passage.end or (start and words > _LONGEST_PART):
                    break
                held = part.start + end
        made = self._brought(near, part.start, held) if held > part.start else None
        if made is None:
            return None
        told = {"form": part.form, "step": part.number, "level": part.level, "goes_on": held < part.end}
        return _with(made, **told, paragraph=False)

    def _code(self, place: QuotedPlace, before: Sequence[QuotedPlace]) -> list[QuotedPlace]:
        """Return code with the sentence before it, if no heading; nothing where that cannot be quoted."""
        if before and not _between(before[-1], place):
            return [_with(place, paragraph=False)]
        above = [block for block in blocks(place.text) if block.end <= place.start][-1:]
        if above and above[0].form == "heading":
            return [_with(place, paragraph=True)]  # it stands under that, which says what it is for
        if not above or above[0].form != "prose":
            return []
        start, end = sentences(place.text[above[0].start : above[0].end])[-1]
        made = self._brought(place, above[0].start + start, above[0].start + end)
        return [_with(made, paragraph=True), _with(place, paragraph=False)] if made else []

    def _described(
        self, place: QuotedPlace, told: Sequence[QuotedPlace], left: Sequence[QuotedPlace]
    ) -> Sequence[QuotedPlace]:
        """Return code that is a term, its description set in below it, with the first sentence of that.

        Alone it says nothing: it goes where that is told elsewhere, or cannot be quoted. Where the sentence
        is said to stand under the term, that is named.
        """
        below = _block_below(place)
        if not told or below is None or below.form != "prose":
            return told
        if _set_in(place.text, below.start) <= _set_in(place.text, place.start):
            return told
        if own := [each for each in left if below.start <= each.start < below.end]:
            return [] if _stands_under(own[0], place) else told
        start, end = sentences(place.text[below.start : below.end])[0]
        made = self._brought(place, below.start + start, below.start + end)
        if made is None or made.sentence.text in self.wanted:
            return []
        self.wanted.add(made.sentence.text)
        return [*([] if _stands_under(made, place) else told), _with(made, paragraph=True)]

    def _leading(self, place: QuotedPlace, left: Sequence[QuotedPlace]) -> list[QuotedPlace]:
        """Return a sentence that leads to something with that; nothing where that is not told."""
        below = _block_below(place)
        if below is None or below.form == "heading":
            return []
        if any(below.start <= each.start < below.end for each in left[:1]):
            return [place]
        if below.form == "row" and any(_table_start(each) == below.start for each in left[:1]):
            return [place]
        if below.form != "code" or place.text.count("\n", below.start, below.end) >= _LONGEST_CODE:
            return []
        made = self._brought(place, below.start, below.end, form="code")
        return [place, made] if made else []

    def _labelled(self, place: QuotedPlace, before: Sequence[QuotedPlace]) -> list[QuotedPlace]:
        """Return a sentence of a paragraph that begins with its term, with the first one of it."""
        block = next((b for b in blocks(place.text) if b.start <= place.start < b.end), None)
        if block is None or block.form != "prose" or not _LABEL.match(place.text, block.start, block.end):
            return [place]
        start, end = sentences(place.text[block.start : block.end])[0]
        first = block.start + end
        if place.start < first or any(each.start < first and each.end > block.start for each in before):
            return [place]
        made = self._brought(place, block.start + start, first)
        if made is None:
            return []
        if made.sentence.text in self.wanted:
            return [place]  # each once: what opens the paragraph stands in another section
        self.wanted.add(made.sentence.text)
        return [_with(made, paragraph=place.sentence.paragraph), _with(place, paragraph=False)]

    def _with_rests(self, places: Sequence[QuotedPlace]) -> Iterator[QuotedPlace]:
        """Yield the quotations of one source with the few words that are left out between and behind them."""
        for n, place in enumerate(places):
            yield place
            after = places[n + 1] if n + 1 < len(places) else None
            if place.sentence.form != "prose" or place.sentence.goes_on:
                continue
            block = next((b for b in blocks(place.text) if b.start <= place.start < b.end), None)
            if block is None or block.form != "prose":
                continue
            if after is not None and after.start >= place.end and _near(place, after):
                yield from self._rest(place, place.end, after.start) if after.start <= block.end else ()
            elif after is None or not block.start <= after.start < block.end:
                said = [
                    (block.start + a, block.start + b)
                    for a, b in sentences(place.text[block.start : block.end])
                ]
                told = sum(any(p.start < b and a < p.end for p in places[: n + 1]) for a, b in said)
                if len(said) <= _SHORT_PARAGRAPH and 2 * told >= len(said):
                    yield from self._rest(place, place.end, block.end)

    def _rest(self, near: QuotedPlace, start: int, end: int) -> list[QuotedPlace]:
        """Return the sentences of a part of a paragraph; none where one is told elsewhere or may not be."""
        text = near.text[start:end]
        if word_count(text) > _LONGEST_BRIDGE or not any(map(str.isalnum, text)):
            return []
        found = [self._brought(near, start + a, start + b) for a, b in sentences(text)]
        whole = [_with(each, under=near.sentence.under) for each in found if each is not None]
        known = any(each.sentence.text in self.wanted for each in whole)
        if (
            known
            or len(whole) < len(found)
            or any(_INTRODUCES.search(near.text[p.start : p.end]) for p in whole)
        ):
            return []
        self.wanted |= {each.sentence.text for each in whole}
        return [_with(each, paragraph=False) for each in whole]

    def _brought(self, near: QuotedPlace, start: int, end: int, form: str = "prose") -> QuotedPlace | None:
        """Return what stands at a place of the same source as a quotation; None where none may be made."""
        passage = holding(self.evidence, near.sha256, start, end)
        words = as_told(near.text, start, end)
        if passage is None or not words or word_count(words) > 2 * _LONGEST_PART:
            return None
        told = near.text[start:end].rstrip() if form == "code" else quote(words)
        sentence = Sentence(text=told, citations=[passage.id], form="code" if form == "code" else "prose")
        return QuotedPlace(sentence, passage, near.text, start, end)

    def _blocked(self, places: Sequence[QuotedPlace]) -> Iterator[Sentence]:
        """Yield the quotations of one source, each with its block, its heading, and gaps marked."""
        before: QuotedPlace | None = None
        named = _named(places)
        for place in self._with_rests(named) if self.bridged else named:
            new = before is None or not _near(before, place)
            self.blocks += new
            yield place.sentence.model_copy(
                update={
                    "block": self.blocks,
                    "paragraph": new or place.sentence.paragraph,
                    "gap": not new
                    and before is not None
                    and not before.sentence.goes_on  # that says it
                    and _between(before, place),
                }
            )
            before = place


def _block_below(place: QuotedPlace) -> Block | None:
    return next((block for block in blocks(place.text) if block.start >= place.end), None)


def _stands_under(place: QuotedPlace, term: QuotedPlace) -> bool:
    return section_name(place.text, place.start) == " ".join(term.sentence.text.split())


def _set_in(text: str, start: int) -> int:
    """Return how many signs stand before a place in its line."""
    return start - text.rfind("\n", 0, start) - 1


def _named(places: Sequence[QuotedPlace]) -> list[QuotedPlace]:
    """Return quotations that say under which heading or term they stand.

    Such a one stands under itself, and goes where nothing that is said of it is told.
    """
    names = [section_name(place.text, place.start) for place in places]
    found = list[QuotedPlace]()
    for n, place in enumerate(places):
        words, below = place.text[place.start : place.end], names[n + 1] if n + 1 < len(names) else ""
        if words != below and place.sentence.form == "prose" and _is_name(place, words):
            continue
        name = below if words == below else names[n]
        found.append(_with(place, under=name if len(name) <= _LONGEST_HEADING else ""))
    return found


def _is_name(place: QuotedPlace, words: str) -> bool:
    """Tell whether a quotation is what the text behind it stands under."""
    below = _block_below(place)
    return below is not None and section_name(place.text, below.start) == words


def _with(place: QuotedPlace, **changes: object) -> QuotedPlace:
    return replace(place, sentence=place.sentence.model_copy(update=changes))


def _chosen(whole: TextList, wanted: Sequence[QuotedPlace]) -> set[int]:
    """Return the places of the parts that are wanted, of those that they stand in, and of their code."""
    chosen = {
        n for n, part in enumerate(whole.parts) if any(part.start <= each.start < part.end for each in wanted)
    }
    for n in sorted(chosen):
        above = whole.parts[n].parent
        while above >= 0:
            chosen.add(above)
            above = whole.parts[above].parent
    return chosen | {n for n, p in enumerate(whole.parts) if p.form == "code" and p.parent in chosen}


def _filled(whole: TextList, chosen: set[int]) -> list[int]:
    """Return the places of chosen parts and, where that is not much, of those between them."""
    between = [n for n in range(min(chosen, default=0), max(chosen, default=-1)) if n not in chosen]
    more = sum(whole.parts[n].end - whole.parts[n].start for n in between)
    return sorted([*chosen, *between] if more <= _BETWEEN else chosen)


def _near(before: QuotedPlace, place: QuotedPlace) -> bool:
    """Tell whether two quotations may stand in one block: under one heading, in neighbouring passages."""
    if place.sentence.under != before.sentence.under or place.start < before.end:
        return False
    if place.passage.start - before.passage.end <= _NEIGHBOURS:
        return True
    told = list_at(place.text, place.start, place.end)
    return told is not None and told[0].start <= before.start < told[0].end


def _table_start(place: QuotedPlace) -> int:
    """Return where the table begins whose first row a quotation is; of another row where that begins."""
    rows = table_rows(place.text)
    at = bisect_right(rows, place.start, key=lambda row: row.start) - 1
    if at < 0 or place.start >= rows[at].end:
        return place.start
    first = at == 0 or rows[at - 1].table != rows[at].table
    return rows[at].table if first else rows[at].start


def _between(before: QuotedPlace, place: QuotedPlace) -> bool:
    """Tell whether a source has words between two quotations, beside marks and numbers of items."""
    start = place.start
    if place.sentence.form == "row" and before.sentence.form != "row":
        start = max(before.end, _table_start(place))  # its heads are shown with its rows
    between = place.text[before.end : start]
    between = _NUMBER.sub("", re.sub(r"(?m)^[ \t]*(?:```|~~~).*$", "", between).rstrip())
    return place.start < before.end or any(map(str.isalnum, between))
