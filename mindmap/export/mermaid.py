"""Mermaid's mindmap. Titles stand in quotation marks; what has a meaning there is written as its entity."""

from mindmap.export.export_tree import ExportNode

_ENTITIES = str.maketrans({
    "#": "#35;",
    "&": "#amp;",
    '"': "#quot;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    "\\": "#92;",
    ";": "#59;",
    "*": "#42;",
    "_": "#95;",
})


def write(top: ExportNode) -> str:
    """Return the map as a Mermaid mindmap."""
    lines = ["mindmap"]
    for node in top.walk():
        shape = '(("{}"))' if node is top else '["{}"]'
        lines.append(f"{'  ' * (node.depth + 1)}{node.id}{shape.format(node.title.translate(_ENTITIES))}")
    return "\n".join(lines) + "\n"
