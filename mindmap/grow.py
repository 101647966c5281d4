"""Growing: a map that stays readable while it fills.

A node that holds too much is split by what its contents have in common; chains of one child are merged
with all they hold; what is empty goes; siblings that mean the same are merged. What a person made,
touched or pinned stays.

The work is planned first, as a nested grouping that depends on the passages alone (`grouping.py`), and
then brought about as the difference to what is there: nodes that still mean the same keep their ids and
titles, and a second call finds nothing to do.
"""

from collections.abc import Collection

from mindmap.changes import Change
from mindmap.draft import Draft
from mindmap.grouping import group
from mindmap.index import MapIndex
from mindmap.naming import name_new
from mindmap.settings import MapSettings
from mindmap.shape import hold_limits, tidy
from mindmap.tree import UNSORTED, MindMap
from models.task import Asks


async def reorganize(
    tree: MindMap,
    touched: Collection[str] | None,
    asks: Asks,
    index: MapIndex,
    settings: MapSettings = MapSettings(),  # noqa: B008 - frozen
    language: str = "en",
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

    Raises:
        ModelUnavailable: the model that names nodes cannot be had.
    """
    draft = Draft(tree, index)
    index.add(tree.placed())
    if touched is None:
        regroup(draft, tree.root, settings, whole=True)
    else:
        for node in [node for node in tree.walk() if node in touched]:
            if node in draft.tree and too_full(draft.tree, node, settings):
                regroup(draft, node, settings)
    hold_limits(draft, settings)
    tidy(draft)
    await name_new(draft, asks, language)
    return draft.changes


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
