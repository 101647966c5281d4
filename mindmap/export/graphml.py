"""GraphML: nodes and edges with plain attributes (it knows neither lists nor nothing)."""

from mindmap.export.export_tree import ExportNode


def write(top: ExportNode) -> str:
    """Return the map as GraphML."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph(title=top.title)
    for node in top.walk():
        graph.add_node(
            node.id,
            title=node.title,
            depth=node.depth,
            marks=" ".join(node.marks),
            passages=" ".join(passage.name for passage in node.passages),
            notes="\n".join(note.question for note in node.notes),
            sources=node.facts.sources,
            sure=node.facts.sure,
        )
        if node is not top and node.parent is not None:
            graph.add_edge(node.parent, node.id)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + "\n".join(nx.generate_graphml(graph, prettyprint=True)) + "\n"
