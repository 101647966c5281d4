"""OPML 2.0: each node an outline; its notes and passages in `_note`, where outliners show them."""

import xml.etree.ElementTree as ET

from mindmap.export.export_tree import ExportNode


def write(top: ExportNode) -> str:
    """Return the map as OPML."""
    document = ET.Element("opml", version="2.0")
    head = ET.SubElement(document, "head")
    ET.SubElement(head, "title").text = top.title
    _outline(ET.SubElement(document, "body"), top)
    ET.indent(document)
    return ET.tostring(document, encoding="unicode", xml_declaration=False, short_empty_elements=True).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _outline(parent: ET.Element, node: ExportNode) -> None:
    attributes = {"text": node.title}
    if note := noted(node):
        attributes["_note"] = note
    element = ET.SubElement(parent, "outline", attributes)
    for child in node.children:
        _outline(element, child)


def noted(node: ExportNode) -> str:
    """Return a node's notes and passages as lines of text."""
    lines = [f"{note.question} {note.answer}".strip() for note in node.notes]
    for passage in node.passages:
        where = f" <{passage.url}>" if passage.url else ""
        lines.append(f"[{passage.name}] {' '.join(passage.text.split())} ({passage.title}){where}")
    return "\n".join(lines)
