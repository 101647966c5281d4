"""Which sentences of a text can be quoted: whole, readable, no question, no page furniture, no code."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from library.safety.prompt_injection import order_finder
from library.text.hidden_characters import HIDDEN
from library.text.multilingual.scripts import CJK, HANGUL, MARKS

SHORTEST, LONGEST = 6, 60
"""Words of a quotation; a Chinese, Japanese or Korean character counts half a word."""

_CJK = re.compile(f"[{CJK}{HANGUL}]")
_WORD = re.compile(rf"[\w{MARKS}]+")
_MARK = re.compile(f"[{MARKS}]")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*[-*•#|>])")
_ENDS = re.compile(r"[.!。！…।॥۔][\"”’'»）)」』\]]*$")
_STARTS = re.compile(r"^[\"“‘'«（(「『\[]*(?:[^\W_a-zß-öø-ÿ]|\d)")
_LEANS = re.compile(
    r"^(?:he|she|it|they|this|that|these|those|his|her|hers|its|their|such|there|here|however|but|and|also|thus|hence|"
    r"therefore|moreover|furthermore|additionally|instead|similarly|likewise|otherwise|meanwhile|then|so|yet|still|"
    r"in addition|for example|for instance|as a result|on the other hand|the latter|the former|both|"
    r"the (?:above|preceding|previous|foregoing)|"
    r"(?:in order )?to (?:do|achieve|accomplish) (?:so|this|that)|"
    r"(?:by|after|before|when|in) doing (?:so|this|that))\b"
    r"|^(?:can|cannot|could|may|might|must|shall|should|will|would|is|are|was|were|has|had)(?= [a-z])"
    r"|^(?:他|她|它|这|那|此|其|该|但|然而|因此|所以|而且|此外|同时|另外)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"(?<!\w)(\*\*|\*|``|`)(?=[^\s*`])([^*`]+?)(?<=[^\s*`])\1(?!\w)")
"""Emphasis and code marks of plain-text markup: not words of the author's."""
_JUNK_HEAD = re.compile(
    r"see\b(?! (?:that|to it|how|what|if|whether)\b)|(?:read|learn) more (?:about|on)\b|"
    r"for (?:more|further) (?:information|details?)\b|"
    r"(?:new|changed|deprecated|added|removed) (?:in|since) version\b|"
    r"(?:now,? )?let(?:['’]s| us) (?:now )?(?:see|look|turn|move|have a look)\b|"
    r"(?:written|licensed|copyright(?:ed)?|maintained|distributed) (?:by|under|and|\(c\)|[0-9])[^,]*$|"
    r"(?:args|arguments|returns?|raises|parameters|usage|examples?):",
    re.IGNORECASE,
)
_JUNK = re.compile(
    r"https?://|www\.|<[\w.+-]+@[\w.-]+>|©|\||>>>|\{\{|\}\}|</?[a-z]+[ >]|```|::|javascript:", re.IGNORECASE
)
"""Addresses, marks of ownership, cells, code: the form of what is no sentence."""
_ROW = re.compile(r"[^|:]{1,80}: [^|]+(?: \| [^|:]{1,80}: [^|]+)+")
_CODE = re.compile(
    r"^\s*(?:from \w[\w.]* import |import \w[\w.]*\s*$|def \w+\(|class \w+[(:]|return\b.*[()]\s*$|[\w.]+ = )"
    r"|[{};]\s*$|==|!=|\+=|-> \w|\(\)\s*:|\b\w+\(\w*\)\.\w+\("
)
"""Lines of programs: assignments, definitions, calls upon calls."""

Splitter = Callable[[str], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """A sentence of a text that can be quoted."""

    start: int
    end: int
    """Where it stands: `text[start:end]`."""
    words: str
    """As it is quoted: in one line, without marks of markup."""
    paragraph: int
    """The number of its paragraph in the text, from 0."""
    first: bool
    """Opens its paragraph."""


def quotable(text: str, split: Splitter) -> Iterator[QuoteVerdict]:
    """Yield the sentences of a text that can stand as quotations, in order; orders to machines are none.

    Of a text without any, of a table alone, these are its rows: each says of what its figures are.
    """
    sentences = iter(_fitting(text, split, usable))
    first = next(sentences, None)
    if first is None:
        yield from _fitting(text, _lines, usable_row)
    else:
        yield first
        yield from sentences


def _lines(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"[^\n]+", text)]


def _fitting(text: str, split: Splitter, fits: Callable[[str], bool]) -> Iterator[QuoteVerdict]:
    is_order = order_finder(text)
    at = 0
    for number, paragraph in enumerate(_paragraphs(text)):
        for place, (start, end) in enumerate(split(paragraph)):
            raw = paragraph[start:end]
            words = readable(raw)
            if not HIDDEN.search(raw) and fits(words) and not is_order(words):
                yield QuoteVerdict(at + start, at + end, words, number, place == 0)
        at += len(paragraph)


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs with what separates them, so that they add up to the text."""
    at = 0
    for match in _PARAGRAPH.finditer(text):
        yield text[at : match.end()]
        at = match.end()
    yield text[at:]


@lru_cache(maxsize=2_000)
def readable(text: str) -> str:
    """Return a sentence in one line, without what nobody sees and without marks of markup."""
    return _MARKUP.sub(r"\2", " ".join(HIDDEN.sub("", text).split()))


@lru_cache(maxsize=2_000)
def usable(text: str) -> bool:
    """Tell whether a sentence can stand as a quotation."""
    if HIDDEN.search(text) or is_junk(text) or not SHORTEST <= word_count(text) <= LONGEST:
        return False
    if not _ENDS.search(text) or not _STARTS.match(text) or _CODE.search(text):
        return False
    if any(text.count(a) != text.count(b) for a, b in ("()", "[]", "“”", "（）", "「」")):
        return False
    if text.count('"') % 2:
        return False
    letters = sum(map(str.isalpha, text)) + (0 if text.isascii() else len(_MARK.findall(text)))
    return letters >= 0.6 * len(text.replace(" ", "")) and sum(map(str.isupper, text)) <= 0.4 * letters


def usable_row(text: str) -> bool:
    """Tell whether a line is a row of a table whose cells name their columns: `Year: 2021 | Sales: 12`."""
    if HIDDEN.search(text) or _JUNK.search(text.replace("|", " ")):
        return False
    return _ROW.fullmatch(text) is not None and word_count(text) <= LONGEST


def is_junk(text: str) -> bool:
    """Tell whether a text is no statement by its form: a reference to elsewhere, an address, code."""
    return bool(_JUNK_HEAD.match(text) or _JUNK.search(text))


def leans(text: str) -> bool:
    """Tell whether a sentence starts with a word that points to what stood before it."""
    return bool(_LEANS.match(text))


@lru_cache(maxsize=2_000)
def word_count(text: str) -> float:
    """Return a sentence's length in words; two CJK characters count as one word."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + cjk / 2
