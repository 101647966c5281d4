"""Where time comes from. Nothing in a session looks at the wall clock except through here."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of time."""

    def now(self) -> datetime:
        """Return the date and time, aware, in UTC."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards, from an arbitrary start."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the date and time, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        return time.monotonic()


class SteppingClock:
    """A clock that moves one step each time somebody looks at it: the same run reads the same times."""

    def __init__(self, start: datetime, step: timedelta = timedelta(seconds=1)) -> None:
        if start.tzinfo is None:
            raise ValueError("the start must be aware: give it a time zone, such as datetime.UTC")
        self._start = start.astimezone(UTC)
        self._step = step
        self._looks = 0

    def _look(self) -> timedelta:
        passed = self._looks * self._step
        self._looks += 1
        return passed

    def now(self) -> datetime:
        """Return the date and time, then move on."""
        return self._start + self._look()

    def monotonic(self) -> float:
        """Return the seconds since the start, then move on."""
        return self._look().total_seconds()


def timestamp(moment: datetime) -> str:
    """Print a moment as the journal keeps it: ISO 8601 in UTC to the millisecond, `…T12:00:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(start: str, end: str) -> float:
    """Return the seconds between two ISO 8601 times, never less than 0: clocks jump."""
    if not start or not end:
        return 0.0
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds())
