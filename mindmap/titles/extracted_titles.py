"""Titles for nodes by text statistics alone.

A node is called by a heading that people wrote: a page's title, or a heading in the texts, that fits them
and not those beside it (`library.passages.shared_headings`). Where none fits, by the phrase that tells its
texts from those beside it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import Field

from library.passages import shared_headings
from library.text import headline
from mindmap.titles.title_quality import TitleQuality, best, prose
from models import Frozen, Statistics

LONGEST_TITLE = 160
"""Characters; what is longer is a text and no title."""
_TRIED = 40
"""Phrases looked at for each node."""
_WORDS = 8
_SHARED = 0.5
"""The share of a node's texts that a phrase must stand in to be a better name than the title of a page."""
_AGAINST = 16
"""Texts of the nodes beside it that a node's phrases are told apart from."""
_URL_WORD = re.compile(r"^(?:https?|www|com|org|net|html?|php|index|page|amp|pdf|jpg|png)$", re.IGNORECASE)


class Unnamed(Frozen):
    """A new node that wants a title."""

    id: str
    texts: list[str]
    """What stands in it and under it."""
    count: int = 0
    """Passages in it and under it; the texts may be some of them."""
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
    for node in nodes:
        taken = [*node.siblings, *node.elsewhere, topic, *_above(node, by_id, found), *found.values()]
        keys = set(map(key_of, taken))
        found[node.id] = (
            _heading(node, by_id, taken, keys, statistics)
            or _found(node, by_id, found, keys, statistics, _SHARED)
            or _headline(node, keys, statistics)
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


def _heading(
    node: Unnamed,
    by_id: Mapping[str, Unnamed],
    taken: Sequence[str],
    keys: set[tuple[str, ...]],
    statistics: Statistics,
) -> str | None:
    """Return the heading that the node's pages have for its texts; None where they have none that fits."""
    others = [pair for other in node.beside if other in by_id for pair in _paged(by_id[other])[:_AGAINST]]
    names = shared_headings(
        node.texts,
        [page for _text, page in _paged(node)],
        statistics,
        others=[text for text, _page in others],
        other_titles=[page for _text, page in others],
        taken=taken,
    )
    fitting = (name for name in names if acceptable(name, statistics) and key(name, statistics) not in keys)
    return next(fitting, None)


def _paged(node: Unnamed) -> list[tuple[str, str]]:
    """Return a node's texts, each with the title of its page."""
    return list(zip(node.texts, node.pages or [""] * len(node.texts), strict=True))


def _found(
    node: Unnamed,
    by_id: Mapping[str, Unnamed],
    found: Mapping[str, str],
    keys: set[tuple[str, ...]],
    statistics: Statistics,
    share: float = 0.0,
) -> str | None:
    """Return the phrase of a node's texts that reads best as their title; None when all are taken.

    It must stand in that share of the texts, and in two at least; 0: in any. A verb alone is none.
    """
    most = max(4, min(_AGAINST, len(node.texts)))
    others = [by_id[other] for other in node.beside if other in by_id]
    each = max(1, most // max(1, len(node.beside)))
    against = [prose(text) for other in others for text in other.texts[:each]][:most]
    texts = [prose(text) for text in node.texts]
    near = [*node.siblings, *_above(node, by_id, found)]
    near += [found[other] for other in node.beside if other in found]
    wording = TitleQuality(texts, against, near, statistics)
    fewest = max(2.0, share * len(node.texts)) if share else 0.0
    phrases = [
        phrase
        for phrase in best(wording, statistics.phrases(texts, _TRIED, against))
        if acceptable(phrase, statistics)
        and key(phrase, statistics) not in keys
        and _holding(phrase, node.texts, statistics) >= fewest
        and not wording.is_lone_verb(phrase)
    ]
    chosen = next(iter(phrases), "")
    return chosen[:1].upper() + chosen[1:] or None


def _holding(phrase: str, texts: Sequence[str], statistics: Statistics) -> int:
    """Return how many texts hold all words of a phrase."""
    wanted = set(statistics.terms(phrase))
    return sum(wanted <= set(statistics.terms(text)) for text in texts)


def _headline(node: Unnamed, keys: set[tuple[str, ...]], statistics: Statistics) -> str | None:
    """Return the title of the page that fits all of a node's texts best; None where none can stand."""
    names = dict.fromkeys(name for page in node.pages if (name := headline(page)))
    open_to = [name for name in names if statistics.terms(name) and key(name, statistics) not in keys]
    fit = {name: sum(statistics.relevance(name, node.texts)) for name in open_to}
    return max(open_to, key=lambda name: (round(fit[name], 9), name), default=None)


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
