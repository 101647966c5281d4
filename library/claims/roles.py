"""Names and figures that changed places: `A beat B` where the passage says `B beat A`.

Told only where all between the two is the same, word by word: another voice (`B was beaten by A`) has other
words.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.quantity_data import table

_TOKEN = re.compile(r"[^\W_]+(?:[.,:’'&-][^\W_]+)*")
_FURTHEST = 30
"""Words between two that are compared."""
_LOOKED_BACK = 40
"""Characters before a word that tell whether it opens a sentence."""
_JOINS, _ARTICLES, _SMALL_IN_NAMES = (
    frozenset(word for words in table("roles").values() for word in words[role])
    for role in ("joins", "articles", "in_names")
)

_Relation = tuple[str, str, tuple[str, ...]]


def exchanged(text: str, passages: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of names or figures that a text has in the other order than its passages.

    The words between them are the same there, and nowhere do the passages have them in the text's order.
    """
    known = frozenset[_Relation]().union(*map(_relations, passages))
    for one, other, between in sorted(_relations(text) - known):
        parts = set(one.casefold().split()) & set(other.casefold().split())
        if not parts and _tells(between) and (other, one, between) in known:
            return [(one, other)]
    return []


@lru_cache(maxsize=1_000)
def _relations(text: str) -> frozenset[_Relation]:
    """Return each two names, or two figures, of a text with the words between them."""
    return frozenset(_pairs(*_slots(text)))


def _tells(between: Sequence[str]) -> bool:
    """Tell whether words between two say who did what to whom."""
    return any(word not in _JOINS for word in between)


def _slots(text: str) -> tuple[list[str], list[tuple[int, int, bool]]]:
    """Return a text's words, and where its names and figures stand: (first, behind the last, is a figure).

    A name of several words stands there whole and with each of its words.
    """
    matches = list(_TOKEN.finditer(text))
    words = [re.sub(r"[’']s$", "", m[0]) for m in matches]
    slots: list[tuple[int, int, bool]] = []
    at = 0
    while at < len(words):
        end = at + 1
        start = matches[at].start()
        if _is_name(words, at, text[max(0, start - _LOOKED_BACK) : start]):
            while end < len(words) and _goes_on(words, matches, end, text):
                end += 1
            slots += [(i, i + 1, False) for i in range(at, end) if end > at + 1 and words[i][0].isupper()]
            slots.append((at, end, False))
        elif words[at][0].isdigit():
            slots.append((at, end, True))
        at = end
    return words, slots


def _is_name(words: Sequence[str], at: int, before: str) -> bool:
    """Tell whether a word is written as a name is; a small word that opens a sentence is none."""
    opens = not before.rstrip() or before.rstrip()[-1] in '.!?:;“"‘(—'
    return words[at][0].isupper() and not (opens and words[at].casefold() in STOP_WORDS)


def _goes_on(words: Sequence[str], matches: Sequence[re.Match[str]], at: int, text: str) -> bool:
    """Tell whether a name goes on with a word: no mark parts them, and it is written large or joins two."""
    if text[matches[at - 1].end() : matches[at].start()].strip() or matches[at - 1][0].endswith(("’s", "'s")):
        return False
    if words[at].casefold() in _SMALL_IN_NAMES:
        return at + 1 < len(words) and words[at + 1][0].isupper()
    return words[at][0].isupper()


def _pairs(words: Sequence[str], slots: Sequence[tuple[int, int, bool]]) -> Iterator[_Relation]:
    """Return each two names, or two figures, with the words between them."""
    ordered = sorted(slots)
    for n, (a, behind, figure) in enumerate(ordered):
        for place in range(n + 1, len(ordered)):
            b, end, other = ordered[place]
            if b - behind > _FURTHEST:
                break  # so are all that follow
            if figure == other and b > behind:
                yield (
                    _written(words[a:behind]),
                    _written(words[b:end]),
                    _between(words[behind:b]),
                )


def _between(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words if word.casefold() not in _ARTICLES)


def _written(words: Sequence[str]) -> str:
    return " ".join(words)
