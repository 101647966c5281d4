"""Making a prompt fit a context window: its data blocks give way, the longest first, its own words stay."""

import re

from models.prompting.token_estimate import estimate

# Data blocks hold no `<` of their own (see `models.prompting.untrusted_text`), so the first closing tag is
# the block's.
_BLOCK = re.compile(r"(<([a-z][a-z_-]*)[^<>]*>\n)([^<]*)(\n</\2>)")
_CUT = " …"


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
    level = _level(lengths, room)
    pieces = iter([_cut(body, length, level) for body, length in zip(bodies, lengths, strict=True)])
    return _BLOCK.sub(lambda match: f"{match[1]}{next(pieces)}{match[4]}", text)


def _level(lengths: list[int], room: int) -> int:
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
    kept = body[: int(len(body) * level / length)]
    while kept and estimate(kept + _CUT) > level:
        kept = kept[: int(len(kept) * 0.9)]
    return kept.rstrip() + _CUT
