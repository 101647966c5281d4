"""Kinds of sections: what an editor would call a part of any article, told from the words it uses.

People arrange what they write by kinds that return from topic to topic: background, victims,
investigation, reactions, early life, reception. `data/kinds.toml` lists them with the words that give
them away, in English and Chinese. A kind is a hint for what belongs together and for what a branch may be
called, never a category that a text is forced into.
"""

import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from library.text import rarity, word_vectors, words

_PAIR_WEIGHT = 5.0
_SHARPNESS = 0.5
_NEARNESS = 0.14
_FORMS = 3
"""How many words stand for a beginning (`condemn*`) when vectors are compared."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of section."""

    id: str
    en: str
    zh: str
    order: int
    """Where such a section usually stands in an article, 0 first."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    kinds: tuple[Kind, ...]
    exact: dict[str, tuple[int, ...]]
    prefixes: dict[str, tuple[int, ...]]
    pairs: dict[tuple[str, str], tuple[int, ...]]
    chinese: tuple[tuple[str, int], ...]


def kinds() -> tuple[Kind, ...]:
    """Return all kinds, in the order of the file; vectors have one number for each."""
    return _lexicon().kinds


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    raw = tomllib.loads((files("mindmap.titles") / "data" / "kinds.toml").read_text(encoding="utf-8"))
    exact: defaultdict[str, list[int]] = defaultdict(list)
    prefixes: defaultdict[str, list[int]] = defaultdict(list)
    pairs: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    chinese: list[tuple[str, int]] = []
    for number, entry in enumerate(raw.values()):
        for word in entry["words"].split():
            first, _, second = word.partition("_")
            if second:
                pairs[first, second.rstrip("*")].append(number)
            elif word.endswith("*"):
                prefixes[word[:-1]].append(number)
            else:
                exact[word].append(number)
        chinese += [(word, number) for word in entry["zhwords"].split()]
    listed = tuple(Kind(name, entry["en"], entry["zh"], entry["order"]) for name, entry in raw.items())
    return _Lexicon(
        listed,
        {word: tuple(found) for word, found in exact.items()},
        {word: tuple(found) for word, found in prefixes.items()},
        {pair: tuple(found) for pair, found in pairs.items()},
        tuple(chinese),
    )


@lru_cache(maxsize=10_000)
def _of_word(word: str) -> tuple[int, ...]:
    lexicon = _lexicon()
    found = set(lexicon.exact.get(word, ()))
    for end in range(2, len(word) + 1):
        found.update(lexicon.prefixes.get(word[:end], ()))
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """What a text holds of the lexicon: its cues, what each says of which kinds, and how long the text is."""

    names: NDArray[np.int64]
    """A number for each cue (its hash), the same in all texts of a process."""
    pairs: NDArray[np.bool_]
    """Whether a cue is two words."""
    weights: NDArray[np.float64]
    """How much each cue weighs: by its times, or by what it is."""
    owners: NDArray[np.int64]
    """For each kind that a cue speaks for, the cue's place."""
    kinds: NDArray[np.int64]
    """Those kinds."""
    length: int

    @classmethod
    def of(cls, found: Sequence[tuple[str, float, tuple[int, ...]]], length: int) -> "Cues":
        """Take (cue, weight, kinds), and how long the text is."""
        return cls(
            np.array([hash(cue) for cue, _, _ in found], dtype=np.int64),
            np.array([" " in cue for cue, _, _ in found], dtype=np.bool_),
            np.array([weight for _, weight, _ in found], dtype=np.float64),
            np.repeat(np.arange(len(found)), [len(listed) for _, _, listed in found]),
            np.array([number for _, _, listed in found for number in listed], dtype=np.int64),
            length,
        )


def cues(text: str) -> Cues:
    """Return the lexicon's words that a text holds."""
    tokens = words(text)
    found = [
        (word, 1.0 + 0.5 * math.log(count), listed)
        for word, count in Counter(tokens).items()
        if (listed := _of_word(word))
    ]
    pairs = _lexicon().pairs
    found += [(" ".join(pair), _PAIR_WEIGHT, pairs[pair]) for pair in pairwise(tokens) if pair in pairs]
    length = len(tokens)
    if any(ord(sign) > 0x2E80 for sign in text[:200]):
        found += [(word, 1.0, (number,)) for word, number in _lexicon().chinese if word in text]
        length = max(length, len(text) // 2)
    return Cues.of(found, length)


def shares(texts: Sequence[Cues]) -> NDArray[np.float64]:
    """Return for each text how much it is of each kind: rows that sum to 1.

    Cues that most of these texts hold tell little about which of them belong together, so they weigh less.
    """
    if not texts:
        return np.zeros((0, len(kinds())))
    scores = _scores(texts) / np.array([[math.log(10.0 + text.length)] for text in texts])
    sharp = np.exp((scores - scores.max(axis=1, keepdims=True)) / _SHARPNESS)
    result: NDArray[np.float64] = sharp / sharp.sum(axis=1, keepdims=True)
    return result


def _scores(texts: Sequence[Cues]) -> NDArray[np.float64]:
    """Return for each text what its cues add up to for each kind."""
    names = np.concatenate([text.names for text in texts])
    pairs = np.concatenate([text.pairs for text in texts])
    _, places, held = np.unique(names, return_inverse=True, return_counts=True)
    rare = np.array([rarity(times, len(texts)) for times in held.tolist()])
    worth = np.concatenate([text.weights for text in texts]) * np.where(pairs, 1.0, rare[places])
    first = np.cumsum([0, *(len(text.names) for text in texts)])
    owners = np.concatenate([text.owners + start for text, start in zip(texts, first, strict=False)])
    shared = np.sqrt(np.bincount(owners, minlength=len(names)).astype(np.float64))
    rows = np.repeat(np.arange(len(texts)), [len(text.kinds) for text in texts])
    cells = rows * len(kinds()) + np.concatenate([text.kinds for text in texts])
    size = len(texts) * len(kinds())
    scores = np.bincount(cells, (worth / shared)[owners], size).astype(np.float64, copy=False)
    return scores.reshape(len(texts), len(kinds()))


@lru_cache(maxsize=1)
def _prototypes() -> NDArray[np.float64]:
    """Return a vector for each kind: the mean of its words', less what all kinds share."""
    table, lexicon = word_vectors(), _lexicon()
    result = np.zeros((len(lexicon.kinds), table.dimensions))
    given = [(numbers, [word]) for word, numbers in lexicon.exact.items()]
    given += [(numbers, table.starting(prefix, _FORMS)) for prefix, numbers in lexicon.prefixes.items()]
    for numbers, forms in given:
        known = [vector for word in forms if (vector := table.word(word)) is not None]
        for number in numbers if known else ():
            result[number] += np.mean(known, axis=0)
    result -= result.mean(axis=0)
    return np.asarray(result / np.linalg.norm(result, axis=1, keepdims=True))


def leanings(meanings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each of some texts how near its meaning is to the words of each kind: rows that sum to 1.

    Args:
        meanings: A row for each text, of length 1: the mean of its words' vectors, less what all texts share.
    """
    alike = meanings @ _prototypes().T
    sharp = np.exp((alike - alike.max(axis=1, keepdims=True)) / _NEARNESS)
    return np.asarray(sharp / sharp.sum(axis=1, keepdims=True))
