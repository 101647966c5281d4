"""`mindmap.json`: the program's own format."""

import json

from mindmap.export.export_tree import ExportNode
from mindmap.tree import MindMap


def mindmap_json(tree: MindMap) -> str:
    """Return the map: `{"root", "nodes": [{"id", "title", "parent", "passages", "notes", "marks"}]}`."""
    nodes = [
        {
            "id": held.id,
            "title": held.title,
            "parent": held.parent,
            "passages": list(held.passages),
            "notes": [note.model_dump() for note in held.notes],
            "marks": list(held.marks),
        }
        for held in map(tree.node, tree.walk())
    ]
    return json.dumps({"root": tree.root, "nodes": nodes}, ensure_ascii=False, indent=1) + "\n"


def write(top: ExportNode) -> str:
    """Return the same from what is shown: for readers without the session."""
    nodes = [
        {
            "id": node.id,
            "title": node.title,
            "parent": node.parent,
            "passages": [passage.id for passage in node.passages],
            "notes": [
                {"speaker": note.speaker, "question": note.question, "answer": note.answer}
                for note in node.notes
            ],
            "marks": list(node.marks),
        }
        for node in top.walk()
    ]
    return json.dumps({"root": top.id, "nodes": nodes}, ensure_ascii=False, indent=1) + "\n"
