"""Sentences of passages that can stand as quotations, and the choice among them (MMR)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from library.passages import QuoteVerdict, quotable
from models import Statistics
from reports.extract.sentence_context import looks_back, points_back, whole

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
    """Means nothing without what stood before it (`It`, `However`)."""
    paragraph: tuple[str, int]
    """The passage and the number of the paragraph in it."""
    order: int
    """Place among all sentences given."""
    hints: bool = False
    """Hints at what stood before it (`In 1999 she`)."""
    after: str | None = None
    """The key of the quotation that it follows at once in its paragraph; None where that is none."""


@lru_cache(maxsize=4_096)
def key(text: str) -> str:
    """Return the words of a text, folded: what makes two quotations the same."""
    return " ".join(_WORD.findall(text.casefold()))


def quotes(passages: Iterable[tuple[str, str]], statistics: Statistics) -> list[Quote]:
    """Return the usable sentences of (id, text) passages, each once, in order.

    A sentence that stands in several passages names them all; one inside a longer one is left out.
    """
    found: dict[str, Quote] = {}
    for passage, text in passages:
        before: QuoteVerdict | None = None
        for told in quotable(text, statistics.sentences):
            if not whole(text[max(told.start - 24, 0) : told.start], told.words):
                continue
            name = key(told.words)
            known = found.get(name)
            if known is None:
                found[name] = Quote(
                    text=told.words,
                    key=name,
                    passages=(passage,),
                    first=told.first,
                    leans=points_back(told.words),
                    paragraph=(passage, told.paragraph),
                    order=len(found),
                    hints=looks_back(told.words),
                    after=key(before.words) if before is not None and _follows(told, before, text) else None,
                )
            elif passage not in known.passages:
                found[name] = replace(known, passages=(*known.passages, passage))
            before = told
    return _without_parts(list(found.values()))


def _follows(told: QuoteVerdict, before: QuoteVerdict, text: str) -> bool:
    return told.paragraph == before.paragraph and not text[before.end : told.start].strip()


def _without_parts(found: list[Quote]) -> list[Quote]:
    """Return the quotations that stand inside no other: looked for where their rarest word is."""
    words = [set(quote.key.split()) for quote in found]
    times = Counter(word for own in words for word in own)
    rarest = [min(own, key=lambda word: (times[word], word), default="") for own in words]
    holding: defaultdict[str, list[str]] = defaultdict(list)
    wanted = {word for word in rarest if times[word] > 1}
    for quote, own in zip(found, words, strict=True):
        for word in own & wanted:
            holding[word].append(f" {quote.key} ")
    return [
        quote
        for quote, word in zip(found, rarest, strict=True)
        if sum(f" {quote.key} " in other for other in holding[word]) < 2
    ]
