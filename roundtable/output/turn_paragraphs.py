"""A turn's text as it is read: in paragraphs, and where it is nothing but quotations, one quotation each."""

import re

_QUOTATION = re.compile(r"“[^“”]*”(?:\s*\[p\d+\])+")


def turn_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a turn; the page shows the same (`blocks` in `text.js`)."""
    quotations = _QUOTATION.findall(text)
    if quotations and not _QUOTATION.sub("", text).strip():
        return quotations
    return [line for line in text.split("\n") if line.strip()]
