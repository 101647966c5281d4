"""Names in a text, and which of them nothing supports.

Names are told by their capital letters, so writing without them (Chinese, Japanese, Arabic, …) is seen only
where it uses Latin letters or marks names itself (《…》). A word that opens a sentence is a name when the
evidence writes it with a capital inside sentences and never without.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from library.claims.naming.abbreviations import Abbreviations, spelled_out_in
from library.text import CJK
from library.text import tokenize as analysis
from library.text.multilingual.stop_words import ENGLISH as ENGLISH_STOP_WORDS
from library.text.quantities.months import ABBREVIATED, ENGLISH_MONTHS, WEEKDAYS
from library.text.quantities.number_parsing import numbers
from library.text.quantities.number_words import ENGLISH

_WORD = re.compile(
    r"[^\W\d_][\w]*(?:[’'.&-](?=\w)[\w]+)*(?:\.(?=\s[A-Z]))?"
    r"|\d(?:[^\WA-Za-z]|-){0,40}[A-Za-z][\w-]*"
)
_SIGNS = f"[{CJK}]"
_BESIDE_SIGNS = re.compile(rf"(?<={_SIGNS})(?=[A-Za-z])|(?<=[A-Za-z0-9])(?={_SIGNS})")
"""Where Latin letters meet Chinese or Japanese signs, between which some write a space and some none."""
_MARKED = re.compile(r"《([^》]{1,60})》")
_LOOKED_BACK = 40
"""Characters before a word that tell whether it opens a sentence: a look at all of them takes its square."""
_BREAK = re.compile(r"[.!?。！？:：;；]['\"”’)\]]*\s+$|[“‘\"(\[]\s*$|^\s*$")
_BEGINS = re.compile(rf"{_BREAK.pattern}|\n\s{{0,6}}\n\s{{0,6}}$|\n#+[ \t]+$")
"""The same, and where a paragraph or a heading begins."""
_IN_PROSE = re.compile(r"(?:[’']s)?(?:[.,;)]|\s[^\W\d_A-Z])")
"""What stands behind the last word of a name, and not behind the first of a heading (`Copy Partitions`)."""
_SEVERAL = re.compile(r"([A-Z][A-Z\d]{1,7})[’']?s")
"""More than one of what has a short form: `KSKs`."""
_POSSESSED = re.compile(r"[’']s?$")
_ROMAN = re.compile(r"(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3})$")
_SMALL_TEXT = """
    a an and as at but by for from in into is it its no nor not of off on onto or per so than that the
    their then there these they this those to up upon via was were when where which while who with yet
    he she we you i his her our your my however although though because since until after before during
    under over between among against about also both each either every few many more most other some
    such several all any another one two three four five six seven eight nine ten if what why how here
    thus therefore moreover furthermore meanwhile instead despite unlike like according additionally
    overall later earlier early late first second third finally eventually today now currently recently
    originally initially mr mrs ms dr prof sir lady lord st saint president king queen prince princess
    pope minister senator judge general am pm bc ad ce bce de la le les du des von van der den di da el al
    bin ibn und et y
