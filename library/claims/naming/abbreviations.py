"""What the documents themselves say an abbreviation stands for: `write-ahead log (WAL)`.

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text"
(PSB 2003); stricter: each letter is the first of a word, so that nothing is taken for a definition by chance.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

Abbreviations = Mapping[str, frozenset[tuple[str, ...]]]
"""By the abbreviation in small letters: the words it stands for, in small letters."""

_SHORT = re.compile(r"\(([A-Z]{2,7})s?\)")
_SHORT_THEN_WORDS = re.compile(r"\b([A-Z]{2,7})s?\s?\(([^()\n]{3,120})\)")
_BEFORE = 120
"""Characters before an abbreviation in brackets in which its words stand."""
_PARTS = re.compile(r"[^\W\d_]+")


def abbreviations(texts: Iterable[str]) -> Abbreviations:
    """Return what some texts say their abbreviations stand for."""
    return _abbreviations(tuple(texts))


@lru_cache(maxsize=4)  # a report is checked more than once
def _abbreviations(texts: tuple[str, ...]) -> Abbreviations:
    found: dict[str, set[tuple[str, ...]]] = {}
    for text in texts:
        defined = [(text[max(0, m.start() - _BEFORE) : m.start()], m[1]) for m in _SHORT.finditer(text)]
        defined += [(words, short) for short, words in _SHORT_THEN_WORDS.findall(text)]
        for said, short in defined:
            # The words nearest to the brackets: as many as there are letters.
            words = tuple(part.lower() for part in _PARTS.findall(said)[-len(short) :])
            if "".join(word[0] for word in words) == short.lower():
                found.setdefault(short.lower(), set()).add(words)
    return {short: frozenset(words) for short, words in found.items()}


def spelled_out_in(short: str, passages: Iterable[str], known: Abbreviations) -> bool:
    """Tell whether a passage holds what an abbreviation stands for, the last word in any form."""
    meant = [" ".join(words) for words in known.get(short.lower(), ())]
    flat = (" ".join(_PARTS.findall(passage.lower())) for passage in passages) if meant else ()
    return any(f" {words}" in f" {text}" for text in flat for words in meant)
