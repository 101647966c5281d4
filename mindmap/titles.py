"""Titles for nodes by text statistics alone: the phrase that tells a node's texts from those beside it."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from models.statistics import Statistics

_TRIED = 16
"""Phrases looked at for each node before a title is made from its text's beginning."""


class Unnamed(BaseModel):
    """A new node that wants a title."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    texts: list[str]
    """What stands in it and under it."""
    parent: str
    """The parent's title."""
    siblings: list[str] = Field(default_factory=list)
    """Titles beside it that are taken."""
    beside: list[str] = Field(default_factory=list)
    """Ids of the unnamed nodes beside it."""


def titles(topic: str, language: str, nodes: Sequence[Unnamed], statistics: Statistics) -> list[str]:
    """Return a title for each node, in order: no two siblings alike, none its parent's or the topic."""
    by_id = {node.id: node for node in nodes}
    found: dict[str, str] = {}
    for node in nodes:
        against = [text for other in node.beside if other in by_id for text in by_id[other].texts]
        taken = [*node.siblings, node.parent, topic]
        taken += [found[other] for other in node.beside if other in found]
        keys = {_key(title, statistics) for title in taken}
        phrases = statistics.phrases(node.texts, _TRIED, against)
        free = [phrase for phrase in phrases if _key(phrase, statistics) not in keys]
        found[node.id] = _written(free[0]) if free else _fallback(language, len(keys))
    return [found[node.id] for node in nodes]


def _key(title: str, statistics: Statistics) -> tuple[str, ...]:
    """Two titles with the same terms are alike, whatever their order, case and small words."""
    return tuple(sorted(set(statistics.terms(title)))) or (title.casefold().strip(),)


def _written(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _fallback(language: str, nth: int) -> str:
    numeral = "".join(chr(ord("A") + int(digit)) for digit in str(nth))
    return f"其他 {numeral}" if language.startswith("zh") else f"Further points {numeral}"
