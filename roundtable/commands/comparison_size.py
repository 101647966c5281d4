"""What a person wants compared: two lists read from the words in which they named them."""

from collections.abc import Sequence

from roundtable.config.errors import InputError

_MOST = 400
"""Cells of a table."""


def parted(text: str) -> list[str]:
    """Return the parts of a list that commas (or semicolons, where there are some) keep apart, each once."""
    marks = ";；" if any(mark in text for mark in ";；") else ",，、"
    for mark in marks[1:]:
        text = text.replace(mark, marks[0])
    return list(dict.fromkeys(part for each in text.split(marks[0]) if (part := " ".join(each.split()))))


def asked_for(text: str) -> list[str]:
    """Return the fields or questions of a list, each once: `price, licence; When was it released?` are three.

    As `parted`, and beside a question, which keeps its commas, words are kept apart by commas too.
    """
    parts = parted(text)
    if not any(mark in text for mark in ";；") or not any(map(_is_question, parts)):
        return parts
    each = [[part] if _is_question(part) else parted(part) for part in parts]
    return list(dict.fromkeys(field for fields in each for field in fields))


def _is_question(part: str) -> bool:
    return part.endswith(("?", "？", "؟"))


def check_size(things: Sequence[str], questions: Sequence[str]) -> None:
    """Refuse a table of nothing, and one that is too large. Raises InputError."""
    if not things or not questions:
        raise InputError("name what is compared and in which respects: --of 'A, B' --by 'price, licence'")
    if len(things) * len(questions) > _MOST:
        raise InputError(f"a table has at most {_MOST} cells: compare fewer things, or in fewer respects")