"""
_SMALL = frozenset((*_SMALL_TEXT.split(), *ENGLISH_MONTHS, *ABBREVIATED, *WEEKDAYS))
"""Words that are no name by themselves, however they are written; dates are checked elsewhere."""

_RULE_WORDS = ENGLISH_STOP_WORDS - frozenset(("can", "don", "ever", "may", "nor", "so", "will"))
"""Function words that are no names as well: they may begin a rule behind a dash, `– Never open it twice`."""
_FIGURE_BEFORE = re.compile(r"(?<!\S)\d[\d.,]*\s$")
_DASH = re.compile(r"\s[–—-]\s$")
_ENDINGS = (
    "lands", "land", "iche", "ians", "ian", "ines", "ine", "ish", "ese", "ans", "ean", "an", "ic", "is", "es",
    "ey", "ia", "er", "ers", "i", "y", "a", "o", "s", "e",
)  # fmt: skip
_PEOPLES = {
    "french": "france", "dutch": "netherlands", "swiss": "switzerland", "british": "britain", "uk": "britain",
    "spanish": "spain", "danish": "denmark", "greek": "greece", "welsh": "wales", "scottish": "scotland",
    "irish": "ireland", "us": "america", "usa": "america", "american": "america", "americans": "america",
    "u.s": "america", "u.s.a": "america", "eu": "european", "un": "united", "u.k": "britain",
    "english": "england", "german": "germany", "germans": "germany", "polish": "poland", "thai": "thailand",
    "finnish": "finland", "turkish": "turkey", "norwegian": "norway", "filipino": "philippines",
    "burmese": "myanmar", "chinese": "china",
}  # fmt: skip


_NO_ABBREVIATIONS: Abbreviations = {}


def missing_names(
    text: str,
    passages: Sequence[str],
    around: Sequence[str] = (),
    lexicon: Collection[str] = frozenset(),
    full: Collection[tuple[str, str]] = frozenset(),
    short: Abbreviations = _NO_ABBREVIATIONS,
    elsewhere: Collection[str] = frozenset(),
) -> list[str]:
    """Return the names of a text that neither the passages nor what is known of their sources hold.

    Args:
        text: A sentence without quotations and citations.
        passages: The passages that it cites.
        around: What else it may name: its sources' titles and authors, the topic.
        lexicon: Folded words that are names wherever they stand (`name_lexicon`).
        full: What other texts put before a name, where they all put the same (`full_names`).
        short: What the documents say their abbreviations stand for (`abbreviations`).
        elsewhere: Folded names that need not stand here: what a conclusion may name that others tell of.
    """
    missing = []
    if said := names(text, lexicon):
        known = _known(tuple(passages), tuple(around))
        spelled_out = _spelled_out(text, known)
        missing = [name for name in said if name not in spelled_out and not _held(name, known)]
        missing = [name for name in missing if not _clipped(name, text, known)]
        missing = [name for name in missing if not _completes(name, text, known, full)]
        missing = [name for name in missing if fold(name) not in elsewhere]
        missing = [name for name in missing if not spelled_out_in(name, passages, short)]
    whole = " ".join([*passages, *around])
    missing += [title for title in _MARKED.findall(text) if title not in whole]
    return list(dict.fromkeys(missing))


_RUN = re.compile(r"\b[A-Z][\w’'-]{1,60}(?:\s+(?:of|the|and|for|on|in|de|des|la)\b|\s+[A-Z][\w’'-]{1,60})+")
"""Capitalised words that follow each other, with the small words between them."""


def _spelled_out(text: str, known: "_Known") -> set[str]:
    """Return the words of names that the passages abbreviate: `United Kingdom` where these say `UK`."""
    found: set[str] = set()
    for run in _RUN.findall(text):
        words = run.split()
        while words and not words[-1][0].isupper():
            words.pop()
        for start in range(len(words) - 1):
            for end in range(start + 2, len(words) + 1):
                part = words[start:end]
                capitals = "".join(word[0] for word in part if word[0].isupper()).casefold()
                letters = "".join(word[0] for word in part).casefold()
                if known.capitals & {capitals, letters}:
                    found.update(part)
    return found


def full_names(texts: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Return pairs of folded words: what always stands right before a name, and the name (`ada`, `merrow`).

    What stands farther before it in one run of names is a title, or a name too: (`harbour`, `merrow`) of
    `Harbour Master Ada Merrow`.
    """
    return _full_names(tuple(texts))


