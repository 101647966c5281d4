"""How text becomes index terms and sentences: the one analysis that indexing, searching and weighing share.

A term is a folded word (without case, diacritics, English plural) or a pair of neighbouring Chinese or
Japanese characters. Pairs need no dictionary, find every word of two characters exactly, and longer ones by
their pairs.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from library.text.stop_words import PARTICLES, STOP_PAIRS, STOP_WORDS

VERSION = 2
"""Raised when the same text would give other terms, so that a stored index is built anew."""

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe"
CJK = _HAN + _KANA
"""Characters written without spaces between words, as the inside of a regular expression's brackets."""

_HAS_CJK = re.compile(f"[{CJK}]")
_HAS_HANGUL = re.compile("[\uac00-\ud7a3]")
_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_RUN_OR_WORD = re.compile(rf"[{CJK}]+|\d+(?:[.,]\d+)+|[^\W_{CJK}]+")
_MARKS = re.compile("[\u0300-\u036f]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_PARTICLE = re.compile(
    "(?<=[\uac00-\ud7a3]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도)$"
)
_CACHED_WORDS = 200_000
_SHORT, _CACHED_TEXTS = 4_000, 2_000
"""Characters of a text whose terms and sentences are kept, for they are asked for again; how many texts."""


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


_ABBREVIATIONS_TEXT = """
    mr mrs ms dr prof rev hon st sr jr gen col sgt capt lt cmdr adm maj gov sen rep pres supt det vs
    no nos vol vols ed eds pp fig figs ch sec art al ca cf e.g i.e eg ie viz approx est dept univ
    inc ltd co corp bros assn ave blvd rd mt ft jan feb mar apr jun jul aug sep sept oct nov dec u.s
    u.k u.n a.m p.m ph.d b.c a.d d.c s.a bzw z.b d.h u.a usw nr bspw vgl av jl sra mme mlle
"""
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_TEXT.split())
# These are abbreviations before a number, and words elsewhere.
_BEFORE_NUMBER = frozenset(("no", "nos", "fig", "figs", "sec", "art", "vol", "vols", "ch", "pp", "mar"))
# These may also end a sentence: with them the next word decides.
_MAY_END_TEXT = "inc ltd co corp jr sr al etc u.s u.k u.n a.m p.m ph.d b.c a.d d.c s.a dept usw"
_MAY_END = frozenset(_MAY_END_TEXT.split())
_COMMON_STARTS = re.compile(
    r"(?:The|A|An|It|He|She|They|We|I|In|On|At|This|That|These|Those|But|And|However|After|Before|When|While|His|Her"
    r"|Its|Their|There|As|For|If|By|With|From|To|Some|Many|Most|Although)\b"
)
_CLOSERS = "\"'”’»)\\]}"
_BREAK = re.compile(
    rf"(?P<stop>[.!?…]+[{_CLOSERS}]*(?:\[\d+\])*)(?=\s)"
    r"|(?P<wide>[。！？]+[”’」』）》\"]*)"
    r"|(?P<line>(?<![ \t])[ \t]*\n[ \t]*(?P<blank>\n\s*)?)"
)
_BEFORE = re.compile(r"[^\s(\[\"“‘']*$")
_MARKER = re.compile(r"(?:[#>|]|[-*+•–]\s|\d{1,3}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、)）])")
_OPENERS = "\"'“‘«([{—–- \t"


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) spans of the text's sentences, in order, without outer white space.

    Ends are stops followed by white space (not after abbreviations, initials and numbers of a list, nor
    before a lower-case word), wide stops, blank lines, and line ends that are not mere wrapping.
    """
    return list(_kept_sentences(text)) if len(text) <= _SHORT else _sentences(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _kept_sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_sentences(text))


def _sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _BREAK.finditer(text):
        if match["line"] is not None:
            if match["blank"] is None and not _line_ends(text, match.start(), match.end()):
                continue
        elif match["stop"] is not None and not _stop_ends(text, start, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append((begin, begin + len(stripped)))


def _stop_ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a stop before white space ends the sentence that began at `start`."""
    following = text[match.end() : match.end() + 40].lstrip()
    first = following.lstrip(_OPENERS)[:1]
    if not first:
        return True
    stop = match["stop"]
    if first.islower():
        return False  # "Yahoo! said", "approx. ten": a lower-case word goes on
    if stop[0] != "." or stop.startswith(".."):
        return True
    before = _BEFORE.search(text, max(start, match.start() - 24), match.start())
    word = before[0] if before else ""
    if len(word) == 1 and word.isalpha() and word.isupper():
        return word == "I" or bool(_COMMON_STARTS.match(following))
    if word.isdigit() and match.start() - len(word) == start:
        return False
    lowered = word.lower()
    if lowered in _MAY_END or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return bool(_COMMON_STARTS.match(following)) or len(stop) > 1
    if lowered in _BEFORE_NUMBER:
        return not first.isdigit()
    return lowered not in _ABBREVIATIONS


def _line_ends(text: str, at: int, following: int) -> bool:
    """Whether a single line end closes a sentence: true unless the text is merely wrapped there."""
    line_start = max(text.rfind("\n", 0, at) + 1, 0)
    next_end = text.find("\n", following)
    next_line = text[following : next_end if next_end >= 0 else len(text)]
    line = text[line_start:at]
    if not line.strip() or not next_line.strip() or line.lstrip().startswith("#") or _MARKER.match(next_line):
        return True
    if next_line[0].islower() or line[-1] in ",;，；、":
        return False
    wide = bool(_HAS_CJK.match(line[-1])) or bool(_HAS_CJK.match(line[0]))
    shortest, longest = (20, 60) if wide else (50, 120)
    return len(line) < shortest or len(line) > longest or len(next_line) > longest
