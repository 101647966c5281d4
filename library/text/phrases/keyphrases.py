"""Distinctive phrases of texts, written as a person would write them.

Words: runs of 1 to 5 words between stops and commas, weighed by how often they occur, how telling their
words are and how firmly they stand together. Chinese and Japanese: runs of 2 to 8 characters whose halves
belong together and whose neighbours differ, so that no half word comes out (`cjk_phrases`).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from library.text import tokenize as analysis
from library.text.multilingual.scripts import CJK
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.phrases.cjk_phrases import character_phrases
from library.text.phrases.common_words import SHARES
from library.text.sentences import sentences

LONGEST = 5
_INSIDE = frozenset(("of", "the", "and", "for", "de", "la", "del", "von", "van", "di", "der", "du", "des"))
_PIECE = re.compile(rf"[^\W_{CJK}]+(?:[-’'.&][^\W_{CJK}]+)*|[^\s]")
_CITATION = re.compile(r"\[\s*p?\d+(?:\s*[,;]\s*p?\d+)*\s*\]")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]+\.(?:com|org|net|gov|edu|co\.uk|html?)\b\S*", re.IGNORECASE
)
_OWNER = re.compile(r"(?:\bcopyright\s{0,4})?(?:©|\(c\)(?=\s{0,4}\d{4}\b))[^\n.;]{0,80}\b", re.IGNORECASE)
"""Whose a text is, behind the sign of it and up to the end of its line: nothing that it is about."""
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)+")
_POSSESSIVE = re.compile(r"['’]s?$")
_LEADING_BY_LENGTH = {1: 0.8, 2: 1.25, 3: 1.3, 4: 1.15, 5: 0.9}

_Key = tuple[str, ...]


class Weights(Protocol):
    """What phrases need of the statistics."""

    def weights(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return the weights of index terms."""


@dataclass(slots=True)
class _Candidate:
    """A run of words, by its folded and stemmed words."""

    key: _Key
    content: tuple[str, ...]
    count: int = 0
    texts: set[int] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)
    names: int = 0
    """How often it was written with capitals where no sentence begins."""


def phrases(texts: Sequence[str], count: int, against: Sequence[str], weights: Weights) -> list[str]:
    """Return up to `count` distinctive phrases of the texts, best first, none overlapping another."""
    if count <= 0 or not texts:
        return []
    candidates = _candidates(texts)
    others = _candidates(against)
    scores = _scores(candidates, others, len(texts), len(against), weights)
    scored: list[tuple[float, str, frozenset[str]]] = [
        (score, _written(candidates[key]), frozenset(candidates[key].content))
        for key, score in scores.items()
    ]
    scored += [
        (score, phrase, frozenset(analysis.terms(phrase)))
        for phrase, score in character_phrases(texts, against).items()
    ]
    scored.sort(key=lambda item: (-item[0], item[1]))
    return _without_overlap(scored, count)


def _without_overlap(scored: list[tuple[float, str, frozenset[str]]], count: int) -> list[str]:
    """Choose greedily phrases that share no term, then, if too few, those that bring mostly new terms."""
    chosen: dict[str, frozenset[str]] = {}
    for allowed in (0.0, 0.34):
        for _, phrase, content in scored:
            if len(chosen) >= count:
                break
            if phrase in chosen or not content:
                continue
            if all(
                len(content & other) <= allowed * min(len(content), len(other)) for other in chosen.values()
            ):
                chosen[phrase] = content
    order = [phrase for _, phrase, _ in scored]
    return sorted(chosen, key=order.index)


def _candidates(texts: Sequence[str]) -> dict[_Key, _Candidate]:
    found: dict[_Key, _Candidate] = {}
    for number, text in enumerate(texts):
        clean = _OWNER.sub(" | ", _ADDRESS.sub(" | ", _CITATION.sub(" ", text)))
        for start, end in sentences(clean):
            for run, initial in _runs(clean[start:end]):
                _collect(found, run, initial=initial, text=number)
    return found


def _runs(sentence: str) -> list[tuple[list[str], bool]]:
    """Return the word runs of a sentence, with whether the run begins the sentence."""
    runs: list[tuple[list[str], bool]] = []
    run: list[str] = []
    first = True
    for piece in _PIECE.findall(sentence):
        if piece[0].isalnum() and not analysis.is_cjk(piece):
            bare = _POSSESSIVE.sub("", piece)
            run.append(bare)
            if bare != piece:  # a phrase may end with its owner, and not run across it
                runs.append((run, first))
                run, first = [], False
        elif piece != "&" or not run:
            if run:
                runs.append((run, first))
                run = []
            first = first and not piece[0].isalnum() and piece in "\"'“‘«(#*-•>"
    if run:
        runs.append((run, first))
    return runs


