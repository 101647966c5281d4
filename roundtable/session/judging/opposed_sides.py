"""What two passages say against each other, in words that a reader can be shown; pure."""

import re
from difflib import SequenceMatcher
from itertools import accumulate, takewhile

from library.text import CJK, STOP_WORDS, cut_line, is_cjk, numbers, sentences
from models import Statistics

_LONGEST_ANSWER = 300
"""Characters of what answers a question that a passage puts itself."""
_WORD, _PHRASE = re.compile(rf"[{CJK}]|[^\W{CJK}]+(?:(?:[-'’.]|(?<=\d),(?=\d))[^\W{CJK}]+)*"), 2
"""A word or a sign; those that two sides must share for these to be what they differ on."""
_EMPHASIS = re.compile(r"(?<!\w)\*\*|\*\*(?!\w)")
"""Marks of markup; in code `2**3` is a power."""


def stated_of(text: str, claim: str, statistics: Statistics) -> str:
    """Return the sentence of a passage that comes nearest to a claim; of a question what answers it there.

    It is without marks of emphasis, of which a sentence may hold one half.
    Who asks has no view: a page of frequent questions says it in the sentences behind them.
    """
    return _EMPHASIS.sub("", _stated(text, claim, statistics))


def _stated(text: str, claim: str, statistics: Statistics) -> str:
    spans = sentences(text) or [(0, len(text))]
    said = [text[start:end] for start, end in spans]
    near = statistics.relevance(claim, said)
    place = near.index(max(near))
    if not _asks(said[place]):
        return said[place]
    answer = list(takewhile(lambda s: not _asks(s), said[place + 1 :]))
    if not answer:
        stated = [n for n, s in enumerate(said) if not _asks(s)]
        return said[max(stated, key=lambda n: near[n])] if stated else said[place]
    fits = sum(length <= _LONGEST_ANSWER for length in accumulate(map(len, answer)))
    return " ".join(text[spans[place + 1][0] : spans[place + max(fits, 1)][1]].split())


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" \t\n\"'”’»)*_").endswith(("?", "？"))


def shared_phrase(one: str, other: str) -> str:
    """Return the longest run of words that both sides have, no common ones at its ends; '' for one word."""
    mine, theirs = _WORD.findall(one), _WORD.findall(other)
    matcher = SequenceMatcher(
        None, [w.casefold() for w in mine], [w.casefold() for w in theirs], autojunk=False
    )
    at, _there, size = matcher.find_longest_match()
    run = mine[at : at + size]
    telling = [n for n, word in enumerate(run) if word.casefold() not in STOP_WORDS and not _counts(word)]
    if len(telling) < _PHRASE:
        return ""
    run = run[telling[0] : telling[-1] + 1]
    return "".join(run) if all(map(is_cjk, run)) else " ".join(run)


def _counts(word: str) -> bool:
    """Tell whether a word is of a figure: what two sides differ on is not called `million passengers`."""
    return not word.isdigit() and any(value != 1 for n in numbers(f"1 {word}") for value in n.values)


def shortened(text: str, most: int) -> str:
    """Return a text in one line without its stop, cut at a word where it has more characters."""
    return cut_line(" ".join(text.split()).rstrip(" .。"), most)
