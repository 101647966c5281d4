"""Which place something has in an order: `the second oldest`, and `the oldest` alone as the first."""

import re
from collections.abc import Iterator
from decimal import Decimal

from library.text.quantities.number_parsing import Number
from library.text.quantities.number_words import ORDINALS
from library.text.similarity.pretrained_vectors import word_vectors

_RANK = re.compile(
    rf"\b(?P<place>{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))?[\s-]?"
    r"\b(?P<order>(?:[a-z]{2,12}[^\W\daeou]est)|(?:most|least)\s[a-z]{4,20})\b"
)
_AMONG = re.compile(
    r"\b(?:in|of|among|on)\s(?:(?:the|this|its|all|our)\s)?([\w’'-]+(?:\s(?!(?:and|with|in|of|on|by|to|is|was)\b)[a-z-]+)?)"
)
_SAYS_PLACE = re.compile(
    r"\b(?:is|are|was|were|been?|became|becomes?|remain(?:s|ed)?|[Aa]s|ma[dk]es?|rank(?:s|ed))"
    r"(?:\s(?:also|still|now|today|then|once|only|thus|by|far|it|them|the|its|their|our|[a-z]+ly))*\s?$"
)
"""What stands before a place that something is said to have: `is by far the`."""
_NO_ORDER = frozenset(("earnest", "tempest"))
"""Words that are no adjectives, but look like one's forms: `earn`, `earner`."""


def ranks(sentence: str) -> Iterator[tuple[Number, str]]:
    """Yield the places that a sentence says something has: each with its order (`oldest`).

    Not those that only tell which one is meant: `the second longest bridge has two lanes`.
    """
    for match in _RANK.finditer(sentence):
        place, order = match["place"], match["order"]
        if (place is None and not _first(sentence, match.start())) or not _is_order(order):
            continue
        if not _SAYS_PLACE.search(sentence, 0, match.start()):
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


def _is_order(order: str) -> bool:
    """Tell whether words are a superlative, as other forms of it show: `older`, `old`; `arrest` has none."""
    if order.startswith(("most ", "least ")):
        return True
    stem, known = order.removesuffix("est"), word_vectors()
    plain = [stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem, f"{stem.removesuffix('i')}y"]
    if order in _NO_ORDER or known.word(f"{stem}er") is None:
        return False
    return any(known.word(word) is not None for word in plain)


def _first(sentence: str, start: int) -> bool:
    """Tell whether an order without a number is of all: `the oldest`, not `one of the oldest`."""
    before = sentence[:start].rstrip()
    return before.endswith(" the") and not before.endswith(("of the", "among the"))
