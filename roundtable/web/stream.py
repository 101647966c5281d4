"""One session's events as a stream that a browser can take up again where it left off."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from starlette.requests import Request

from roundtable.config.errors import SessionUnknown
from roundtable.web.serializers import shown

BREATH = 0.08
"""Seconds at least between two frames that say what is being written: faster nobody reads along."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is alive, and notices that nobody listens."""


def seen_last(request: Request) -> int:
    """Return the number of the last event that a listener has: a browser's header, else `?after=`."""
    told = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    return int(told) if told.isdecimal() and len(told) < 15 else 0


class Watched(Protocol):
    """What can be watched: the session thread."""

    ending: asyncio.Event

    def texts(self, identity: str, after: int) -> list[tuple[int, str, str]]:
        """Return what was recorded after an event."""

    def standing(self, identity: str) -> dict[str, Any]:
        """Return how a session stands."""

    def writing(self, identity: str) -> dict[str, str]:
        """Return what speakers are writing."""

    async def news(self, identity: str, seconds: float) -> bool:
        """Wait for news, at most for so long."""


async def stream(
    sessions: Watched, identity: str, after: int, may: Callable[[], bool] = lambda: True
) -> AsyncIterator[bytes]:
    """Yield everything past an event, then everything that happens, until the server ends.

    `may` tells before each frame whether who listens may still; when not, the stream ends.

    Frames named `events` hold a JSON array of events, in order and without gaps, with the last one's number
    as the frame's id. Frames named `standing` say how the session stands and carry no id.
    Frames named `writing` say what speakers are writing, as far as it changed; an empty text: no more. They
    carry no id either: what they hold is in no journal, and whoever missed it has missed nothing.
    """
    yield b"retry: 1000\n\n"
    standing: dict[str, Any] = {}
    written: dict[str, str] = {}
    while not sessions.ending.is_set() and may():
        try:
            batch = sessions.texts(identity, after)
        except SessionUnknown:  # deleted meanwhile: who comes back is told so
            return
        if batch:
            after = batch[-1][0]
            yield _frame("events", [shown(*kept) for kept in batch], after)
            continue
        if (now := sessions.standing(identity)) != standing:
            standing = now
            yield _frame("standing", {**standing, "last": after})
            continue  # look again: between looking and waiting there may be no other wait
        if (writing := sessions.writing(identity)) != written:
            names = [name for name in {**written, **writing} if writing.get(name) != written.get(name)]
            written = writing
            yield _frame("writing", {name: writing.get(name, "") for name in names})
            await asyncio.sleep(BREATH)
            continue
        if not await sessions.news(identity, HEARTBEAT):
            yield b"event: beat\ndata:\n\n"


def _frame(name: str, values: object, number: int | None = None) -> bytes:
    # JSON has no raw line breaks, and the other ends of line of EventSource are escaped.
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"))
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {text}\n\n".encode()
