"""Making a prompt fit a context window: its data blocks give way, the longest first, its own words stay."""

import re
from collections.abc import Callable, Sequence

from models.prompting.token_estimate import estimate, unspaced

# Data blocks hold no closing tag (see `models.prompting.untrusted_text`), so the first one is the block's.
_BLOCK = re.compile(r"(<([a-z][a-z_-]*+)[^<>]*>\n)([^<\n]*(?:(?:\n(?!</)|<(?!/))[^<\n]*)*)(\n</\2>)")
_CUT = " …"
_CODE = re.compile(r"`[^`\n]+`")
_LONGEST_WORD = 80
"""Characters of a word, an option or an address: what is longer is cut anywhere."""


def cut_point(text: str, most: int) -> int:
    """Return where a text is cut to have so many characters at most: never within a word or `code`."""
    if len(text) <= most:
        return len(text)
    words = (
        at
        for at in range(most, max(0, most - _LONGEST_WORD), -1)
        if text[at - 1].isspace() or text[at].isspace() or unspaced(text[at - 1]) or unspaced(text[at])
    )
    end = next(words, most)
    return next((m.start() for m in _CODE.finditer(text) if m.start() < end < m.end()), end)


def shorten(text: str, most_tokens: int) -> str | None:
    """Return the text with its data blocks cut evenly to fit, None when its own words are too many."""
    total = estimate(text)
    if total <= most_tokens:
        return text
    bodies = [match[3] for match in _BLOCK.finditer(text)]
    lengths = [estimate(body) for body in bodies]
    room = most_tokens - (total - sum(lengths)) - len(bodies)
    if not bodies or room < 8 * len(bodies):
        return None
    level = even_level(lengths, room)
    pieces = iter([_cut(body, length, level) for body, length in zip(bodies, lengths, strict=True)])
    return _BLOCK.sub(lambda match: f"{match[1]}{next(pieces)}{match[4]}", text)


def even_level(lengths: Sequence[int], room: int) -> int:
    """Return the length to which the long ones are cut so that all fit into the room."""
    left, count = room, len(lengths)
    for length in sorted(lengths):
        if length * count >= left:
            break
        left, count = left - length, count - 1
    return left // max(count, 1)


def _cut(body: str, length: int, level: int) -> str:
    if length <= level:
        return body
    return cut(body, level, estimate)


def cut(text: str, tokens: int, size_of: Callable[[str], int]) -> str:
    """Return the beginning of a text that is too long, within so many tokens, with a mark behind it.

    Args:
        text: What is cut.
        tokens: For all, the mark included.
        size_of: Counts the tokens of a text.
    """
    size = size_of(text)
    end = cut_point(text, int(len(text) * tokens / size))
    while end and size_of(text[:end] + _CUT) > tokens:
        end = cut_point(text, min(end - 1, int(end * 0.9)))
    return text[:end].rstrip() + _CUT if end else ""
