"""Node-link JSON, as `networkx.node_link_graph(data, edges="links")` and D3 read it."""

import json

from mindmap.export.export_tree import ExportNode


def write(top: ExportNode) -> str:
    """Return the map as node-link data."""
    nodes = [
        {
            "id": node.id,
            "title": node.title,
            "depth": node.depth,
            "marks": list(node.marks),
            "passages": [passage.id for passage in node.passages],
            "sources": node.facts.sources,
            "sure": node.facts.sure,
        }
        for node in top.walk()
    ]
    links = [{"source": node.parent, "target": node.id} for node in top.walk() if node is not top]
    data = {"directed": True, "multigraph": False, "graph": {"title": top.title}}
    return json.dumps({**data, "nodes": nodes, "links": links}, ensure_ascii=False, indent=1) + "\n"
