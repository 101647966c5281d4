"""How text becomes index terms: the one analysis that indexing, searching and weighing share.

A term is the stem of a folded word (Snowball's, by the word's script), or a pair of neighbouring characters
where words are not parted by spaces: Chinese, Japanese, Thai and their like. Pairs need no dictionary, find
every word of two characters exactly, and longer ones by their pairs.

Stop words are dropped unless they are written as names (`WHO`, `US`, `Will Smith`, `May 2022`); a verb with
its particle also counts as one word, so that `back up` meets `backup`.
"""

import re
import threading
import unicodedata
from functools import lru_cache
from itertools import pairwise

import Stemmer

from library.text.multilingual.scripts import CJK, HANGUL, MARKS, UNSPACED
from library.text.multilingual.stop_words import NAMES_TOO, PARTICLES, STOP_PAIRS, STOP_WORDS, VERB_PARTICLES

VERSION = 3
"""Raised when the same text would give other terms, so that a stored index is built anew."""

_HAS_CJK = re.compile(f"[{CJK}]")
_HAS_UNSPACED = re.compile(f"[{CJK}{UNSPACED}]")
_HAS_HANGUL = re.compile(f"[{HANGUL}]")
_HAS_MARKS = re.compile(f"[{MARKS}]")
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_ANY_WORD = re.compile(
    rf"[{CJK}]+|[{UNSPACED}]+|\d+(?:[.,]\d+)+|[^\W_{CJK}{UNSPACED}](?:[^\W_{CJK}{UNSPACED}]|[{MARKS}])*"
)
_CLUSTER = re.compile(rf".[{MARKS}]*", re.DOTALL)
"""A character with the marks on it: what is paired where words are not parted."""
_DIACRITICS = re.compile("[\u0300-\u036f\u0640\u064b-\u0652\u0670\u200c\u200d]+")
"""What is dropped: accents, Arabic vowels and lengthening, joiners."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_PARTICLE = re.compile(
    f"(?<=[{HANGUL}]{{2}})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도)$"
)
_STEMMERS = (("\u0250", "english"), ("\u0400", "greek"), ("\u0530", "russian"), ("\u0780", "arabic"),
             ("\u0900", ""), ("\u0980", "hindi"))  # fmt: skip
"""The first character after a script, and the stemmer of its words; Latin letters have English's."""
_AS_NAME = "\u02b9"
"""A letter that nobody writes: marks a stop word that is written as a name."""
_CAPITALS = frozenset(word.upper() for word in STOP_WORDS if word.isascii() and 1 < len(word) < 5)
_NAMES = frozenset(word.title() for word in NAMES_TOO)
_NAME_LIKE = re.compile(r"\b[A-Z](?:[A-Z]{1,3}|[a-z]{1,4})\b")
_INSIDE, _GOES_ON = re.compile("[a-z,;] $"), re.compile(r" (?:[A-Z][a-z]|\d)")
_CACHED_WORDS = 200_000
_SHORT, _CACHED_TEXTS = 4_000, 2_000
"""Characters of a text whose terms are kept, for they are asked for again; how many texts."""


def fold(text: str) -> str:
    """Return the text without case and diacritics; its length may change."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _DIACRITICS.sub("", decomposed)).translate(_UNDECOMPOSED)


def one_line(text: str) -> str:
    """Return the text in one line without case: what two writings of the same words have alike."""
    return " ".join(text.split()).casefold()


def cut_line(line: str, most: int) -> str:
    """Return a line, cut at a word where it has more than so many characters, with `…` behind."""
    if len(line) <= most:
        return line
    head = line[:most]
    return f"{head[: head.rfind(' ')] if ' ' in head[most // 2 :] else head}…"


def caseless(text: str) -> str:
    """Return the text as `re.IGNORECASE` takes letters: small, and both Turkish i's an i."""
    return text.lower() if text.isascii() else text.replace("İ", "i").casefold().replace("ı", "i")


class _Stemmers(threading.local):
    """Snowball's stemmers by name; one of them must not be used by two threads at a time."""

    def __init__(self) -> None:
        self._made: dict[str, Stemmer.Stemmer] = {}

    def stem(self, language: str, word: str) -> str:
        if language not in self._made:
            self._made[language] = Stemmer.Stemmer(language, 0)
        return str(self._made[language].stemWord(word))


