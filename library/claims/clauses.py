"""Which part of a sentence a value stands in, told by its breaks: a reader of sentences, not a parser."""

import re

from library.text.multilingual.scripts import CJK

Span = tuple[int, int]

_BREAK = re.compile(r"[,;:(）)（—，；、：]| (?:and|but|while|whereas|or|with|compared) ")
_AND = re.compile(r"[,;]? (?:and|but|while) (?!\d)")
_WIDE = re.compile(f"[{CJK}]")
_ASIDE = re.compile(r",\s(?:who|which|whose|where)\s[^,;]{1,90},\s")
"""What is told beside of what a sentence is on: `Berg, who never married, died …`."""
_PART = re.compile(
    r";\s|,\s(?:and|but|while|whereas)\s(?=(?:the|a|an|its|it|they|their|he|she|in|on)\s)|,\s(?=except\s)"
)
"""What stands between main clauses."""
_NEXT = re.compile(
    r"[,;]?\s(?:and|but|while|when|because|so|although|though)\s(?:also\s)?"
    r"(?:is|are|was|were|has|have|had|it|they|he|she|there|the|its|their)\s"
    r"|,\s(?:\w+\s){0,2}(?:after|before|when|while|because|although|though|until)\s"
)
"""Where a clause of its own begins behind a value: `…, and the house is open`, `…, a year after …`."""


_LINK = re.compile(r" (?:at|with|for|by|from) ")


def is_wide(text: str) -> bool:
    """Tell whether a text has Chinese or Japanese characters: its terms are then pairs of them."""
    return bool(_WIDE.search(text))


def without_others(text: str, clause: Span, value: Span | None = None) -> str:
    """Return a sentence without clauses that are about other figures: what it begins with, and the clause.

    Args:
        text: The sentence.
        clause: Where the clause stands.
        value: Where its figure stands, which is left out: `half an hour` is no half; None: it has none.
    """
    begin, end = clause
    first_link = max(begin, value[1]) if value else begin
    if end < len(text) and (links := list(_LINK.finditer(text, first_link, end))):
        end = links[-1].start()  # `31,000 tonnes of wheat at an average price of 287 euros`
    first = _BREAK.search(text)
    lead = text[: first.start() if first else 0] if begin else ""
    kept = text[begin:end]
    if value and begin <= value[0] <= value[1] <= end:
        kept = f"{text[begin : value[0]]},{text[value[1] : end]}"
    return f"{lead} , {kept}" if lead else kept


def part_around(text: str, start: int, end: int) -> str:
    """Return the part of a sentence around a span, from break to break."""
    breaks = list(_BREAK.finditer(text))
    begin = max((m.end() for m in breaks if m.end() <= start), default=0)
    return text[begin : min((m.start() for m in breaks if m.start() >= end), default=len(text))]


def together(text: str, one: int, other: int) -> bool:
    """Tell whether two values stand in one clause."""
    return _BREAK.search(text, *sorted((one, other))) is None


def clause_around(text: str, start: int, end: int, spots: list[int]) -> Span:
    """Return the span of the clause around a value: to the nearest break towards each neighbouring value."""
    left = max((spot for spot in spots if spot < start), default=-1)
    right = min((spot for spot in spots if spot > start), default=-1)
    if is_wide(text):  # a comma parts whole clauses there
        left, right = max(left, 0), right if right >= 0 else len(text)
    begin, stop = 0, len(text)
    if left >= 0:
        breaks = [m.end() for m in _BREAK.finditer(text, left, start)]
        begin = breaks[-1] if breaks else left
    if right >= 0:
        found = _BREAK.search(text, end, right)
        stop = found.start() if found else right
    following = _NEXT.search(text, end, stop)
    return begin, following.start() if following else stop


def parts_of(text: str) -> list[Span]:
    """Return the spans of a sentence's main clauses: behind `;` and `, and the …`, before `, except …`."""
    found, begin = list[Span](), 0
    for match in _PART.finditer(text):
        found.append((begin, match.start()))
        begin = match.end()
    return [*found, (begin, len(text))]


def without_asides(text: str) -> str:
    """Return a text without what is told beside of what it is on: `Berg, who never married, died …`."""
    return _ASIDE.sub(" ", text)


def without_dates(text: str, end: int, clause: Span, dated: list[int]) -> Span:
    """Return a figure's clause without a dated one behind it: `holds 400 tonnes and was built in 1950`."""
    following = min((spot for spot in dated if end <= spot < clause[1]), default=end)
    part = _AND.search(text, end, following)
    return clause[0], part.start() if part else clause[1]
