"""Words for the cells of a table that a spreadsheet opens: none of them is taken for a formula."""

_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What begins a formula there, also behind a line's end, and in wide signs where Chinese is written."""


def cell_text(text: str) -> str:
    """Return a text, behind an apostrophe where it would be a formula: it may be a stranger's."""
    return f"'{text}" if text.startswith(_BEGINS) else text
