"""Notebooks (`.ipynb`) to text: code stands between fences, what its comments say as text."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from library.errors import ReadError
from library.readers.text_files.plain_text import decode, seen, tidy
from library.readers.text_files.source_code import fenced, told
from library.text.hidden_characters import WRITTEN_SEQUENCE

_LONGEST_OUTPUT = 2_000
"""Characters of what a cell printed."""


def read_notebook(data: bytes, largest: int) -> dict[str, Any]:
    """Read a notebook: its text, its code, and what that printed.

    Args:
        data: The file.
        largest: Bytes that it may have.

    Raises:
        ReadError: it is no notebook, or holds nothing.
    """
    if len(data) > largest:
        raise ReadError(f"the notebook is larger than {largest / 1_000_000:g} MB")
    try:
        book = json.loads(decode(data))
        cells = book["cells"]
        language = str(book.get("metadata", {}).get("kernelspec", {}).get("language", ""))
        blocks = [block for cell in cells for block in _blocks(cell, language)]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReadError(f"it is no notebook of version 4 ({type(error).__name__}: {error})") from error
    if not blocks:
        raise ReadError("the notebook is empty")
    heading = next((block for block in blocks if block.startswith("# ")), "")
    title = heading.partition("\n")[0].removeprefix("# ").strip()
    return {"text": tidy(seen("\n\n".join(blocks))), "title": title or None}


def _blocks(cell: Mapping[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell.get("source", ""))
    if cell["cell_type"] != "code":
        if source.strip():
            yield source.strip()
        return
    if source.strip():
        yield told(source, language, headed=False)
    for output in cell.get("outputs", ()):
        printed = _joined(output.get("text") or output.get("data", {}).get("text/plain", ""))
        printed = WRITTEN_SEQUENCE.sub("", printed).strip()
        if len(printed) > _LONGEST_OUTPUT:
            printed = printed[:_LONGEST_OUTPUT] + "\n…"
        if printed:
            yield fenced(printed, "")


def _joined(text: object) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