def _collect(found: dict[_Key, _Candidate], run: list[str], *, initial: bool, text: int) -> None:
    folded = [analysis.fold(word) for word in run]
    stems = [analysis.term(word) for word in run]
    for start in range(len(run)):
        if not _may_stand_at_edge(folded[start]) or _DECIMAL.fullmatch(run[start]):
            continue
        for end in range(start + 1, min(start + LONGEST, len(run)) + 1):
            if end - start > 1 and folded[end - 2] in STOP_WORDS and folded[end - 2] not in _INSIDE:
                break
            if not _may_stand_at_edge(folded[end - 1]):
                continue
            content = tuple(stem for stem in stems[start:end] if stem)
            if not content or all(term[0].isdigit() for term in content):
                continue
            key = tuple(stems[i] or folded[i] for i in range(start, end))
            candidate = found.setdefault(key, _Candidate(key, content))
            candidate.count += 1
            candidate.texts.add(text)
            words = run[start:end]
            inner = [w for w, f in zip(words, folded[start:end], strict=True) if f not in STOP_WORDS]
            capital = all(word[0].isupper() or word[0].isdigit() for word in inner)
            at_start = initial and start == 0
            candidate.names += capital and not (at_start and len(inner) == 1)
            candidate.forms[" ".join(words)] += 1 if at_start else 2


def _may_stand_at_edge(word: str) -> bool:
    if word in STOP_WORDS or (len(word) < 2 and not word.isdigit()):
        return False
    return not (word.isdigit() and len(word) < 4)


def _scores(
    candidates: Mapping[_Key, _Candidate],
    others: Mapping[_Key, _Candidate],
    texts: int,
    other_texts: int,
    weights: Weights,
) -> dict[_Key, float]:
    known = weights.weights(term for key in candidates for term in key)
    alone = {key[0]: candidate.count for key, candidate in candidates.items() if len(key) == 1}
    inside = _counts_inside(candidates)
    scores: dict[_Key, float] = {}
    for key, candidate in candidates.items():
        own = candidate.count - inside.get(key, 0)
        if own <= 0 and len(key) < LONGEST:
            continue
        length = len(candidate.content)
        telling = sum(known[term] for term in candidate.content) / length
        named = candidate.names / candidate.count
        everyday = sum(SHARES.get(analysis.fold(term), 0) > 0 for term in candidate.content) / length
        firm = _firmness(candidate, alone)
        if length > 1 and named < 0.5 and candidate.count < 2 and texts > 2:
            firm *= 0.5
        spread = math.log2(1 + own) + math.log2(1 + len(candidate.texts))
        shape = _LEADING_BY_LENGTH[len(key)] * (1 + 0.4 * named) * (1 - 0.5 * everyday) * _end_factor(key[-1])
        contrast = _contrast(candidate, others.get(key), texts, other_texts)
        scores[key] = telling * spread * firm * shape * contrast
    return {key: score for key, score in scores.items() if score > 0}


def _counts_inside(candidates: Mapping[_Key, _Candidate]) -> dict[_Key, int]:
    """Return how often each run stands inside the one longer run that holds it most often."""
    inside: dict[_Key, int] = {}
    for key, candidate in candidates.items():
        if candidate.count < 2 and candidate.names == 0:
            continue
        for size in range(1, len(key)):
            for start in range(len(key) - size + 1):
                part = key[start : start + size]
                if part in candidates:
                    inside[part] = max(inside.get(part, 0), candidate.count)
    return inside


def _firmness(candidate: _Candidate, alone: Mapping[str, int]) -> float:
    """Return how firmly the words stand together: 1 when the rarest of them never stands elsewhere."""
    if len(candidate.content) == 1:
        return 1.0
    rarest = min(alone.get(term, candidate.count) for term in candidate.content)
    return math.sqrt(min(1.0, candidate.count / max(1, rarest)))


def _contrast(candidate: _Candidate, other: _Candidate | None, texts: int, other_texts: int) -> float:
    if not other_texts:
        return 1.0
    here = (len(candidate.texts) + 0.5) / (texts + 1)
    there = ((len(other.texts) if other else 0) + 0.5) / (other_texts + 1)
    return max(0.0, math.log2(1 + here / there) / 2)


def _end_factor(last: str) -> float:
    """Phrases that end in a verb form or an adverb read badly as names."""
    if len(last) > 4 and last.endswith(("ed", "ly")):
        return 0.5
    return 0.75 if len(last) > 5 and last.endswith("ing") else 1.0


def _written(candidate: _Candidate) -> str:
    return min(candidate.forms, key=lambda form: (-candidate.forms[form], form))
