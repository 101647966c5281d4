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

    The branch with the most in common with the question (by its titles, its notes' questions, and passages
    known to be near) is shown with all its levels; the other branches with their titles alone.

    Args:
        tree: The map.
        question: What is asked.
        limit: The longest text.
        near: Ids of passages that the question is about, if that is known.
    """
    asked = set(terms(question))
    branches = tree.children(tree.root)
    shared = {branch: _shared(tree, branch, asked, set(near)) for branch in branches}
    best = max(branches, key=lambda branch: shared[branch], default=None)
    lines: list[str] = []
    for branch in branches:
        shown = list(tree.walk(branch)) if branch == best and shared[branch] > 0 else [branch]
        lines += [f"{'  ' * (tree.depth(node) - 1)}- {tree.title(node)}" for node in shown]
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > limit:
            break
        kept.append(line)
    return "\n".join(kept)


def _shared(tree: MindMap, branch: str, asked: set[str], near: set[str]) -> float:
    score = 0.0
    for node in tree.walk(branch):
        held = tree.node(node)
        score += len(asked & set(terms(held.title)))
        asked_here = [len(asked & set(terms(note.question))) for note in held.notes]
        score += 0.5 * sum(asked_here) / max(1, len(asked_here))
        score += len(near.intersection(held.passages))
    return score
