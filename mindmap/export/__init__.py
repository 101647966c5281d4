"""The map in the formats of other tools. Each is written by one module from the same plain values.

`export_map` chooses by name; `FORMATS` says which there are and the ending of their files.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import cast

from library import Evidence
from mindmap.errors import MapError
from mindmap.export.export_tree import ExportNode, shown
from mindmap.export.markdown_outline import mindmap_markdown
from mindmap.export.native_json import mindmap_json
from mindmap.tree import MindMap

__all__ = [
    "FORMATS",
    "SHORT",
    "ExportNode",
    "Format",
    "export_map",
    "file_name",
    "format_named",
    "mindmap_json",
    "mindmap_markdown",
    "shown",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of the map."""

    description: str
    ending: str
    module: str
    """Below `mindmap.export`; its `write(shown)` gives text or bytes."""


FORMATS: Mapping[str, Format] = {
    "json": Format("this program's own JSON", ".json", "native_json"),
    "node-link": Format("JSON that networkx and D3 read (node-link)", ".json", "node_link"),
    "graphml": Format("GraphML, for graph tools", ".graphml", "graphml"),
    "mermaid": Format("Mermaid mindmap", ".mmd", "mermaid"),
    "markdown": Format("Markdown outline", ".md", "markdown_outline"),
    "opml": Format("OPML, for outliners", ".opml", "opml"),
    "freemind": Format("FreeMind and Freeplane", ".mm", "freemind"),
    "dot": Format("DOT, for Graphviz", ".dot", "dot"),
    "csv": Format("a table with a line for each node", ".csv", "csv_table"),
    "svg": Format("a drawing", ".svg", "svg"),
    "png": Format("a picture (needs the `export` extra)", ".png", "png"),
    "html": Format("one page that needs nothing else", ".html", "html_page"),
}
SHORT: Mapping[str, str] = {"md": "markdown", "mm": "freemind", "mmd": "mermaid"}
"""Formats by the endings of their files, where these are called otherwise."""

_CALLED: Mapping[str, str] = {"markdown": "md", "freemind": "mm"}
"""What the help and the README call those formats."""


def format_named(name: str) -> str:
    """Return the name of a format in `FORMATS`, also for a short one. Raises MapError when there is none."""
    known = SHORT.get(name.lower(), name.lower())
    if known not in FORMATS:
        there = [_CALLED.get(each, each) for each in FORMATS]
        if near := get_close_matches(name.lower(), there, n=1):
            raise MapError(f"no map format {name!r}; did you mean {near[0]}? there are {', '.join(there)}")
        raise MapError(f"no map format {name!r}; there are {', '.join(there)}")
    return known


def file_name(name: str) -> str:
    """Return what a file of a format is called: `mindmap.opml`."""
    known = format_named(name)
    return "mindmap.node-link.json" if known == "node-link" else f"mindmap{FORMATS[known].ending}"


def export_map(tree: MindMap, evidence: Evidence, name: str) -> bytes:
    """Return the map in a format, as bytes of a file.

    Raises:
        MapError: there is no such format, or what it needs is not installed.
    """
    module = FORMATS[format_named(name)].module
    write = cast("Callable[[ExportNode], str | bytes]", import_module(f"{__name__}.{module}").write)
    written = write(shown(tree, evidence))
    return written if isinstance(written, bytes) else written.encode("utf-8", errors="replace")
