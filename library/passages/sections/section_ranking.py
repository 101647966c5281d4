"""Which sections of pages answer a question, the best first.

A page is near a question by the part of it that answers, so that it is sections that are weighed, over all
pages at once. Six features are added: whether each word of the question is met by some word of the section
(late interaction, fourfold); cosines with the question of what its heading and first lines mean, and of
what the passage means that comes nearest; and, at half, of what its heading means alone, of all its words by
their weights, and how well its whole page fits. A section that falls short of an answer's length loses a
share: a line that has the question's words, as an error's name, seldom answers it; so does, where somebody
asks how, one that says what a word of the question is. Where meanings are not
known, words by their weights stand for them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from library.passages.quote_filter import word_count
from library.text import asks_how
from models import Statistics

_FIRST_LINES = 300
"""Characters of a section, behind its headings, that tell what it is about."""
_NAMED, _WORDS, _PAGE = 0.5, 0.5, 0.5
"""What the heading of a section counts by itself, its words, and how well its page fits, beside meanings."""
_MET, _ANY = 4.0, 0.3
"""What counts whether each word of the question is met, beyond how well any text meets any question."""
_BRIEF, _ANSWER = 0.15, 60
"""Share that is taken from a section of hardly a word, and words from which on nothing is."""
_TOLD, _DEFINED, _IS = 0.1, 80, re.compile(r"\b(?:is|are)\b|是")
"""Share that is taken, where somebody asks how, from a section that says in so many first characters what the
question's own word is: who asks how it is done knows that."""
_NEAR = 0.2
"""How near the best passage of a section must come by meaning where it shares no word with the question."""
_HEADED, _BEGUN, _READ = 600, 120, 24
"""Sections whose headings, of these whose passages, and of these whose words are read for what they mean, as
each takes long. Chosen by what is known by then; by words and pages at first."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AskedSection:
    """A section of a page, as far as it matters here."""

    headings: str
    """The title of its page and all that it stands under, in one line."""
    name: str
    """The innermost of these: its heading, or the term that it explains."""
    words: str
    """What it says, in one line."""
    passages: Sequence[str]
    """The texts of the passages that hold it, each behind its page's title."""
    page: float = 0.0
    """How well its whole page fits (`rank_pages`)."""

    @property
    def begins(self) -> str:
        """Its name and its first lines: what it is about."""
        return f"{self.name}. {self.words[:_FIRST_LINES]}"


def rank_sections(
    question: str, sections: Sequence[AskedSection], statistics: Statistics
) -> list[tuple[int, float]]:
    """Return the places of sections with how well they answer a question (0 or more), the best first.

    Args:
        question: What is asked.
        sections: Of any pages.
        statistics: Knows what texts mean, or weighs their words.
    """
    if not sections:
        return []
    words = np.asarray(statistics.relevance(question, [f"{s.headings} {s.words}" for s in sections]))
    fits = _WORDS * words + _PAGE * np.array([section.page for section in sections])
    named = _best(fits, _HEADED)
    fits[named] += _NAMED * _likeness(question, [sections[n].name for n in named], statistics)
    read = _best(fits, _BEGUN)
    begin = _likeness(question, [sections[n].begins for n in read], statistics)
    nearest = _nearest(question, [sections[n].passages for n in read], statistics)
    whole = np.zeros(len(sections))
    whole[read] = fits[read] + begin + nearest
    whole[[n for n, near in zip(read, nearest, strict=True) if near < _NEAR and words[n] <= 0]] = 0.0
    last = [n for n in _best(whole, _READ) if whole[n] > 0]
    whole[last] += _MET * _met(
        question, [f"{sections[n].name}. {sections[n].words}" for n in last], statistics
    )
    whole = whole * [1 - _BRIEF * max(0.0, 1 - word_count(s.words) / _ANSWER) for s in sections]
    if asks_how(question):
        whole = whole * [1 - _TOLD * _defines(s, question, statistics) for s in sections]
    return [(n, float(whole[n])) for n in _best(whole, len(sections))]


def _defines(section: AskedSection, question: str, statistics: Statistics) -> bool:
    """Tell whether a section begins with what its name is, and a question has all words of that name."""
    is_ = _IS.search(section.words, 0, _DEFINED)
    if is_ is None:
        return False
    name, said = set(statistics.terms(section.name)), set(statistics.terms(section.words[: is_.start()]))
    return bool(said) and said <= name <= set(statistics.terms(question))


def _best(fits: _Floats, most: int) -> list[int]:
    return sorted(range(len(fits)), key=lambda n: (-round(float(fits[n]), 9), n))[:most]


def _nearest(question: str, held: Sequence[Sequence[str]], statistics: Statistics) -> _Floats:
    """Return how near the nearest of each one's texts comes to a question; 0 without any."""
    texts = list(dict.fromkeys(text for own in held for text in own))
    near = dict(zip(texts, _likeness(question, texts, statistics), strict=True))
    return np.array([max((float(near[text]) for text in own), default=0.0) for own in held])


def _met(question: str, texts: Sequence[str], statistics: Statistics) -> _Floats:
    """Return how well texts meet a question word by word (0 to 1): by what they mean, else by their words."""
    met = statistics.interaction(question, texts) if texts else None
    if met is None:
        return np.asarray(statistics.relevance(question, texts))
    return np.maximum(np.asarray(met) - _ANY, 0.0)


def _likeness(question: str, texts: Sequence[str], statistics: Statistics) -> _Floats:
    """Return how near texts come to a question (0 to 1): by what they mean, else by their words."""
    near = statistics.meaning(question, texts) if texts else None
    return np.maximum(near if near is not None else statistics.relevance(question, texts), 0.0)
