"""DOT, for Graphviz."""

from mindmap.export.export_tree import ExportNode


def write(top: ExportNode) -> str:
    """Return the map as a directed graph."""
    lines = [
        "digraph mindmap {",
        '  graph [rankdir=LR, charset="UTF-8"];',
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        "  edge [arrowhead=none];",
    ]
    lines += [f"  {quoted(node.id)} [label={quoted(node.title)}];" for node in top.walk()]
    lines += [
        f"  {quoted(node.parent or '')} -> {quoted(node.id)};" for node in top.walk() if node is not top
    ]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """Return a string of DOT that prints as it is (labels read backslashes once more, and entities)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{escaped}"'
