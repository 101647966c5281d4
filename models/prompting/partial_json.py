"""What a model is writing right now, for whoever watches. Nothing is decided by it, and nothing keeps it.

The reply as a whole is what counts: it is read, checked and journalled as if nobody had watched. So a reply
that is shown while it is written may be asked for again, or come to nothing.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[str], None]
"""Is given all that was written so far, each time that there is more."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)

LONGEST_SHOWN = 20_000
"""Characters of a reply that are looked at while it is written."""


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Have what models write in this block shown while they write it, where their servers can."""
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)


def present_watcher() -> Watcher | None:
    """Return who watches what is asked for here; None for nobody."""
    return _watcher.get()


_MARK = re.compile(r'["{}\[\]:,]')
_STRING = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_WHOLE = re.compile(r'(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*')
_HALF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)


def partial_text(written: str, field: str) -> str:
    """Return what an unfinished JSON object holds so far of one of its texts; empty while there is none.

    Thoughts, code fences and prose before the object are passed over, as in a finished reply.
    """
    body = _THOUGHT.sub("", written[:LONGEST_SHOWN])
    start = body.find("{")
    if start < 0:
        return ""
    depth, at, key = 0, start, ""
    while mark := _MARK.search(body, at):
        at = mark.end()
        if mark[0] == '"':
            text = _STRING.match(body, at)
            end = at if text is None else text.end()
            if depth == 1 and key == f"{field}:":
                return _unescaped(body[at:end])
            key, at = body[at:end], end + 1
        elif mark[0] == ":":
            key = f"{key}:" if depth == 1 else ""
        else:
            depth, key = depth + {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0), ""
        if depth == 0:
            break
    return ""


def _unescaped(text: str) -> str:
    """Read a JSON text that may have been cut off within an escape, as far as it can be read."""
    whole = _WHOLE.match(text)
    return str(json.loads(f'"{_HALF_PAIR.sub("", whole[0])}"', strict=False)) if whole else ""
