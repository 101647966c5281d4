"""Sessions that do not run here, as the journal tells them: the last looked at are kept for a while."""

import asyncio
import threading
import time

from roundtable.journal.fold.state import State
from roundtable.journal.replay import replayed
from roundtable.session.factory import Runtime

KEPT, KEPT_SECONDS = 4, 60.0
"""Sessions that are kept as they were replayed last, and for how long after a look."""


class ReplayedSessions:
    """States of sessions at rest."""

    def __init__(self, around: Runtime) -> None:
        self._around = around
        self._kept: dict[str, tuple[int, State, float]] = {}
        """With the number of the last event, and when it was looked at."""
        self._replaying = threading.Lock()
        """Held by the thread that replays: the others wait, and find what it left."""
        self._turn = asyncio.Lock()
        """Held by who has a thread for it: the others wait on the loop, whose threads sessions need."""

    def __len__(self) -> int:
        return len(self._kept)

    async def at_rest(self, identity: str) -> State:
        """Return a session's state as a thread may read it. Raises SessionUnknown, LibraryError."""
        async with self._turn:
            state = await asyncio.to_thread(self.replay, identity)
        asyncio.get_running_loop().call_later(KEPT_SECONDS + 1, self._forget)
        return state

    def replay(self, identity: str) -> State:
        """Replay a session in this thread, with a journal of the thread's own."""
        with self._replaying, self._around.journal() as journal:
            known = self._kept.get(identity)
            if known and not journal.read(identity, known[0], 1):
                last, state, _ = known
            else:
                events = journal.read(identity)
                with replayed(events, self._around.home) as state:
                    last = events[-1].n
            self._kept[identity] = (last, state, time.monotonic())
            while len(self._kept) > KEPT:
                self._kept.pop(next(iter(self._kept)))
            return state

    def _forget(self) -> None:
        """Let go of what nobody has looked at for a while; where a thread replays just now, it is left."""
        if self._replaying.acquire(blocking=False):
            try:
                late = time.monotonic() - KEPT_SECONDS
                self._kept = {i: kept for i, kept in self._kept.items() if kept[2] > late}
            finally:
                self._replaying.release()
