"""Lines that tell how far reading documents is, for those that take long."""

import time
from collections.abc import Callable

_FIRST, _PAUSE = 1.0, 4.0
"""Seconds before the first line, and between lines: what is read faster needs no word."""


def indexing_lines(say: Callable[[str], None]) -> Callable[[str, int, int], None]:
    """Return what may be told of documents by name how many of how many files were looked at."""
    due = time.monotonic() + _FIRST
    told: set[str] = set()

    def tell(name: str, done: int, of: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due or (done == of and name in told):
            told.add(name)
            due = now + _PAUSE
            say(f"Reading {name}: {done:,} of {of:,} files")

    return tell
