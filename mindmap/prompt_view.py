"""The map as short text for prompts."""

from collections.abc import Sequence

from library.text import terms
from mindmap.tree import MindMap


def outline(tree: MindMap, limit: int) -> str:
    """Return the map as an indented outline of at most `limit` characters, deeper levels only as they fit."""
    level = tree.children(tree.root)
    shown: set[str] = set()
    room = limit
    depth = 0
    while level:
        for node in level:
            room -= len(f"{'  ' * depth}- {node}: {tree.title(node)}") + 1
            if room < 0:
                break
            shown.add(node)
        if room < 0 and depth > 0:
            # Half a level would look like all of it.
            shown.difference_update(level)
        if room < 0:
            break
        level = [child for node in level for child in tree.children(node)]
        depth += 1
    return "\n".join(_lines(tree, tree.root, shown, 0))


def _lines(tree: MindMap, parent: str, shown: set[str], depth: int) -> list[str]:
    lines: list[str] = []
    for node in tree.children(parent):
        if node in shown:
            lines.append(f"{'  ' * depth}- {node}: {tree.title(node)}")
            lines += _lines(tree, node, shown, depth + 1)
    return lines


def map_excerpt(tree: MindMap, question: str, limit: int = 1200, near: Sequence[str] = ()) -> str:
    """Return the part of the map that a question is about, as an outline of at most `limit` characters.

    All branches stand there with their titles, cut where there are many; then, as far as there is room, the
    levels below those that have something in common with the question (by titles, notes' questions, and
    passages known to be near), the branch with the most first.

    Args:
        tree: The map.
        question: What is asked.
        limit: The longest text.
        near: Ids of passages that the question is about, if that is known.
    """
    asked = set(terms(question))
    branches = tree.children(tree.root)
    shared = {branch: _shared(tree, branch, asked, set(near)) for branch in branches}
    ranked = sorted(branches, key=lambda branch: -shared[branch])
    longest = max(_TITLE, limit // max(1, len(branches)) - len("- \n"))
    below = [node for branch in ranked if shared[branch] > 0 for node in list(tree.walk(branch))[1:]]
    shown: dict[str, str] = {}
    room = limit + 1
    for node in [*ranked, *below]:
        title = tree.title(node)
        whole = len(title) <= longest or node in below
        line = f"{'  ' * (tree.depth(node) - 1)}- {title if whole else title[: longest - 1].rstrip() + '…'}"
        if len(line) + 1 > room:
            break
        shown[node] = line
        room -= len(line) + 1
    return "\n".join(shown[node] for node in tree.walk() if node in shown)


_TITLE = 12
"""Characters that a branch's title is cut to at the shortest."""


def _shared(tree: MindMap, branch: str, asked: set[str], near: set[str]) -> float:
    score = 0.0
    for node in tree.walk(branch):
        held = tree.node(node)
        score += len(asked & set(terms(held.title)))
        asked_here = [len(asked & set(terms(note.question))) for note in held.notes]
        score += 0.5 * sum(asked_here) / max(1, len(asked_here))
        score += len(near.intersection(held.passages))
    return score
