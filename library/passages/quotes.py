"""Choosing sentences to quote: which of a passage's sentences can stand alone, and which say most together.

Sentences are chosen by maximal marginal relevance (Carbonell and Goldstein, 1998): relevant to what is asked,
unlike what was chosen before.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from library.evidence import Passage, unmarked
from library.passages.quote_filter import leans, quotable
from models import Statistics

_DOUBLE = str.maketrans({"“": "‘", "”": "’", '"': "’", "„": "‚", "«": "‹", "»": "›", "「": "『", "」": "』"})
_OPENING = re.compile(r"(^|(?<=[\s(\[—–]))[\"”](?=\w)")
_AS_WELL = 0.8
"""What a sentence that leans on the one before it is worth beside another."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence of a passage that can be quoted; it stands at `passage.text[start:end]`."""

    passage: Passage
    start: int
    end: int
    text: str
    """In one line, without marks of markup."""


def quote(text: str) -> str:
    """Print words in quotation marks.

    Double marks inside become single ones, white space is folded, and nothing inside reads as a citation of
    ours.
    """
    inner = _OPENING.sub("‘", " ".join(unmarked(text).split())).translate(_DOUBLE)
    return f"“{inner}”"


def quotables(passages: Sequence[Passage], statistics: Statistics) -> list[Quotable]:
    """Return the passages' sentences that can stand as quotations (see `library.passages.quote_filter`)."""
    return [
        Quotable(passage, told.start, told.end, told.words)
        for passage in passages
        for told in quotable(passage.text, statistics.sentences)
    ]


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
    gain = [r * (_AS_WELL if leans(q.text) else 1.0) for q, r in zip(pool, relevance, strict=True)]
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
