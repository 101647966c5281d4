"""The parts in which the body of an answer arrives: whoever sends it chooses how small they are."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator

_AT_ONCE = 100
"""Parts that are handed out before others have their turn."""


async def in_turns(parts: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive, and let others have their turn now and then.

    What has arrived is handed out without waiting, and of parts of one byte ten thousand arrive together:
    without this a sender would hold up everything else that runs on the loop, bounds on time as well.
    """
    count = 0
    async for part in parts:
        yield part
        count += 1
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
