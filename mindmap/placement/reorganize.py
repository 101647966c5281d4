"""Growing: a map that stays readable while it fills.

A node that holds too much is split by what its contents have in common; chains of one child are merged
with all they hold; what is empty goes; siblings that mean the same are merged. What a person made,
touched or pinned stays.

The work is planned first, as a nested grouping that depends on the passages alone (`grouping.py`), and
then brought about as the difference to what is there: nodes that still mean the same keep their ids and
titles, and a second call finds nothing to do.
"""

from collections.abc import Collection, Sequence

from mindmap.changes import Change, MergeNode, MoveNote, PlacePassage
from mindmap.placement.cleanup import hold_limits, merge_alike, tidy
from mindmap.placement.map_index import MapIndex
from mindmap.placement.nested_grouping import group
from mindmap.placement.node_naming import name_new
from mindmap.placement.scoring import fits
from mindmap.placement.working_copy import Draft
from mindmap.settings import MapSettings
from mindmap.tree import UNSORTED, MindMap
from models import Asks

_ROUNDS = 12
_RETRIED = 40
"""The most unsorted passages that are tried again at one time."""


async def reorganize(
    tree: MindMap,
    touched: Collection[str] | None,
    asks: Asks,
    index: MapIndex,
    settings: MapSettings = MapSettings(),  # noqa: B008 - frozen
    language: str = "en",
    *,
    stands: bool = False,
) -> list[Change]:
    """Return the changes that bring the map into shape; a second call with the map so changed returns none.

    Args:
        tree: The map; it is not touched.
        touched: Nodes that changed since the last time, with which the work is bounded; None for all,
            grouped again from scratch (what a person made stays).
        asks: Who names the new nodes, all in one request.
        index: The map's texts.
        settings: Limits.
        language: Of the titles.
        stands: The nodes are those that a language model placed into: none is taken apart or grouped again.
            One that holds too much gets children for what stands in it itself, if it gives them titles.

    Raises:
        ModelUnavailable: the model that names nodes cannot be had.
    """
    draft = Draft(tree, index, stands=stands)
    index.add(tree.placed())
    looked = set(tree.walk()) if touched is None else set(touched)
    if touched is None and not stands:
        regroup(draft, tree.root, settings, whole=True)
    # What one step does may call for another (a merged node holds too much, a split one has room for what was
    # unsorted); a round that changes nothing is the last.
    for _ in range(_ROUNDS):
        done = len(draft.changes)
        merge_alike(draft)
        _place_unsorted(draft, settings)
        looked.update(_changed(draft.changes[done:]))
        for node in [node for node in draft.tree.walk() if node in looked]:
            if node in draft.tree and too_full(draft.tree, node, settings):
                regroup(draft, node, settings)
        hold_limits(draft, settings)
        tidy(draft)
        looked.update(_changed(draft.changes[done:]))
        if len(draft.changes) == done:
            break
    await name_new(draft, asks, language)
    tidy(draft)  # a node that nobody would look for is gone: its sibling may stand alone
    return draft.changes


def _changed(changes: Sequence[Change]) -> set[str]:
    """Return the nodes that hold more than before."""
    held = {change.node for change in changes if isinstance(change, PlacePassage | MoveNote)}
    return held | {change.into for change in changes if isinstance(change, MergeNode)}


def _place_unsorted(draft: Draft, settings: MapSettings) -> None:
    """Try again to place what fitted nowhere: the map has changed since."""
    tree = draft.tree
    while UNSORTED in tree:
        loose = [p for p in draft.under(UNSORTED) if not tree.fixed(p)][:_RETRIED]
        found = fits(tree, draft.index, loose, 1)
        good = [
            (passage, best[0].node)
            for passage, best in zip(loose, found, strict=True)
            if best and best[0].score >= settings.threshold
        ]
        if not good:
            return
        for passage, node in good:
            draft.do(PlacePassage(passage=passage, node=node))


def too_full(tree: MindMap, node: str, settings: MapSettings) -> bool:
    """Return whether a node itself holds more than a reader takes in."""
    notes, passages = tree.load(node)
    return notes >= settings.notes or passages >= settings.passages


def regroup(draft: Draft, node: str, settings: MapSettings, *, whole: bool = False) -> None:
    """Group what stands in and under a node again, around what must stay; `whole`: what is unsorted, too."""
    tree = draft.tree
    frozen = draft.frozen()
    if node == UNSORTED:
        return
    free = set(draft.free(node, frozen))
    if whole and UNSORTED in tree:
        free.update(p for p in draft.under(UNSORTED) if not tree.fixed(p))
    members = [passage for passage in tree.placed() if passage in free]
    staying = [child for child in tree.children(node) if child in frozen or child == UNSORTED]
    levels = settings.depth - tree.depth(node)
    groups = group(draft.index, members, settings.children - len(staying), levels, settings)
    if groups:
        draft.bring_about(node, groups, frozen)
