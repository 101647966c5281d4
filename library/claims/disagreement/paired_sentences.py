"""Sentences of two sources that may not agree, for whoever can read them.

Rules that raise no false alarm (`contradictions`) miss most of what is told in other words. A language model
tells it where it is shown both sentences. So those are chosen here that are worth its time: sentences of two
sources with the most in common, by how rare their words are, of which each says something of its own. Each
stands in one pair, with its nearest: without that, pages on one matter give hundreds (docs/LOG.md).
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from library.claims.claims import Claim, claims
from library.claims.disagreement.contradiction_detection import Contradiction, as_written
from library.evidence import Passage
from library.text.quantities.date_parsing import dates
from library.text.quantities.number_parsing import numbers
from models import Statistics

_LEAST = 0.3
"""Likeness, with what is added for another value, below which two sentences are not worth reading."""
_OTHER_VALUE = 0.2
"""What another figure or date, or a denial on one side, adds to the cosine (0 to 1) of two sentences."""
_TOLD = 2
"""Words that a sentence shares with one that may be its denial."""
_FARTHEST = 10.0
"""Times that one of two figures may be the other; what is farther apart counts something else."""
_MOST_SENTENCES = 2_000
"""Sentences that are compared, the last ones: the work grows with their square."""
_YEAR = re.compile(r"(?<![\d.,])(1[5-9]\d\d|20\d\d)(?![\d,.]\d)")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with what it may be compared by."""

    passage: Passage
    text: str
    words: Mapping[str, float]
    """Roots of its content words, with their weights."""
    weight: float
    """Of all of them."""
    figures: Mapping[str, frozenset[float]]
    """Its figures by what they are measured in; without a unit, by an empty name."""
    days: frozenset[object]
    """Its dates and years."""
    denied: bool


def paired_sentences(
    fresh: Sequence[Passage], known: Sequence[Passage], statistics: Statistics, most: int
) -> list[Contradiction]:
    """Return pairs of sentences on what may be the same, the most alike first; `most` at most.

    Of each pair one sentence at least is of a fresh passage. Nothing says that they contradict each other.
    """
    of_known, of_fresh = (
        [_sentence(claim, statistics) for passage in some for claim in _whole(passage)]
        for some in (known, fresh)
    )
    sentences = [*of_known, *of_fresh][-_MOST_SENTENCES:]
    first_fresh = len(sentences) - len(of_fresh)
    saying: dict[str, list[int]] = {}
    found: list[tuple[float, int, int]] = []
    for n, sentence in enumerate(sentences):
        if n >= first_fresh:
            alike: dict[int, float] = {}
            for word, weight in sentence.words.items():
                for other in saying.get(word, ()):
                    alike[other] = alike.get(other, 0.0) + weight
            found += [
                (round(likeness, 6), -m, -n)
                for m, shared in alike.items()
                if (likeness := _likeness(sentences[m], sentence, shared)) >= _LEAST
            ]
        for word in sentence.words:
            saying.setdefault(word, []).append(n)
    paired: set[str] = set()
    pairs: list[Contradiction] = []
    for _, m, n in sorted(found, reverse=True):
        a, b = sentences[-m], sentences[-n]
        if len(pairs) < most and paired.isdisjoint((a.text, b.text)):
            paired |= {a.text, b.text}
            about = as_written(a.text, a.words.keys() & b.words.keys())
            pairs.append(Contradiction(a.passage, b.passage, about, "possible", ("", ""), (a.text, b.text)))
    return pairs


def _whole(passage: Passage) -> list[Claim]:
    """Return a claim for each whole sentence of prose that says enough to be compared."""
    whole: dict[str, Claim] = {}
    for claim in claims(passage):
        if claim.kind == "negation":
            whole.setdefault(claim.sentence, claim)
    return [*whole.values()]


def _sentence(claim: Claim, statistics: Statistics) -> _Sentence:
    words = {word: w for word, term in claim.about.items() if (w := statistics.weight(term)) > 0}
    said, rest = dates(claim.sentence)
    figures: dict[str, set[float]] = {}
    for number in numbers(rest):
        unit = number.unit
        worth = (abs(float(value * (unit.worth if unit else 1))) for value in number.values)
        figures.setdefault(unit.dimension if unit else "", set()).update(worth)
    days = {(date.year, date.month, date.day) for date in said}
    return _Sentence(
        claim.passage, claim.sentence, words, sum(words.values()),
        {unit: frozenset(held) for unit, held in figures.items()},
        frozenset((*days, *_YEAR.findall(claim.sentence))), claim.negated,
    )  # fmt: skip


def _likeness(a: _Sentence, b: _Sentence, shared: float) -> float:
    """Return how much two sentences are worth to be read beside each other; 0 where they cannot differ."""
    if a.passage.sha256 == b.passage.sha256:
        return 0.0
    other_value = _other_value(a, b)
    if not other_value and not (a.words.keys() - b.words.keys() and b.words.keys() - a.words.keys()):
        return 0.0
    return shared / math.sqrt(a.weight * b.weight) + _OTHER_VALUE * other_value


def _other_value(a: _Sentence, b: _Sentence) -> bool:
    """Tell whether two sentences have other figures of one unit, other dates, or one of them denies."""
    if a.denied != b.denied and len(a.words.keys() & b.words.keys()) >= _TOLD:
        return True
    if a.days and b.days and a.days.isdisjoint(b.days):
        return True
    return any(
        mine.isdisjoint(theirs) and _near(max(mine), max(theirs))
        for unit, mine in a.figures.items()
        if (theirs := b.figures.get(unit))
    )


def _near(a: float, b: float) -> bool:
    return max(a, b) <= _FARTHEST * min(a, b)
