"""Which page answers a question: the one of which several passages fit it, not one that shares a word."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Protocol

from library.passages.blocks import blocks, sections
from library.passages.quote_filter import is_notes, quotable
from library.text import titled_text
from models import Statistics

_BEST = 3
"""Passages of a page that speak for it: one may fit by accident, and many only tell that a page is long."""


_EARLY = 3
"""How fast it counts less to be found later: the first page gains a third, the tenth a twelfth."""
_ANY = 0.6
"""What every page that a search finds has of the best one's fit by meaning: no two texts are quite unlike."""
_NEAR = 0.2
"""How near a page's best passage must come by meaning where none of its words is the question's: the page
that answers came to 0.25 at least in 93 questions over eight documentations."""
_MEANT, _MEANT_BY_THREE = 0.5, 0.37
"""How near one passage, or the three nearest in the mean, must come by meaning to answer a question."""
_ON_SUBJECT = 0.25
"""How near a passage must come by meaning to tell of a subject: few words are less alike than a question."""
_LONG, _TAIL = 110, 80
"""Words from which on a passage is read for its meaning at its end, too, and how many of them: the sentence
model looks at a text's first 128 pieces of words. It tells whether there is an answer; in which order pages
answer it does not tell better."""
_MOST_NOTED, _MOST_NOTED_IN_ALL = 20, 100
"""Notes of a passage, and of all together, that are looked at for what they mean: each costs as much as a
passage."""
_MOST_HEADED = 60
"""Sections of passages that hold several that are looked at, as each costs as much."""
_ANSWERS = 0.46
"""How well the best page fits and how much of the question one passage holds, added up, in an answer."""


