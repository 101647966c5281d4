"""Words for the cells of a table that a spreadsheet opens: none of them is taken for a formula."""

import re

_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What begins a formula there, also behind a line's end, and in wide signs where Chinese is written."""
_PARTED = re.compile(r"([;\r\n])(?=[=+\-@＝＋－＠])")
"""Where a cell would end, and a formula begin, for a program that takes other signs between cells than ours:
where commas stand within numbers, semicolons part cells, and no quotation mark behind a comma holds lines
together."""


def cell_text(text: str) -> str:
    """Return a text, behind an apostrophe where it would be a formula: it may be a stranger's.

    What would begin one in a cell of its own, elsewhere, stands behind a blank.
    """
    parted = _PARTED.sub(r"\1 ", text)
    return f"'{parted}" if parted.startswith(_BEGINS) else parted
