"""What sources state that another may state otherwise, for whoever can read it.

Rules that raise no false alarm (`contradictions`) miss most of what is told in other words: sources that
disagree often share no word at all (`revenue of 412 million`, `took in 438 million`). A language model tells
it where it is shown both. So those sentences are chosen here, each once, that are worth its time: first those
that come nearest to one of another source, by meaning, by how rare the words are that both have, and by
figures of one unit and dates that lie near each other and are not the same. A list holds every pair of its
sentences: twenty sentences take no more room than ten pairs, and show whatever contradicts among them
(docs/LOG.md).
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from library.claims.claims import NEGATION, Claim, claims
from library.claims.disagreement.contradiction_detection import as_written
from library.claims.scope import goes_on, is_open, owned
from library.evidence import Passage
from library.text import cut_line, is_cjk, sentences, titled_text
from library.text.multilingual.language import detect
from library.text.quantities.date_parsing import dates
from library.text.quantities.number_parsing import Number, numbers
from library.text.similarity.sentence_model import sentence_vectors
from models import Statistics

_LEAST = 0.2
"""Likeness, with what is added for another value, below which two sentences are not worth reading."""
_MEANING = 0.75
"""Share of the likeness that is by meaning, where both sentences are of a language that the model knows."""
_OTHER_VALUE = 0.2
"""What another figure of one unit, another date or a denial on one side adds to the likeness (0 to 1); more
than that, and sentences on anything come before those on one thing."""
_TOLD = 2
"""Words that a sentence shares with one that may be its denial."""
_NEAR, _FARTHEST = 2.0, 10.0
"""Times that one of two figures may be the other and still count whole; from where it counts nothing."""
_YEARS_APART = 60
"""Years between two dates from which another date counts nothing."""
_MOST_SENTENCES = 1_000
"""Sentences that are compared, the last ones: the work grows with their square."""
_LONGEST, _LONGEST_LEAD = 160, 60
"""Characters that are shown of a sentence, and of the one before where its subject stands there."""
_BEFORE_VALUE = 50
"""Characters that are shown before the first value of a sentence that is too long."""
_WIDE_SIGN = 3
"""Letters that a sign of Chinese or Japanese takes the room of."""
_YEAR = re.compile(r"(?<![\d.,])(1[5-9]\d\d|20\d\d)(?![\d,.]\d)")


@dataclass(frozen=True, slots=True)
class StatedSentence:
    """A sentence of a source that another source may contradict."""

    passage: Passage
    sentence: str
    """The whole of it, word for word."""
    shown: str
    """As much of it as tells its value, with the sentence before where its subject stands there."""
    words: frozenset[str]
    """Roots of its content words."""

    def shared_words(self, other: "StatedSentence") -> str:
        """Return the words that it has in common with another one, as it writes them."""
        return as_written(self.sentence, self.words & other.words)


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
    days: frozenset[tuple[int | None, int | None, int | None]]
    """Its dates (year, month, day) and years."""
    denied: bool
    english: bool
    shown: str = field(compare=False)


def near_statements(
    fresh: Sequence[Passage],
    known: Sequence[Passage],
    statistics: Statistics,
    room: int,
    told: Collection[frozenset[str]] = (),
) -> list[StatedSentence]:
    """Return the sentences that may disagree with one of another source, source by source in their order.

    Args:
        fresh: Passages of which one of two such sentences is.
        known: Passages of which the other may be as well.
        statistics: Tell how rare a word is.
        room: Characters that what is shown of them may take, with the titles of their sources.
        told: Pairs of sentences that are known to disagree, whose nearness counts no more.
    """
    of_known, of_fresh = (
        [_sentence(claim, statistics) for passage in some for claim in _whole(passage)]
        for some in (known, fresh)
    )
    # What several sources say word for word says nothing else in any of them.
    once: dict[str, _Sentence] = {}
    for one in (*of_known, *of_fresh):
        once.setdefault(one.text, one)
    stated = [*once.values()][-_MOST_SENTENCES:]
    first_fresh = max(0, len(stated) - len(once.keys() - {one.text for one in of_known}))
    meant = _meant_alike(stated)
    found = [
        (-round(likeness, 3), m, n)
        for n in range(first_fresh, len(stated))
        for m in range(n)
        if (likeness := _likeness(stated[m], stated[n], meant(m, n))) >= _LEAST
        and frozenset((stated[m].text, stated[n].text)) not in told
    ]
    chosen: set[int] = set()
    sources: set[str] = set()
    for _, m, n in sorted(found):
        new = {m, n} - chosen
        titles = {stated[i].passage.sha256: stated[i].passage.title for i in new}
        takes = sum(_size(stated[i].shown) for i in new)
        takes += sum(_size(title) for sha256, title in titles.items() if sha256 not in sources)
        if takes <= room:
            room -= takes
            chosen |= new
            sources |= titles.keys()
    by_source = sorted(chosen, key=lambda i: (stated[i].passage.sha256, stated[i].passage.start, i))
    return [
        StatedSentence(one.passage, one.text, one.shown, frozenset(one.words))
        for one in map(stated.__getitem__, by_source)
    ]


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
    counted = [n for n in numbers(rest) if n.unit or not _counts_nothing(n)]
    figures: dict[str, set[float]] = {}
    for number in counted:
        unit = number.unit
        worth = (abs(float(value * (unit.worth if unit else 1))) for value in number.values)
        figures.setdefault(unit.dimension if unit else "", set()).update(worth)
    years = [*_YEAR.finditer(claim.sentence)]
    days = {(date.year, date.month, date.day) for date in said} | {(int(y[0]), None, None) for y in years}
    spots = [d.start for d in said] + [n.start for n in counted if n.start >= 0]
    spots += [match.start() for match in (*years, *NEGATION.finditer(claim.sentence))]
    return _Sentence(
        claim.passage, claim.sentence, words, sum(words.values()),
        {unit: frozenset(held) for unit, held in figures.items()}, frozenset(days), claim.negated,
        detect(titled_text(claim.passage)) == "en",
        _lead(claim) + _shown(claim.sentence, min(spots, default=0)),
    )  # fmt: skip


def _counts_nothing(number: Number) -> bool:
    return number.ordinal or number.values <= {0, 1} or bool(_YEAR.fullmatch(number.text))


def _lead(claim: Claim) -> str:
    """Return the sentence before one whose subject stands there (`It cost …`), in brackets; else nothing."""
    if not (is_open(claim.sentence) or owned(claim.sentence) or goes_on(claim.sentence)):
        return ""
    text, at = claim.passage.text, claim.passage.text.find(claim.sentence)
    before = [text[start:end] for start, end in sentences(text) if end <= at and "\n\n" not in text[end:at]]
    return f"[{_shown(before[-1], 0, _LONGEST_LEAD)}] " if before else ""


def _shown(sentence: str, value: int, most: int = _LONGEST) -> str:
    """Return a sentence in one line; of a longer one what stands around its first value, cut at words."""
    if len(sentence) > most and value > _BEFORE_VALUE:
        start = sentence.find(" ", min(value - _BEFORE_VALUE, len(sentence) - most + 1), value) + 1
        sentence = f"…{sentence[start:]}" if start else sentence
    return cut_line(" ".join(sentence.split()), most)


def _size(text: str) -> int:
    """Return the room that a line takes, in letters; signs of Chinese and Japanese take more."""
    return len(text) + (_WIDE_SIGN - 1) * sum(map(is_cjk, text)) + 5


def _meant_alike(stated: Sequence[_Sentence]) -> Callable[[int, int], float | None]:
    """Return what tells how alike two sentences are by meaning (-1 to 1); None: not of its language."""
    english = {i: n for n, i in enumerate(i for i, s in enumerate(stated) if s.english)}
    rows = sentence_vectors().of([" ".join(stated[i].text.split()) for i in english])
    cosines = rows @ rows.T

    def alike(m: int, n: int) -> float | None:
        return float(cosines[english[m], english[n]]) if m in english and n in english else None

    return alike


def _likeness(a: _Sentence, b: _Sentence, meant: float | None) -> float:
    """Return how much two sentences are worth to be read beside each other; 0 where they cannot differ."""
    if a.passage.sha256 == b.passage.sha256:
        return 0.0
    shared = a.words.keys() & b.words.keys()
    other = _other_value(a, b, len(shared))
    if not other and len(shared) in (len(a.words), len(b.words)):
        return 0.0
    weight = math.sqrt(a.weight * b.weight)
    alike = sum(a.words[word] for word in shared) / weight if weight else 0.0
    return other + (alike if meant is None else (1 - _MEANING) * alike + _MEANING * meant)


def _other_value(a: _Sentence, b: _Sentence, shared: int) -> float:
    """Return what counts for figures, dates or a denial that two sentences do not share; 0 for none."""
    found = [1.0 if a.denied != b.denied and shared >= _TOLD else 0.0]
    if a.days and b.days and a.days.isdisjoint(b.days):
        found.append(_near_dates(a, b))
    for unit, mine in a.figures.items():
        for other_unit, theirs in b.figures.items():
            if (unit == other_unit or not (unit and other_unit)) and mine.isdisjoint(theirs):
                found.append(max(_near(x, y) for x in mine for y in theirs))
    return _OTHER_VALUE * max(found)


def _near(a: float, b: float) -> float:
    """Return how near two figures are, from 0 to 1."""
    less, more = sorted((a, b))
    if less <= 0 or more > _FARTHEST * less:
        return 0.0
    return min(1.0, math.log(_FARTHEST * less / more) / math.log(_FARTHEST / _NEAR))


def _near_dates(a: _Sentence, b: _Sentence) -> float:
    """Return how near the dates of two sentences are, from 0 to 1; whole where one side has no year."""
    mine, theirs = ([day[0] for day in one.days if day[0] is not None] for one in (a, b))
    apart = min((abs(x - y) for x in mine for y in theirs), default=0)
    return max(0.0, 1 - apart / _YEARS_APART)
