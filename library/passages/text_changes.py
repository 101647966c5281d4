"""What changed between two readings of one text: sentences that were reworded, came and went.

Statements are compared by their words, not by layout or punctuation. Between what stands in both texts
(longest matching runs: Ratcliff and Metzener, 1988), what went is paired with what came by the words that
they share: a pair is one sentence in two versions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from library.passages.statements import Statement, statements
from library.text import is_cjk, sentences

_WORD = re.compile(r"(?:(?<![\w)])[-−])?\d+(?:[.,]\d+)*|[^\W_]+|[%‰$€£¥]")
"""Words, figures with their sign, and what a figure is of."""
REWORDED = 0.5
"""Share (0 to 1) of the words of two sentences together that they have in common, from which they are two
versions of one."""
_OFTEN, _NEAREST = 100, 8
"""Sentences from which on a word tells none of them apart, and those that one is compared with at most."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """A sentence in two versions; the one that was not there yet, or is there no more, is None."""

    before: Statement | None
    after: Statement | None


def text_changes(before: str, after: str) -> list[TextChange]:
    """Return what changed from one reading of a text to the next, in the order of the later one."""
    old, new = statements(before, sentences), statements(after, sentences)
    old_words, new_words = [_words(s.words) for s in old], [_words(s.words) for s in new]
    there, here = set(old_words), set(new_words)
    found: list[TextChange] = []
    for kind, start, end, first, last in SequenceMatcher(
        None, old_words, new_words, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            continue
        # What was only moved is told of by its words' being in the other text.
        gone = [s for s, words in zip(old[start:end], old_words[start:end], strict=True) if words not in here]
        come = [s for s, w in zip(new[first:last], new_words[first:last], strict=True) if w not in there]
        found += _paired(gone, come)
    return found


def _paired(gone: Sequence[Statement], come: Sequence[Statement]) -> list[TextChange]:
    """Pair what went with what came, the likest first; the rest stands alone."""
    old_words, new_words = [_words(old.words) for old in gone], [_words(new.words) for new in come]
    ratios = sorted(
        (-ratio, i, j)
        for i, j in _candidates(old_words, new_words)
        if (ratio := SequenceMatcher(None, old_words[i], new_words[j], autojunk=False).ratio()) >= REWORDED
    )
    of_new: dict[int, int] = {}
    for _, i, j in ratios:
        if j not in of_new and i not in of_new.values():
            of_new[j] = i
    changes = [TextChange(gone[of_new[j]] if j in of_new else None, new) for j, new in enumerate(come)]
    paired = set(of_new.values())
    return [*changes, *(TextChange(old, None) for i, old in enumerate(gone) if i not in paired)]


def _candidates(
    gone: Sequence[tuple[str, ...]], come: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs that may be two versions of one sentence: a few for each that came.

    Of a page that is written anew not all are compared with all: they must share words that few have.
    """
    places: dict[str, list[int]] = {}
    for i, words in enumerate(gone):
        for word in set(words):
            places.setdefault(word, []).append(i)
    for j, words in enumerate(come):
        rare = (places[word] for word in set(words) if len(places.get(word, ())) in range(1, _OFTEN))
        shared = Counter(i for held in rare for i in held)
        for i, _ in sorted(shared.items(), key=lambda one: (-one[1], one[0]))[:_NEAREST]:
            both = sum((Counter(gone[i]) & Counter(words)).values())
            if 2 * both >= REWORDED * (len(gone[i]) + len(words)):
                yield i, j


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared; a Chinese character is a word."""
    words = _WORD.findall(text.casefold())
    return tuple(sign for word in words for sign in ([word] if word.isascii() else _signs(word)))


def _signs(word: str) -> list[str]:
    return list(word) if any(map(is_cjk, word)) else [word]
