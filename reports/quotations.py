"""Sentences of passages that can stand as quotations, and the choice among them (MMR)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library.quoting import word_count
from models.statistics import Statistics
from reports.plain import HIDDEN, plain

SHORTEST, LONGEST = 6, 60
"""Words of a quotation; a Chinese, Japanese or Korean character counts half a word."""

_WORD = re.compile(r"\w+")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*[-*•#|>])")
_ENDS = re.compile(r"[.!。！…][\"”’'»）)」』\]]*$")
_STARTS = re.compile(r"^[\"“‘'«（(「『\[]*(?:[^\W_a-zß-öø-ÿ]|\d)")
_LEANS = re.compile(
    r"^(?:he|she|it|they|this|that|these|those|his|her|hers|its|their|such|there|here|however|but|and|also|thus|hence|"
    r"therefore|moreover|furthermore|additionally|instead|similarly|likewise|otherwise|meanwhile|then|so|yet|still|"
    r"in addition|for example|for instance|as a result|on the other hand|the latter|the former|both)\b"
    r"|^(?:他|她|它|这|那|此|其|该|但|然而|因此|所以|而且|此外|同时|另外)",
    re.IGNORECASE,
)
_JUNK = re.compile(
    r"https?://|www\.|©|\||>>>|\{\{|\}\}|</?[a-z]+[ >]|```|::|javascript:|\bcookies?\b|\bsubscri|"
    r"\bsign up\b|\blog ?in\b|\bclick here\b|\bread more\b|\ball rights reserved\b|\bprivacy policy\b|"
    r"\bterms of (?:use|service)\b|\bnewsletter\b|\bshare (?:this|on)\b|\badvertisement\b|"
    r"点击|登录|注册|版权所有|隐私政策",
    re.IGNORECASE,
)


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


def usable(text: str) -> bool:
    """Tell whether a sentence can stand as a quotation: whole, readable, no question, no page furniture."""
    if HIDDEN.search(text) or _JUNK.search(text) or not SHORTEST <= word_count(text) <= LONGEST:
        return False
    if not _ENDS.search(text) or not _STARTS.match(text):
        return False
    if any(text.count(a) != text.count(b) for a, b in ("()", "[]", "“”", "（）", "「」")):
        return False
    letters = sum(c.isalpha() for c in text)
    return letters >= 0.6 * len(text.replace(" ", "")) and sum(c.isupper() for c in text) <= 0.4 * letters


def quotes(passages: Iterable[tuple[str, str]], statistics: Statistics) -> list[Quote]:
    """Return the usable sentences of (id, text) passages, each once, in order.

    A sentence that stands in several passages names them all; one inside a longer one is left out.
    """
    found: dict[str, Quote] = {}
    for passage, text in passages:
        for number, paragraph in enumerate(_PARAGRAPH.split(text)):
            for place, (start, end) in enumerate(statistics.sentences(paragraph)):
                sentence = plain(paragraph[start:end])
                if HIDDEN.search(paragraph[start:end]) or not usable(sentence):
                    continue
                name = key(sentence)
                known = found.get(name)
                if known is None:
                    found[name] = Quote(
                        sentence,
                        name,
                        (passage,),
                        place == 0,
                        bool(_LEANS.match(sentence)),
                        (passage, number),
                        len(found),
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


@dataclass(frozen=True, slots=True)
class Wish:
    """What the quotations of a choice should be about."""

    topic: str
    headings: Sequence[str]
    """For each quote, the title and questions of what it stands under."""
    sources: Mapping[str, str]
    """The source of each passage id."""


def scores(found: Sequence[Quote], wish: Wish, statistics: Statistics) -> NDArray[np.float64]:
    """Return how much each quote is worth on its own."""
    texts = [quote.text for quote in found]
    relevance = np.asarray(statistics.relevance(wish.topic, texts))
    under = np.zeros(len(found))
    for heading in dict.fromkeys(wish.headings):
        at = [i for i, mine in enumerate(wish.headings) if mine == heading]
        under[at] = statistics.relevance(heading, [texts[i] for i in at])
    alike = statistics.similarity(texts)
    central = (alike.sum(axis=1) - alike.diagonal()) / max(len(found) - 1, 1)
    total = 1.0 * _scaled(relevance) + 0.5 * _scaled(under) + 0.6 * _scaled(central)
    for i, quote in enumerate(found):
        total[i] += 0.35 * quote.first - 0.45 * quote.leans + 0.25 * min(len(quote.passages) - 1, 2)
        total[i] += 0.2 * (12 <= word_count(quote.text) <= 40)
    return np.asarray(total)


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    top = float(values.max()) if values.size else 0.0
    return values / top if top > 0 else values


def choose(found: Sequence[Quote], count: int, wish: Wish, statistics: Statistics) -> list[Quote]:
    """Choose up to `count` quotes: worth saying, unlike each other, from many places. In given order."""
    if not found or count < 1:
        return []
    worth = scores(found, wish, statistics)
    alike = statistics.similarity([quote.text for quote in found])
    nearest = np.zeros(len(found))
    paragraphs: Counter[tuple[str, int]] = Counter()
    sources: Counter[str] = Counter()
    chosen: list[int] = []
    while len(chosen) < min(count, len(found)):
        best, best_value = -1, -np.inf
        for i, quote in enumerate(found):
            if i in chosen or nearest[i] > 0.8:
                continue
            value = worth[i] - 1.0 * nearest[i] - 0.8 * paragraphs[quote.paragraph]
            value -= 0.15 * min(sources[wish.sources[quote.passages[0]]], 4)
            if value > best_value:
                best, best_value = i, value
        if best < 0:
            break
        chosen.append(best)
        nearest = np.maximum(nearest, alike[best])
        paragraphs[found[best].paragraph] += 1
        for passage in found[best].passages:
            sources[wish.sources[passage]] += 1
    return [found[i] for i in sorted(chosen)]