@lru_cache(maxsize=4)
def _full_names(texts: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    found: dict[str, set[str]] = {}
    for text in texts:
        for first, last in _PAIR.findall(text):
            if fold(first) not in _SMALL:
                found.setdefault(fold(last), set()).add(fold(first))
    whole = {(firsts.pop(), last) for last, firsts in found.items() if len(firsts) == 1}
    for text in texts:
        for run in _TITLED.findall(text):
            *before, _first, last = map(fold, run.split())
            whole |= {(word, last) for word in before if word not in _SMALL}
    return frozenset(whole)


_NAME = r"[A-Z][a-z][\w’'-]{0,60}"
_TITLED = re.compile(rf"\b{_NAME}(?: {_NAME}){{2,4}}(?![\w’'-])")
"""Three to five names that follow each other: a person's, with a title."""
_PAIR = re.compile(rf"\b(?=({_NAME})\s+([A-Z][\w’'-]{{1,60}}))")


def _completes(name: str, text: str, known: "_Known", full: Collection[tuple[str, str]]) -> bool:
    """Tell whether a word makes a name whole that the passages hold: `Ada` before the `Merrow` of these."""
    behind = [last for first, last in _PAIR.findall(text) if first == name]
    behind += [run[-1] for run in map(str.split, _TITLED.findall(text)) if name in run[:-1]]
    return any((fold(name), fold(last)) in full and _held(last, known) for last in behind)


def _clipped(name: str, text: str, known: "_Known") -> bool:
    """Tell whether an institution is called by its name's beginning: `the Fed` for the Federal Reserve.

    A part of it may have words of its own before it: `the San Francisco Fed's board`.
    """
    short = fold(_POSSESSED.sub("", name))
    if len(short) < 3 or not re.search(rf"\b[Tt]he (?:[A-Z][\w-]+ ){{0,3}}{re.escape(name)}\b", text):
        return False
    return any(word.startswith(short) and len(word) >= len(short) + 3 for word in known.openings)


@dataclass(frozen=True, slots=True)
class _Known:
    """What passages and their sources let a sentence name."""

    words: frozenset[str]
    stems: frozenset[str]
    initials: frozenset[str]
    """Abbreviations that names give."""
    capitals: frozenset[str]
    """Abbreviations as the passages write them: all capitals, no full stops; of several (`KSKs`), one."""
    openings: frozenset[str]
    """Words that open a name of several words."""
    numerals: frozenset[int]


@lru_cache(maxsize=512)  # a section's sentences share their passages, and are checked more than once
def _known(passages: tuple[str, ...], around: tuple[str, ...]) -> _Known:
    parts = (*passages, *around)
    words = frozenset[str]().union(*map(_words, parts))
    numerals = {int(v) for part in passages for n in numbers(part) for v in n.values if v == int(v)}
    written = {token[0].replace(".", "") for part in parts for token in _WORD.finditer(part)}
    written = {_one_of(word) for word in written}
    capitals = frozenset(word.casefold() for word in written if word.isupper() and 2 <= len(word) <= 6)
    runs = [[w for w in run.split() if w[0].isupper()] for part in parts for run in _RUN.findall(part)]
    openings = frozenset(fold(word) for run in runs for word in run[:-1])
    stems = frozenset(map(_stem, words))
    return _Known(words, stems, _initials(parts), capitals, openings, frozenset(numerals))


def names(text: str, lexicon: Collection[str] = frozenset()) -> list[str]:
    """Return the words of a text that are names or parts of names, as written."""
    found: list[str] = []
    text = _BESIDE_SIGNS.sub(" ", text)
    for token in _WORD.finditer(text):
        word = token[0].rstrip(".")
        before = text[max(0, token.start() - _LOOKED_BACK) : token.start()]
        if not _capital(word) or fold(word) in _SMALL or ENGLISH.fullmatch(word) or len(word) == 1:
            continue
        if word.istitle() and fold(word) in _RULE_WORDS and _DASH.search(before):
            continue
        if (figure := _FIGURE_BEFORE.search(before)) and any(n.units for n in numbers(f"{figure[0]}{word}")):
            continue  # `1 KB`: its unit, which is compared with the figure
        opens = bool(_BREAK.search(before))
        if opens and not _opening_name(word, lexicon):
            continue
        found.append(word)
    return found


def name_lexicon(texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words that the texts write with a capital inside sentences, never without."""
    return _lexicon(tuple(texts))


@lru_cache(maxsize=4)  # a report is checked more than once
def _lexicon(texts: tuple[str, ...]) -> frozenset[str]:
    capital: set[str] = set()
    small: set[str] = set()
    in_prose: set[str] = set()
    for text in texts:
        for token in _WORD.finditer(text):
            word = token[0].rstrip(".")
            if not _capital(word):
                small.add(fold(word))
            elif not _BEGINS.search(text[max(0, token.start() - 8) : token.start()] or " "):
                capital.add(fold(word))
                if _IN_PROSE.match(text, token.start() + len(word)):
                    in_prose.add(fold(word))
    # `Copy each partition` where they say `Copy Partitions` and `should be copied`: a verb that begins a step
    # is no name. `Cook` is one where they say `Tim Cook said`, whatever was cooked.
    inflected = {analysis.stem(word) for word in small}
    known = capital - small - _SMALL
    return frozenset(word for word in known if word in in_prose or analysis.stem(word) not in inflected)


def _opening_name(word: str, lexicon: Collection[str]) -> bool:
    """Tell whether the word that opens a sentence is a name: known as one, or written like one."""
    return fold(word) in lexicon or sum(c.isupper() for c in word) > 1


def _capital(word: str) -> bool:
    return word[:1].isupper() or (any(c.isupper() for c in word) and any(c.isdigit() for c in word))


@lru_cache(maxsize=16_384)
def fold(word: str) -> str:
    """Return a word without case, accents, possessive and final stop."""
    word = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()
    word = word.replace("’", "'").rstrip(".")
    return word.removesuffix("'s").rstrip("'")


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    words = {fold(token[0]) for token in _WORD.finditer(_BESIDE_SIGNS.sub(" ", text))}
    pieces = {piece for word in words for piece in re.split(r"[-'.&]", word) if piece}
    peoples = {_PEOPLES[word] for word in words if word in _PEOPLES}
    return frozenset(words | pieces | peoples)


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= 4), "")
    return word.removesuffix(ending) if ending else word


def _initials(parts: Iterable[str]) -> frozenset[str]:
    """Return the abbreviations that runs of capitalised words give, `of` and `the` counted or not."""
    found: set[str] = set()
    for part in parts:
        for run in _RUN.findall(part):
            words = run.split()
            found.add("".join(word[0] for word in words if word[0].isupper()).casefold())
            found.add("".join(word[0] for word in words).casefold())
    return frozenset(found)


def _held(name: str, known: _Known) -> bool:
    words, stems = known.words, known.stems
    folded = fold(name)
    pieces = [piece for piece in re.split(r"[-'.&]", folded) if piece]
    if folded in words or _PEOPLES.get(folded, folded) in words or _stem(folded) in stems:
        return True
    if len(pieces) > 1 and all(
        piece in words or piece in _SMALL or _stem(piece) in stems for piece in pieces
    ):
        return True
    if name.isupper() and (folded in known.initials or _roman(name) in known.numerals):
        return True
    one = _one_of(name)
    if one.isupper() and (one.casefold() in known.capitals or one.casefold() in words):
        return True
    abbreviations = [word for word in words if 2 <= len(word) <= 6]
    return any(word == folded.replace(".", "") for word in abbreviations)


def _one_of(name: str) -> str:
    """Return a short form as it stands for one: `KSK` for `KSKs`; other words as they are."""
    several = _SEVERAL.fullmatch(name)
    return several[1] if several else name


def _roman(name: str) -> int | None:
    if not _ROMAN.match(name):
        return None
    worth = {"I": 1, "V": 5, "X": 10}
    values = [worth[c] for c in name]
    return sum(-v if any(later > v for later in values[i + 1 : i + 2]) else v for i, v in enumerate(values))
