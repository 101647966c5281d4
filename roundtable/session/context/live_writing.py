"""Who is writing what at this moment: told to whoever watches, and kept by nobody.

What is told here is not journalled and decides nothing. It may be taken back: a reply can be unusable, a
citation in it rejected, a turn broken off. What was said is the turn, when it is there.
"""

import contextlib
import time
from collections.abc import Callable, Iterator

from models.prompting import partial_text, watched

SPOKEN = {"respond": "answer", "ask_question": "question"}
"""Tasks whose reply holds what the speaker says, and in which field."""
PAUSE = 0.06
"""Seconds between two looks at one reply: more often than anybody sees costs for nothing."""

Listener = Callable[[str, str], None]
"""Is given a speaker and all of what they are saying so far; empty when that is taken back."""


class Speaking:
    """What the speakers of one session are writing."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell somebody from now on; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @contextlib.contextmanager
    def shown(self, speaker: str, task: str) -> Iterator[None]:
        """Show what a speaker says while a model writes it in this block."""
        field = SPOKEN.get(task)
        if field is None or not self._listeners:
            yield
            return
        last, looked = "", 0.0

        def look(written: str) -> None:
            nonlocal last, looked
            if (now := time.monotonic()) - looked < PAUSE:
                return
            looked = now
            if (said := partial_text(written, field)) != last:
                last = said
                self._tell(speaker, said)

        try:
            with watched(look):
                yield
        except BaseException:
            if last:
                self._tell(speaker, "")
            raise

    def _tell(self, speaker: str, said: str) -> None:
        for listener in list(self._listeners):
            listener(speaker, said)
