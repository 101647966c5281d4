"""What a model is writing right now, for whoever watches. Nothing is decided by it, and nothing keeps it.

The reply as a whole is what counts: it is read, checked and journalled as if nobody had watched. So a reply
that is shown while it is written may be asked for again, or come to nothing.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pydantic_core import from_json

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


_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)

_BREAKS = str.maketrans("\n\r\t", "   ")


def partial_text(written: str, field: str) -> str:
    """Return what an unfinished JSON object holds so far of one of its texts; empty while there is none.

    Thoughts, code fences and prose before the object are passed over, as in a finished reply.
    """
    body = _THOUGHT.sub("", written[:LONGEST_SHOWN])
    start = body.find("{")
    if start < 0:
        return ""
    # Some models break lines within a text, which JSON does not allow.
    text = body[start:].translate(_BREAKS).encode("utf-8", "replace")
    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return ""
    said = value.get(field) if isinstance(value, dict) else None
    return said if isinstance(said, str) else ""
