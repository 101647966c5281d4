"""How text becomes index terms: the one analysis that indexing, searching and weighing share.

A term is a folded word (without case, diacritics, English plural) or a pair of neighbouring Chinese or
Japanese characters. Pairs need no dictionary, find every word of two characters exactly, and longer ones by
their pairs.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from library.text.scripts import CJK, HANGUL
from library.text.stop_words import PARTICLES, STOP_PAIRS, STOP_WORDS

VERSION = 2
"""Raised when the same text would give other terms, so that a stored index is built anew."""

_HAS_CJK = re.compile(f"[{CJK}]")
_HAS_HANGUL = re.compile(f"[{HANGUL}]")
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_RUN_OR_WORD = re.compile(rf"[{CJK}]+|\d+(?:[.,]\d+)+|[^\W_{CJK}]+")
_MARKS = re.compile("[\u0300-\u036f]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_PARTICLE = re.compile(
    f"(?<=[{HANGUL}]{{2}})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도)$"
)
_CACHED_WORDS = 200_000
_SHORT, _CACHED_TEXTS = 4_000, 2_000
"""Characters of a text whose terms are kept, for they are asked for again; how many texts."""


def fold(text: str) -> str:
    """Return the text without case and diacritics; its length may change."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed)).translate(_UNDECOMPOSED)


def caseless(text: str) -> str:
    """Return the text as `re.IGNORECASE` takes letters: small, and both Turkish i's an i."""
    return text.lower() if text.isascii() else text.replace("İ", "i").casefold().replace("ı", "i")


def stem(word: str) -> str:
    """Return a folded English word without its plural ending (after Harman's S-stemmer)."""
    if len(word) < 4 or word[-1] != "s" or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word if word[-4] in "ae" else word[:-3] + "y"
    if word.endswith("es") and word[-3] not in "aeo":
        return word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    return word if word[-2] in "sui" else word[:-1]


class _Terms(dict[str, str]):
    """Word to term, filled as words are met; '' for a stop word."""

    def __missing__(self, word: str) -> str:
        term = "" if word in STOP_WORDS else _term(word)
        if len(self) >= _CACHED_WORDS:
            self.clear()
        self[word] = term
        return term


def _term(word: str) -> str:
    if word[0].isdigit() and not word.isalnum():
        return word.replace(",", "") if _THOUSANDS.fullmatch(word) else word.replace(",", ".")
    if _HAS_HANGUL.match(word):
        return _PARTICLE.sub("", word)
    return stem(word)


_TERMS = _Terms()


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [] if run in PARTICLES else [run]
    pairs = (first + second for first, second in pairwise(run))
    return [pair for pair in pairs if pair not in STOP_PAIRS and not PARTICLES.intersection(pair)]


SURFACE = re.compile(rf"[{CJK}]+|\d+(?:[.,]\d+)+|[^\W_{CJK}]+")
"""Words as they are written; a Chinese or Japanese run is one."""


def is_cjk(text: str) -> bool:
    """Whether the text begins with a Chinese or Japanese character."""
    return bool(_HAS_CJK.match(text))


def term(word: str) -> str:
    """Return the index term of one word as written: '' for a stop word, the first pair of a Chinese word."""
    found = terms(word)
    return "" if not found or (len(found) == 1 and fold(word) in STOP_WORDS) else found[0]


def words(text: str) -> list[str]:
    """Return the folded words and numbers of a text, stop words too; Chinese and Japanese runs stay whole."""
    folded = fold(text)
    return (_RUN_OR_WORD if _HAS_CJK.search(folded) else _WORD).findall(folded)


def terms(text: str) -> list[str]:
    """Return the text's index terms in order: folded, no stop words, plural endings cut, CJK text as pairs.

    A text of nothing but stop words keeps them, so that a query like "The Who" is not empty.
    """
    return list(_kept_terms(text)) if len(text) <= _SHORT else _terms(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _kept_terms(text: str) -> tuple[str, ...]:
    return tuple(_terms(text))


def _terms(text: str) -> list[str]:
    folded = fold(text)
    if not _HAS_CJK.search(folded):
        found = _WORD.findall(folded)
        return [*filter(None, map(_TERMS.__getitem__, found))] or found
    result: list[str] = []
    for token in _RUN_OR_WORD.findall(folded):
        if _HAS_CJK.match(token):
            result += _pairs(token)
        elif term := _TERMS[token]:
            result.append(term)
    return result


_SITE = re.compile(r"\s+[|·–—-]\s+[^|·–—]{1,40}$")


@lru_cache(maxsize=1_000)
def _title_terms(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(_SITE.sub("", title))))


def title_terms(title: str) -> list[str]:
    """Return the terms of a page's title, each once, without its site's name at the end."""
    return list(_title_terms(title))
