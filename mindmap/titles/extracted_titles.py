"""Titles for nodes by text statistics alone.

A branch that is clearly of one kind of section, and more so than those beside it, is called what an
editor would call such a section ("Reactions and statements"). Any other node is called by the phrase that
tells its texts from those beside it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from library.text import common_heading, word_vectors, words
from mindmap.titles.section_types import cues, kinds, leanings, shares
from mindmap.titles.title_quality import TitleQuality, best, prose
from models import Statistics

LONGEST_TITLE = 160
"""Characters; what is longer is a text and no title."""
_TRIED = 40
"""Phrases looked at for each node."""
_CLEAR = 0.16
"""Mean share of a kind from which a branch may be called by it."""
_LIFT = 1.6
"""How much more of the kind it must hold than the branches beside it do on average."""
_DOUBT = 0.75
"""How much more than those beside it a branch must lean to the kind by meaning; less, and words mislead."""
_SURE = 2.0
"""The most that meaning adds to how clearly a branch is of a kind."""
_AGREED, _AGREED_LIFT = 0.12, 1.3
"""The share of a kind, and the lift, that are enough where words and meaning agree."""
_TELLING = 3
"""Different words of a kind that a branch must hold to be called by it."""
_WORDS = 6
_AGAINST = 16
"""Texts of the nodes beside it that a node's phrases are told apart from."""
_URL_WORD = re.compile(r"^(?:https?|www|com|org|net|html?|php|index|page|amp|pdf|jpg|png)$", re.IGNORECASE)


class Unnamed(BaseModel):
    """A new node that wants a title."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    texts: list[str]
    """What stands in it and under it."""
    pages: list[str] = Field(default_factory=list)
    """The title of each text's page."""
    parent: str
    """The parent's title, or its id when it is to be named in the same request."""
    above: list[str] = Field(default_factory=list)
    """Titles of the nodes above its parent that have one."""
    top: bool = False
    """It stands right below the root."""
    siblings: list[str] = Field(default_factory=list)
    """Titles beside it that are taken."""
    elsewhere: list[str] = Field(default_factory=list)
    """Titles of the map's other nodes, which no title found without a model repeats."""
    beside: list[str] = Field(default_factory=list)
    """Ids of the unnamed nodes beside it."""


def titles(topic: str, language: str, nodes: Sequence[Unnamed], statistics: Statistics) -> list[str]:
    """Return a title for each node, in order: no two of the map alike, none the topic."""
    by_id = {node.id: node for node in nodes}
    found: dict[str, str] = {}
    key_of = cache(lambda title: key(title, statistics))
    named = _by_kind([node for node in nodes if node.top], language)
    for node in nodes:
        taken = [*node.siblings, *node.elsewhere, topic, *_above(node, by_id, found), *found.values()]
        taken += [title for other, title in named.items() if other != node.id]
        keys = set(map(key_of, taken))
        found[node.id] = (
            _given(node, named.get(node.id), taken, keys, statistics)
            or _found(node, by_id, found, keys, statistics)
            or _fallback(node, language, keys, statistics)
        )
    return [found[node.id] for node in nodes]


def _above(node: Unnamed, by_id: Mapping[str, Unnamed], found: Mapping[str, str]) -> list[str]:
    """Return the titles of the nodes above one, as far as they have some."""
    above: list[str] = [*node.above]
    parent = node.parent
    while parent in by_id:
        above += [found[parent]] if parent in found else []
        above += by_id[parent].above
        parent = by_id[parent].parent
    return [*above, parent]


def key(title: str, statistics: Statistics) -> tuple[str, ...]:
    """Return what titles that are alike have in common: their terms, whatever order and small words."""
    return tuple(sorted(set(statistics.terms(title)))) or (title.casefold().strip(),)


def acceptable(phrase: str, statistics: Statistics) -> bool:
    """Return whether a phrase can be a title: a word that tells something, no address or number alone."""
    tokens = phrase.split()
    telling = [token for token in tokens if not _URL_WORD.match(token) and any(map(str.isalpha, token))]
    return bool(statistics.terms(" ".join(telling))) and len(tokens) <= _WORDS and "://" not in phrase


def _given(
    node: Unnamed,
    kind: str | None,
    taken: Sequence[str],
    keys: set[tuple[str, ...]],
    statistics: Statistics,
) -> str | None:
    """Return what an editor or the pages' authors call such texts; None when neither has a name for them."""
    for title in (kind, common_heading(node.pages, taken)):
        if title is not None and acceptable(title, statistics) and key(title, statistics) not in keys:
            return title
    return None