_SNOWBALL = _Stemmers()


def stem(word: str) -> str:
    """Return a folded word without its endings, by its script's stemmer (Porter, "Snowball", 2001).

    Words of Latin letters are taken for English ones; scripts that have no stemmer keep theirs.
    """
    if len(word) < 3:
        return word
    language = next((name for end, name in _STEMMERS if word[0] < end), "")
    if not language or not (word.isalpha() or language == "hindi"):  # marks are no letters
        return word
    return _SNOWBALL.stem(language, word)


class _Terms(dict[str, str]):
    """Word to term, filled as words are met; '' for a stop word."""

    def __missing__(self, word: str) -> str:
        term = "" if word in STOP_WORDS else _term(word.removesuffix(_AS_NAME))
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
    units = _CLUSTER.findall(run) if _HAS_MARKS.search(run) else run
    if len(units) == 1:
        return [] if run in PARTICLES else [run]
    pairs = (first + second for first, second in pairwise(units))
    return [pair for pair in pairs if pair not in STOP_PAIRS and not PARTICLES.intersection(pair)]


SURFACE = _ANY_WORD
"""Words as they are written; a run of Chinese, Japanese or Thai is one."""


def is_cjk(text: str) -> bool:
    """Whether the text begins with a Chinese or Japanese character."""
    return bool(_HAS_CJK.match(text))


def term(word: str) -> str:
    """Return the index term of one word as written: '' for a stop word, the first pair of a Chinese word."""
    found = terms(word)
    return "" if not found or (len(found) == 1 and fold(word) in STOP_WORDS) else found[0]


def words(text: str) -> list[str]:
    """Return the folded words and numbers of a text, stop words too; runs without spaces stay whole."""
    return _words(fold(text))


def _words(folded: str) -> list[str]:
    return (_WORD if folded.isascii() or not _NOT_PLAIN.search(folded) else _ANY_WORD).findall(folded)


_NOT_PLAIN = re.compile(f"[{CJK}{UNSPACED}{MARKS}]")


def terms(text: str) -> list[str]:
    """Return the text's index terms in order: stems of its words without stop words, pairs of characters.

    Behind a verb and its particle (`back up`) stands the word that they make (`backup`). A text of nothing
    but stop words keeps them, so that a query like "the who" is not empty.
    """
    return list(_kept_terms(text)) if len(text) <= _SHORT else _terms(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _kept_terms(text: str) -> tuple[str, ...]:
    return tuple(_terms(text))


def _terms(text: str) -> list[str]:
    if not text.isupper():
        text = _NAME_LIKE.sub(_marked, text)
    folded = fold(text)
    found = _words(folded)
    if folded.isascii() and VERB_PARTICLES.isdisjoint(found):
        result = [*filter(None, map(_TERMS.__getitem__, found))]
    else:
        result = _with_compounds(found)
    return result or [word.removesuffix(_AS_NAME) for word in found]


def _marked(name: re.Match[str]) -> str:
    """Mark what is written as a name if it would else be a stop word."""
    word = name[0]
    if word in _CAPITALS:
        return word + _AS_NAME
    if word not in _NAMES:
        return word
    inside = _INSIDE.search(name.string, max(0, name.start() - 2), name.start())
    return word + _AS_NAME if inside or _GOES_ON.match(name.string, name.end()) else word


def _with_compounds(words: list[str]) -> list[str]:
    result: list[str] = []
    before = ""
    for word in words:
        if _HAS_UNSPACED.match(word):
            result += _pairs(word)
            before = ""
            continue
        term = _TERMS[word]
        if term:
            result.append(term)
        if before and word in VERB_PARTICLES:
            result.append(_TERMS[before + word])
        before = term if term.isalpha() else ""
    return result


_SITE = re.compile(r"(?<!\s)\s+[|·–—-]\s+[^|·–—]{1,40}$")


@lru_cache(maxsize=1_000)
def _title_terms(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(_SITE.sub("", title))))


def title_terms(title: str) -> list[str]:
    """Return the terms of a page's title, each once, without its site's name at the end."""
    return list(_title_terms(title))
