"""Sentences of passages that can stand as quotations, and the choice among them (MMR)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from library.quotable import leans, quotable
from models.statistics import Statistics

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence as a source says it, with all passages that say it."""

    text: str
    key: str
    """Its words, folded: two quotations with the same key are the same."""
    passages: tuple[str, ...]
    """The passage it was found in first, then others with the same words."""
    first: bool
    """Opens its paragraph."""
    leans: bool
    """Starts with a word that points to what stood before it (`It`, `However`)."""
    paragraph: tuple[str, int]
    """The passage and the number of the paragraph in it."""
    order: int
    """Place among all sentences given."""


def key(text: str) -> str:
    """Return the words of a text, folded: what makes two quotations the same."""
    return " ".join(_WORD.findall(text.casefold()))


def quotes(passages: Iterable[tuple[str, str]], statistics: Statistics) -> list[Quote]:
    """Return the usable sentences of (id, text) passages, each once, in order.

    A sentence that stands in several passages names them all; one inside a longer one is left out.
    """
    found: dict[str, Quote] = {}
    for passage, text in passages:
        for told in quotable(text, statistics.sentences):
            name = key(told.words)
            known = found.get(name)
            if known is None:
                place = (passage, told.paragraph)
                found[name] = Quote(
                    told.words, name, (passage,), told.first, leans(told.words), place, len(found)
                )
            elif passage not in known.passages:
                found[name] = _also(known, passage)
    return _without_parts(list(found.values()))


def _also(quote: Quote, passage: str) -> Quote:
    return Quote(
        quote.text,
        quote.key,
        (*quote.passages, passage),
        quote.first,
        quote.leans,
        quote.paragraph,
        quote.order,
    )


def _without_parts(found: list[Quote]) -> list[Quote]:
    whole = "\n".join(f" {quote.key} " for quote in found)
    return [quote for quote in found if whole.count(f" {quote.key} ") == 1]
