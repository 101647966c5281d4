"""How far reading a session's documents is, as whoever watches sees it: told now and then, not journalled."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from roundtable.session.factory import Runtime
from roundtable.web.hosting.hosted_session import HostedSession

_PAUSE = 0.3
"""Seconds between two words of how far reading documents is."""


def heard(
    around: Runtime, identity: str, hosted_here: Mapping[str, HostedSession], on_news: Callable[[str], None]
) -> Runtime:
    """Return what a session runs in, with an ear for how far reading its documents is.

    Args:
        around: What it would run in.
        identity: The session's id.
        hosted_here: The sessions that run here, now and later; `indexing` of its own is set.
        on_news: Told the id on the running loop, from whatever thread reads.
    """
    loop, began, told = asyncio.get_running_loop(), time.monotonic(), 0.0

    def hear(name: str, done: int, of: int) -> None:
        nonlocal told
        now = time.monotonic()
        hosted = hosted_here.get(identity)
        if hosted is None or (now - told < _PAUSE and done < of):
            return
        told = now
        seconds = round(now - began, 1)
        hosted.indexing = {"name": Path(name).name, "done": done, "of": of, "seconds": seconds}
        if not name:  # passages are read for what they mean, in the middle of its work
            hosted.indexing = {**hosted.indexing, "seconds": 0.0} if done < of else {}
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(on_news, identity)

    return replace(around, indexing=hear)
