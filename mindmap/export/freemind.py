"""FreeMind's `.mm`, which Freeplane, XMind and others read too."""

import xml.etree.ElementTree as ET

from mindmap.export.export_tree import ExportNode
from mindmap.export.opml import noted

_ICONS = {"pinned": "attach", "gap": "help", "contradiction": "messagebox_warning"}


def write(top: ExportNode) -> str:
    """Return the map as a FreeMind map."""
    document = ET.Element("map", version="1.0.1")
    _node(document, top)
    ET.indent(document)
    return ET.tostring(document, encoding="unicode") + "\n"


def _node(parent: ET.Element, node: ExportNode) -> None:
    attributes = {"ID": f"ID_{node.id}", "TEXT": node.title}
    if node.depth == 1:
        attributes["POSITION"] = "right"
    element = ET.SubElement(parent, "node", attributes)
    for mark in node.marks:
        ET.SubElement(element, "icon", BUILTIN=_ICONS[mark])
    if text := noted(node):
        rich = ET.SubElement(element, "richcontent", TYPE="NOTE")
        body = ET.SubElement(ET.SubElement(rich, "html"), "body")
        for each in text.split("\n"):
            ET.SubElement(body, "p").text = each
    for child in node.children:
        _node(element, child)