def _found(
    node: Unnamed,
    by_id: Mapping[str, Unnamed],
    found: Mapping[str, str],
    keys: set[tuple[str, ...]],
    statistics: Statistics,
) -> str | None:
    """Return the phrase of a node's texts that reads best as their title; None when all are taken."""
    most = max(4, min(_AGAINST, len(node.texts)))
    others = [by_id[other] for other in node.beside if other in by_id]
    each = max(1, most // max(1, len(node.beside)))
    against = [prose(text) for other in others for text in other.texts[:each]][:most]
    texts = [prose(text) for text in node.texts]
    near = [*node.siblings, *_above(node, by_id, found)]
    near += [found[other] for other in node.beside if other in found]
    wording = TitleQuality(texts, against, near, statistics)
    phrases = [
        phrase
        for phrase in best(wording, statistics.phrases(texts, _TRIED, against))
        if acceptable(phrase, statistics) and key(phrase, statistics) not in keys
    ]
    chosen = next(iter(phrases), "")
    return chosen[:1].upper() + chosen[1:] or None


def _by_kind(nodes: Sequence[Unnamed], language: str) -> Mapping[str, str]:
    """Return the nodes that are clearly of a kind that no other of them is as clearly of, with its title."""
    if len(nodes) < 2:
        return {}
    texts = [cues(text) for node in nodes for text in node.texts]
    owners = np.repeat(np.arange(len(nodes)), [len(node.texts) for node in nodes])
    held = shares(texts)
    means = np.stack(
        [
            held[owners == number].mean(axis=0) if (owners == number).any() else np.zeros(len(kinds()))
            for number in range(len(nodes))
        ]
    )
    given: dict[str, str] = {}
    others = (means.sum(axis=0) - means) / (len(nodes) - 1)
    meant = _meant(nodes)
    clear = (means >= _CLEAR) & (means >= _LIFT * others) & (meant >= _DOUBT)
    agreed = (means >= _AGREED) & (means >= _AGREED_LIFT * others) & (meant >= _AGREED_LIFT)
    strength = np.where(_told(nodes) & (clear | agreed), (means - others) * np.minimum(_SURE, meant), 0.0)
    used: set[int] = set()
    for place in np.argsort(-strength, axis=None, kind="stable"):
        number, kind = divmod(int(place), len(kinds()))
        if strength[number, kind] <= 0:
            break
        if nodes[number].id not in given and kind not in used:
            used.add(kind)
            chosen = kinds()[kind]
            given[nodes[number].id] = chosen.zh if language.startswith("zh") else chosen.en
    return given


def _meant(nodes: Sequence[Unnamed]) -> NDArray[np.float64]:
    """Return for each node and kind how much more its texts lean to it by meaning than the others' do."""
    table = word_vectors()
    owners = np.repeat(np.arange(len(nodes)), [len(node.texts) for node in nodes])
    if not len(owners):
        return np.ones((len(nodes), len(kinds())))
    rows = np.stack([table.text(words(text)) for node in nodes for text in node.texts])
    known = np.linalg.norm(rows, axis=1) > 0
    centred = np.where(known[:, None], rows - rows[known].sum(axis=0) / max(1, known.sum()), 0.0)
    centred /= np.maximum(1e-9, np.linalg.norm(centred, axis=1, keepdims=True))
    belongs = np.eye(len(nodes))[owners]
    means = belongs.T @ leanings(centred) / np.maximum(1.0, belongs.sum(axis=0))[:, None]
    others = (means.sum(axis=0) - means) / (len(nodes) - 1)
    return np.asarray(means / np.maximum(1e-9, others))


def _told(nodes: Sequence[Unnamed]) -> NDArray[np.bool_]:
    """Return for each node and kind whether the texts tell it by several words, in most of them.

    One word that happens to be usual in sections of a kind ("match", "release") makes no such section.
    """
    told = np.zeros((len(nodes), len(kinds())), dtype=np.bool_)
    for row, node in enumerate(nodes):
        words: list[set[int]] = [set() for _ in kinds()]
        texts = np.zeros(len(kinds()))
        for text in node.texts:
            here = cues(text)
            for cue, number in zip(here.names[here.owners].tolist(), here.kinds.tolist(), strict=True):
                words[number].add(cue)
            texts[np.unique(here.kinds)] += 1
        told[row] = (np.array([len(each) for each in words]) >= _TELLING) & (2 * texts > len(node.texts))
    return told


def _fallback(node: Unnamed, language: str, keys: set[tuple[str, ...]], statistics: Statistics) -> str:
    """Return a title from the words that the texts begin with; at last a plain one with a letter."""
    for text in node.texts:
        words = [word.strip(".,;:!?\"'“”()[]") for word in text.split()[:40]]
        for start in range(max(0, len(words) - 2)):
            phrase = " ".join(words[start : start + 3])
            if all(statistics.terms(word) for word in words[start : start + 3]) and (
                acceptable(phrase, statistics) and key(phrase, statistics) not in keys
            ):
                return phrase[:1].upper() + phrase[1:]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for first in ("", *letters):
        for second in letters:
            title = f"{'其他内容' if language.startswith('zh') else 'Further points '}{first}{second}"
            if key(title, statistics) not in keys:
                return title
    return f"{node.parent} ({node.id})"
