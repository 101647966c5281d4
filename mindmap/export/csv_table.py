"""A table with a line for each node, as spreadsheets read it."""

import csv
import io

from library.text import cell_text
from mindmap.export.export_tree import ExportNode

COLUMNS = (
    "id", "parent", "depth", "title", "marks", "notes", "passages", "sources", "earliest", "latest", "sure",
)  # fmt: skip


def write(top: ExportNode) -> str:
    """Return the map as CSV (with a byte order mark, by which spreadsheets know that it is UTF-8)."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for node in top.walk():
        writer.writerow([
            node.id,
            node.parent or "",
            node.depth,
            cell_text(node.title),
            " ".join(node.marks),
            len(node.notes),
            " ".join(f"[{passage.name}]" for passage in node.passages),
            node.facts.sources,
            node.facts.earliest or "",
            node.facts.latest or "",
            node.facts.sure,
        ])
    return "\ufeff" + buffer.getvalue()
