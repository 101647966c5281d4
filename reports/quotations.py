"""Sentences of passages that can stand as quotations, and the choice among them (MMR)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

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
_MARKUP = re.compile(r"(?<!\w)(\*\*|\*|``|`)(?=[^\s*`])([^*`]+?)(?<=[^\s*`])\1(?!\w)")
"""Emphasis and code marks of plain-text markup: not words of the author's."""
_JUNK = re.compile(
    r"^see (?:also|the|section|below)\b|^(?:args|arguments|returns?|raises|parameters|usage|examples?):|"
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
    if text.count('"') % 2:
        return False
    letters = sum(c.isalpha() for c in text)
    return letters >= 0.6 * len(text.replace(" ", "")) and sum(c.isupper() for c in text) <= 0.4 * letters


def leans(text: str) -> bool:
    """Tell whether a sentence starts with a word that points to what stood before it."""
    return bool(_LEANS.match(text))


def quotes(passages: Iterable[tuple[str, str]], statistics: Statistics) -> list[Quote]:
    """Return the usable sentences of (id, text) passages, each once, in order.

    A sentence that stands in several passages names them all; one inside a longer one is left out.
    """
    found: dict[str, Quote] = {}
    for passage, text in passages:
        for number, paragraph in enumerate(_PARAGRAPH.split(text)):
            for place, (start, end) in enumerate(statistics.sentences(paragraph)):
                sentence = _MARKUP.sub(r"\2", plain(paragraph[start:end]))
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
                        leans(sentence),
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
