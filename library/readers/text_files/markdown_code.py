"""Where Markdown has code, in which signs stand for themselves."""

import re
from collections.abc import Callable

_CODE = re.compile(
    r"^ {0,3}(?P<fence>```|~~~).*?(?:^ {0,3}(?P=fence)|\Z)|(?P<ticks>`{1,2})(?!`)[^`\n]+(?P=ticks)",
    re.MULTILINE | re.DOTALL,
)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where code begins and ends, in order: fenced, and within lines."""
    return [found.span() for found in _CODE.finditer(text)] if "`" in text or "~~~" in text else []


def outside_code(text: str, shown: Callable[[str], str]) -> str:
    """Return a text whose parts outside code are shown otherwise."""
    told: list[str] = []
    at = 0
    for start, end in code_spans(text):
        told += [shown(text[at:start]), text[start:end]]
        at = end
    return "".join([*told, shown(text[at:])])
