"""Choosing sentences to quote: which of a passage's sentences can stand alone, and which say most together.

Sentences are chosen by maximal marginal relevance (Carbonell and Goldstein, 1998): relevant to what is asked,
unlike what was chosen before.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from library.evidence import Passage, unmarked
from models.statistics import Statistics

_SHORTEST, _LONGEST = 6, 60
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"\w+")
_DOUBLE = str.maketrans({"“": "‘", "”": "’", '"': "’", "„": "‚", "«": "‹", "»": "›", "「": "『", "」": "』"})
_OPENING = re.compile(r"(^|(?<=[\s(\[—–]))[\"”](?=\w)")
_DANGLING = re.compile(
    r"^(he|she|it|they|his|her|its|their|this|that|these|those|but|and|or|also|however|such)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence of a passage that can be quoted: `passage.text[start:end] == text`."""

    passage: Passage
    start: int
    end: int
    text: str


def quote(text: str) -> str:
    """Print words in quotation marks.

    Double marks inside become single ones, white space is folded, and nothing inside reads as a citation of
    ours.
    """
    inner = _OPENING.sub("‘", " ".join(unmarked(text).split())).translate(_DOUBLE)
    return f"“{inner}”"


def word_count(text: str) -> float:
    """Return a sentence's length in words; two CJK characters count as one word."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + cjk / 2


def quotables(passages: Sequence[Passage], statistics: Statistics) -> list[Quotable]:
    """Return the passages' sentences that can stand as quotations.

    Whole, neither too short nor too long, no question.
    """
    found: list[Quotable] = []
    for passage in passages:
        for start, end in statistics.sentences(passage.text):
            text = passage.text[start:end]
            if _SHORTEST <= word_count(text) <= _LONGEST and text.rstrip("”’\"')）」』 ")[-1:] not in {
                "?",
                "？",
                ":",
                "：",
                "",
            }:
                found.append(Quotable(passage, start, end, text))
    return found


def choose_quotes(
    query: str,
    passages: Sequence[Passage],
    statistics: Statistics,
    count: int,
    *,
    balance: float = 0.7,
    said: Collection[str] = (),
) -> list[Quotable]:
    """Return up to `count` sentences, most telling first: relevant to the query and unlike each other.

    `balance` is MMR's lambda: 1 looks at relevance alone, 0 at difference alone. Quotations in `said` (as
    `quote` prints them) are not chosen again.
    """
    before = set(said)
    pool = [q for q in quotables(passages, statistics) if quote(q.text) not in before]
    if not pool:
        return []
    texts = [q.text for q in pool]
    relevance = statistics.relevance(query, texts)
    gain = [r * (0.8 if _DANGLING.match(q.text) else 1.0) for q, r in zip(pool, relevance, strict=True)]
    likeness = statistics.similarity(texts)
    chosen: list[int] = []
    while len(chosen) < min(count, len(pool)):
        left = [i for i in range(len(pool)) if i not in chosen]
        repeats = {i: max((float(likeness[i, j]) for j in chosen), default=0.0) for i in left}
        best = max(left, key=lambda i: (balance * gain[i] - (1 - balance) * repeats[i], -i))
        if repeats[best] > 0.8:
            break
        chosen.append(best)
    return [pool[i] for i in chosen]