class Placed(Protocol):
    """A passage, as far as it matters here."""

    @property
    def sha256(self) -> str:
        """Of its source."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def title(self) -> str:
        """Of its source."""


def rank_pages(question: str, passages: Sequence[Placed], statistics: Statistics) -> Mapping[str, float]:
    """Return the sources (sha256) of some passages with how well they answer a question (>= 0), best first.

    Four features are added: how near the meaning of its best passage is to the question's; the mean of that
    of its two best, where a page that has but one found of it counts half; the cosine of all its passages
    together with the question, by words; and how early it was found (1 / (3 + pages before it)). Of 100
    questions over eight documentations the right page comes first in 0.59, among the first three in 0.84; by
    words alone in 0.41 and 0.63. Where meanings are not known (`Statistics.meaning`), the cosines of a
    page's three best passages by words stand for the first two.

    Args:
        question: What is asked.
        passages: In the order in which they were found, the best first.
        statistics: Weighs the words.
    """
    meanings = _meanings(question, passages, statistics)
    fits = _three_best(question, passages, statistics) if meanings is None else _two_best(meanings)
    whole: defaultdict[str, list[str]] = defaultdict(list)
    for passage in passages:
        whole[passage.sha256].append(passage.text)
    alike = statistics.relevance(question, ["\n".join(texts) for texts in whole.values()])
    worth = {page: fits[page] + alike[rank] + 1 / (_EARLY + rank) for rank, page in enumerate(whole)}
    if meanings is None:
        worth = {page: fit if fits[page] else 0.0 for page, fit in worth.items()}
    else:
        least = _ANY * max(worth.values(), default=0.0)
        worth = {
            page: max(0.0, fit - least) if meanings[page][0] >= _NEAR or alike[rank] else 0.0
            for rank, (page, fit) in enumerate(worth.items())
        }
    return dict(sorted(worth.items(), key=lambda item: -round(item[1], 9)))


def _meanings(
    question: str, passages: Sequence[Placed], statistics: Statistics
) -> Mapping[str, list[float]] | None:
    """Return for each page how near its passages come to a question, the nearest first; None: unknown."""
    near = statistics.meaning(question, [titled_text(p) for p in passages])
    if near is None:
        return None
    held: defaultdict[str, list[float]] = defaultdict(list)
    for passage, cosine in zip(passages, near, strict=True):
        held[passage.sha256].append(max(0.0, cosine))
    return {page: sorted(own, reverse=True) for page, own in held.items()}


def _two_best(meanings: Mapping[str, list[float]]) -> Mapping[str, float]:
    return {page: own[0] + sum(own[:2]) / 2 for page, own in meanings.items()}


def _three_best(question: str, passages: Sequence[Placed], statistics: Statistics) -> Mapping[str, float]:
    """Return for each page the sum of the cosines of its three best passages with a question."""
    fits = statistics.relevance(question, [f"{p.title}\n{p.text}" for p in passages])
    held: defaultdict[str, list[float]] = defaultdict(list)
    for passage, fit in zip(passages, fits, strict=True):
        held[passage.sha256].append(fit)
    return {page: sum(sorted(own, reverse=True)[:_BEST]) for page, own in held.items()}


def holds_answer(question: str, passages: Sequence[Placed], statistics: Statistics) -> bool:
    """Tell whether any page says enough of what a question asks to be an answer to it.

    Told by the meaning of what comes nearest: one passage, or three together. Of questions asked of a
    documentation of something else 0.87 fall below, of those that it answers 0.03, and two of four that a
    manual of the very subject leaves open. Where meanings are not known, told from two features of words:
    the cosines of a page's three best passages, and the share of what the question's words weigh (inverse
    document frequency) that one passage with its title holds; two of five fall below then.
    """
    near = _to_their_ends(question, passages, statistics)
    if near is not None:
        best = sorted(near, reverse=True)[:_BEST]
        return best[0] >= _MEANT or sum(best) / len(best) >= _MEANT_BY_THREE
    weights = {term: statistics.weight(term) for term in dict.fromkeys(statistics.terms(question))}
    whole = sum(weights.values())
    if not whole:
        return bool(passages)
    fit = max(_three_best(question, passages, statistics).values(), default=0.0)
    held = (set(statistics.terms(f"{p.title} {p.text}")) for p in passages)
    most = max((sum(w for term, w in weights.items() if term in own) for own in held), default=0.0)
    return fit + most / whole >= _ANSWERS


def tells_of(subject: str, passages: Sequence[Placed], statistics: Statistics) -> bool:
    """Tell whether any passage may tell of a subject; True where meanings are not known.

    It does not where none comes near it and none holds a word of it that weighs most. Passages in another
    language, and such as tell of its parts, share no word with a subject.
    """
    near = _to_their_ends(subject, passages, statistics)
    if near is None or max(near) >= _ON_SUBJECT:
        return True
    weights = {term: statistics.weight(term) for term in statistics.terms(subject)}
    rarest = {term for term, weight in weights.items() if weight == max(weights.values())}
    return not rarest or any(rarest & set(statistics.terms(f"{p.title} {p.text}")) for p in passages)


def _to_their_ends(question: str, passages: Sequence[Placed], statistics: Statistics) -> list[float] | None:
    """Return how near each passage comes to a question, by its beginning, its end or one of its notes.

    None where that is not known.
    """
    texts = [titled_text(p) for p in passages]
    words = [p.text.split() for p in passages]
    parts = [(n, " ".join(w[-_TAIL:])) for n, w in enumerate(words) if len(w) >= _LONG]
    parts += _noted_in_all(question, passages, statistics)
    parts += _headed_in_all(passages)
    near = statistics.meaning(question, [*texts, *(f"{passages[n].title}. {told}" for n, told in parts)])
    if near is None:
        return None
    found = near[: len(texts)]
    for (n, _), cosine in zip(parts, near[len(texts) :], strict=True):
        found[n] = max(found[n], cosine)
    return found


def _headed_in_all(passages: Sequence[Placed]) -> list[tuple[int, str]]:
    """Return the sections of passages that hold several, each with the place of its passage.

    Short notes stand in one passage, and each is about something else.
    """
    found = [
        (n, f"{head}. {below}")
        for n, passage in enumerate(passages)
        if len(own := [(head, below) for head, below in sections(passage.text) if below.strip()]) > 1
        for head, below in own
    ]
    return found[:_MOST_HEADED]


def _noted_in_all(question: str, passages: Sequence[Placed], statistics: Statistics) -> list[tuple[int, str]]:
    """Return notes with the place of their passage: of too many those that share words, then the first."""
    noted = [
        (n, at, told) for n, p in enumerate(passages) for at, told in enumerate(_noted(p.text, statistics))
    ]
    if len(noted) > _MOST_NOTED_IN_ALL:
        alike = statistics.relevance(question, [told for _, _, told in noted])
        order = sorted(range(len(noted)), key=lambda i: (-round(alike[i], 6), noted[i][1], noted[i][0]))
        noted = [noted[i] for i in sorted(order[:_MOST_NOTED_IN_ALL])]
    return [(n, told) for n, _, told in noted]


def _noted(text: str, statistics: Statistics) -> list[str]:
    """Return the items of notes and the rows of a table that stands alone: each is about something else."""
    if not is_notes(text, statistics.sentences) and any(
        b.form not in ("row", "heading") for b in blocks(text)
    ):
        return []
    return [told.words for told in islice(quotable(text, statistics.sentences), _MOST_NOTED)]
