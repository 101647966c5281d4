"""Which place something has in an order: `the second oldest`, and `the oldest` alone as the first."""

import re
from collections.abc import Iterator
from decimal import Decimal

from library.text.quantities.number_parsing import Number
from library.text.quantities.number_words import ORDINALS

_RANK = re.compile(
    rf"\b(?P<place>{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))?[\s-]?"
    r"\b(?P<order>(?:[a-z]{2,12}[^\W\daeou]est)|(?:most|least)\s[a-z]{4,20})\b"
)
_AMONG = re.compile(
    r"\b(?:in|of|among|on)\s(?:(?:the|this|its|all|our)\s)?([\w’'-]+(?:\s(?!(?:and|with|in|of|on|by|to|is|was)\b)[a-z-]+)?)"
)
_NO_ORDER = frozenset(
    (
        "forest",
        "interest",
        "honest",
        "modest",
        "request",
        "latest",
        "harvest",
        "contest",
        "protest",
        "suggest",
    )
)
"""Words that only end like one."""


def ranks(sentence: str) -> Iterator[tuple[Number, str]]:
    """Yield the places that a sentence gives: each with its order (`oldest`)."""
    for match in _RANK.finditer(sentence):
        place, order = match["place"], match["order"]
        if order in _NO_ORDER or (place is None and not _first(sentence, match.start())):
            continue
        value = Decimal(_place(place) if place else 1)
        written = match[0].strip()
        start = match.end() - len(written)
        yield Number(written, frozenset({value}), ordinal=True, start=start, end=match.end()), order


def ranked_among(after: str) -> str:
    """Return the words of what something has its place among: `of the region`, `in this country`."""
    return " ".join(match[1] for match in _AMONG.finditer(after))


def _place(written: str) -> int:
    return int(written[:-2]) if written[0].isdigit() else ORDINALS[written]


def _first(sentence: str, start: int) -> bool:
    """Tell whether an order without a number is of all: `the oldest`, not `one of the oldest`."""
    before = sentence[:start].rstrip()
    return before.endswith(" the") and not before.endswith(("of the", "among the"))
