"""The map's shape: no empty nodes, no chains, no more children and levels than a reader takes in."""

from library.text import terms
from mindmap.changes import MergeNode, RemoveNode
from mindmap.placement.working_copy import Draft
from mindmap.settings import MapSettings
from mindmap.tree import UNSORTED


def tidy(draft: Draft) -> None:
    """Drop what is empty and merge chains of one child, until nothing is left; each step removes a node."""
    while _drop_empty(draft) or _merge_chain(draft):
        pass


def _drop_empty(draft: Draft) -> bool:
    tree, dropped = draft.tree, False
    for node in reversed(list(tree.walk())):
        empty = not tree.children(node) and tree.load(node) == (0, 0)
        if empty and node != tree.root and not tree.kept(node):
            draft.do(RemoveNode(node=node))
            draft.unnamed.discard(node)
            dropped = True
    return dropped


def _merge_chain(draft: Draft) -> bool:
    tree = draft.tree
    for node in list(tree.walk()):
        children = tree.children(node)
        if len(children) != 1 or draft.kept(children[0]) or children[0] == UNSORTED:
            continue
        if node == tree.root and not (tree.children(children[0]) and tree.load(children[0]) == (0, 0)):
            continue
        draft.do(MergeNode(node=children[0], into=node))
        draft.unnamed.discard(children[0])
        return True
    return False


def hold_limits(draft: Draft, settings: MapSettings) -> None:
    """Merge what lies too deep into what is above it, and the least of too many siblings into each other."""
    tree = draft.tree
    for node in reversed(list(tree.walk())):
        if tree.depth(node) > settings.depth and not draft.kept(node):
            draft.do(MergeNode(node=node, into=str(tree.parent(node))))
            draft.unnamed.discard(node)
    for node in list(tree.walk()):
        while node in tree and len(tree.children(node)) > settings.children:
            loose = [c for c in tree.children(node) if not draft.kept(c) and c != UNSORTED]
            if len(loose) < 2:
                break
            small = sorted(loose, key=lambda c: (len(draft.under(c)), c))[:2]
            draft.do(MergeNode(node=small[0], into=small[1]))
            draft.unnamed.discard(small[0])


def merge_alike(draft: Draft) -> None:
    """Merge siblings whose titles say the same; of two the elder stays, or the one that a person made."""
    tree = draft.tree
    for node in list(tree.walk()):
        if node not in tree:
            continue
        first: dict[tuple[str, ...], str] = {}
        for child in tree.children(node):
            if child in draft.unnamed or child == UNSORTED:
                continue
            title = tree.title(child)
            elder = first.setdefault(tuple(sorted(set(terms(title)))) or (title.casefold(),), child)
            if elder == child or (tree.kept(child) and tree.kept(elder)):
                continue
            gone, stays = (elder, child) if tree.kept(child) else (child, elder)
            draft.do(MergeNode(node=gone, into=stays))
            first = {key: stays if known == gone else known for key, known in first.items()}
