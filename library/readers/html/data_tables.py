"""Tables that tell something, whatever their links: a list of packages links each of its cells.

What a page is cleaned of is told by the share of links; a table of facts would go with the menus.
"""

import re
from collections.abc import Iterator
from typing import Any

from library.readers.html.html_text import inline, table_rows

_TITLED = re.compile(r"(?:^|[\s_-])(?:title|caption)(?:$|[\s_-])", re.IGNORECASE)
"""Of the class of what stands above a table and is its caption, where it has no element for that."""
_CAPTIONS = ("h5", "h6", "figcaption")
_NO_CAPTIONS = ("h1", "h2", "h3", "h4")
_LEAST_TOLD = 0.1
"""Share (0 to 1) of the text below a row of heads that stands outside links; without it, it only leads."""
_FEWEST_ROWS = 2
"""Rows of several cells, the heads among them."""


def unlink_data_tables(tree: Any) -> None:
    """Turn the links in tables of data into plain text, so that nothing takes those for navigation."""
    for table in list(tree.iter("table")):
        if _holds_data(table):
            for link in list(table.iter("a")):
                link.drop_tag()


def _holds_data(table: Any) -> bool:
    """Whether a table has a caption or a row of heads, rows of several cells, and no tables in it."""
    if next((inner for inner in table.iter("table") if inner is not table), None) is not None:
        return False
    rows = [cells for cells in table_rows(table) if len(cells) > 1]
    if len(rows) < _FEWEST_ROWS:
        return False
    if any(inline(caption) for caption in _captions(table)):
        return True
    heads, *below = rows
    if not all(cell.tag == "th" for cell in heads):
        return False
    cells = [cell for row in below for cell in row]
    whole = sum(len(inline(cell)) for cell in cells)
    linked = sum(len(inline(link)) for cell in cells for link in cell.iter("a"))
    return whole > 0 and whole - linked >= _LEAST_TOLD * whole


def _captions(table: Any) -> Iterator[Any]:
    """Yield what may be a table's caption: its own, and the title right above it or above its box."""
    yield from table.iterchildren("caption")
    box = table
    while box is not None:
        above = box.getprevious()
        if above is not None:
            titled = above.tag not in _NO_CAPTIONS and _TITLED.search(above.get("class", ""))
            if above.tag in _CAPTIONS or titled:
                yield above
            return
        box = box.getparent()
        if box is None or box.tag not in ("div", "figure"):
            return
