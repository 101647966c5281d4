"""Marks of Markdown that other forms of text do not have, written as all of them are."""

import re

from library.readers.text_files.markdown_code import outside_code

_STRONG = re.compile(r"(?<![\w`_\\])__(?=\S)([^_`\n]{1,120})(?<=\S)__(?![\w`_])")
_EMPHASIS = re.compile(r"(?<![\w`_\\/])_(?=[^\s_])([^_`\n]{1,120})(?<=\S)_(?![\w`_/])")
_BREAK = re.compile(r"<br[ \t]{0,2}/?>\n?", re.IGNORECASE)
_KEPT = re.compile(
    r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)|`[^`\n]+`|^(?: {4}|\t)[^\n]*", re.MULTILINE | re.DOTALL
)
"""Code, where such signs stand for themselves."""


def without_own_marks(text: str) -> str:
    """Return Markdown with `__so__` as `**so**`, `_so_` as `*so*`, `<br>` as a line's end; code stays."""
    return outside_code(text, _shown, _KEPT)


def _shown(text: str) -> str:
    if "_" in text:
        text = _EMPHASIS.sub(r"*\1*", _STRONG.sub(r"**\1**", text))
    return _BREAK.sub("\n", text) if "<" in text else text
