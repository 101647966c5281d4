"""`mindmap.md`: the map as a Markdown outline."""

import re
from collections.abc import Mapping

from mindmap.export.export_tree import ExportNode, line
from mindmap.tree import MindMap

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|&])")
_LEADING = re.compile(r"^([#+\-]|\d+[.)])(?=\s|$)")


def mindmap_markdown(tree: MindMap, names: Mapping[str, str]) -> str:
    """Return the outline of a map with its passages by their names (`Evidence.labels`)."""
    lines, answered = [f"# {escaped(line(tree.title(tree.root)))}", ""], tree.answered()
    for node in tree.walk():
        held = tree.node(node)
        if node != tree.root:
            head = _head(line(held.title), held.marks)
            lines.append(f"{_indent(tree.depth(node))}- {head}{_cited(held.passages, names)}")
        elif held.passages:
            lines += [_cited(held.passages, names).strip(), ""]
        lines += [
            f"{_indent(tree.depth(node) + 1)}- *open:* {escaped(line(note.question))}"
            for note in held.notes
            if not note.answer and note.question not in answered
        ]
    return "\n".join(lines).rstrip() + "\n"


def write(top: ExportNode) -> str:
    """Return the outline with its passages' pages as links."""
    lines = [f"# {escaped(top.title)}", ""]
    for node in top.walk():
        if node is not top:
            lines.append(f"{_indent(node.depth)}- {_head(node.title, node.marks)}")
        inner = _indent(node.depth + 1)
        lines += [f"{inner}- *{escaped(note.question)}*" for note in node.notes if note.question]
        for passage in node.passages:
            page = escaped(passage.title)
            where = f"[{page}](<{passage.url}>)" if passage.url else page
            lines.append(f"{inner}- {passage.name}: {where}")
    return "\n".join(lines).rstrip() + "\n"


def escaped(text: str) -> str:
    """Return a line of text that Markdown prints as it is."""
    return _LEADING.sub(r"\\\1", _SPECIAL.sub(r"\\\1", text))


def _indent(depth: int) -> str:
    return "  " * max(0, depth - 1)


def _head(title: str, marks: tuple[str, ...]) -> str:
    return escaped(title) + "".join(f" `{mark}`" for mark in marks)


def _cited(passages: tuple[str, ...], names: Mapping[str, str]) -> str:
    return " " + "".join(f"[{names.get(each, each)}]" for each in passages) if passages else ""
