"""Marks of Markdown that other forms of text do not have, written as all of them are."""

import re

_STRONG = re.compile(r"(?<![\w`_\\])__(?=\S)([^_`\n]{1,120})(?<=\S)__(?![\w`_])")
_BREAK = re.compile(r"<br[ \t]{0,2}/?>\n?", re.IGNORECASE)
_KEPT = re.compile(
    r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)|`[^`\n]+`|^(?: {4}|\t)[^\n]*", re.MULTILINE | re.DOTALL
)
"""Code, where such signs stand for themselves."""


def without_own_marks(text: str) -> str:
    """Return Markdown with `__so__` as `**so**` and `<br>` as the end of a line; code stays as it is."""
    told: list[str] = []
    at = 0
    for code in _KEPT.finditer(text):
        told += [_shown(text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*told, _shown(text[at:])])


def _shown(text: str) -> str:
    return _BREAK.sub("\n", _STRONG.sub(r"**\1**", text)) if "__" in text or "<" in text else text
