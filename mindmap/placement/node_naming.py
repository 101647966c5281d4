"""Naming new nodes: all that matter in one request, and a plain name of their own words for the rest."""

from collections import Counter

from library.text import terms
from mindmap.changes import MergeNode, RenameNode
from mindmap.placement.working_copy import Draft
from mindmap.tasks import NameNodes
from mindmap.titles.extracted_titles import LONGEST_TITLE, Unnamed
from models import Asks

_ASKED = 40
"""The most nodes that one request names, upper levels first; the others are named by their own words."""
_TEXTS = 240
"""Texts that all the nodes of a request show together."""
_FEWEST, _MOST = 3, 24
"""Texts that one node shows."""


async def name_new(draft: Draft, asks: Asks, language: str) -> None:
    """Give every new node of a draft a title that none beside it has, nor its parent."""
    tree = draft.tree
    new = sorted((node for node in tree.walk() if node in draft.unnamed), key=tree.depth)
    if not new:
        return
    asked = new[:_ASKED]
    shown = max(_FEWEST, min(_MOST, _TEXTS // len(asked)))
    task = NameNodes(
        topic=tree.title(tree.root),
        language=language,
        nodes=[_unnamed(draft, node, set(asked), shown) for node in asked],
    )
    given = {title.id: title.title for title in (await asks.ask(task)).titles}
    for node in reversed([node for node in new if given.get(node, "") is None]):
        draft.do(MergeNode(node=node, into=str(tree.parent(node))))
        draft.unnamed.discard(node)
    for node in [node for node in new if node in tree]:
        title = " ".join((given.get(node) or "").split())
        if not title or len(title) > LONGEST_TITLE or _taken(draft, node, title):
            title = _plain(draft, node, language)
        draft.do(RenameNode(node=node, title=title))
        draft.unnamed.discard(node)


def _unnamed(draft: Draft, node: str, asked: set[str], shown: int) -> Unnamed:
    tree = draft.tree
    parent = str(tree.parent(node))
    beside = [other for other in tree.children(parent) if other != node]
    passages = _spread(draft.under(node), shown)
    return Unnamed(
        id=node,
        texts=[draft.index.text(passage) for passage in passages],
        count=len(draft.under(node)),
        pages=[draft.index.passage(passage).title for passage in passages],
        parent=parent if parent in asked else tree.title(parent),
        above=[tree.title(step) for step in tree.path(parent)[1:-1] if step not in draft.unnamed],
        top=parent == tree.root,
        siblings=[tree.title(other) for other in beside if other not in draft.unnamed],
        beside=[other for other in beside if other in asked],
        elsewhere=[tree.title(other) for other in tree.walk() if other not in draft.unnamed],
    )


def _spread(passages: list[str], count: int) -> list[str]:
    """Return so many of the passages, from all over them."""
    if len(passages) <= count:
        return passages
    return [passages[place * len(passages) // count] for place in range(count)]


def _key(title: str) -> tuple[str, ...]:
    return tuple(sorted(set(terms(title)))) or (title.casefold(),)


def _taken(draft: Draft, node: str, title: str) -> bool:
    tree = draft.tree
    parent = str(tree.parent(node))
    others = [tree.title(other) for other in tree.children(parent) if other != node]
    return _key(title) in {_key(other) for other in [*others, tree.title(parent)]}


def _plain(draft: Draft, node: str, language: str) -> str:
    """Return the two words that the node's passages hold most and the map's others least; at last its id."""
    index = draft.index
    held = Counter(
        term for passage in _spread(draft.under(node), _MOST) for term in set(index.traits(passage).terms)
    )
    best = sorted(
        (term for term in held if any(map(str.isalpha, term)) and len(term) > 1),
        key=lambda term: (-held[term] * index.vectors.weight(term), term),
    )
    joint = "、" if language.startswith("zh") else " and "
    for start in range(0, min(len(best), 24), 2):
        title = joint.join(best[start : start + 2])
        title = title[:1].upper() + title[1:]
        if not _taken(draft, node, title):
            return title
    return f"其他内容（{node}）" if language.startswith("zh") else f"Further points ({node})"
