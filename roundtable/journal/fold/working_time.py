"""For how long a session has worked: not counted is while it stood still, or waited to be gone on with."""

import contextlib
from dataclasses import dataclass

from roundtable.journal.clock import seconds_between

LONGEST = 300.0
"""Seconds that one step may take where the settings do not say (`models.total_timeout`)."""


@dataclass(slots=True)
class WorkingTime:
    """A fold over the times of a session's events.

    A process that ended without a word leaves no event; the one that takes its session up, or a fork's, says
    so. A silence counts for no longer than one step of work may take, in journals of before, too.
    """

    worked: float = 0.0
    """Seconds up to the last event."""
    longest: float = LONGEST
    _at: str = ""

    def reach(self, at: str, *, working: bool) -> None:
        """Take in that the time is now `at` (ISO 8601), and whether the session worked until then.

        What is no time, in a journal from elsewhere, is passed over.
        """
        with contextlib.suppress(ValueError):
            until = self.until(at)
            self.worked = until if working else self.worked
            self._at = max(self._at, at)

    def until(self, at: str) -> float:
        """Return the seconds that the session has worked by `at`, if it has worked since the last event."""
        return self.worked + min(seconds_between(self._at or at, at), self.longest)
