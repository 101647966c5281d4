"""Where Markdown has code, in which signs stand for themselves."""

import re
from collections.abc import Callable

_FENCED = r"^[ \t]*(?P<fence>```|~~~).*?(?:^[ \t]*(?P=fence)|\Z)"
_WITHIN = r"(?P<ticks>`{1,2})(?!`)[^`\n]+(?P=ticks)"
_CODE = re.compile(rf"{_FENCED}|{_WITHIN}", re.MULTILINE | re.DOTALL)
WITH_INDENTED = re.compile(
    rf"{_FENCED}|{_WITHIN}|(?:(?<=\n\n)|\A)(?: {{4}}|\t)[^\n]*(?:\n+(?: {{4}}|\t)[^\n]*)*",
    re.MULTILINE | re.DOTALL,
)
"""Lines that stand in behind an empty one, too; they may also go on with an item of a list."""


def code_spans(text: str, code: re.Pattern[str] = _CODE) -> list[tuple[int, int]]:
    """Return where code begins and ends, in order: fenced, and within lines, or what is given as code."""
    return [found.span() for found in code.finditer(text)]


def outside_code(text: str, shown: Callable[[str], str], code: re.Pattern[str] = _CODE) -> str:
    """Return a text whose parts outside code are shown otherwise; `code` as `code_spans` takes it."""
    told: list[str] = []
    at = 0
    for start, end in code_spans(text, code):
        told += [shown(text[at:start]), text[start:end]]
        at = end
    return "".join([*told, shown(text[at:])])
