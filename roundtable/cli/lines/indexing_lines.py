"""Lines that tell how far reading documents is, and how long it will take, for those that take long."""

import time
from collections.abc import Callable

_FIRST, _PAUSE = 1.0, 4.0
"""Seconds before the first line, and between lines: what is read faster needs no word. Between lines on
passages twice as long each time: texts are read many times in a session, and a file would fill with them."""

_TELLING = 20
"""Files by which the rest can be told, where that is not a tenth of them already."""


def indexing_lines(say: Callable[[str], None], what: str = "files") -> Callable[[str, int, int], None]:
    """Return what may be told of documents by name how many of how many files, or pages, were looked at.

    Of no name: how many of how many passages were read for what they mean.
    """
    due, pause = time.monotonic() + _FIRST, _PAUSE
    began: dict[str, float] = {}
    reached: dict[str, int] = {}
    told: set[str] = set()

    def tell(name: str, done: int, of: int) -> None:
        nonlocal due, pause
        now = time.monotonic()
        if done <= reached.get(name, 0):  # something new is being read: only what takes long itself is told
            began[name] = now
        reached[name] = done
        since = now - began.setdefault(name, now)
        if not name and since >= _PAUSE and now >= due and done < of:
            due, pause = now + pause, 2 * pause
            say(f"Reading for meaning: {done:,} of {of:,} passages")
        elif name and (name in told if done == of else now >= due):  # an end alone is no news
            told.add(name)
            due = now + _PAUSE
            say(f"Reading {name}: {done:,} of {of:,} {what}{_left(since, done, of)}")

    return tell


def _left(since: float, done: int, of: int) -> str:
    """Return about how long the rest takes, empty where that cannot be told or is no time.

    The first files wait for what reads them to begin: a few of many tell minutes where it takes seconds.
    """
    seconds = round(since / done * (of - done)) if done >= min(_TELLING, of / 10) and done else 0
    if seconds < 2:
        return ""
    return f", about {seconds} s left" if seconds < 90 else f", about {round(seconds / 60)} min left"
