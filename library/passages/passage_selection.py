"""Choosing passages to show: relevant above a threshold, none twice, no source flooding the rest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from library.evidence import Passage
from library.passages.blocks import blocks
from library.passages.combined_relevance import combined_relevance
from library.text import sentences, titled_text
from library.text import tokenize as analysis
from models import Statistics

_Shingles = frozenset[tuple[str, ...]]
_SHINGLE = 3
_SAME = 0.6
"""Share of a sentence's shingles that another passage holds too, for it to say nothing new."""
_FEWEST = 8
"""Shingles that a passage has which another document may hold over: a heading is said twice by chance."""
_PAGES = (".html", ".htm", ".xhtml")
_CROWDING = 0.85
"""What a further passage of a source that was chosen already counts for, for each of them."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage with its relevance, 0 to 1."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class _Told:
    """What a passage says."""

    shingles: _Shingles
    sentences: tuple[_Shingles, ...]

    @classmethod
    def of(cls, text: str) -> "_Told":
        said = [text[block.start : block.end] for block in blocks(text) if block.form != "heading"]
        told = (shingle_set(part[start:end]) for part in said for start, end in sentences(part))
        return cls(shingle_set(text), tuple(filter(None, told)))

    def says_again(self, others: Sequence[_Shingles]) -> bool:
        """Whether each of its sentences stands, mostly word for word, in another; that may say more."""
        return bool(self.sentences) and all(
            any(len(said & other) >= _SAME * len(said) for other in others) for said in self.sentences
        )


def select(
    query: str,
    candidates: Sequence[Passage],
    statistics: Statistics,
    *,
    limit: int,
    threshold: float,
    seen: Sequence[Passage] = (),
    by_meaning: bool = False,
) -> list[Scored]:
    """Return the passages worth showing, best first.

    Args:
        query: What is asked.
        candidates: Passages to choose from, in any order; equal scores keep their order.
        statistics: Weighs the words.
        limit: The most passages.
        threshold: The least relevance (cosine, 0 to 1) a passage must have.
        seen: Passages that were shown before: neither they nor what says no more than one of them is chosen.
        by_meaning: What they mean counts as much as their words (`combined_relevance`): then scores, and the
            threshold, are comparable among these candidates alone.
    """
    if by_meaning and candidates:
        scores = combined_relevance(query, [titled_text(p) for p in candidates], statistics)
    else:
        scores = statistics.relevance(query, [f"{p.title}\n{p.text}" for p in candidates])
    relevant = [Scored(p, s) for p, s in zip(candidates, scores, strict=True) if s >= threshold and s > 0]
    known = {passage.key for passage in seen}
    shown = [shingle_set(passage.text) for passage in seen]
    chosen: list[tuple[Scored, _Told]] = []
    waiting = [item for item in relevant if item.passage.key not in known]
    while waiting and len(chosen) < limit:
        crowd = Counter(item.passage.sha256 for item, _ in chosen)
        best = max(range(len(waiting)), key=lambda i: (_worth(waiting[i], crowd), -i))
        item = waiting.pop(best)
        mine = _Told.of(item.passage.text)
        if mine.says_again([*shown, *(each.shingles for _, each in chosen)]):
            continue
        # One that says what another says, and more, stands for both.
        chosen = [(each, told) for each, told in chosen if not told.says_again([mine.shingles])]
        chosen.append((item, mine))
    return sorted((item for item, _ in chosen), key=lambda item: -item.score)


def _worth(item: Scored, crowd: Mapping[str, int]) -> float:
    return item.score * float(_CROWDING ** sqrt(crowd.get(item.passage.sha256, 0)))


def made_for_reading(passage: Passage) -> bool:
    """Tell whether a passage is of a page made for the web: of one text's copies its code is kept best."""
    return passage.url.lower().endswith(_PAGES)


def copied_passages(passages: Sequence[Passage]) -> set[tuple[str, int, int]]:
    """Return the keys of passages that say over what a page made for the web says, as a PDF of it does.

    Of pages none is another one's copy: those of one manual have steps and notes alike.
    """
    sources: dict[str, set[tuple[str, ...]]] = {}
    for p in passages:
        if made_for_reading(p):
            sources.setdefault(p.sha256, set()).update(shingle_set(p.text))
    found = set[tuple[str, int, int]]()
    for p in passages if sources else []:
        own = shingle_set(p.text)
        if p.sha256 in sources or len(own) < _FEWEST:
            continue
        if any(len(own & page) >= _SAME * len(own) for page in sources.values()):
            found.add(p.key)
    return found


def shingle_set(text: str) -> _Shingles:
    """Return the runs of three index terms of a text (its terms as one, when it has fewer)."""
    terms = analysis.terms(text)
    if len(terms) < _SHINGLE:
        return frozenset([tuple(terms)]) if terms else frozenset()
    return frozenset(zip(terms, terms[1:], terms[2:], strict=False))
